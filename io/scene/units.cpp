#include <bristle/math.h>

#include "io/scene/expression.h"

#include <array>

namespace bristle::io {
namespace {

constexpr std::array<Unit, 47> all_units{{
    {"m", 1, 1},        {"km", 1e3, 1},      {"cm", 1, 1e2},    {"mm", 1, 1e3},
    {"um", 1, 1e6},     {"in", 254, 1e4},    {"ft", 3048, 1e4}, {"s", 1, 1},
    {"ms", 1, 1e3},     {"us", 1, 1e6},      {"min", 60, 1},    {"h", 3600, 1},
    {"kg", 1, 1},       {"g", 1, 1e3},       {"mg", 1, 1e6},    {"t", 1e3, 1},
    {"N", 1, 1},        {"mN", 1, 1e3},      {"kN", 1e3, 1},    {"MN", 1e6, 1},
    {"Nm", 1, 1},       {"kNm", 1e3, 1},     {"Pa", 1, 1},      {"hPa", 1e2, 1},
    {"kPa", 1e3, 1},    {"MPa", 1e6, 1},     {"GPa", 1e9, 1},   {"bar", 1e5, 1},
    {"J", 1, 1},        {"kJ", 1e3, 1},      {"W", 1, 1},       {"kW", 1e3, 1},
    {"rad", 1, 1},      {"mrad", 1, 1e3},    {"deg", pi, 180},  {"turn", 2 * pi, 1},
    {"rev", 2 * pi, 1}, {"rpm", 2 * pi, 60}, {"Hz", 1, 1},      {"kHz", 1e3, 1},
    {"l", 1, 1e3},      {"ml", 1, 1e6},      {"K", 1, 1},       {"A", 1, 1},
    {"V", 1, 1},        {"percent", 1, 1e2}, {"kmh", 1, 3.6},
}};

}  // namespace

std::span<const Unit> units() { return all_units; }

}  // namespace bristle::io
