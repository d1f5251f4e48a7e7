#include "validation/rough/crew.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace bristle::validation::rough {
namespace {

using Clock = std::chrono::steady_clock;

struct Worker {
    const Run* run;
    pid_t process;
    int pipe;
    std::string told;
    Clock::time_point deadline;  // by the clock on the wall: only for what hangs
};

void tell(int pipe, const std::string& text) {
    for (size_t sent = 0; sent < text.size();) {
        const ssize_t n = write(pipe, text.data() + sent, text.size() - sent);
        if (n <= 0) return;
        sent += static_cast<size_t>(n);
    }
}

Worker start(const Run& run) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("validate rough: no pipe could be made");
    std::fflush(nullptr);
    const pid_t process = fork();
    if (process < 0) throw std::runtime_error("validate rough: no process could be started");
    if (process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody would listen any more
        close(ends[0]);
        tell(ends[1], to_json(play(run)).dump());
        _exit(0);
    }
    close(ends[1]);
    const auto patience = std::chrono::duration<double>(60 + 4 * slowest * run.seconds);
    return {&run, process, ends[0], "",
            Clock::now() + std::chrono::duration_cast<Clock::duration>(patience)};
}

// True: it has told all.
bool listen(Worker& worker) {
    char text[4096];
    const ssize_t n = read(worker.pipe, text, sizeof text);
    if (n > 0) worker.told.append(text, static_cast<size_t>(n));
    return n <= 0;
}

Result finish(Worker& worker) {
    close(worker.pipe);
    int status = 0;
    waitpid(worker.process, &status, 0);
    const auto json = nlohmann::ordered_json::parse(worker.told, nullptr, false);
    if (!json.is_discarded()) return result_of(json);
    return silent(*worker.run, WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL
                                   ? fmt::format("crashed: {}", strsignal(WTERMSIG(status)))
                                   : "hung in a step, or was killed");
}

}  // namespace

void play_all(const std::vector<Run>& runs, int jobs,
              const std::function<void(const Result&)>& report) {
    std::vector<Worker> crew;
    size_t next = 0;
    while (next < runs.size() || !crew.empty()) {
        while (next < runs.size() && crew.size() < static_cast<size_t>(std::max(jobs, 1)))
            crew.push_back(start(runs[next++]));
        std::vector<pollfd> ears;
        ears.reserve(crew.size());
        for (const Worker& w : crew) ears.push_back({w.pipe, POLLIN, 0});
        poll(ears.data(), ears.size(), 1000);
        for (size_t i = crew.size(); i-- > 0;) {
            if (Clock::now() > crew[i].deadline) kill(crew[i].process, SIGKILL);
            if (!(ears[i].revents & (POLLIN | POLLHUP)) || !listen(crew[i])) continue;
            const Result result = finish(crew[i]);
            crew.erase(crew.begin() + static_cast<std::ptrdiff_t>(i));
            report(result);
        }
    }
}

}  // namespace bristle::validation::rough
