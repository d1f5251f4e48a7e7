#include "base/suggest.h"

#include <algorithm>
#include <cctype>

namespace bristle {
namespace {

char plain(char c) {
    return c == '-' || c == ' ' ? '_'
                                : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

// Damerau's distance, restricted to swaps of neighbours; letters' case and -, _, blanks count as equal.
size_t distance(std::string_view a, std::string_view b) {
    std::vector<size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
    for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
    for (size_t i = 1; i <= a.size(); ++i) {
        now[0] = i;
        for (size_t j = 1; j <= b.size(); ++j) {
            const bool same = plain(a[i - 1]) == plain(b[j - 1]);
            now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
            if (i > 1 && j > 1 && plain(a[i - 1]) == plain(b[j - 2])
                && plain(a[i - 2]) == plain(b[j - 1]))
                now[j] = std::min(now[j], before[j - 2] + 1);
        }
        std::swap(before, last);
        std::swap(last, now);
    }
    return last[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view written, const std::vector<std::string>& choices) {
    if (written.size() > 200) return {};  // no name of ours, and slow to compare
    const std::string* best = nullptr;
    size_t least = 0;
    for (const std::string& choice : choices) {
        const size_t longer = std::max(written.size(), choice.size());
        const size_t shorter = std::min(written.size(), choice.size());
        if (longer - shorter > longer / 3 + 1) continue;
        const size_t d = distance(written, choice);
        if (d > std::max<size_t>(1, longer / 3) || d == longer || (best != nullptr && d >= least))
            continue;
        best = &choice;
        least = d;
    }
    return best != nullptr ? *best : std::string{};
}

std::string suggestion(std::string_view written, const std::vector<std::string>& choices) {
    const std::string near = nearest_name(written, choices);
    return near.empty() ? near : "; did you mean '" + near + "'?";
}

}  // namespace bristle
