#include "cli/commands.h"
#include "cli/gallery.h"
#include "console/interrupt.h"
#include "console/log.h"
#include "live/server/local_certificate.h"
#include "live/server/pages.h"
#include "live/server/server.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <thread>

extern char** environ;

namespace bristle::cli {
namespace {

namespace fs = std::filesystem;

constexpr uint16_t usual_port = 8080, ports_to_try = 20;

// Stops the server once a signal has come.
class Watcher {
  public:
    explicit Watcher(live::Server& server)
        : thread_([this, &server] {
              while (!is_ending_ && console::interrupt() == 0)
                  std::this_thread::sleep_for(std::chrono::milliseconds(20));
              server.stop();
          }) {}
    ~Watcher() {
        is_ending_ = true;
        thread_.join();
    }
    Watcher(const Watcher&) = delete;
    Watcher& operator=(const Watcher&) = delete;

  private:
    std::atomic<bool> is_ending_ = false;
    std::thread thread_;
};

// Every user of the machine sees the arguments of programs, and the address has the token in it: the browser gets a page that
// only this user can read and that leads there. It goes away with this.
class Door {
  public:
    explicit Door(const std::string& address) {
        const char* runtime = std::getenv("XDG_RUNTIME_DIR");
        const fs::path folder =
            runtime != nullptr && *runtime == '/' ? fs::path(runtime) : live::state_folder();
        std::error_code error;
        fs::create_directories(folder, error);
        std::string name = (folder / "bristle-XXXXXX.html").string();
        const int file = mkostemps(name.data(), 5, O_CLOEXEC);  // readable by its owner
        const std::string page = fmt::format(
            "<!doctype html><meta charset=utf-8><title>Bristle</title>"
            "<meta http-equiv=refresh content=\"0; url={0}\"><a href=\"{0}\">Open</a>\n",
            address);
        if (file < 0 || write(file, page.data(), page.size()) != ssize_t(page.size()))
            throw InputError(fmt::format("there is no place for a page in '{}'", folder.string()));
        close(file);
        path_ = name;
    }
    ~Door() {
        std::error_code error;
        fs::remove(path_, error);
    }
    Door(const Door&) = delete;
    Door& operator=(const Door&) = delete;
    std::string address() const { return "file://" + path_.string(); }

  private:
    fs::path path_;
};

std::unique_ptr<Door> open_browser(const std::string& address) {
    std::string program = "xdg-open";
    try {
        auto door = std::make_unique<Door>(address);
        std::string page = door->address();
        char* arguments[] = {program.data(), page.data(), nullptr};
        pid_t child = 0;
        if (posix_spawnp(&child, program.c_str(), nullptr, nullptr, arguments, environ) == 0)
            return door;
        fmt::print(stderr, "bristle: there is no xdg-open; open the address by hand\n");
    } catch (const InputError& error) {
        fmt::print(stderr, "bristle: {}; open the address by hand\n", error.what());
    }
    return nullptr;
}

using Tell = std::function<void(const std::string&)>;

live::Server::Options server_options(const ViewOptions& options, Gallery& gallery,
                                     const Tell& tell) {
    live::Server::Options server;
    if (!options.listen.empty()) server.address = options.listen;
    server.port = options.port.value_or(usual_port);
    server.ports_to_try = options.port ? 1 : ports_to_try;
    server.pages = live::page_folder();
    server.certificate = {options.certificate, options.key};
    server.hub.library = &gallery;
    server.hub.log = tell;
    if (options.paused) server.hub.session.begin = live::Begin::paused;
    if (options.realtime) server.hub.session.scheduling = live::Scheduling::real_time;
    server.hub.session.warn = tell;
    return server;
}

}  // namespace

int view(const ViewOptions& options) {
    if (options.scene.empty() && (!options.record.empty() || !options.inputs.empty()))
        throw InputError("--record and --inputs are for a scene: say which one");
    // Who reads our words may go away; that is no reason to end.
    console::ignore_broken_pipes();
    console::Log log;
    const Tell tell = [&log](const std::string& line) { log.tell(line); };
    Gallery gallery(options, tell);
    live::Server server(server_options(options, gallery, tell));
    if (!options.scene.empty()) server.hub().open(gallery.given_name(), gallery.open_given());

    console::catch_interrupts();
    fmt::print("Open   {}\nShare  {}   (to watch only)\n", server.operator_address(),
               server.viewer_address());
    if (const std::string fingerprint = server.fingerprint(); !fingerprint.empty())
        fmt::print("The certificate's SHA-256 is {}: compare it when the browser warns.\n",
                   fingerprint);
    fmt::print("Ctrl-C ends it.\n");
    std::fflush(stdout);
    std::unique_ptr<Door> door;
    if (options.open_browser) door = open_browser(server.operator_address());
    {
        const Watcher watcher(server);
        server.run();
    }
    const live::ClockStatistics statistics = server.hub().statistics();
    if (statistics.ticks > 0) std::fputs(live::summary(statistics).c_str(), stdout);
    return 0;
}

}  // namespace bristle::cli
