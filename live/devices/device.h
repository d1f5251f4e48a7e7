// One native device, without its thread: how it is opened, and what its bytes mean.
#pragma once

#include "live/devices/devices.h"

#include <unistd.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bristle::live {

// A file of the system, closed with its owner.
class File {
  public:
    explicit File(int descriptor = -1) : descriptor_(descriptor) {}
    ~File() { close(); }
    File(File&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    File& operator=(File&& other) noexcept {
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }
    int get() const { return descriptor_; }
    bool is_open() const { return descriptor_ >= 0; }
    void close() {
        if (is_open()) ::close(std::exchange(descriptor_, -1));
    }

  private:
    int descriptor_;
};

// What a device does with what it reads.
class ControlSink {
  public:
    virtual ~ControlSink() = default;
    virtual void control(std::string_view control, double value) = 0;
    // Whoever says this token, or none.
    virtual bool may_steer(std::string_view token) = 0;
    // Something could not be understood: it is left out, and told now and then.
    virtual void complain(const std::string& what) = 0;
};

class Source {
  public:
    virtual ~Source() = default;
    virtual std::string place() const = 0;  // for messages
    // Throws InputError that says why not, and what to do. Must not wait.
    virtual File open(ControlSink&) = 0;
    // All there is to read; false: the device is gone. Must not wait.
    virtual bool read(int file, ControlSink&) = 0;
    virtual double timeout() const { return never; }  // s
    virtual void forget() {}                          // it was silent for longer
};

std::unique_ptr<Source> make_source(const EvdevSettings&);
std::unique_ptr<Source> make_source(const SerialSettings&);
std::unique_ptr<Source> make_source(const UdpSettings&);

// "name=value", separated by blanks or commas; or, with columns, values separated so.
void read_line(std::string_view line, const std::vector<std::string>& columns, ControlSink&);
// A JSON object of numbers, or "name value" in each line. The number called "sequence" is left aside, and so is the text
// called "token". False if it is not later than the sequence number of before, which it replaces, or may not steer.
bool read_datagram(std::string_view, std::optional<double>& sequence, ControlSink&);

}  // namespace bristle::live
