// The hub on the network: HTTP for the page, WebSocket for the rest. All of Boost.Beast is in server.cpp.
#pragma once

#include "live/hub/hub.h"
#include "live/server/local_certificate.h"
#include "live/server/site.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace bristle::live {

class Server {
  public:
    struct Options {
        std::string address = "127.0.0.1";  // anything else is open to the network and needs TLS
        uint16_t port = 8080;               // 0: any that is free
        uint16_t ports_to_try = 1;          // one after the other, if they are taken
        std::filesystem::path pages;        // folder of the built page
        Frames frames = Frames::refused;
        Certificate certificate;  // empty: one is made if the address is not of this machine
        Hub::Options hub;         // but for run_here, which is the server's; tokens: made if empty
    };
    // Listens; throws InputError if it cannot.
    explicit Server(Options);
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    // What to open in a browser, with the token in the part that is never sent (#…).
    std::string operator_address() const;
    std::string viewer_address() const;
    uint16_t port() const;
    std::string fingerprint() const;  // of the certificate; empty without TLS

    Hub& hub();
    // Serves on this thread until stop() is called, from any thread or a signal handler's watcher.
    void run();
    void stop();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace bristle::live
