#include "live/hub/hub.h"

#include "live/hub/events.h"
#include "live/hub/hub_impl.h"
#include "live/wire/json.h"
#include "live/wire/messages.h"
#include "live/wire/tokens.h"

#include <fmt/format.h>

#include <algorithm>

namespace bristle::live {
namespace {

constexpr size_t longest_client_name = 64;  // bytes

double seconds(WallClock::duration d) { return std::chrono::duration<double>(d).count(); }

wire::Role given(Role role) { return role == Role::operating ? wire::OPERATOR : wire::VIEWER; }

void check_protocol(const wire::Hello& hello) {
    if (hello.protocol() != protocol_version)
        throw InputError(
            fmt::format("the page speaks protocol {}, the server {}: load the page "
                        "again, or update the older one",
                        hello.protocol(), protocol_version));
}

// What a stranger says. Another protocol may have other fields: it is named before anything else that is wrong.
void read_hello(std::string_view text, wire::Order& order) {
    try {
        read_json(text, order);
    } catch (const InputError& error) {
        if (order.has_hello() && order.hello().protocol() != 0) check_protocol(order.hello());
        if (order.has_hello()) throw;
        throw InputError(
            fmt::format("say hello first, in protocol {} (load an older page again): {}",
                        protocol_version, error.what()));
    }
    if (!order.has_hello()) throw InputError("say hello first");
}

}  // namespace

Hub::Impl::Impl(Options o) : options(std::move(o)) {}

Hub::Impl::~Impl() {
    *is_alive = false;
    worker.reset();
    plugged_in.reset();
}

void Hub::Impl::log(const std::string& line) const {
    if (options.log) options.log(line);
}

std::function<void(std::function<void()>)> Hub::Impl::to_hub() {
    return [run_here = options.run_here,
            alive = std::weak_ptr<bool>(is_alive)](std::function<void()> task) {
        run_here([alive, task = std::move(task)] {
            const auto still = alive.lock();
            if (still && *still) task();
        });
    };
}

Client* Hub::Impl::find(ClientId id) {
    const auto found = clients.find(id);
    return found == clients.end() ? nullptr : &found->second;
}

// ---- What goes out -------------------------------------------------------------------------------

void Hub::Impl::send(Client& client, Outgoing message) const {
    if (!client.closing.empty()) return;
    if (client.outbox.add(std::move(message)))
        client.wake();
    else
        close(client, "too much waits to be read: the connection is too slow");
}

void Hub::Impl::send(Client& client, const wire::FromServer& message) const {
    send(client, text_message(to_json(message)));
}

void Hub::Impl::send_to_all(const wire::FromServer& event) {
    const Outgoing message = text_message(to_json(event));
    for (auto& [id, client] : clients)
        if (client.role != Role::stranger) send(client, message);
}

void Hub::Impl::answer(Client& client, uint32_t id) const {
    wire::FromServer reply;
    reply.mutable_answer()->set_id(id);
    send(client, reply);
}

void Hub::Impl::answer_error(Client& client, uint32_t id, const std::string& error) const {
    wire::FromServer reply;
    reply.mutable_answer()->set_id(id);
    reply.mutable_answer()->set_error(error);
    send(client, reply);
}

void Hub::Impl::close(Client& client, const std::string& why) const {
    if (!client.closing.empty()) return;
    // What does not fit any more will not be read either; an answer just given will.
    if (client.outbox.waiting_bytes() > options.limits.message) client.outbox.clear();
    client.outbox.drop_slots();
    client.closing = why;
    log(fmt::format("client {}: closed, {}", client.id, why));
    client.wake();
}

void Hub::Impl::tell_count() {
    const auto count = std::count_if(clients.begin(), clients.end(), [](const auto& entry) {
        return entry.second.role != Role::stranger;
    });
    send_to_all(viewers_event(static_cast<size_t>(count), seat != 0));
}

// ---- Who is there --------------------------------------------------------------------------------

void Hub::Impl::free_seat() {
    if (seat == 0) return;
    seat = 0;
    *seat_is_taken = false;
    if (is_holding) post_quietly(ReleaseGrab{});
    is_holding = false;
    for (const std::string& device : devices)
        for (const Input& input : channels->release(device)) post_quietly(input);
    devices.clear();
}

std::function<bool(std::string_view)> Hub::Impl::who_may_steer() const {
    return [token = options.operator_token, is_taken = seat_is_taken](std::string_view given) {
        return !*is_taken || is_same_token(given, token);
    };
}

void Hub::Impl::give_seat(Client& client, const std::string& why) {
    if (Client* before = find(seat)) {
        before->role = Role::viewer;
        send(*before, role_event(wire::VIEWER, why));
    }
    free_seat();
    seat = client.id;
    *seat_is_taken = true;
    seat_name = client.name;
    client.role = Role::operating;
}

void Hub::Impl::disconnect(ClientId id) {
    const Client* client = find(id);
    if (client == nullptr) return;
    const bool was_seen = client->role != Role::stranger;
    const bool looked = !client->quantities.empty() || client->looks != Looks{};
    if (id == seat) free_seat();
    clients.erase(id);
    if (!was_seen) return;
    log(fmt::format("client {}: gone", id));
    tell_count();
    if (looked && session) {
        look_for_the_others();
        next_watch();
    }
}

// Those who came first are the likeliest to mean no good: a page says hello at once.
void Hub::Impl::make_room_for_a_stranger() {
    Client* first = nullptr;
    size_t count = 0;
    for (auto& [id, client] : clients) {
        if (client.role != Role::stranger || !client.closing.empty()) continue;
        if (first == nullptr) first = &client;
        ++count;
    }
    if (count >= options.limits.strangers) close(*first, "no hello came, and others wait");
}

void Hub::Impl::take_place(bool may_operate) {
    Client* first = nullptr;  // that could be missed
    size_t count = 0;
    for (auto& [id, client] : clients) {
        if (client.role == Role::stranger || client.may_operate != may_operate
            || !client.closing.empty())
            continue;
        if (first == nullptr && id != seat) first = &client;
        ++count;
    }
    if (may_operate && count >= options.limits.operators && first != nullptr)
        close(*first, "another page of the operator was opened, and there are many");
    else if (!may_operate && count >= options.limits.clients)
        throw InputError(fmt::format("{} are connected already, and no more are allowed",
                                     options.limits.clients));
}

void Hub::Impl::hello(Client& client, const wire::Order& order) {
    const wire::Hello& hello = order.hello();
    check_protocol(hello);
    const bool may_operate = is_same_token(hello.token(), options.operator_token);
    if (!may_operate && !is_same_token(hello.token(), options.viewer_token))
        throw InputError(
            "the token is wrong: open the address that `bristle view` printed, it has the token");
    if (hello.client().empty() || hello.client().size() > longest_client_name)
        throw InputError(fmt::format("hello: the client's name must be a text of 1 to {} bytes",
                                     longest_client_name));
    take_place(may_operate);
    client.name = hello.client();
    client.may_operate = may_operate;
    client.role = Role::viewer;
    std::string why;
    if (hello.role() == wire::OPERATOR) {
        if (!may_operate)
            why = "this token is for viewers";
        else if (seat == 0 || client.name == seat_name)
            give_seat(client, "your seat is used by another connection of the same page");
        else
            why = "there is another operator; you may take over";
    }
    log(fmt::format("client {}: {}", client.id,
                    client.role == Role::operating ? "operator" : "viewer"));
    wire::FromServer reply;
    reply.mutable_answer()->set_id(order.id());
    wire::Welcome& welcome = *reply.mutable_answer()->mutable_welcome();
    welcome.set_protocol(protocol_version);
    welcome.set_role(given(client.role));
    welcome.set_why(why);
    welcome.set_may_take(may_operate);
    if (!name.empty()) welcome.set_scene(name);
    send(client, reply);
    introduce(client);
    tell_count();
}

// ---- What comes in -------------------------------------------------------------------------------

bool Hub::Impl::is_within_rate(Client& client) {
    const Limits& limits = options.limits;
    const auto now = WallClock::now();
    client.allowance =
        std::min(limits.burst, client.allowance + limits.rate * seconds(now - client.allowance_at));
    client.allowance_at = now;
    client.allowance -= 1;
    if (client.allowance < -limits.burst) close(client, "too many messages");
    return client.allowance >= 0;
}

void Hub::Impl::receive(Client& client, std::string_view text) {
    if (!client.closing.empty()) return;
    if (text.size() > options.limits.message) {
        answer_error(client, 0,
                     fmt::format("the message is longer than {} bytes", options.limits.message));
        return close(client, "message too long");
    }
    if (!is_within_rate(client))
        return answer_error(
            client, 0,
            fmt::format("too many messages: at most {:g} a second", options.limits.rate));
    wire::Order order;
    try {
        if (client.role == Role::stranger)
            read_hello(text, order);
        else
            read_json(text, order);
        if (order.id() <= client.last_message)
            throw InputError(
                fmt::format("message {} was there already: ids must grow, the next "
                            "one is at least {}",
                            order.id(), client.last_message + 1));
        client.last_message = order.id();
        if (client.role == Role::stranger)
            hello(client, order);
        else
            carry_out(client, order);
    } catch (const std::exception& error) {
        answer_error(client, order.id(), error.what());
        if (client.role == Role::stranger) close(client, error.what());
    }
}

// ---- The door ------------------------------------------------------------------------------------

Hub::Hub(Options options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Hub::~Hub() = default;

void Hub::open(const std::string& name, Opened opened) {
    impl_->show(name, std::move(opened), impl_->options.session.begin);
}

Hub::ClientId Hub::connect(Wake wake) {
    const Limits& limits = impl_->options.limits;
    impl_->make_room_for_a_stranger();
    const ClientId id = ++impl_->last_client;
    const auto now = WallClock::now();
    Client client{.id = id,
                  .wake = std::move(wake),
                  .outbox = Outbox(limits.most_waiting),
                  .since = now,
                  .name = {},
                  .allowance = limits.burst,
                  .allowance_at = now,
                  .quantities = {},
                  .closing = {}};
    impl_->clients.emplace(id, std::move(client));
    return id;
}

void Hub::disconnect(ClientId id) { impl_->disconnect(id); }

void Hub::receive(ClientId id, std::string_view text) {
    if (Client* client = impl_->find(id)) impl_->receive(*client, text);
}

void Hub::receive_binary(ClientId id) {
    Client* client = impl_->find(id);
    if (client == nullptr) return;
    impl_->answer_error(*client, 0, "messages to the server are JSON text, not binary");
    impl_->close(*client, "binary message");
}

void Hub::receive_control(ClientId id) {
    Client* client = impl_->find(id);
    if (client != nullptr && client->closing.empty()) impl_->is_within_rate(*client);
}

bool Hub::is_admitted(ClientId id) const {
    const Client* client = impl_->find(id);
    return client != nullptr && client->role != Role::stranger;
}

bool Hub::knows(std::string_view token) const {
    return is_same_token(token, impl_->options.operator_token)
        || is_same_token(token, impl_->options.viewer_token);
}

bool Hub::next(ClientId id, Outgoing& message) {
    Client* client = impl_->find(id);
    // A scene comes before its ground, and that before its states.
    return client != nullptr
        && (client->outbox.next_reliable(message) || impl_->next_ground(*client, message)
            || client->outbox.next_latest(message));
}

std::string Hub::closing(ClientId id) const {
    const Client* client = impl_->find(id);
    return client == nullptr ? std::string() : client->closing;
}

size_t Hub::waiting_bytes(ClientId id) const {
    const Client* client = impl_->find(id);
    return client == nullptr ? 0 : client->outbox.waiting_bytes();
}

ClockStatistics Hub::statistics() const {
    return impl_->session ? impl_->session->statistics() : ClockStatistics{};
}

std::vector<GalleryEntry> Hub::entries() const {
    const Library* library = impl_->options.library;
    return library == nullptr ? std::vector<GalleryEntry>{} : library->entries();
}

void Hub::tick() { impl_->tick(); }

}  // namespace bristle::live
