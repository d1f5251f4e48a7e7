#include "live/hub/events.h"
#include "live/hub/hub_impl.h"
#include "live/hub/steering.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace bristle::live {
namespace {

constexpr size_t most_quantities = 64, most_parameters = 64;

bool is_device_of_a_page(std::string_view device) {
    return device == "keyboard" || device == "mouse" || device == "gamepad";
}

void add_new(std::vector<std::string>& list, const std::vector<std::string>& more) {
    for (const std::string& name : more)
        if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
}

}  // namespace

void Hub::Impl::carry_out(Client& client, uint64_t id, const Fields& fields) {
    using Act = void (Impl::*)(Client&, uint64_t, const Fields&);
    enum class Needs : uint8_t { nothing, scene };
    struct Action {
        const char* name;
        Role least;
        Needs needs;
        Act act;
    };
    static constexpr Action actions[] = {
        {"run", Role::operating, Needs::scene, &Impl::transport},
        {"pause", Role::operating, Needs::scene, &Impl::transport},
        {"step", Role::operating, Needs::scene, &Impl::transport},
        {"speed", Role::operating, Needs::scene, &Impl::transport},
        {"seek", Role::operating, Needs::scene, &Impl::transport},
        {"restart", Role::operating, Needs::scene, &Impl::transport},
        {"command", Role::operating, Needs::scene, &Impl::command},
        {"control", Role::operating, Needs::scene, &Impl::control},
        {"grab", Role::operating, Needs::scene, &Impl::steer},
        {"move", Role::operating, Needs::scene, &Impl::steer},
        {"release", Role::operating, Needs::scene, &Impl::steer},
        {"add", Role::operating, Needs::scene, &Impl::steer},
        {"remove", Role::operating, Needs::scene, &Impl::steer},
        {"watch", Role::viewer, Needs::scene, &Impl::watch},
        {"open", Role::operating, Needs::nothing, &Impl::open},
        {"close", Role::operating, Needs::scene, &Impl::close_show},
        {"record", Role::operating, Needs::scene, &Impl::record},
        {"take", Role::viewer, Needs::nothing, &Impl::take_seat},
        {"ping", Role::viewer, Needs::nothing, &Impl::ping},
    };
    const std::string wanted = fields.text("do");
    const auto* action = std::find_if(std::begin(actions), std::end(actions),
                                      [&](const Action& a) { return a.name == wanted; });
    if (action == std::end(actions))
        throw InputError(wanted == "hello" ? "hello was said already"
                                           : fmt::format("there is no '{}' to do", wanted));
    if (client.role < action->least)
        throw InputError(fmt::format("only the operator may {}", wanted));
    if (action->needs == Needs::scene && !session)
        throw InputError(fmt::format("{}: no scene is open", wanted));
    (this->*action->act)(client, id, fields);
}

// ---- Orders to the session -------------------------------------------------------------------------

void Hub::Impl::post(ClientId client, uint64_t id, Order order, Then then) {
    const uint64_t number = ++last_ticket;
    tickets[number] = {client, id, std::move(then)};
    const auto done = [this, to_hub = to_hub(), number](const std::string& error) {
        to_hub([this, number, error] { finished(number, error); });
    };
    if (!session->post(std::move(order), done))
        finished(number, "too much waits to be carried out: try again");
}

void Hub::Impl::finished(uint64_t number, const std::string& error) {
    const auto found = tickets.find(number);
    if (found == tickets.end()) return;  // the show it was for has ended
    const Ticket ticket = std::move(found->second);
    tickets.erase(found);
    if (ticket.then && ticket.then(error) == Reply::later) return;
    Client* client = find(ticket.client);
    if (client == nullptr || ticket.id == 0) return;
    if (error.empty())
        answer(*client, ticket.id);
    else
        answer_error(*client, ticket.id, error);
}

void Hub::Impl::post_quietly(const Input& input) const {
    if (session) session->post(Order{input});
}

void Hub::Impl::transport(Client& client, uint64_t id, const Fields& fields) {
    const std::string wanted = fields.text("do");
    const auto order = [&]() -> Order {
        if (wanted == "run") return Run{};
        if (wanted == "pause") return Pause{};
        if (wanted == "step")
            return StepOnce{
                static_cast<uint32_t>(fields.has("count") ? fields.whole("count", 1, 10000) : 1)};
        if (wanted == "speed")
            return SetSpeed{fields.number("value", Clock::slowest, Clock::fastest)};
        if (wanted == "seek") return GoTo{fields.number("time")};
        return GoTo{frame.transport.first};
    };
    post(client.id, id, order());
}

void Hub::Impl::steer(Client& client, uint64_t id, const Fields& fields) {
    if (!scene) throw InputError("the scene is not ready yet: try again");
    const std::string wanted = fields.text("do");
    post(client.id, id, input_in(wanted, fields, *scene));
    if (wanted == "grab") is_holding = true;
    if (wanted == "release") is_holding = false;
}

void Hub::Impl::command(Client& client, uint64_t id, const Fields& fields) {
    if (!channels) throw InputError("a recording cannot be steered");
    post(client.id, id, channels->set(fields.text("channel"), fields.number("value")));
}

void Hub::Impl::control(Client& client, uint64_t id, const Fields& fields) {
    if (!channels) throw InputError("a recording cannot be steered");
    const std::string device = fields.text("device");
    if (!is_device_of_a_page(device)) fields.fail("device", "must be keyboard, mouse or gamepad");
    const std::vector<Input> inputs =
        channels->control(device, fields.text("control"), fields.number("value", -1e3, 1e3));
    devices.insert(device);
    if (inputs.empty()) return answer(client, id);
    for (size_t i = 0; i + 1 < inputs.size(); ++i) post_quietly(inputs[i]);
    post(client.id, id, inputs.back());
}

