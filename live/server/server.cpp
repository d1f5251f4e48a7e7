// One thread serves all: the hub's. Every connection starts as HTTP; one that asks for /live becomes a
// WebSocket. Both come in two kinds, plain and with TLS.
#include "live/server/server.h"

#include "live/server/site.h"
#include "live/server/waiting_room.h"
#include "live/wire/tokens.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/rate_policy.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>
#include <boost/beast/websocket.hpp>
#include <boost/beast/websocket/ssl.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace bristle::live {
namespace {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = net::ip::tcp;
using boost::system::error_code;
using namespace std::chrono_literals;

using Plain = beast::basic_stream<tcp, net::any_io_executor, beast::simple_rate_policy>;
using Secure = beast::ssl_stream<Plain>;
using HttpRequest = http::request<http::empty_body>;

constexpr auto request_time = 15s;      // to come
constexpr auto answer_time = 60s;       // to be read
constexpr auto idle_time = 60s;         // of a WebSocket; a ping is sent after half of it
constexpr auto closing_time = 3s;       // to read what is left and say goodbye
constexpr int send_buffer = 256 << 10;  // bytes; more would only make states older
// Bytes a second from a connection. A page sends some 20,000; more than this is a flood of frames that are no messages.
constexpr size_t most_read = 512u << 10;
constexpr size_t places_before_a_token = 64;
constexpr auto tick_time = 1'000'000'000ns / 60;
constexpr size_t longest_close_reason = 123;  // bytes, by RFC 6455

struct Shared {
    Hub& hub;
    const Site& site;
    size_t longest_message;
    std::string address;  // that it listens on
};

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

websocket::close_reason goodbye(const std::string& why) {
    size_t size = std::min(why.size(), longest_close_reason);
    // Not inside a character.
    while (size > 0 && size < why.size()
           && (static_cast<unsigned char>(why[size]) & 0xc0u) == 0x80u)
        --size;
    return {websocket::close_code::policy_error, beast::string_view(why.data(), size)};
}

// ---- WebSocket -------------------------------------------------------------------------------------

template <class Stream>
class LiveConnection : public std::enable_shared_from_this<LiveConnection<Stream>> {
  public:
    LiveConnection(Stream stream, const Shared& shared, Hub::ClientId id, WaitingRoom::Place place)
        : socket_(std::move(stream)),
          goodbye_(socket_.get_executor()),
          hub_(shared.hub),
          id_(id),
          place_(std::move(place)) {
        beast::get_lowest_layer(socket_).expires_never();
        auto times = websocket::stream_base::timeout::suggested(beast::role_type::server);
        times.handshake_timeout = request_time;
        times.idle_timeout = idle_time;
        socket_.set_option(times);
        socket_.read_message_max(shared.longest_message);
        socket_.auto_fragment(false);
        // They cost us as messages do. The socket is ours: it does not call when we are gone.
        socket_.control_callback([this](websocket::frame_type kind, beast::string_view) {
            if (kind != websocket::frame_type::close) hub_.receive_control(id_);
        });
    }

    void accept(const HttpRequest& request) {
        place_->leave = [self = this->weak_from_this()] {
            if (const auto live = self.lock()) live->end();
        };
        socket_.async_accept(request, [self = this->shared_from_this()](error_code error) {
            if (error) return self->end();
            self->is_open_ = true;
            self->read();
            self->write();
        });
    }

    // The hub has something for this client. It may be in the middle of its work: look later.
    void wake() {
        if (is_woken_) return;
        is_woken_ = true;
        net::post(socket_.get_executor(), [self = this->shared_from_this()] {
            self->is_woken_ = false;
            self->write();
        });
    }

  private:
    void read() {
        socket_.async_read(buffer_, [self = this->shared_from_this()](error_code error, size_t) {
            if (error) return self->end();
            try {
                self->take();
            } catch (const std::exception&) {  // what one client runs into is its own end
                return self->end();
            }
            self->read();
        });
    }

    void take() {
        const auto data = buffer_.cdata();
        if (socket_.got_text())
            hub_.receive(id_, {static_cast<const char*>(data.data()), data.size()});
        else
            hub_.receive_binary(id_);
        buffer_.consume(buffer_.size());
        if (place_ && hub_.is_admitted(id_)) place_.reset();
    }

