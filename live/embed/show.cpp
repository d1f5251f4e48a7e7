#include <bristle/live.h>

#include "live/embed/world_scene.h"
#include "live/hub/open_scene.h"
#include "live/server/pages.h"
#include "live/server/server.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace bristle {
namespace {

constexpr uint16_t usual_port = 8080, ports_to_try = 100;

// The one scene there is; opened again it begins again.
class OneScene : public live::Library {
  public:
    OneScene(const World& world, const ShowOptions& options)
        : what_(live::scene_of(world, options.title, options.seen_as.get())), options_(options) {}

    const io::Scene& scene() const { return *what_.scene; }
    const std::string& name() const { return what_.scene->name; }
    std::vector<live::GalleryEntry> entries() const override {
        return {{name(), scene().title.empty() ? name() : scene().title}};
    }
    live::Opened open(const std::string&, const std::map<std::string, std::string>&) override {
        return live::open_scene(what_.scene, what_.origin,
                                std::make_shared<live::Channels>(scene().model), options_.tell);
    }
    live::Opened open_first() {
        live::Opened opened = open(name(), {});
        if (!options_.record.empty())
            opened.tape = live::tape_to(options_.record, scene(), what_.origin);
        return opened;
    }

  private:
    const live::WorldScene what_;
    const ShowOptions options_;
};

ShowOptions completed(ShowOptions options) {
    if (!options.tell) options.tell = [](const std::string&) {};
    return options;
}

live::Server::Options server_options(const ShowOptions& options, live::Library& library) {
    live::Server::Options server;
    server.address = options.address;
    server.port = options.port.value_or(usual_port);
    server.ports_to_try = options.port ? 1 : ports_to_try;
    server.pages = options.pages.empty() ? live::page_folder() : options.pages;
    server.hub.library = &library;
    server.hub.log = options.tell;
    server.hub.session.warn = options.tell;
    if (options.frames == ShowOptions::Frames::of_this_machine)
        server.frames = live::Frames::of_this_machine;
    if (options.begin == ShowOptions::Begin::paused) server.hub.session.begin = live::Begin::paused;
    return server;
}

}  // namespace

struct LiveView::Impl {
    Impl(const World& world, const ShowOptions& options)
        : library(world, options),
          server(std::make_unique<live::Server>(server_options(options, library))),
          address(server->operator_address()),
          viewer_address(server->viewer_address()) {
        server->hub().open(library.name(), library.open_first());
        thread = std::thread([this] {
            server->run();
            const std::lock_guard guard(mutex);
            is_open = false;
            over.notify_all();
        });
    }
    ~Impl() { stop(); }
    // With the server goes the session, which computes on a thread of its own.
    void stop() {
        const std::lock_guard guard(stopping);
        if (!server) return;
        server->stop();
        thread.join();
        server.reset();
    }

    OneScene library;
    std::unique_ptr<live::Server> server;
    const std::string address, viewer_address;
    std::thread thread;
    std::mutex stopping;
    std::mutex mutex;  // of what follows
    std::condition_variable over;
    bool is_open = true;
};

LiveView::LiveView(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
LiveView::~LiveView() = default;
LiveView::LiveView(LiveView&&) noexcept = default;
LiveView& LiveView::operator=(LiveView&&) noexcept = default;

std::string LiveView::address() const { return impl_->address; }
std::string LiveView::viewer_address() const { return impl_->viewer_address; }
const std::vector<std::string>& LiveView::unsaid() const { return impl_->library.scene().unsaid; }
bool LiveView::is_open() const {
    const std::lock_guard guard(impl_->mutex);
    return impl_->is_open;
}
void LiveView::wait() const {
    std::unique_lock guard(impl_->mutex);
    impl_->over.wait(guard, [this] { return !impl_->is_open; });
}
void LiveView::stop() { impl_->stop(); }

LiveView show(const World& world, const ShowOptions& options) {
    return LiveView(std::make_unique<LiveView::Impl>(world, completed(options)));
}

}  // namespace bristle
