// What a number of a scene file measures: 2 mm is a length, and no mass.
//
// A number without a unit measures whatever is wanted where it stands, for files are in SI and mostly say just numbers.
// So a dimension is known or not, and only what is known can be wrong: `2*length` may be a mass, but 2 mm may not.
// (A strict algebra lost: it would make 9.81*mass an error, and every file that works today with it.)
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bristle::io {

// Powers of the base units. Angles and cycles are no dimensions of SI; they are kept apart because 30 deg is no coefficient
// of friction and 2 Hz are not 2 rad/s.
struct Dimension {
    enum Base : uint8_t { metre, kilogram, second, radian, kelvin, ampere, cycle, bases };
    std::array<double, bases> powers{};

    bool operator==(const Dimension&) const = default;
    Dimension to_the(double power) const;
    // sqrt(stiffness) is meant as sqrt(stiffness*mass) by who leaves out a mass of 1: nothing is known of it.
    bool is_whole() const;
    bool is_number() const { return *this == Dimension{}; }
};
Dimension operator*(const Dimension&, const Dimension&);

// Nothing: not known, fits everywhere.
using Measured = std::optional<Dimension>;

// Whether what is given may stand where something else is wanted. Radians come and go with radii, as in v = ω r; but what is
// nothing else than an angle is wanted only as an angle.
bool fits(const Dimension& given, const Dimension& wanted);

// "m", "N*m", "kg/s^2".
std::string unit_of(const Dimension&);
// Of "N*m", "N m s/rad", "m/s^2"; nothing for other texts.
Measured dimension_of(std::string_view unit);
// Of "N or N*m": all of them. Empty: anything may stand there. A text without a unit means a number.
std::vector<Dimension> dimensions_of(std::string_view units);

}  // namespace bristle::io
