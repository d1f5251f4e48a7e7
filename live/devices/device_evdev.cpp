#include "live/devices/device_evdev.h"

#include <bristle/error.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <climits>
#include <optional>
#include <system_error>

namespace bristle::live {
namespace {

constexpr const char* folder = "/dev/input";

template <size_t Count>
using Bits =
    std::array<unsigned long, (Count + sizeof(long) * CHAR_BIT - 1) / (sizeof(long) * CHAR_BIT)>;
template <typename Array> bool has(const Array& bits, size_t i) {
    constexpr size_t width = sizeof(long) * CHAR_BIT;
    return (bits[i / width] >> (i % width) & 1) != 0;
}

std::string small(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return char(std::tolower(c)); });
    return text;
}

std::string name_of(const File& file) {
    std::array<char, 256> name{};
    return ioctl(file.get(), EVIOCGNAME(name.size() - 1), name.data()) < 0 ? "" : name.data();
}

class Evdev : public Source {
  public:
    explicit Evdev(const EvdevSettings& settings) : settings_(settings) {}

    std::string place() const override { return place_; }

    File open(ControlSink& sink) override {
        File file = settings_.path.empty() ? find() : open_path(settings_.path);
        decoder_ = {};
        learn(file.get());
        ask(file.get(), sink);
        return file;
    }

    bool read(int file, ControlSink& sink) override {
        bool lost = false;
        if (!read_events(file, decoder_, sink, lost)) return false;
        if (lost) ask(file, sink);
        return true;
    }

  private:
    static std::string refusal(const std::filesystem::path& path, int error) {
        return fmt::format(
            "cannot open {} ({}{})", path.string(), std::generic_category().message(error),
            error == EACCES
                ? "; join the group input, sudo usermod -aG input $USER, and log in again"
                : "");
    }

    File open_path(const std::filesystem::path& path) {
        File file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
        if (!file.is_open()) throw InputError(refusal(path, errno));
        if (name_of(file).empty())
            throw InputError(fmt::format("{} is no input device; expected one of {}/event*",
                                         path.string(), folder));
        place_ = fmt::format("{} ({})", name_of(file), path.string());
        return file;
    }

    File find() {
        std::vector<std::filesystem::path> paths;
        std::error_code error;
        for (const auto& entry : std::filesystem::directory_iterator(folder, error))
            if (entry.path().filename().string().starts_with("event"))
                paths.push_back(entry.path());
        std::sort(paths.begin(), paths.end());
        std::string refused;
        std::vector<std::string> names;
        for (const auto& path : paths) {
            File file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
            if (!file.is_open()) {
                if (errno == EACCES) refused = "; " + refusal(path, errno);
                continue;
            }
            const std::string name = name_of(file);
            if (small(name).find(small(settings_.name)) != std::string::npos) {
                place_ = fmt::format("{} ({})", name, path.string());
                return file;
            }
            names.push_back(name);
        }
        throw InputError(fmt::format(
            "there is no input device '{}'{}{}", settings_.name,
            names.empty() ? "" : fmt::format(" among {}", fmt::join(names, ", ")), refused));
    }

    void learn(int file) {
        Bits<ABS_CNT> axes{};
        Bits<KEY_CNT> keys{};
        axes_.clear();
        keys_.clear();
        if (ioctl(file, EVIOCGBIT(EV_ABS, sizeof axes), axes.data()) >= 0)
            for (uint16_t code = 0; code < ABS_CNT; ++code) {
                input_absinfo info{};
                if (!has(axes, code) || ioctl(file, EVIOCGABS(code), &info) < 0) continue;
                decoder_.add_axis(code, info);
                axes_.push_back(code);
            }
        if (ioctl(file, EVIOCGBIT(EV_KEY, sizeof keys), keys.data()) >= 0)
            for (uint16_t code = 0; code < KEY_CNT; ++code)
                if (has(keys, code)) {
                    decoder_.add_key(code);
                    keys_.push_back(code);
                }
    }

    // Where everything is now.
    void ask(int file, ControlSink& sink) const {
        for (const uint16_t code : axes_) {
            input_absinfo info{};
            if (ioctl(file, EVIOCGABS(code), &info) >= 0) decoder_.set_axis(code, info.value, sink);
        }
        Bits<KEY_CNT> down{};
        if (ioctl(file, EVIOCGKEY(sizeof down), down.data()) >= 0)
            for (const uint16_t code : keys_) decoder_.set_key(code, has(down, code), sink);
    }

    EvdevSettings settings_;
    std::string place_;
    EvdevDecoder decoder_;
    std::vector<uint16_t> axes_, keys_;
};

}  // namespace

std::unique_ptr<Source> make_source(const EvdevSettings& settings) {
    return std::make_unique<Evdev>(settings);
}

}  // namespace bristle::live