// ---- Watching: one list for all clients --------------------------------------------------------------

void Hub::Impl::watch(Client& client, uint64_t id, const Fields& fields) {
    const auto is_set = [&](const char* name) { return fields.has(name) && fields.flag(name); };
    WatchRequest request{
        client.id, id, {}, {is_set("reactions"), is_set("contours"), is_set("volumes")}};
    add_new(request.quantities, fields.texts("quantities", most_quantities));
    // One that is tried is the first; a client has at most one more.
    const auto waiting =
        std::find_if(watch_requests.begin() + (is_watching ? 1 : 0), watch_requests.end(),
                     [&](const WatchRequest& other) { return other.client == client.id; });
    if (waiting != watch_requests.end()) {
        answer(client, waiting->id, {{"replaced", id}});
        *waiting = std::move(request);
    } else {
        watch_requests.push_back(std::move(request));
    }
    next_watch();
}

void Hub::Impl::next_watch() {
    while (!is_watching && !watch_requests.empty()) {
        const WatchRequest& request = watch_requests.front();
        tried_wishes = {.quantities = {}, .looks = request.looks, .number = 0};
        for (const auto& [id, client] : clients) {
            if (id == request.client || request.is_alone) continue;
            add_new(tried_wishes.quantities, client.quantities);
            tried_wishes.looks |= client.looks;
        }
        add_new(tried_wishes.quantities, request.quantities);
        if (tried_wishes.quantities.size() > most_quantities) {
            Client* client = find(request.client);
            if (client != nullptr && request.id != 0)
                answer_error(*client, request.id,
                             fmt::format("watch: together with those of other viewers these are "
                                         "more than {} quantities",
                                         most_quantities));
            watch_requests.pop_front();
            continue;
        }
        tried_wishes.number = wishes.number + 1;
        is_watching = true;
        post(request.client, request.id, tried_wishes,
             [this](const std::string& error) { return apply_watch(error); });
    }
}

Hub::Impl::Reply Hub::Impl::apply_watch(const std::string& error) {
    is_watching = false;
    WatchRequest request = watch_requests.front();
    const bool has_others = tried_wishes.quantities.size() > request.quantities.size();
    if (!error.empty() && !request.is_alone && has_others) {
        // Others may watch what is no longer there: that must not keep this one from watching.
        watch_requests.front().is_alone = true;
        next_watch();
        return Reply::later;
    }
    watch_requests.pop_front();
    if (error.empty()) {
        wishes = std::move(tried_wishes);
        if (Client* client = find(request.client)) {
            client->quantities = request.quantities;
            client->looks = request.looks;
        } else if (request.client != 0) {  // gone meanwhile
            watch_requests.push_back({0, 0, {}, {}});
        }
        if (request.is_alone) ask_again_for_others(request.client);
        send_to_all(watched_event(wishes.number, wishes.quantities));
    }
    next_watch();
    return Reply::now;
}

void Hub::Impl::ask_again_for_others(ClientId but) {
    for (auto& [id, client] : clients) {
        if (id == but || (client.quantities.empty() && client.looks == Looks{})) continue;
        watch_requests.push_back({id, 0, std::move(client.quantities), client.looks});
        client.quantities.clear();
    }
}

// ---- What is shown, and to whom ------------------------------------------------------------------------

void Hub::Impl::open(Client& client, uint64_t id, const Fields& fields) {
    const std::string wanted = fields.text("scene");
    if (options.library == nullptr) throw InputError("open: there is no gallery");
    const std::vector<GalleryEntry> entries = options.library->entries();
    if (std::none_of(entries.begin(), entries.end(),
                     [&](const GalleryEntry& entry) { return entry.name == wanted; }))
        throw InputError(fmt::format("open: there is no '{}' in the gallery", wanted));
    std::map<std::string, std::string> parameters;
    if (fields.has("parameters")) {
        const Fields given = fields.object("parameters");
        const Json& object = fields.value("parameters");
        if (object.size() > most_parameters)
            fields.fail("parameters", fmt::format("are more than {}", most_parameters));
        for (const auto& [name, value] : object.items())
            parameters[name] = value.is_number()
                                 ? fmt::format("{}", given.number(name.c_str(), -1e300, 1e300))
                                 : given.text(name.c_str());
    }
    if (is_opening) throw InputError("open: another scene is being opened; wait for it");
    answer(client, id);
    start_opening(wanted, std::move(parameters));
}

void Hub::Impl::close_show(Client& client, uint64_t id, const Fields&) {
    answer(client, id);
    const std::string closed = name;
    end_show("the scene was closed");
    send_to_all(scene_event("closed", closed));
}

void Hub::Impl::record(Client& client, uint64_t id, const Fields& fields) {
    if (fields.flag("on"))
        start_recording(client.id, id);
    else
        stop_recording(client.id, id);
}

void Hub::Impl::take_seat(Client& client, uint64_t id, const Fields&) {
    if (!client.may_operate)
        throw InputError("take: this token is for viewers; the operator's address has another");
    if (client.id != seat) {
        give_seat(client, "somebody else with the operator's token took over");
        send(client, role_event("operator", "you took over"));
        tell_count();
    }
    answer(client, id);
}

// NOLINTNEXTLINE(readability-make-member-function-const): one of the table of orders
void Hub::Impl::ping(Client& client, uint64_t id, const Fields&) { answer(client, id); }

}  // namespace bristle::live
