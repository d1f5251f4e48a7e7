// The inside of the hub. hub.cpp has the connections and their roles, hub_orders.cpp what they ask for,
// hub_show.cpp what is shown.
#pragma once

#include "live/hub/events.h"
#include "live/hub/file_watch.h"
#include "live/hub/hub.h"
#include "live/hub/worker.h"
#include "live/wire/protocol.pb.h"

#include <atomic>
#include <chrono>
#include <deque>
#include <optional>
#include <set>

namespace bristle::live {

using WallClock = std::chrono::steady_clock;

enum class Role : uint8_t { stranger, viewer, operating };

struct Client {
    Hub::ClientId id = 0;
    Hub::Wake wake;
    Outbox outbox;
    WallClock::time_point since;
    Role role = Role::stranger;
    bool may_operate = false;  // it has the operator's token
    std::string name;          // its own, random: the same after a lost connection
    uint32_t last_message = 0;
    double allowance = 0;  // messages it may still send; below zero they are refused
    WallClock::time_point allowance_at;
    std::vector<std::string> quantities;
    Looks looks;
    std::optional<uint64_t>
        ground;  // version that it was told of; none: of nothing since its scene
    WallClock::time_point next_ground;  // not before
    std::string closing;                // why
};

struct Hub::Impl {
    explicit Impl(Options);
    ~Impl();

    // ---- hub.cpp: connections and roles
    Client* find(ClientId);
    void receive(Client&, std::string_view text);
    bool is_within_rate(Client&);
    void hello(Client&, const wire::Order&);
    void make_room_for_a_stranger();
    void take_place(bool may_operate);  // throws InputError if there is none
    void give_seat(Client&, const std::string& why);
    void free_seat();  // whatever its operator holds is let go
    // For programs that have no connection: with the operator's token always, without while nobody has the seat. May be
    // called from any thread.
    std::function<bool(std::string_view token)> who_may_steer() const;
    void disconnect(ClientId);
    void close(Client&, const std::string& why) const;
    void send(Client&, Outgoing) const;
    void send(Client&, const wire::FromServer&) const;  // as text
    void send_to_all(const wire::FromServer&);
    // The order with this id was carried out, or not. 0: it had none that could be read.
    void answer(Client&, uint32_t id) const;
    void answer_error(Client&, uint32_t id, const std::string& error) const;
    void tell_count();
    void log(const std::string& line) const;

    // ---- hub_orders.cpp: what they ask for
    void carry_out(Client&, const wire::Order&);
    void transport(Client&, const wire::Order&);
    void steer(Client&, const wire::Order&);
    void command(Client&, const wire::Order&);
    void control(Client&, const wire::Order&);
    void watch(Client&, const wire::Order&);
    void open(Client&, const wire::Order&);
    void close_show(Client&, const wire::Order&);
    void record(Client&, const wire::Order&);
    void take_seat(Client&, const wire::Order&);
    void ping(Client&, const wire::Order&);
    void write_back(Client&, const wire::Order&);
    void undo(Client&, const wire::Order&);
    void history(Client&, const wire::Order&);
    void send_history(ClientId, uint32_t id, const Curves&, const std::string& error);

    // An order to the session; the answer follows when it is carried out.
    enum class Reply : uint8_t { now, later };
    using Then = std::function<Reply(const std::string& error)>;
    void post(ClientId, uint32_t id, Order, Then = {});
    void post_quietly(const Input&) const;
    void finished(uint64_t ticket, const std::string& error);
    void check_share(const std::vector<std::string>& quantities) const;
    std::string with_suggestion(std::string error,
                                const std::vector<std::string>& quantities) const;
    void next_watch();
    Reply apply_watch(const std::string& error);
    void look_for_the_others();
    void ask_again_for_others(ClientId but);

    // ---- hub_show.cpp: what is shown
    void show(const std::string& name, Opened, Begin, Shown = Shown::first);
    void end_show(const std::string& why);
    void introduce(Client&);  // all that a client must know of the show
    void start_opening(const std::string& name, std::map<std::string, std::string> parameters);
    void start_recording(ClientId, uint32_t id);
    void stop_recording(ClientId, uint32_t id);
    void finish_tape(std::function<void(const std::string& trouble)> then);
    void look_after_tape();
    void tick();
    void send_frame();
    Outgoing state_message();

    // ---- hub_ground.cpp: what changes of the ground
    void gather_ground();
    bool wants_ground(const Client&, WallClock::time_point now) const;
    bool next_ground(Client&, Outgoing&);

    // ---- hub_reload.cpp: the same scene, read anew
    void look_at_files();
    void read_again(std::map<std::string, std::string> parameters);
    void open_again(const std::shared_ptr<Past>&,
                    const std::map<std::string, std::string>& parameters);
    void show_again(Opened);

    // Run on the hub's thread, unless the hub is gone by then.
    std::function<void(std::function<void()>)> to_hub();

    const Options options;
    std::map<ClientId, Client> clients;
    ClientId last_client = 0;
    ClientId seat = 0;  // the operator
    std::string seat_name;
    const std::shared_ptr<std::atomic<bool>> seat_is_taken =
        std::make_shared<std::atomic<bool>>(false);
    bool is_holding = false;                     // the operator holds a body
    std::set<std::string, std::less<>> devices;  // that the operator has used

    std::string name;  // of what is shown; empty: the gallery
    std::shared_ptr<Channels> channels;
    std::function<RunningTape()> make_tape;
    RunningTape tape;
    bool is_opening = false, is_making_tape = false, is_reading_again = false;
    bool is_chronicling = false;         // one history at a time
    WallClock::time_point next_history;  // when a viewer may ask for one again
    bool waits_for_page = false;         // it runs as soon as somebody looks
    FileWatch file_watch;
    bool may_write = false;  // parameters, to the file
    std::optional<std::map<std::string, std::string>>
        next_parameters;  // wanted while it is being read
    FileReport report;
    Frame frame;
    bool has_frame = false;
    std::shared_ptr<const wire::Scene> scene;  // as it was sent
    Outgoing scene_message, state;             // state: empty until somebody needs it
    wire::FromServer message;                  // keeps its room
    GroundMirror ground;
    GroundNews ground_news;  // keeps its room
    uint64_t ticks = 0;

    struct Ticket {
        ClientId client;
        uint32_t id;
        Then then;
    };
    std::map<uint64_t, Ticket> tickets;  // orders that were not carried out yet
    uint64_t last_ticket = 0;

    struct WatchRequest {
        ClientId client;
        uint32_t id;  // 0: nobody waits for an answer
        std::vector<std::string> quantities;
        Looks looks;
        bool is_alone = false;  // without those of the others
    };
    std::deque<WatchRequest> watch_requests;  // the first is being tried, if is_watching
    bool is_watching = false;
    Wishes wishes, tried_wishes;

    std::unique_ptr<Session> session;
    std::shared_ptr<void> plugged_in;  // sends to the session: goes before it
    // Destroyed first: it may hold what is above, and nothing of it may come after the rest is gone.
    std::shared_ptr<bool> is_alive = std::make_shared<bool>(true);
    std::unique_ptr<Worker> worker = std::make_unique<Worker>();
};

}  // namespace bristle::live
