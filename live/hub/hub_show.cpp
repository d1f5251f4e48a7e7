#include "live/hub/events.h"
#include "live/hub/hub_impl.h"
#include "live/wire/json.h"
#include "live/wire/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace bristle::live {
namespace {

constexpr uint64_t ticks_a_timing = 30;  // twice a second

}  // namespace

// ---- Opening and ending ------------------------------------------------------------------------------

void Hub::Impl::show(const std::string& shown, Opened opened, Begin begin, Shown how_shown) {
    Session::Options how = options.session;
    how.begin = begin;
    // Nothing of it may be missed: not by the file, nor by who opens the address.
    const bool is_alone = std::none_of(clients.begin(), clients.end(), [](const auto& c) {
        return c.second.role != Role::stranger;
    });
    const bool waits = begin == Begin::running && is_alone && !opened.tape.tape;
    if (opened.tape.tape || waits) how.begin = Begin::paused;
    // It may refuse: then the one before goes on.
    auto next = std::make_unique<Session>(std::move(opened.show), how);
    end_show("another scene was opened");
    session = std::move(next);
    waits_for_page = waits;
    name = shown;
    file_watch = FileWatch(std::move(opened.files));
    report = {{}, std::move(opened.warnings), opened.may_write, std::move(opened.parameters)};
    channels = std::move(opened.channels);
    make_tape = std::move(opened.make_tape);
    tape = std::move(opened.tape);
    if (tape.tape) {
        session->post(Record{tape.tape});
        if (begin == Begin::running) session->post(Run{});
    }
    if (opened.plug_in)
        plugged_in = opened.plug_in([s = session.get()](const Input& i) { s->post(Order{i}); },
                                    who_may_steer());
    send_to_all(opened_event(name, how_shown));
    for (auto& [id, client] : clients)
        if (client.role != Role::stranger) introduce(client);
}

void Hub::Impl::end_show(const std::string& why) {
    if (!session) return;
    // Stopping may take as long as a step, finishing a file as long as the disk: not on this thread.
    struct Past {
        std::unique_ptr<Session> session;
        std::shared_ptr<void> plugged_in;
        RunningTape tape;
    };
    auto past = std::make_shared<Past>();
    past->session = std::move(session);
    past->plugged_in = std::move(plugged_in);
    past->tape = std::move(tape);
    worker->post([past = std::move(past)] {
        past->plugged_in.reset();
        past->session.reset();
        past->tape = {};
    });
    name.clear();
    report = {};
    next_parameters.reset();
    file_watch = {};
    is_reading_again = is_chronicling = false;
    channels.reset();
    make_tape = nullptr;
    tape = {};
    wishes = {.quantities = {}, .looks = {}, .number = wishes.number};
    is_holding = false;
    devices.clear();
    has_frame = false;
    scene.reset();
    scene_message = state = {};
    ground = {};
    for (auto& [id, client] : clients) {
        client.ground.reset();
        client.outbox.drop_slots();
        client.quantities.clear();
        client.looks = {};
    }
    const auto left = std::move(tickets);
    tickets.clear();
    if (is_watching) watch_requests.pop_front();  // has a ticket
    const auto left_requests = std::move(watch_requests);
    watch_requests.clear();
    is_watching = false;
    for (const auto& [number, ticket] : left)
        if (Client* client = find(ticket.client)) answer_error(*client, ticket.id, why);
    for (const WatchRequest& request : left_requests)
        if (Client* client = find(request.client)) answer_error(*client, request.id, why);
}

void Hub::Impl::start_opening(const std::string& wanted, std::map<std::string, std::string> with) {
    is_opening = true;
    send_to_all(opening_event(wanted));
    worker->post(
        [this, to_hub = to_hub(), library = options.library, wanted, with = std::move(with)] {
            auto opened = std::make_shared<Opened>();
            std::string error;
            try {
                *opened = library->open(wanted, with);
            } catch (const std::exception& e) {
                error = *e.what() == 0 ? "it cannot be opened" : e.what();
            }
            to_hub([this, wanted, opened, error, with] {
                is_opening = false;
                opened->parameters = with;
                try {
                    if (!error.empty()) throw InputError(error);
                    show(wanted, std::move(*opened), options.session.begin);
                } catch (const InputError& refused) {
                    send_to_all(failed_event(wanted, refused.what()));
                }
            });
        });
}

void Hub::Impl::introduce(Client& client) {
    if (!session) return;
    if (scene_message.bytes) client.outbox.add_scene(scene_message);
    send(client, controls_event(channels.get()));
    send(client, recording_event(tape.file));
    send(client, report_event(report));
    if (waits_for_page) session->post(Run{});
    waits_for_page = false;
    if (!wishes.quantities.empty()) send(client, watched_event(wishes.number, wishes.quantities));
    if (has_frame && scene && frame.revision == scene->revision())
        client.outbox.set_state(state_message());
    client.wake();
}

