#include <bristle/math.h>

#include "io/scene/expression.h"

#include <algorithm>
#include <array>

namespace bristle::io {
namespace {

// Powers of m, kg, s, rad, K, A, cycles.
constexpr Dimension number{}, length{{1}}, mass{{0, 1}}, time{{0, 0, 1}}, force{{1, 1, -2}},
    moment{{2, 1, -2}}, pressure{{-1, 1, -2}}, power{{2, 1, -3}}, angle{{0, 0, 0, 1}},
    turning{{0, 0, -1, 1}}, frequency{{0, 0, -1, 0, 0, 0, 1}}, volume{{3}},
    temperature{{0, 0, 0, 0, 1}}, current{{0, 0, 0, 0, 0, 1}}, voltage{{2, 1, -3, 0, 0, -1}},
    speed{{1, 0, -1}};

constexpr std::array<Unit, 48> all_units{{
    {"m", 1, 1, length},       {"km", 1e3, 1, length},
    {"cm", 1, 1e2, length},    {"mm", 1, 1e3, length},
    {"um", 1, 1e6, length},    {"in", 254, 1e4, length},
    {"ft", 3048, 1e4, length}, {"s", 1, 1, time},
    {"ms", 1, 1e3, time},      {"us", 1, 1e6, time},
    {"min", 60, 1, time},      {"h", 3600, 1, time},
    {"kg", 1, 1, mass},        {"g", 1, 1e3, mass},
    {"mg", 1, 1e6, mass},      {"t", 1e3, 1, mass},
    {"N", 1, 1, force},        {"mN", 1, 1e3, force},
    {"kN", 1e3, 1, force},     {"MN", 1e6, 1, force},
    {"Nm", 1, 1, moment},      {"kNm", 1e3, 1, moment},
    {"Pa", 1, 1, pressure},    {"hPa", 1e2, 1, pressure},
    {"kPa", 1e3, 1, pressure}, {"MPa", 1e6, 1, pressure},
    {"GPa", 1e9, 1, pressure}, {"bar", 1e5, 1, pressure},
    {"J", 1, 1, moment},       {"kJ", 1e3, 1, moment},
    {"W", 1, 1, power},        {"kW", 1e3, 1, power},
    {"rad", 1, 1, angle},      {"mrad", 1, 1e3, angle},
    {"deg", pi, 180, angle},   {"turn", 2 * pi, 1, angle},
    {"rev", 2 * pi, 1, angle}, {"rpm", 2 * pi, 60, turning},
    {"Hz", 1, 1, frequency},   {"kHz", 1e3, 1, frequency},
    {"l", 1, 1e3, volume},     {"ml", 1, 1e6, volume},
    {"K", 1, 1, temperature},  {"A", 1, 1, current},
    {"V", 1, 1, voltage},      {"percent", 1, 1e2, number},
    {"kmh", 1, 3.6, speed},    {"lb", 45359237, 1e8, mass},
}};

}  // namespace

std::span<const Unit> units() { return all_units; }

const Unit* find_unit(std::string_view name) {
    const auto* const found = std::find_if(all_units.begin(), all_units.end(),
                                           [&](const Unit& u) { return name == u.name; });
    return found == all_units.end() ? nullptr : found;
}

}  // namespace bristle::io
