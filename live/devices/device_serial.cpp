// Lines of text over a serial line: an Arduino with a potentiometer needs three lines of code.
#include <bristle/error.h>

#include "live/devices/device.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <termios.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <system_error>

namespace bristle::live {
namespace {

constexpr size_t longest_line = 1024;
constexpr int most_at_once = 64;

speed_t speed_of(uint32_t baud) {
    switch (baud) {
        case 1200: return B1200;
        case 2400: return B2400;
        case 4800: return B4800;
        case 9600: return B9600;
        case 19200: return B19200;
        case 38400: return B38400;
        case 57600: return B57600;
        case 230400: return B230400;
        case 460800: return B460800;
        case 500000: return B500000;
        case 921600: return B921600;
        case 1000000: return B1000000;
        default: return B115200;
    }
}

bool is_separator(char c) { return c == ' ' || c == '\t' || c == ',' || c == ';' || c == '\r'; }

// A wrong baud rate gives any bytes; a terminal must not obey them.
std::string printable(std::string_view bytes) {
    std::string text(bytes);
    for (char& c : text)
        if (c < ' ' || c > '~') c = '?';
    return text;
}

std::optional<double> number(std::string_view written) {
    double value = 0;
    if (written.starts_with('+')) written.remove_prefix(1);
    const auto [end, error] =
        std::from_chars(written.data(), written.data() + written.size(), value);
    if (error != std::errc{} || end != written.data() + written.size() || !std::isfinite(value))
        return {};
    return value;
}

class Serial : public Source {
  public:
    explicit Serial(const SerialSettings& settings) : settings_(settings) {}

    std::string place() const override { return settings_.path.string(); }
    double timeout() const override { return settings_.timeout; }

    File open(ControlSink&) override {
        File file(::open(settings_.path.c_str(), O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
        if (!file.is_open()) {
            const int error = errno;
            throw InputError(fmt::format(
                "cannot open {} ({}{})", place(), std::generic_category().message(error),
                error == EACCES ? "; join the group dialout, sudo usermod -aG dialout $USER, "
                                  "and log in again"
                                : ""));
        }
        termios settings{};
        if (tcgetattr(file.get(), &settings) != 0)
            throw InputError(fmt::format("{} is no serial line", place()));
        cfmakeraw(&settings);
        settings.c_cflag |= CLOCAL | CREAD;
        cfsetspeed(&settings, speed_of(settings_.baud));
        if (tcsetattr(file.get(), TCSANOW, &settings) != 0)
            throw InputError(fmt::format("{} refuses {} baud ({})", place(), settings_.baud,
                                         std::generic_category().message(errno)));
        tcflush(file.get(), TCIFLUSH);
        line_.clear();
        is_cut_ = true;  // the first line may have begun before we listened
        return file;
    }

    bool read(int file, ControlSink& sink) override {
        std::array<char, 512> buffer{};
        for (int i = 0; i < most_at_once; ++i) {
            const ssize_t size = ::read(file, buffer.data(), buffer.size());
            if (size < 0) return errno == EAGAIN || errno == EINTR;
            if (size == 0) return false;
            for (const char c : std::string_view(buffer.data(), size_t(size))) take(c, sink);
        }
        return true;
    }

  private:
    void take(char c, ControlSink& sink) {
        if (c == '\n') {
            if (!is_cut_) read_line(line_, settings_.columns, sink);
            line_.clear();
            is_cut_ = false;
        } else if (line_.size() < longest_line) {
            line_ += c;
        } else if (!is_cut_) {
            is_cut_ = true;
            sink.complain(
                fmt::format("a line of more than {} letters was dropped; is the baud rate right?",
                            longest_line));
        }
    }

    SerialSettings settings_;
    std::string line_;
    bool is_cut_ = true;  // the end of this line is waited for, and dropped
};

}  // namespace

void read_line(std::string_view line, const std::vector<std::string>& columns, ControlSink& sink) {
    std::vector<std::pair<std::string_view, double>> controls;
    size_t column = 0;
    bool is_good = true;
    for (std::string_view rest = line; !rest.empty();) {
        size_t size = 0;
        while (size < rest.size() && !is_separator(rest[size])) ++size;
        const std::string_view word = rest.substr(0, size);
        rest.remove_prefix(std::min(size + 1, rest.size()));
        if (word.empty()) continue;
        const size_t sign = word.find('=');
        const bool is_named = sign != std::string_view::npos;
        const auto value = number(is_named ? word.substr(sign + 1) : word);
        if (value && is_named && sign > 0)
            controls.emplace_back(word.substr(0, sign), *value);
        else if (value && !is_named && column < columns.size())
            controls.emplace_back(columns[column++], *value);
        else
            is_good = false;
    }
    // A line that lost a value would put the others into the wrong columns.
    if (column > 0 && column < columns.size()) is_good = false;
    if (!is_good) {
        sink.complain(fmt::format(
            "the line '{}' was not understood and left out; expected {}",
            printable(line.substr(0, 60)),
            columns.empty() ? "name=number …" : fmt::format("{} numbers", columns.size())));
        return;
    }
    for (const auto& [name, value] : controls) sink.control(name, value);
}

std::unique_ptr<Source> make_source(const SerialSettings& settings) {
    return std::make_unique<Serial>(settings);
}

}  // namespace bristle::live