// ---- Recording -----------------------------------------------------------------------------------------

void Hub::Impl::start_recording(ClientId client, uint32_t id) {
    if (!make_tape) throw InputError("this cannot be recorded, it is a recording itself");
    if (tape.tape || is_making_tape)
        throw InputError(fmt::format("it is recorded already, to {}", tape.file));
    is_making_tape = true;
    worker->post([this, to_hub = to_hub(), make = make_tape, client, id, s = session.get()] {
        RunningTape made;
        std::string error;
        try {
            made = make();
        } catch (const std::exception& e) {
            error = *e.what() == 0 ? "no file can be made" : e.what();
        }
        to_hub([this, made, error, client, id, s] {
            is_making_tape = false;
            Client* who = find(client);
            if (!error.empty() || s != session.get()) {
                if (who != nullptr)
                    answer_error(*who, id, error.empty() ? "the scene was closed" : error);
                return;
            }
            tape = made;
            post(client, id, Record{made.tape}, [this](const std::string& refused) {
                if (!refused.empty()) tape = {};
                send_to_all(recording_event(tape.file));
                return Reply::now;
            });
        });
    });
}

void Hub::Impl::stop_recording(ClientId client, uint32_t id) {
    if (!tape.tape) throw InputError("nothing is recorded");
    post(client, id, Record{}, [this, client, id](const std::string& error) {
        if (!error.empty()) return Reply::now;
        // Finishing a file takes as long as the disk: not on this thread, nor the session's. Only then is it known
        // whether all of it is there.
        finish_tape([this, client, id](const std::string& trouble) {
            send_to_all(recording_event({}, trouble));
            Client* who = find(client);
            if (who == nullptr) return;
            if (trouble.empty())
                answer(*who, id);
            else
                answer_error(*who, id, "record: " + trouble);
        });
        return Reply::later;
    });
}

void Hub::Impl::finish_tape(std::function<void(const std::string& trouble)> then) {
    // Two may have said stop before the first was heard.
    if (!tape.tape) return then({});
    worker->post([last = std::make_shared<RunningTape>(std::exchange(tape, {})), to_hub = to_hub(),
                  then = std::move(then)] {
        std::string trouble;
        try {
            last->tape->finish();
        } catch (const std::exception& error) {
            trouble = error.what();
        }
        last->tape.reset();
        to_hub([then, trouble] { then(trouble); });
    });
}

// A disk that is full ends a recording, and nothing else.
void Hub::Impl::look_after_tape() {
    if (!tape.tape || tape.tape->trouble().empty()) return;
    session->post(Record{});
    finish_tape([this](const std::string& trouble) {
        log("the recording has ended: " + trouble);
        send_to_all(recording_event({}, trouble));
    });
}

// ---- Frames ----------------------------------------------------------------------------------------------

void Hub::Impl::tick() {
    const auto now = WallClock::now();
    for (auto& [id, client] : clients)
        if (client.role == Role::stranger
            && now - client.since > std::chrono::duration<double>(options.limits.hello))
            close(client, "no hello came");
    if (!session) return;
    if (session->take(frame)) {
        has_frame = true;
        send_frame();
    }
    gather_ground();
    look_at_files();
    if (++ticks % ticks_a_timing == 0) {
        look_after_tape();
        const Outgoing timing =
            text_message(to_json(timing_event(session->statistics(), session->solver())));
        for (auto& [id, client] : clients) {
            if (client.role == Role::stranger || !client.closing.empty()) continue;
            client.outbox.set_timing(timing);
            client.wake();
        }
    }
}

void Hub::Impl::send_frame() {
    state = {};
    if (!scene || scene->revision() != frame.revision) {
        scene = session->scene();
        wire::FromServer with_scene;
        *with_scene.mutable_scene() = *scene;
        scene_message = binary_message(with_scene);
        ground.take(*scene);
        for (auto& [id, client] : clients) {
            if (client.role == Role::stranger || !client.closing.empty()) continue;
            client.outbox.drop_slots();
            client.ground.reset();
            if (!client.outbox.add_scene(scene_message))
                close(client, "too much waits to be read: the connection is too slow");
            client.wake();
        }
    }
    if (scene->revision() != frame.revision) return;  // the frame of this scene is on its way
    for (auto& [id, client] : clients) {
        if (client.role == Role::stranger || !client.closing.empty()) continue;
        client.outbox.set_state(state_message());
        client.wake();
    }
}

Outgoing Hub::Impl::state_message() {
    if (!state.bytes) {
        encode(frame, *message.mutable_state());
        state = binary_message(message);
    }
    return state;
}

}  // namespace bristle::live
