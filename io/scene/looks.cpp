#include "io/scene/looks.h"

#include "base/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace bristle::io {
namespace {

struct Named {
    const char* name;
    uint32_t rgb;
};
constexpr Named colors[] = {{"white", 0xf4f4f2},  {"black", 0x1d1f21},  {"grey", 0x8a9097},
                            {"gray", 0x8a9097},   {"silver", 0xc3c9cf}, {"red", 0xc8352e},
                            {"orange", 0xe8772e}, {"yellow", 0xf0b21c}, {"green", 0x3f9355},
                            {"blue", 0x2f6fb5},   {"purple", 0x7a5bb0}, {"brown", 0x8a5f3c}};

// 0xRRGGBB, or nothing.
std::optional<uint32_t> rgb_of(const std::string& text) {
    for (const Named& c : colors)
        if (text == c.name) return c.rgb;
    uint32_t value = 0;
    const char* const end = text.data() + text.size();
    if (text.size() != 7 || text[0] != '#') return {};
    const auto [rest, error] = std::from_chars(text.data() + 1, end, value, 16);
    return error == std::errc{} && rest == end ? std::optional(value) : std::nullopt;
}

}  // namespace

std::optional<Look> read_look(const Object& o) {
    if (!o.has("color") && !o.has("finish")) return {};
    Look look{.finish = o.word<Finish>("finish")};
    if (!o.has("color")) return look;
    const std::string text = o.text("color");
    if (const auto rgb = rgb_of(text)) {
        for (size_t i = 0; i < 3; ++i)
            look.color.push_back(static_cast<float>(*rgb >> (16 - 8 * i) & 0xff) / 255.0F);
    } else if (o.is_good()) {
        std::vector<std::string> names;
        for (const Named& c : colors) names.emplace_back(c.name);
        const std::string near = suggestion(text, names);
        o.context().mistakes.add(o.find("color")->mark,
                                 fmt::format("color is '{}'{}", text.substr(0, 100),
                                             near.empty() ? "; expected \"#rrggbb\", in quotes, or "
                                                                + joined(names, "or")
                                                          : near));
    }
    return look;
}

}  // namespace bristle::io