    void write() {
        if (!is_open_) return;
        const std::string why = hub_.closing(id_);
        if (!why.empty() && !is_leaving_) leave();
        if (is_writing_) return;
        if (hub_.next(id_, outgoing_)) {
            is_writing_ = true;
            socket_.text(outgoing_.kind == Outgoing::Kind::text);
            socket_.async_write(net::buffer(*outgoing_.bytes),
                                [self = this->shared_from_this()](error_code error, size_t) {
                                    self->is_writing_ = false;
                                    self->outgoing_ = {};
                                    if (error) return self->end();
                                    self->write();
                                });
        } else if (!why.empty()) {
            is_open_ = false;
            socket_.async_close(goodbye(why),
                                [self = this->shared_from_this()](error_code) { self->end(); });
        }
    }

    // Who does not read would never get the reason; there is an end to waiting.
    void leave() {
        is_leaving_ = true;
        goodbye_.expires_after(closing_time);
        goodbye_.async_wait([self = this->shared_from_this()](error_code error) {
            if (!error) self->end();
        });
    }

    void end() {
        if (is_ended_) return;
        is_ended_ = true;
        is_open_ = false;
        goodbye_.cancel();
        hub_.disconnect(id_);
        beast::get_lowest_layer(socket_).close();
    }

    websocket::stream<Stream, false> socket_;  // no compression
    net::steady_timer goodbye_;
    Hub& hub_;
    Hub::ClientId id_;
    WaitingRoom::Place place_;  // until a token was shown
    beast::flat_buffer buffer_;
    Outgoing outgoing_;
    bool is_open_ = false, is_woken_ = false, is_writing_ = false, is_leaving_ = false,
         is_ended_ = false;
};

// ---- HTTP ------------------------------------------------------------------------------------------

template <class Stream> class Connection : public std::enable_shared_from_this<Connection<Stream>> {
  public:
    Connection(Stream stream, const Shared& shared, WaitingRoom::Place place)
        : stream_(std::move(stream)), shared_(shared), place_(std::move(place)) {}

    void start() {
        place_->leave = [self = this->weak_from_this()] {
            if (const auto connection = self.lock())
                beast::get_lowest_layer(connection->stream_).close();
        };
        if constexpr (std::is_same_v<Stream, Secure>) {
            beast::get_lowest_layer(stream_).expires_after(request_time);
            stream_.async_handshake(net::ssl::stream_base::server,
                                    [self = this->shared_from_this()](error_code error) {
                                        if (!error) self->read();
                                    });
        } else {
            read();
        }
    }

  private:
    void read() {
        parser_.emplace();
        parser_->header_limit(16 << 10);
        beast::get_lowest_layer(stream_).expires_after(request_time);
        http::async_read_header(
            stream_, buffer_, *parser_,
            [self = this->shared_from_this()](error_code error, size_t) { self->take(error); });
    }

    void take(error_code error) {
        const HttpRequest& request = parser_->get();
        if (error == http::error::end_of_stream) return end();
        if (error.category() == make_error_code(http::error::bad_method).category() && error)
            return write(text_answer(400, "this is no HTTP request"), Keep::no, false);
        if (error) return;
        // Which of them would count?
        if (request.count(http::field::host) > 1 || request.count(http::field::origin) > 1)
            return write(text_answer(400, "this request names its host or its origin twice"),
                         Keep::no, false);
        // With TLS the certificate vouches for the name.
        if (std::is_same_v<
                Stream, Plain> && !is_own_host(view(request[http::field::host]), shared_.address))
            return write(text_answer(421,
                                     "this server has another name: open the address that "
                                     "`bristle view` printed"),
                         Keep::no, false);
        const bool is_head = request.method() == http::verb::head;
        if (websocket::is_upgrade(request)) return upgrade(request);
        // A body is not read, so the next request could not be told from it.
        const Keep keep = request.keep_alive() && parser_->is_done() ? Keep::yes : Keep::no;
        write(shared_.site.answer({view(request.method_string()), view(request.target()),
                                   view(request[http::field::accept_encoding]),
                                   view(request[http::field::authorization]),
                                   view(request[http::field::if_none_match])},
                                  shared_.hub),
              keep, is_head);
    }

    void upgrade(const HttpRequest& request) {
        if (view(request.target()) != "/live")
            return write(text_answer(404, "the WebSocket is at /live"), Keep::no, false);
        if (!is_own_origin(view(request[http::field::origin]), view(request[http::field::host])))
            return write(text_answer(403, "pages of other sites may not connect"), Keep::no, false);
        const auto connection = std::make_shared<std::weak_ptr<LiveConnection<Stream>>>();
        const Hub::ClientId id = shared_.hub.connect([connection] {
            if (const auto live = connection->lock()) live->wake();
        });
        const auto live = std::make_shared<LiveConnection<Stream>>(std::move(stream_), shared_, id,
                                                                   std::move(place_));
        *connection = live;
        live->accept(request);
    }

    enum class Keep : uint8_t { no, yes };
    void write(const Answer& answer, Keep keep, bool is_head) {
        response_ = {};
        response_.version(11);
        response_.result(answer.status);
        for (const auto& [name, value] : answer.headers) response_.set(name, value);
        response_.keep_alive(keep == Keep::yes);
        response_.content_length(answer.body->size());
        body_ = answer.body;
        if (!is_head) response_.body() = {body_->data(), body_->size()};
        beast::get_lowest_layer(stream_).expires_after(answer_time);
        http::async_write(stream_, response_,
                          [self = this->shared_from_this(), keep](error_code error, size_t) {
                              if (error) return;
                              if (keep == Keep::yes)
                                  self->read();
                              else
                                  self->end();
                          });
    }

    void end() {
        if constexpr (std::is_same_v<Stream, Secure>) {
            beast::get_lowest_layer(stream_).expires_after(closing_time);
            stream_.async_shutdown([self = this->shared_from_this()](error_code) {});
        } else {
            error_code ignored;
            stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
        }
    }

    Stream stream_;
    const Shared& shared_;
    WaitingRoom::Place place_;
    beast::flat_buffer buffer_;
    std::optional<http::request_parser<http::empty_body>> parser_;
    http::response<http::span_body<const char>> response_;
    std::shared_ptr<const std::string> body_;  // that is being sent
};

// ---- Setting up ------------------------------------------------------------------------------------

net::ip::address address_of(const std::string& written) {
    if (written == "localhost") return net::ip::address_v4::loopback();
    error_code error;
    auto address = net::ip::make_address(written, error);
    if (error)
        throw InputError(
            fmt::format("'{}' is no address to listen on: write one of this machine's "
                        "own, 0.0.0.0 for all, or nothing for this machine only",
                        written));
    return address;
}

tcp::acceptor listen(net::io_context& io, const net::ip::address& address,
                     const Server::Options& options) {
    error_code error;
    for (unsigned i = 0; i < options.ports_to_try; ++i) {
        const tcp::endpoint endpoint(address, static_cast<uint16_t>(options.port + i));
        tcp::acceptor acceptor(io);
        acceptor.open(endpoint.protocol(), error);
        if (!error) acceptor.set_option(net::socket_base::reuse_address(true), error);
        if (!error) acceptor.bind(endpoint, error);
        if (!error) acceptor.listen(net::socket_base::max_listen_connections, error);
        if (!error) return acceptor;
        if (error != net::error::address_in_use) break;
    }
    throw InputError(fmt::format("cannot listen on {} port {}: {}; choose another with --port",
                                 address.to_string(), options.port, error.message()));
}

std::optional<net::ssl::context> secure_context(const Certificate& certificate) {
    if (certificate.chain.empty()) return std::nullopt;
    net::ssl::context context(net::ssl::context::tls_server);
    context.set_options(net::ssl::context::default_workarounds | net::ssl::context::no_sslv2
                        | net::ssl::context::no_sslv3 | net::ssl::context::no_tlsv1
                        | net::ssl::context::no_tlsv1_1 | net::ssl::context::no_compression);
    error_code error;
    context.use_certificate_chain_file(certificate.chain.string(), error);
    if (error)
        throw InputError(
            fmt::format("certificate '{}': {}", certificate.chain.string(), error.message()));
    context.use_private_key_file(certificate.key.string(), net::ssl::context::pem, error);
    if (error)
        throw InputError(fmt::format("key '{}': {}; it must be that of the certificate",
                                     certificate.key.string(), error.message()));
    return context;
}

Server::Options completed(Server::Options options, const net::ip::address& address) {
    if (options.hub.operator_token.empty()) options.hub.operator_token = random_token();
    if (options.hub.viewer_token.empty()) options.hub.viewer_token = random_token();
    if (options.certificate.chain.empty() != options.certificate.key.empty())
        throw InputError("a certificate needs its key: give both --certificate and --key");
    if (!address.is_loopback() && options.certificate.chain.empty()) {
        std::vector<std::string> names = names_of_this_machine();
        if (!address.is_unspecified()) names.push_back(address.to_string());
        options.certificate = local_certificate(state_folder(), names);
    }
    return options;
}

}  // namespace

