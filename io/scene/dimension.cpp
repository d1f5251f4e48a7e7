#include "io/scene/dimension.h"

#include "io/scene/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace bristle::io {
namespace {

bool is_unit_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Those that have a name of their own, before they are made of base units.
constexpr std::array<const char*, 14> common{"N",      "N*m",     "Pa",  "W",     "m/s",
                                             "m/s^2",  "rad/s",   "N/m", "N*s/m", "kg*m^2",
                                             "kg/m^3", "N*m/rad", "Hz",  "V"};

std::string composed(const Dimension& d) {
    static constexpr std::array<const char*, Dimension::bases> names{"m", "kg", "s",   "rad",
                                                                     "K", "A",  "turn"};
    std::string above, below;
    for (size_t i = 0; i < names.size(); ++i) {
        const double power = std::abs(d.powers[i]);
        if (power == 0) continue;
        const std::string factor =
            power == 1 ? names[i] : fmt::format("{}^{:.3g}", names[i], power);
        std::string& side = d.powers[i] > 0 ? above : below;
        if (d.powers[i] > 0)
            side += (side.empty() ? "" : "*") + factor;
        else
            side += "/" + factor;
    }
    return (above.empty() ? "1" : above) + below;
}

}  // namespace

Dimension Dimension::to_the(double power) const {
    Dimension result = *this;
    for (double& p : result.powers) p *= power;
    return result;
}

bool Dimension::is_whole() const {
    return std::all_of(powers.begin(), powers.end(), [](double p) { return p == std::round(p); });
}

Dimension operator*(const Dimension& a, const Dimension& b) {
    Dimension result = a;
    for (size_t i = 0; i < result.powers.size(); ++i) result.powers[i] += b.powers[i];
    return result;
}

bool fits(const Dimension& given, const Dimension& wanted) {
    Dimension a = given, b = wanted;
    a.powers[Dimension::radian] = b.powers[Dimension::radian] = 0;
    for (size_t i = 0; i < a.powers.size(); ++i)
        if (a.powers[i] != b.powers[i]) return false;
    const bool is_angle = a.is_number() && given.powers[Dimension::radian] != 0;
    return !is_angle || wanted.powers[Dimension::radian] != 0;
}

std::string unit_of(const Dimension& d) {
    for (const char* name : common)
        if (dimension_of(name) == d) return name;
    return composed(d);
}

Measured dimension_of(std::string_view text) {
    Dimension result;
    double sign = 1;
    for (size_t at = 0; at < text.size();) {
        const size_t begin = at;
        while (at < text.size() && is_unit_letter(text[at])) ++at;
        const Unit* const unit = find_unit(text.substr(begin, at - begin));
        if (unit == nullptr) return {};
        double power = 1;
        if (at < text.size() && text[at] == '^') {
            const auto [rest, error] =
                std::from_chars(text.data() + at + 1, text.data() + text.size(), power);
            if (error != std::errc{}) return {};
            at = static_cast<size_t>(rest - text.data());
        }
        result = result * unit->dimension.to_the(sign * power);
        if (at == text.size()) return result;
        if (text[at] != '*' && text[at] != '/' && text[at] != ' ') return {};
        sign = text[at] == '/' ? -1 : 1;
        ++at;
    }
    return text.empty() ? Measured(result) : Measured();
}

std::vector<Dimension> dimensions_of(std::string_view units) {
    static constexpr std::string_view between = " or ";
    std::vector<Dimension> all;
    for (;;) {
        const size_t end = units.find(between);
        const Measured one = dimension_of(units.substr(0, end));
        if (!one) return {};
        all.push_back(*one);
        if (end == std::string_view::npos) return all;
        units.remove_prefix(end + between.size());
    }
}

}  // namespace bristle::io
