#include "io/output_file.h"

#include <bristle/error.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace bristle::io {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why) {
    throw InputError(fmt::format("cannot write '{}': {}", path.string(), why));
}

// File systems that know no locks are trusted.
bool is_locked_by_another(int file) {
    return flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

constexpr const char* taken = "another program is writing it; choose another place with --out";

// Whether this is still the file of that name: the one who had the lock before may have renamed or removed it.
bool is_named(int file, const std::filesystem::path& path) {
    struct stat open {
    }, named{};
    return fstat(file, &open) == 0 && stat(path.c_str(), &named) == 0 && open.st_ino == named.st_ino
        && open.st_dev == named.st_dev;
}

// Both files change their names with each other, or the first takes the name if nobody has it: the old one is still there. The
// same call once more takes that back. Where a file system cannot do that, the old one is replaced.
bool exchange(const char* beside, const char* path) {
    struct stat status {};
    if (lstat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return false;
    }
    if (renameat2(AT_FDCWD, beside, AT_FDCWD, path, RENAME_EXCHANGE) == 0) return true;
    if (errno == ENOENT) return renameat2(AT_FDCWD, beside, AT_FDCWD, path, RENAME_NOREPLACE) == 0;
    return (errno == EINVAL || errno == ENOSYS) && ::rename(beside, path) == 0;
}

}  // namespace

void write_all(int file, std::string_view bytes, const std::filesystem::path& name) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(file, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0)
            throw std::runtime_error(
                fmt::format("cannot write {}: {}", name.string(), std::strerror(errno)));
        bytes.remove_prefix(static_cast<size_t>(written));
    }
}

void sync_folder(const std::filesystem::path& file) {
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
    const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;  // one that may be written but not read
    fsync(descriptor);
    close(descriptor);
}

OutputFile::OutputFile(std::filesystem::path path, Kind kind) : path_(std::move(path)) {
    if (path_ == "-") {
        file_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
        if (file_ < 0) refuse(path_, std::strerror(errno));
        return;
    }
    struct stat status {};
    const bool exists = stat(path_.c_str(), &status) == 0;
    // A pipe or a device is written as it is: it has no old content to keep.
    if (exists && !S_ISREG(status.st_mode)) {
        file_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
        if (file_ < 0) refuse(path_, std::strerror(errno));
        return;
    }
    if (exists) {
        replaced_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
        if (replaced_ >= 0 && is_locked_by_another(replaced_)) {
            close(replaced_);
            refuse(path_, taken);
        }
    }
    if (exists || kind == Kind::whole_or_nothing) {
        open_beside();
        return;
    }
    file_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file_ < 0) refuse(path_, errno == EEXIST ? taken : std::strerror(errno));
    if (is_locked_by_another(file_)) {
        close(file_);
        refuse(path_, taken);
    }
}

void OutputFile::open_beside() {
    beside_ = path_;
    beside_ += ".part";
    const auto fail = [this](const std::string& why) {
        if (replaced_ >= 0) close(replaced_);
        refuse(path_, why);
    };
    for (;;) {
        file_ = open(beside_.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (file_ < 0) fail(std::strerror(errno));
        if (is_locked_by_another(file_)) {
            close(file_);
            fail(taken);
        }
        if (is_named(file_, beside_)) break;
        close(file_);
    }
    if (ftruncate(file_, 0) != 0) {
        close(file_);
        fail(std::strerror(errno));
    }
    // Who could not read the old one cannot read the new one either.
    struct stat old {};
    if (replaced_ >= 0 && fstat(replaced_, &old) == 0) fchmod(file_, old.st_mode & 0777u);
}

OutputFile::~OutputFile() {
    if (!beside_.empty()) unlink(beside_.c_str());
    if (replaced_ >= 0) close(replaced_);
    close(file_);
}

void OutputFile::write(std::string_view bytes) { write_all(file_, bytes, path_); }

bool OutputFile::is_regular() const {
    struct stat status {};
    return path_ != "-" && fstat(file_, &status) == 0 && S_ISREG(status.st_mode);
}

void OutputFile::fail() const {
    throw std::runtime_error(
        fmt::format("cannot write {}: {}", path_.string(), std::strerror(errno)));
}

void OutputFile::sync() const {
    if (is_regular() && fdatasync(file_) != 0) fail();
}

void OutputFile::rename() {
    if (beside_.empty()) return;
    if (::rename(beside_.c_str(), path_.c_str()) != 0) fail();
    beside_.clear();
}

void OutputFile::publish() {
    sync();
    rename();
    if (is_regular()) sync_folder(path_);
}

// No system call gives two names at once, and a kill between two of them would leave a new table beside an old report. A
// child in a session of its own gives both: whoever kills this program does not reach it, and the locks, which it inherits,
// last until it is done. If the second cannot have its name, the first gives its own back.
void OutputFile::rename_both(OutputFile& one, OutputFile& other) {
    const char *beside = one.beside_.c_str(), *path = one.path_.c_str();
    const auto rename_them = [&] {
        const bool had_old = access(path, F_OK) == 0;
        if (!exchange(beside, path)) return errno;
        if (!exchange(other.beside_.c_str(), other.path_.c_str())) {
            const int why = errno;
            if (had_old)
                exchange(beside, path);
            else
                ::rename(path, beside);
            return why;
        }
        // The old ones have these names now.
        unlink(beside);
        unlink(other.beside_.c_str());
        return 0;
    };
    const pid_t child = fork();
    if (child == 0) {
        setsid();
        _exit(rename_them());
    }
    int why = 0;
    if (child > 0) {
        int status = 0;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
        why = WIFEXITED(status) ? WEXITSTATUS(status) : EINTR;
    } else {
        why = rename_them();
    }
    if (why != 0) {
        errno = why;
        other.fail();
    }
    one.beside_.clear();
    other.beside_.clear();
}

void OutputFile::publish(OutputFile& one, OutputFile& other) {
    one.sync();
    other.sync();
    if (one.beside_.empty() || other.beside_.empty()) {
        one.rename();
        other.rename();
    } else {
        rename_both(one, other);
    }
    for (const OutputFile* file : {&one, &other})
        if (file->is_regular()) sync_folder(file->path_);
}

void refuse_to_overwrite(const std::filesystem::path& input, const std::filesystem::path& output) {
    std::error_code error;
    if (std::filesystem::equivalent(input, output, error))
        refuse(output, "it is what is read; choose another name with --out");
}

}  // namespace bristle::io
