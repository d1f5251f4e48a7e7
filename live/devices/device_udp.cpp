// Datagrams from other programs, on this machine unless the mapping opens it to others.
#include <bristle/error.h>

#include "live/devices/device.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <nlohmann/json.hpp>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <system_error>

namespace bristle::live {
namespace {

constexpr size_t longest = 1400;  // bytes, what fits into one packet of any network
constexpr int most_at_once = 256;
constexpr std::string_view sequence_name = "sequence", token_name = "token";

// All numbers of one are good, or none is used.
struct Datagram {
    std::vector<std::pair<std::string, double>> numbers;
    std::string token;
};

std::optional<Datagram> read_json(std::string_view text) {
    const auto json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_object()) return {};
    Datagram datagram;
    for (const auto& [name, value] : json.items()) {
        if (name == token_name && value.is_string()) {
            datagram.token = value.get<std::string>();
            continue;
        }
        if (!value.is_number() || !std::isfinite(value.get<double>())) return {};
        datagram.numbers.emplace_back(name, value.get<double>());
    }
    return datagram;
}

std::optional<Datagram> read_lines(std::string_view text) {
    Datagram datagram;
    while (!text.empty()) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
        if (line.empty()) continue;
        // A name may have blanks; the value is what follows the last one.
        const size_t blank = line.rfind(' ');
        if (blank == std::string_view::npos || blank == 0) return {};
        const std::string_view written = line.substr(blank + 1);
        if (line.substr(0, blank) == token_name) {
            datagram.token = written;
            continue;
        }
        double value = 0;
        const auto [end, error] =
            std::from_chars(written.data(), written.data() + written.size(), value);
        if (error != std::errc{} || end != written.data() + written.size() || !std::isfinite(value))
            return {};
        datagram.numbers.emplace_back(line.substr(0, blank), value);
    }
    return datagram;
}

class Udp : public Source {
  public:
    explicit Udp(const UdpSettings& settings) : settings_(settings) {}

    std::string place() const override {
        return fmt::format("UDP {}:{}", settings_.address, settings_.port);
    }
    double timeout() const override { return settings_.timeout; }
    void forget() override { sequence_.reset(); }

    File open(ControlSink&) override {
        sockaddr_in6 six{};
        sockaddr_in four{};
        const bool is_four = inet_pton(AF_INET, settings_.address.c_str(), &four.sin_addr) == 1;
        if (!is_four && inet_pton(AF_INET6, settings_.address.c_str(), &six.sin6_addr) != 1)
            throw InputError(fmt::format(
                "'{}' is no address; expected for example 127.0.0.1 or ::1", settings_.address));
        four.sin_family = AF_INET;
        six.sin6_family = AF_INET6;
        four.sin_port = six.sin6_port = htons(settings_.port);
        File file(
            socket(is_four ? AF_INET : AF_INET6, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
        const int bound =
            is_four ? bind(file.get(), reinterpret_cast<const sockaddr*>(&four), sizeof four)
                    : bind(file.get(), reinterpret_cast<const sockaddr*>(&six), sizeof six);
        if (!file.is_open() || bound != 0)
            throw InputError(fmt::format(
                "cannot listen on {} ({}); choose another port or end the program that has it",
                place(), std::generic_category().message(errno)));
        forget();
        return file;
    }

    bool read(int file, ControlSink& sink) override {
        std::array<char, longest + 1> buffer{};
        for (int i = 0; i < most_at_once; ++i) {
            const ssize_t size = recv(file, buffer.data(), buffer.size(), MSG_TRUNC);
            if (size < 0) return errno == EAGAIN || errno == EINTR;
            if (size > ssize_t(longest))
                sink.complain(
                    fmt::format("a datagram of {} bytes was dropped; at most {}", size, longest));
            else
                read_datagram({buffer.data(), size_t(size)}, sequence_, sink);
        }
        return true;
    }

  private:
    UdpSettings settings_;
    std::optional<double> sequence_;
};

}  // namespace

bool read_datagram(std::string_view text, std::optional<double>& sequence, ControlSink& sink) {
    const size_t first = text.find_first_not_of(" \t\r\n");
    const bool is_json = first != std::string_view::npos && text[first] == '{';
    const auto datagram = is_json ? read_json(text) : read_lines(text);
    const auto is_control = [](const auto& entry) { return entry.first != sequence_name; };
    // One without controls would count for the order of all that follow, and not as speaking, after which that is forgotten.
    if (!datagram || std::none_of(datagram->numbers.begin(), datagram->numbers.end(), is_control)) {
        sink.complain(
            "a datagram was not understood and dropped; expected {\"name\": number, …} or lines of "
            "name "
            "and number");
        return false;
    }
    if (!sink.may_steer(datagram->token)) {
        sink.complain(
            "a datagram was dropped: while an operator has the seat, or if the mapping has a "
            "token, "
            "it needs \"token\", the mapping's or the one of the operator's address");
        return false;
    }
    for (const auto& [name, value] : datagram->numbers) {
        if (name != sequence_name) continue;
        if (sequence && value <= *sequence) return false;
        sequence = value;
    }
    for (const auto& entry : datagram->numbers)
        if (is_control(entry)) sink.control(entry.first, entry.second);
    return true;
}

std::unique_ptr<Source> make_source(const UdpSettings& settings) {
    return std::make_unique<Udp>(settings);
}

}  // namespace bristle::live
