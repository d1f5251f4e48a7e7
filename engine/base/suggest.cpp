#include "base/suggest.h"

#include <algorithm>
#include <cctype>

namespace bristle::base {
namespace {

// Damerau's distance, restricted to swaps of neighbours; letters' case and -, _, blanks count as equal.
class Distance {
  public:
    explicit Distance(std::string_view written) : a_(plain(written)) {}

    // At most the limit, or more than it.
    size_t to(std::string_view choice, size_t limit) {
        b_ = plain(choice);
        before_.assign(b_.size() + 1, 0);
        now_ = last_ = before_;
        for (size_t j = 0; j <= b_.size(); ++j) last_[j] = j;
        size_t least_of_last = 0;
        for (size_t i = 1; i <= a_.size(); ++i) {
            size_t least = now_[0] = i;
            for (size_t j = 1; j <= b_.size(); ++j) {
                now_[j] = std::min({last_[j] + 1, now_[j - 1] + 1,
                                    last_[j - 1] + (a_[i - 1] == b_[j - 1] ? 0 : 1)});
                if (i > 1 && j > 1 && a_[i - 1] == b_[j - 2] && a_[i - 2] == b_[j - 1])
                    now_[j] = std::min(now_[j], before_[j - 2] + 1);
                least = std::min(least, now_[j]);
            }
            // What follows comes from these two rows and only grows.
            if (least > limit && least_of_last > limit) return least;
            least_of_last = least;
            std::swap(before_, last_);
            std::swap(last_, now_);
        }
        return last_[b_.size()];
    }

  private:
    static std::string plain(std::string_view text) {
        std::string result(text);
        for (char& c : result)
            c = c == '-' || c == ' '
                  ? '_'
                  : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        return result;
    }

    std::string a_, b_;
    std::vector<size_t> before_, last_, now_;
};

}  // namespace

std::string nearest_name(std::string_view written, const std::vector<std::string>& choices) {
    if (written.size() > 200) return {};  // no name of ours, and slow to compare
    const std::string* best = nullptr;
    size_t least = 0;
    Distance distance(written);
    for (const std::string& choice : choices) {
        const size_t longer = std::max(written.size(), choice.size());
        const size_t shorter = std::min(written.size(), choice.size());
        size_t limit = std::max<size_t>(1, longer / 3);
        if (best != nullptr) limit = std::min(limit, least - 1);
        if (longer - shorter > limit) continue;
        const size_t d = distance.to(choice, limit);
        if (d > limit || d == longer) continue;
        best = &choice;
        least = d;
        if (d == 0) break;
    }
    return best != nullptr ? *best : std::string{};
}

std::string suggestion(std::string_view written, const std::vector<std::string>& choices) {
    const std::string near = nearest_name(written, choices);
    return near.empty() ? near : "; did you mean '" + near + "'?";
}

}  // namespace bristle::base
