// Fields of a message that came from outside, as numbers and vectors that can be relied on. Throws InputError that
// names the field as protocol.proto does.
#pragma once

#include <bristle/math.h>

#include <google/protobuf/message.h>

#include <string>
#include <vector>

namespace bristle::live {

class Fields {
  public:
    // No number of the message may be larger than this.
    explicit Fields(const google::protobuf::Message& message, double largest)
        : message_(message), largest_(largest) {}

    // Fields by their numbers, such as wire::Grab::kAtFieldNumber.
    double number(int field) const { return number(field, -largest_, largest_); }
    double number(int field, double low, double high) const;
    uint32_t whole(int field, uint32_t low, uint32_t high) const;
    Vec3 vector(int field) const;
    Vec3 vector_or(int field, Vec3 if_empty) const;
    std::vector<double> numbers(int field, int count) const;

    [[noreturn]] void fail(int field, const std::string& what) const;

  private:
    const google::protobuf::FieldDescriptor* find(int field) const;

    const google::protobuf::Message& message_;
    double largest_;
};

}  // namespace bristle::live
