#include "live/wire/fields.h"

#include <bristle/error.h>

#include <fmt/format.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/reflection.h>

namespace bristle::live {

const google::protobuf::FieldDescriptor* Fields::find(int field) const {
    return message_.GetDescriptor()->FindFieldByNumber(field);
}

void Fields::fail(int field, const std::string& what) const {
    throw InputError(fmt::format("'{}' {}", find(field)->name(), what));
}

double Fields::number(int field, double low, double high) const {
    const double value = message_.GetReflection()->GetDouble(message_, find(field));
    if (!(value >= low && value <= high))
        fail(field, fmt::format("must be a number from {:g} to {:g}", low, high));
    return value;
}

uint32_t Fields::whole(int field, uint32_t low, uint32_t high) const {
    const uint32_t value = message_.GetReflection()->GetUInt32(message_, find(field));
    if (value < low || value > high)
        fail(field, fmt::format("must be a whole number from {} to {}", low, high));
    return value;
}

std::vector<double> Fields::numbers(int field, int count) const {
    const auto& list = message_.GetReflection()->GetRepeatedFieldRef<double>(message_, find(field));
    if (list.size() != count)
        fail(field, count == 1 ? "must be a list of one number"
                               : fmt::format("must be {} numbers", count));
    for (int i = 0; i < count; ++i)
        if (!(list.Get(i) >= -largest_ && list.Get(i) <= largest_))
            fail(field, fmt::format("must be numbers from {:g} to {:g}", -largest_, largest_));
    return {list.begin(), list.end()};
}

Vec3 Fields::vector(int field) const {
    const std::vector<double> list = numbers(field, 3);
    return {list[0], list[1], list[2]};
}

Vec3 Fields::vector_or(int field, Vec3 if_empty) const {
    return message_.GetReflection()->FieldSize(message_, find(field)) == 0 ? if_empty
                                                                           : vector(field);
}

}  // namespace bristle::live