struct Server::Impl {
    explicit Impl(Options given)
        : address(address_of(given.address)),
          options(completed(std::move(given), address)),
          secure(secure_context(options.certificate)),
          site(options.pages, options.frames),
          acceptor(listen(io, address, options)) {
        options.hub.run_here = [this](std::function<void()> task) {
            net::post(io, std::move(task));
        };
        hub.emplace(options.hub);
        shared.emplace(Shared{*hub, site, options.hub.limits.message, address.to_string()});
        accept();
        next_tick = std::chrono::steady_clock::now();
        tick();
    }

    void accept() {
        acceptor.async_accept([this](error_code error, tcp::socket socket) {
            if (error) {  // no descriptors left, perhaps: wait for some to be given back
                retry.expires_after(100ms);
                retry.async_wait([this](error_code) { accept(); });
                return;
            }
            accept();
            serve(std::move(socket));
        });
    }

    void serve(tcp::socket socket) {
        error_code ignored;
        const auto from = socket.remote_endpoint(ignored).address().to_string();
        WaitingRoom::Place place = waiting_room.enter(from);
        socket.set_option(tcp::no_delay(true), ignored);
        socket.set_option(net::socket_base::send_buffer_size(send_buffer), ignored);
        Plain stream(std::move(socket));
        stream.rate_policy().read_limit(most_read);
        if (secure)
            std::make_shared<Connection<Secure>>(Secure(std::move(stream), *secure), *shared,
                                                 std::move(place))
                ->start();
        else
            std::make_shared<Connection<Plain>>(std::move(stream), *shared, std::move(place))
                ->start();
    }

