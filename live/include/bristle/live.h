// A world of your own program, live in the browser and in a file: what `bristle view` and `bristle record` do with a
// scene.
//
//     World world(model, AugmentedLagrangian{.step = 5e-3});
//     LiveView view = show(world);
//     std::puts(view.address().c_str());
//     view.wait();
//
//     record(world, "arm.mcap", 10.0);    // `bristle replay arm.mcap --check` computes it again
//
// What is shown is a copy: it goes on from where the world is, time, contacts and commands included, and whatever is
// done to it in the browser leaves the world alone. A world whose model was changed on the way (World::change) begins
// anew, at time zero, from where everything is then.
//
// Functions in code (a lambda as a drive's target, a force of the user's own) are shown and recorded like all
// others, from a thread of the page's own; but a recording cannot hold them. It can be looked at, not computed again.
#pragma once

#include <bristle/scene.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace bristle {

struct ShowOptions {
    enum class Begin : uint8_t { running, paused };
    std::string title;                  // of the page; recordings are called after it
    std::string address = "127.0.0.1";  // anything else is open to the network, with TLS
    std::optional<uint16_t> port = {};  // none: the first that is free from 8080 on; 0: any
    Begin begin = Begin::running;
    // Who may show the page inside another: nobody, or pages of this machine, such as a notebook.
    enum class Frames : uint8_t { refused, of_this_machine };
    Frames frames = Frames::refused;
    std::filesystem::path record;  // to this file from the start; empty: when asked for on the page
    std::filesystem::path pages;   // folder of the built page; empty: it is looked for
    // A scene of the same model whose colours and visuals it is seen with; or nothing.
    std::shared_ptr<const io::Scene> seen_as = {};
    std::function<void(const std::string&)> tell =
        {};  // hears what is to be known; from any thread
};

// A page that is served, as long as this lives.
class LiveView {
  public:
    ~LiveView();
    LiveView(LiveView&&) noexcept;
    LiveView& operator=(LiveView&&) noexcept;

    // What to open in a browser, to steer, and to watch only. The word that admits is in the part behind the #, which
    // is never sent in the open.
    std::string address() const;
    std::string viewer_address() const;
    // What no file can say, an object a line: then recordings of it cannot be computed again.
    const std::vector<std::string>& unsaid() const;

    bool is_open() const;
    void wait() const;  // until somebody calls stop
    // No longer: connections are closed, a recording is finished. From any thread.
    void stop();

  private:
    friend LiveView show(const World&, const ShowOptions&);
    struct Impl;
    explicit LiveView(std::unique_ptr<Impl>);
    std::unique_ptr<Impl> impl_;
};

// Throws InputError if there is no page, or no port.
LiveView show(const World&, const ShowOptions& = {});

struct RecordOptions {
    std::string title;
    std::shared_ptr<const io::Scene> seen_as = {};  // as ShowOptions'
    std::function<bool()> goes_on = {};  // asked now and then; false ends it after a whole step
};

struct Recording {
    std::filesystem::path file;
    uint64_t steps = 0, bytes = 0;
    uint64_t hash = 0;                // of the state at the end
    std::vector<std::string> unsaid;  // as LiveView's
};

// Computes the world until that time, as World::advance_to does, and records it. Throws InputError if the file exists,
// or cannot be written; SimulationError as a step does, with the file up to there.
Recording record(World&, const std::filesystem::path& file, double until,
                 const RecordOptions& = {});

}  // namespace bristle
