// Who is connected, what they may do, and what they are sent; without sockets (those are in server.cpp), so that
// tests and fuzzers talk to it directly. One thread.
//
// Clients send `Order`s of protocol.proto and get `FromServer`s, the first order is hello, and every order is
// answered. Ids of a connection grow; an order with an id that was there is refused, so nothing can be replayed.
//
// The token of the operator admits one operator, the viewers' token any number of viewers. An operator that
// comes while another is there becomes a viewer that may `take` the seat; the same `client` coming
// back (a lost connection) gets its seat again.
//
// Places are taken with a token, and those of the two tokens apart: neither strangers nor viewers can shut the operator
// out. Who has not said hello waits with others like it; if there are too many, the one that came first goes.
//
// Two classes of messages go out. Reliable ones (scenes, answers, events) wait in a list; if that grows beyond
// `most_waiting`, the connection is closed and told why. States are latest-wins: one slot, the same bytes
// for all. So a client that does not read costs one slot and nobody's time.
#pragma once

#include "live/devices/channels.h"
#include "live/hub/outbox.h"
#include "live/show/session.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bristle::live {

struct Limits {
    size_t clients = 16;              // with the viewers' token
    size_t operators = 4;             // with the operator's: pages of one person
    size_t strangers = 32;            // who have not said hello
    size_t message = 64u << 10;       // bytes, of what comes in
    double rate = 240;                // messages a second …
    double burst = 480;               // … after so many at once; pings and pongs are counted too
    size_t most_waiting = 64u << 20;  // bytes, of what goes out
    double hello = 5;                 // s to say hello
};

// What can be opened.
struct GalleryEntry {
    std::string name, title;
};
// A tape, and the file it writes.
struct RunningTape {
    std::shared_ptr<Tape> tape;
    std::string file;
};
struct Opened {
    std::unique_ptr<Show> show;
    std::vector<std::filesystem::path>
        files;  // that it was read from: when one is saved, it is opened again
    std::vector<std::string> warnings;              // what looks wrong in them
    std::map<std::string, std::string> parameters;  // instead of the file's
    bool may_write = false;                         // Library::write_back knows it
    std::shared_ptr<Channels> channels;             // none: it cannot be steered
    // A new file to record to; empty: this cannot be recorded. Takes its time. Throws InputError.
    std::function<RunningTape()> make_tape;
    RunningTape tape;  // to record to from the start; none: not yet
    // Starts the devices of this machine, which send what they mean to the first function from threads of
    // their own until the result goes away; a program asks the second with its token, or none.
    std::function<std::shared_ptr<void>(std::function<void(const Input&)>,
                                        std::function<bool(std::string_view)>)>
        plug_in;
};
class Library {
  public:
    virtual ~Library() = default;
    virtual std::vector<GalleryEntry> entries() const = 0;
    // One of the entries. Takes its time; called on a thread of its own. Throws InputError.
    virtual Opened open(const std::string& name,
                        const std::map<std::string, std::string>& parameters) = 0;
    // Values of parameters into its file. Called on that thread, too. Throws InputError.
    virtual void write_back(const std::string& /*name*/,
                            const std::map<std::string, std::string>& /*parameters*/) {
        throw InputError("its parameters cannot be written to a file");
    }
};

class Hub {
  public:
    struct Options {
        std::string operator_token, viewer_token;
        Limits limits;
        Session::Options session;
        Library* library = nullptr;
        // Runs a function on the hub's thread, from any thread.
        std::function<void(std::function<void()>)> run_here;
        std::function<void(const std::string&)> log;
    };
    explicit Hub(Options);
    ~Hub();
    Hub(const Hub&) = delete;
    Hub& operator=(const Hub&) = delete;

    // What is shown first; without it, the gallery.
    void open(const std::string& name, Opened);

    using ClientId = uint64_t;
    // Called when there is something to send to this client, or it is to be closed. From within may only be
    // called what looks: next and closing.
    using Wake = std::function<void()>;
    ClientId connect(Wake);
    void disconnect(ClientId);
    void receive(ClientId, std::string_view text);
    void receive_binary(ClientId);   // nobody sends us binary messages: refused
    void receive_control(ClientId);  // a ping or a pong
    // It has shown a token.
    bool is_admitted(ClientId) const;
    // Whether this is one of the tokens: for what is asked without a connection.
    bool knows(std::string_view token) const;

    // The next message for this client; false if there is none.
    bool next(ClientId, Outgoing&);
    // Why this connection is to be closed once all is sent; empty: it stays.
    std::string closing(ClientId) const;

    size_t waiting_bytes(ClientId) const;  // to be sent to this client
    // Of what is shown; all zero in the gallery.
    ClockStatistics statistics() const;
    std::vector<GalleryEntry> entries() const;

    // 60 times a second: takes the newest frame and gives it to all.
    void tick();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace bristle::live
