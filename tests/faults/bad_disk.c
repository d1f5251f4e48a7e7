// A disk that is slow, or says that it could not write what it had taken: loaded before the C library (LD_PRELOAD) by
// attacks_by_disk.py. Only regular files are on it; sockets and pipes are as they are.
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static double number(const char* name) {
    const char* text = getenv(name);
    return text ? atof(text) : 0;
}

static int is_on_disk(int file) {
    struct stat status;
    return fstat(file, &status) == 0 && S_ISREG(status.st_mode);
}

static void wait_a_while(const char* name) {
    usleep((useconds_t)(1e6 * number(name)));
}

ssize_t write(int file, const void* data, size_t size) {
    if (is_on_disk(file)) wait_a_while("BAD_DISK_WRITE");  // s
    return syscall(SYS_write, file, data, size);
}

static int sync_by(long call, int file) {
    if (!is_on_disk(file)) return (int)syscall(call, file);
    wait_a_while("BAD_DISK_SYNC");  // s
    if (number("BAD_DISK_FAILS") == 0) return (int)syscall(call, file);
    errno = EIO;
    return -1;
}

int fdatasync(int file) { return sync_by(SYS_fdatasync, file); }
int fsync(int file) { return sync_by(SYS_fsync, file); }
