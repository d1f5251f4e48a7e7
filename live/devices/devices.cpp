#include "live/devices/devices.h"

#include <bristle/error.h>

#include "live/clock/real_time.h"
#include "live/devices/device.h"
#include "live/wire/tokens.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <thread>

namespace bristle::live {
namespace {

constexpr Nanoseconds millisecond = 1'000'000, second = 1'000'000'000;
// Between two readings: a device that sends without end costs no more than this often, and its newest values.
constexpr Nanoseconds shortest_pause = 2 * millisecond;
constexpr size_t most_controls = 256;

// Only programs have one.
std::string token_of(const DeviceSettings& settings) {
    const auto* program = std::get_if<UdpSettings>(&settings.kind);
    return program == nullptr ? std::string() : program->token;
}

}  // namespace

class Devices::Worker : private ControlSink {
  public:
    Worker(const DeviceSettings& settings, const DeviceListener& listener)
        : name_(settings.name),
          token_(token_of(settings)),
          listener_(listener),
          source_(std::visit([](const auto& kind) { return make_source(kind); }, settings.kind)),
          stop_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
          thread_([this] { run(); }) {}
    ~Worker() override {
        eventfd_write(stop_.get(), 1);
        thread_.join();
    }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

  private:
    enum class Event : uint8_t { stop, ready, silence };

    // Until there is something to read, or for so long.
    Event wait(int file, Nanoseconds longest) {
        std::array<pollfd, 2> files{pollfd{.fd = stop_.get(), .events = POLLIN, .revents = 0},
                                    pollfd{.fd = file, .events = POLLIN, .revents = 0}};
        const Nanoseconds end = wall_now() + longest;
        for (;;) {
            const Nanoseconds rest = std::max<Nanoseconds>(end - wall_now(), 0);
            const timespec time{.tv_sec = rest / second, .tv_nsec = rest % second};
            const int count = ppoll(files.data(), files.size(), &time, nullptr);
            if (files[0].revents != 0 && count > 0) return Event::stop;
            if (count > 0) return Event::ready;
            if (count == 0) return Event::silence;
        }
    }

    void run() {
        for (;;) {
            file_ = open();
            if (file_.is_open() && !serve()) return;
            if (wait(-1, second) == Event::stop) return;
        }
    }

    File open() {
        try {
            File file = source_->open(*this);
            listener_.tell(fmt::format("{}: found, {}", name_, source_->place()));
            trouble_.clear();
            flush();
            return file;
        } catch (const std::exception& error) {
            if (trouble_ != error.what())
                listener_.tell(
                    fmt::format("{}: {}; looking for it every second", name_, error.what()));
            trouble_ = error.what();
            return File();
        }
    }

    // Until it is gone; false: until the end.
    bool serve() {
        for (;;) {
            const Event event = wait(file_.get(), patience());
            if (event == Event::stop) return false;
            if (event == Event::ready && !source_->read(file_.get(), *this)) {
                release();
                file_.close();
                listener_.tell(fmt::format(
                    "{}: lost, {}; its controls are released, looking for it every second", name_,
                    source_->place()));
                return true;
            }
            flush();
            if (has_spoken_ && patience() == 0) {
                release();
                source_->forget();
                listener_.tell(fmt::format("{}: silent for {} s, its controls are released", name_,
                                           source_->timeout()));
            }
            if (event == Event::ready && wait(-1, shortest_pause) == Event::stop) return false;
        }
    }

    // How long it may still be silent. What is not understood is silence.
    Nanoseconds patience() const {
        if (!has_spoken_ || source_->timeout() > 3600) return 3600 * second;
        return std::max<Nanoseconds>(
            last_spoken_ + Nanoseconds(source_->timeout() * 1e9) - wall_now(), 0);
    }

    void control(std::string_view control, double value) override {
        if (!std::isfinite(value)) return;
        if (const auto known = newest_.find(control); known != newest_.end())
            known->second = value;
        else if (newest_.size() < most_controls)
            newest_.emplace(control, value);
    }

    bool may_steer(std::string_view token) override {
        if (!token_.empty()) return is_same_token(token, token_);
        return !listener_.may_steer || listener_.may_steer(token);
    }

    void complain(const std::string& what) override {
        if (wall_now() < next_complaint_) return;
        next_complaint_ = wall_now() + 10 * second;
        listener_.tell(fmt::format("{}: {}", name_, what));
    }

    void flush() {
        if (newest_.empty()) return;
        has_spoken_ = true;
        last_spoken_ = wall_now();
        for (const auto& [control, value] : newest_) listener_.control(name_, control, value);
        newest_.clear();
    }

    void release() {
        newest_.clear();
        has_spoken_ = false;
        listener_.release(name_);
    }

    std::string name_, token_;
    DeviceListener listener_;
    std::unique_ptr<Source> source_;
    File stop_, file_;
    std::map<std::string, double, std::less<>> newest_;
    std::string trouble_;
    bool has_spoken_ = false;  // since its controls were released
    Nanoseconds last_spoken_ = 0, next_complaint_ = 0;
    std::thread thread_;  // last: it uses all of the others
};

Devices::Devices(const std::vector<DeviceSettings>& all, const DeviceListener& listener) {
    for (const DeviceSettings& settings : all)
        workers_.push_back(std::make_unique<Worker>(settings, listener));
}

Devices::~Devices() = default;

}  // namespace bristle::live
