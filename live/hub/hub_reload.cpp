// The scene that is shown, read anew: its file was saved, or somebody chose other parameters. The old one goes on until the new one
// is there, and for good if it cannot be opened. The new one goes through the same inputs to the same moment, if it can in time.
#include <bristle/scene.h>

#include "live/hub/events.h"
#include "live/hub/hub_impl.h"

#include <utility>

namespace bristle::live {
namespace {

constexpr uint64_t ticks_a_look = 6;      // ten times a second
constexpr double most_catching_up = 0.4;  // s of computing, for a change is to be seen within one

std::vector<std::string> lines_of(const std::exception& error) {
    if (const auto* mistakes = dynamic_cast<const io::SceneError*>(&error))
        return mistakes->messages;
    return {*error.what() == 0 ? "it cannot be opened" : error.what()};
}

}  // namespace

void Hub::Impl::look_at_files() {
    if (ticks % ticks_a_look != 0 || is_opening || is_reading_again || options.library == nullptr)
        return;
    if (file_watch.has_changed()) read_again(report.parameters);
}

void Hub::Impl::read_again(std::map<std::string, std::string> with) {
    if (is_reading_again) {
        next_parameters = std::move(with);  // a slider is faster than we are: the newest counts
        return;
    }
    is_reading_again = true;
    const auto past = std::make_shared<Past>();
    const auto look = [past](const Show& show) { *past = show.past(); };
    post(0, 0, LookAt{look}, [this, past, with = std::move(with)](const std::string&) {
        open_again(past, with);
        return Reply::now;
    });
}

void Hub::Impl::open_again(const std::shared_ptr<Past>& past,
                           const std::map<std::string, std::string>& with) {
    worker->post([this, to_hub = to_hub(), library = options.library, past, with, shown = name,
                  s = session.get()] {
        auto opened = std::make_shared<Opened>();
        std::vector<std::string> mistakes;
        try {
            *opened = library->open(shown, with);
            opened->show->catch_up(*past, most_catching_up);
        } catch (const std::exception& error) {
            mistakes = lines_of(error);
        }
        to_hub([this, opened, mistakes, with, s]() mutable {
            if (s != session.get()) return;  // something else was opened meanwhile
            is_reading_again = false;
            const auto next = std::exchange(next_parameters, {});
            try {
                opened->parameters = with;
                if (mistakes.empty()) show_again(std::move(*opened));
            } catch (const InputError& refused) {
                mistakes = lines_of(refused);
            }
            if (!mistakes.empty()) {
                report.mistakes = mistakes;
                send_to_all(report_event(report));
            }
            if (next) read_again(*next);
        });
    });
}

void Hub::Impl::show_again(Opened opened) {
    const Transport before = frame.transport;
    const std::string shown = name;
    const FileWatch watched = file_watch;
    // What failed is tried again: that is why the file was changed.
    const bool runs = !has_frame || before.is_running || !before.trouble.empty();
    show(shown, std::move(opened), runs ? Begin::running : Begin::paused, Shown::again);
    if (before.speed > 0) session->post(SetSpeed{before.speed});
    file_watch.take_over(watched);
}

}  // namespace bristle::live
