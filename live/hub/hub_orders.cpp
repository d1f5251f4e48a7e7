#include "base/suggest.h"
#include "live/hub/events.h"
#include "live/hub/hub_impl.h"
#include "live/hub/steering.h"
#include "live/wire/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

namespace bristle::live {
namespace {

constexpr size_t most_quantities = wire::MOST_QUANTITIES, most_parameters = 64;
constexpr size_t share_of_a_viewer = wire::SHARE_OF_A_VIEWER;
constexpr uint32_t most_steps = 10'000;
constexpr double longest_history = 1.5;  // s of computing
// So many times as long no viewer gets another: together they have a fifth of a processor, however often they come back.
constexpr int rest_after_history = 4;
constexpr double most_control = 1e3, most_value = 1e9, most_time = 1e9;

// As mappings call it.
const char* to_string(wire::Control::Device device) {
    return device == wire::Control::KEYBOARD ? "keyboard"
         : device == wire::Control::MOUSE    ? "mouse"
                                             : "gamepad";
}

const std::string& name_of(wire::Order::KindCase kind) {
    return wire::Order::descriptor()->FindFieldByNumber(kind)->name();
}

void add_new(std::vector<std::string>& list, const std::vector<std::string>& more) {
    for (const std::string& name : more)
        if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
}

}  // namespace

void Hub::Impl::carry_out(Client& client, const wire::Order& order) {
    using Act = void (Impl::*)(Client&, const wire::Order&);
    enum class Needs : uint8_t { nothing, scene };
    struct Action {
        wire::Order::KindCase kind;
        Role least;
        Needs needs;
        Act act;
    };
    static constexpr Action actions[] = {
        {wire::Order::kRun, Role::operating, Needs::scene, &Impl::transport},
        {wire::Order::kPause, Role::operating, Needs::scene, &Impl::transport},
        {wire::Order::kStep, Role::operating, Needs::scene, &Impl::transport},
        {wire::Order::kSpeed, Role::operating, Needs::scene, &Impl::transport},
        {wire::Order::kSeek, Role::operating, Needs::scene, &Impl::transport},
        {wire::Order::kRestart, Role::operating, Needs::scene, &Impl::transport},
        {wire::Order::kCommand, Role::operating, Needs::scene, &Impl::command},
        {wire::Order::kControl, Role::operating, Needs::scene, &Impl::control},
        {wire::Order::kGrab, Role::operating, Needs::scene, &Impl::steer},
        {wire::Order::kMove, Role::operating, Needs::scene, &Impl::steer},
        {wire::Order::kRelease, Role::operating, Needs::scene, &Impl::steer},
        {wire::Order::kAddBody, Role::operating, Needs::scene, &Impl::steer},
        {wire::Order::kAddSpring, Role::operating, Needs::scene, &Impl::steer},
        {wire::Order::kAddJoint, Role::operating, Needs::scene, &Impl::steer},
        {wire::Order::kRemove, Role::operating, Needs::scene, &Impl::steer},
        {wire::Order::kUndo, Role::operating, Needs::scene, &Impl::undo},
        {wire::Order::kHistory, Role::viewer, Needs::scene, &Impl::history},
        {wire::Order::kWatch, Role::viewer, Needs::scene, &Impl::watch},
        {wire::Order::kOpen, Role::operating, Needs::nothing, &Impl::open},
        {wire::Order::kClose, Role::operating, Needs::scene, &Impl::close_show},
        {wire::Order::kRecord, Role::operating, Needs::scene, &Impl::record},
        {wire::Order::kTake, Role::viewer, Needs::nothing, &Impl::take_seat},
        {wire::Order::kWriteBack, Role::operating, Needs::scene, &Impl::write_back},
        {wire::Order::kPing, Role::viewer, Needs::nothing, &Impl::ping},
    };
    if (order.has_hello()) throw InputError("hello was said already");
    const auto* action = std::find_if(std::begin(actions), std::end(actions),
                                      [&](const Action& a) { return a.kind == order.kind_case(); });
    if (action == std::end(actions)) throw InputError("the order has nothing to do");
    const std::string& wanted = name_of(action->kind);
    if (client.role < action->least)
        throw InputError(fmt::format("{}: only the operator may do that", wanted));
    if (action->needs == Needs::scene && !session)
        throw InputError(fmt::format("{}: no scene is open", wanted));
    try {
        (this->*action->act)(client, order);
    } catch (const InputError& error) {
        throw InputError(fmt::format("{}: {}", wanted, error.what()));
    }
}

// ---- Orders to the session -------------------------------------------------------------------------

void Hub::Impl::post(ClientId client, uint32_t id, Order order, Then then) {
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

void Hub::Impl::transport(Client& client, const wire::Order& order) {
    const auto meant = [&]() -> Order {
        switch (order.kind_case()) {
            case wire::Order::kRun: return Run{};
            case wire::Order::kPause: return Pause{};
            case wire::Order::kStep:
                if (!order.step().has_count()) return StepOnce{1};
                return StepOnce{Fields(order.step(), most_value)
                                    .whole(wire::Step::kCountFieldNumber, 1, most_steps)};
            case wire::Order::kSpeed:
                return SetSpeed{
                    Fields(order.speed(), most_value)
                        .number(wire::Speed::kValueFieldNumber, Clock::slowest, Clock::fastest)};
            case wire::Order::kSeek:
                return GoTo{Fields(order.seek(), most_time).number(wire::Seek::kTimeFieldNumber)};
            default: return GoTo{frame.transport.first};
        }
    };
    post(client.id, order.id(), meant());
}

void Hub::Impl::steer(Client& client, const wire::Order& order) {
    if (!scene) throw InputError("the scene is not ready yet: try again");
    post(client.id, order.id(), input_in(order, *scene));
    if (order.has_grab()) is_holding = true;
    if (order.has_release()) is_holding = false;
}

void Hub::Impl::command(Client& client, const wire::Order& order) {
    if (!channels) throw InputError("a recording cannot be steered");
    const double value =
        Fields(order.command(), most_value).number(wire::SetChannel::kValueFieldNumber);
    post(client.id, order.id(), channels->set(order.command().channel(), value));
}

void Hub::Impl::control(Client& client, const wire::Order& order) {
    if (!channels) throw InputError("a recording cannot be steered");
    const double value =
        Fields(order.control(), most_control).number(wire::Control::kValueFieldNumber);
    const std::string device = to_string(order.control().device());
    const std::vector<Input> inputs = channels->control(device, order.control().control(), value);
    devices.insert(device);
    if (inputs.empty()) return answer(client, order.id());
    for (size_t i = 0; i + 1 < inputs.size(); ++i) post_quietly(inputs[i]);
    post(client.id, order.id(), inputs.back());
}

// ---- Watching: one list for all clients --------------------------------------------------------------

void Hub::Impl::watch(Client& client, const wire::Order& order) {
    const wire::Watch& wanted = order.watch();
    if (wanted.quantities_size() > static_cast<int>(most_quantities))
        throw InputError(fmt::format("at most {} quantities can be watched", most_quantities));
    WatchRequest request{
        client.id, order.id(), {}, {wanted.reactions(), wanted.contours(), wanted.volumes()}};
    add_new(request.quantities, {wanted.quantities().begin(), wanted.quantities().end()});
    if (client.role != Role::operating) check_share(request.quantities);
    // One that is tried is the first; a client has at most one more.
    const auto waiting =
        std::find_if(watch_requests.begin() + (is_watching ? 1 : 0), watch_requests.end(),
                     [&](const WatchRequest& other) { return other.client == client.id; });
    if (waiting != watch_requests.end()) {
        wire::FromServer reply;
        reply.mutable_answer()->set_id(waiting->id);
        reply.mutable_answer()->set_replaced_by(order.id());
        if (waiting->id != 0) send(client, reply);
        *waiting = std::move(request);
    } else {
        watch_requests.push_back(std::move(request));
    }
    next_watch();
}

// What the plots of the scene show is there for all.
void Hub::Impl::check_share(const std::vector<std::string>& quantities) const {
    std::set<std::string_view> plotted;
    if (scene)
        for (const wire::Plot& plot : scene->plots())
            plotted.insert(plot.quantities().begin(), plot.quantities().end());
    const auto own = std::count_if(quantities.begin(), quantities.end(),
                                   [&](const std::string& q) { return !plotted.contains(q); });
    if (own > static_cast<std::ptrdiff_t>(share_of_a_viewer))
        throw InputError(fmt::format("a viewer can watch {} quantities beside those of the plots",
                                     share_of_a_viewer));
}

// On this thread, since it takes its time in a large scene.
std::string Hub::Impl::with_suggestion(std::string error,
                                       const std::vector<std::string>& quantities) const {
    if (!scene) return error;
    for (const std::string& q : quantities)
        if (error == fmt::format("there is no quantity '{}'", q))
            return error
                 + base::suggestion(q, {scene->quantities().begin(), scene->quantities().end()});
    return error;
}

void Hub::Impl::next_watch() {
    if (!is_watching && !watch_requests.empty()) {
        const WatchRequest& request = watch_requests.front();
        tried_wishes = {.quantities = {}, .looks = request.looks, .number = 0};
        for (const auto& [id, client] : clients) {
            if (id == request.client || request.is_alone) continue;
            add_new(tried_wishes.quantities, client.quantities);
            tried_wishes.looks |= client.looks;
        }
        add_new(tried_wishes.quantities, request.quantities);
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
            look_for_the_others();
        }
        if (request.is_alone) ask_again_for_others(request.client);
        send_to_all(watched_event(wishes.number, wishes.quantities));
    } else if (Client* client = find(request.client); client != nullptr && request.id != 0) {
        answer_error(*client, request.id, with_suggestion(error, request.quantities));
    }
    next_watch();
    return error.empty() ? Reply::now : Reply::later;
}

// What somebody looked at who is gone need not be computed any more.
void Hub::Impl::look_for_the_others() {
    const auto is_gone = [&](const WatchRequest& request) {
        return find(request.client) == nullptr;
    };
    const auto first = watch_requests.begin() + (is_watching ? 1 : 0);
    watch_requests.erase(std::remove_if(first, watch_requests.end(), is_gone),
                         watch_requests.end());
    watch_requests.push_back({0, 0, {}, {}});
}

void Hub::Impl::ask_again_for_others(ClientId but) {
    for (auto& [id, client] : clients) {
        if (id == but || (client.quantities.empty() && client.looks == Looks{})) continue;
        watch_requests.push_back({id, 0, std::move(client.quantities), client.looks});
        client.quantities.clear();
    }
}

// ---- What was before ------------------------------------------------------------------------------------

void Hub::Impl::undo(Client& client, const wire::Order& order) {
    post(client.id, order.id(), Undo{});
}

void Hub::Impl::history(Client& client, const wire::Order& order) {
    const wire::AskHistory& wanted = order.history();
    if (wanted.quantities_size() > static_cast<int>(most_quantities))
        throw InputError(fmt::format("at most {} quantities can be asked for", most_quantities));
    if (is_chronicling) throw InputError("another one is being computed: try again");
    if (client.role != Role::operating && WallClock::now() < next_history)
        throw InputError("one was computed for a viewer just now: try again in a few seconds");
    is_chronicling = true;
    const auto began = WallClock::now();
    const auto chronicle = std::make_shared<Show::Chronicle>();
    const std::vector<std::string> names(wanted.quantities().begin(), wanted.quantities().end());
    post(client.id, order.id(), LookAt{[chronicle](const Show& s) { *chronicle = s.chronicle(); }},
         [this, chronicle, names, began, to = client.id,
          id = order.id()](const std::string& refused) {
             is_chronicling = refused.empty();
             if (!is_chronicling) return Reply::now;
             worker->post([this, to_hub = to_hub(), chronicle, names, began, to, id] {
                 Curves curves;
                 std::string error;
                 try {
                     if (*chronicle) curves = (*chronicle)(names, longest_history);
                 } catch (const std::exception& problem) {
                     error = problem.what();
                 }
                 *chronicle = {};  // it may hold a large model: here, not on the hub's thread
                 to_hub([this, curves, error, to, id, began] {
                     next_history =
                         WallClock::now() + rest_after_history * (WallClock::now() - began);
                     send_history(to, id, curves, error);
                 });
             });
             return Reply::later;
         });
}

void Hub::Impl::send_history(ClientId to, uint32_t id, const Curves& curves,
                             const std::string& error) {
    is_chronicling = false;
    Client* client = find(to);
    if (client == nullptr) return;
    if (!error.empty()) return answer_error(*client, id, error);
    wire::FromServer reply;
    reply.mutable_answer()->set_id(id);
    wire::History& history = *reply.mutable_answer()->mutable_history();
    history.mutable_times()->Assign(curves.times.begin(), curves.times.end());
    history.mutable_values()->Assign(curves.values.begin(), curves.values.end());
    send(*client, reply);
}

// ---- What is shown, and to whom ------------------------------------------------------------------------

void Hub::Impl::open(Client& client, const wire::Order& order) {
    const wire::Open& wanted = order.open();
    if (options.library == nullptr) throw InputError("there is no gallery");
    const std::vector<GalleryEntry> entries = options.library->entries();
    if (std::none_of(entries.begin(), entries.end(),
                     [&](const GalleryEntry& entry) { return entry.name == wanted.scene(); }))
        throw InputError(fmt::format("there is no '{}' in the gallery", wanted.scene()));
    if (wanted.parameters_size() > static_cast<int>(most_parameters))
        throw InputError(fmt::format("there are more than {} parameters", most_parameters));
    if (is_opening) throw InputError("another scene is being opened; wait for it");
    std::map<std::string, std::string> with;
    for (const auto& [key, value] : wanted.parameters()) with[key] = value;
    if (wanted.keep() && (!session || wanted.scene() != name))
        throw InputError("only the scene that is open can be kept");
    answer(client, order.id());
    if (wanted.keep())
        read_again(std::move(with));
    else
        start_opening(wanted.scene(), std::move(with));
}

void Hub::Impl::write_back(Client& client, const wire::Order& order) {
    if (options.library == nullptr) throw InputError("there is no gallery");
    std::map<std::string, std::string> values;
    for (const auto& [key, value] : order.write_back().parameters()) values[key] = value;
    if (values.size() > most_parameters)
        throw InputError(fmt::format("there are more than {} parameters", most_parameters));
    // It takes as long as the disk: not on this thread.
    worker->post([this, to_hub = to_hub(), library = options.library, shown = name, values,
                  to = client.id, id = order.id()] {
        std::string error;
        try {
            library->write_back(shown, values);
        } catch (const std::exception& problem) {
            error = fmt::format("write_back: {}", problem.what());
        }
        to_hub([this, shown, values, to, id, error] {
            if (error.empty() && shown == name)  // the file says so now
                for (const auto& [key, value] : values) report.parameters.erase(key);
            if (Client* who = find(to)) {
                if (error.empty())
                    answer(*who, id);
                else
                    answer_error(*who, id, error);
            }
        });
    });
}

void Hub::Impl::close_show(Client& client, const wire::Order& order) {
    answer(client, order.id());
    const std::string closed = name;
    end_show("the scene was closed");
    send_to_all(closed_event(closed));
}

void Hub::Impl::record(Client& client, const wire::Order& order) {
    if (order.record().on())
        start_recording(client.id, order.id());
    else
        stop_recording(client.id, order.id());
}

void Hub::Impl::take_seat(Client& client, const wire::Order& order) {
    if (!client.may_operate)
        throw InputError("this token is for viewers; the operator's address has another");
    if (client.id != seat) {
        give_seat(client, "somebody else with the operator's token took over");
        send(client, role_event(wire::OPERATOR, "you took over"));
        tell_count();
    }
    answer(client, order.id());
}

// NOLINTNEXTLINE(readability-make-member-function-const): one of the table of orders
void Hub::Impl::ping(Client& client, const wire::Order& order) { answer(client, order.id()); }

}  // namespace bristle::live