    void tick() {
        next_tick = std::max(next_tick + tick_time, std::chrono::steady_clock::now());
        timer.expires_at(next_tick);
        timer.async_wait([this](error_code error) {
            if (!error) tick();
        });
        hub->tick();
    }

    std::string address_with(const std::string& token) const {
        std::string host = address.to_string();
        if (address.is_unspecified()) {
            const std::vector<std::string> names = names_of_this_machine();
            const auto numeric = std::find_if(names.begin(), names.end(), [](const std::string& n) {
                return n.find_first_not_of("0123456789.") == std::string::npos;
            });
            host = *numeric;
        } else if (address.is_v6()) {
            host = "[" + host + "]";
        }
        return fmt::format("{}://{}:{}/#token={}", secure ? "https" : "http", host,
                           acceptor.local_endpoint().port(), token);
    }

    // Handlers that are left in `io` hold connections, but touch nothing when they are destroyed.
    net::io_context io{1};
    net::ip::address address;
    Options options;
    std::optional<net::ssl::context> secure;
    Site site;
    tcp::acceptor acceptor;
    net::steady_timer timer{io}, retry{io};
    std::chrono::steady_clock::time_point next_tick;
    WaitingRoom waiting_room{places_before_a_token};
    std::optional<Hub> hub;
    std::optional<Shared> shared;
};

Server::Server(Options options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Server::~Server() = default;

std::string Server::operator_address() const {
    return impl_->address_with(impl_->options.hub.operator_token);
}
std::string Server::viewer_address() const {
    return impl_->address_with(impl_->options.hub.viewer_token);
}
uint16_t Server::port() const { return impl_->acceptor.local_endpoint().port(); }
std::string Server::fingerprint() const {
    return impl_->secure ? live::fingerprint(impl_->options.certificate.chain) : std::string();
}
Hub& Server::hub() { return *impl_->hub; }

void Server::run() {
    // What one connection runs into must not end the others.
    while (!impl_->io.stopped()) {
        try {
            impl_->io.run();
        } catch (const std::exception& error) {
            if (impl_->options.hub.log) impl_->options.hub.log(error.what());
        }
    }
}

void Server::stop() { impl_->io.stop(); }

}  // namespace bristle::live
