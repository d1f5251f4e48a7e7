#include "machines/operator/route.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <queue>
#include <unordered_map>

namespace bristle::machines {
namespace {

// ---- Dubins: arcs and straight lines ----------------------------------------------------------------------

// Three pieces, each a length over the radius: turning left (1), right (−1) or straight (0).
struct Word {
    std::array<int, 3> turn{};
    std::array<double, 3> length{};
    double total() const { return length[0] + length[1] + length[2]; }
};

double positive(double angle) {
    const double a = std::fmod(angle, 2 * pi);
    return a < 0 ? a + 2 * pi : a;
}

// From (0, 0, a) to (d, 0, b), lengths over the radius (Dubins 1957; Shkel and Lumelsky 2001).
std::optional<Word> shortest_word(double d, double a, double b) {
    const double sa = std::sin(a), sb = std::sin(b), ca = std::cos(a), cb = std::cos(b),
                 cab = std::cos(a - b);
    std::optional<Word> best;
    const auto offer = [&](std::array<int, 3> turn, double t, double p, double q) {
        const Word word{turn, {positive(t), p, positive(q)}};
        if (!best || word.total() < best->total()) best = word;
    };
    // Turns of one kind: the straight piece leads from circle to circle along their common tangent.
    for (const int side : {1, -1}) {
        const double s = side;
        const double square = 2 + d * d - 2 * cab + s * 2 * d * (sa - sb);
        if (square < 0) continue;
        const double line = std::atan2(s * (cb - ca), d + s * (sa - sb));
        offer({side, 0, side}, s * (line - a), std::sqrt(square), s * (b - line));
    }
    for (const int side : {1, -1}) {
        const double s = side;
        const double square = -2 + d * d + 2 * cab + s * 2 * d * (sa + sb);
        if (square < 0) continue;
        const double p = std::sqrt(square);
        const double line = std::atan2(s * (-ca - cb), d + s * (sa + sb)) - std::atan2(s * -2.0, p);
        offer({side, 0, -side}, s * (line - a), p, s * (line - b));
    }
    return best;
}

Stand moved(Stand s, double curvature, double way) {
    const double turn = curvature * way;
    if (std::abs(turn) < 1e-9) {
        s.x += way * std::cos(s.heading);
        s.y += way * std::sin(s.heading);
    } else {
        s.x += (std::sin(s.heading + turn) - std::sin(s.heading)) / curvature;
        s.y -= (std::cos(s.heading + turn) - std::cos(s.heading)) / curvature;
    }
    s.heading += turn;
    return s;
}

Stand reversed(Stand s) {
    s.heading += pi;
    return s;
}

// ---- The search ---------------------------------------------------------------------------------------------

constexpr double cell = 0.7;  // m
constexpr int headings = 48;
constexpr double stride = 1.05;  // m, of an arc: leaves a cell
constexpr double backwards_costs = 1.5, turning_round_costs = 3, steering_costs = 0.4,
                 soft_costs = 12;

struct Node {
    Stand at;
    double curvature = 0;
    int direction = 1;
    double cost = 0;
    size_t parent = 0;
    bool is_closed = false;
};

class Search {
  public:
    Search(const SiteMap& map, const Footprint& footprint, Stand to, const RouteWishes& wishes)
        : map_(map), footprint_(footprint), to_(to), wishes_(wishes) {
        distances_ = map.distances_to(to.x, to.y, footprint.radius);
    }

    bool is_free(const Stand& s, double room) const {
        for (const double ahead : footprint_.ahead)
            if (map_.clearance(s.x + ahead * std::cos(s.heading), s.y + ahead * std::sin(s.heading))
                < room)
                return false;
        return true;
    }

    std::optional<Route> run(const Stand& from) {
        // A machine that stands where it should not may leave.
        room_ = footprint_.radius;
        while (room_ > 0.2 && !is_free(from, room_)) room_ -= 0.1;
        if (!is_free(to_, footprint_.radius)) return {};
        ends_soft_ = is_on_soft_ground(to_) || is_on_soft_ground(from);
        add({from, 0, 1, 0, 0, false}, 0);
        for (int looks = 0; !open_.empty() && looks < wishes_.most_looks; ++looks) {
            const size_t i = open_.top().second;
            open_.pop();
            if (nodes_[i].is_closed) continue;
            nodes_[i].is_closed = true;
            if (std::optional<Route> rest = shot(nodes_[i])) return whole(i, *rest);
            expand(i);
        }
        return {};
    }

  private:
    double room(const Stand& s) const {
        // Where it came from it may be closer to things.
        const double way = std::hypot(s.x - nodes_[0].at.x, s.y - nodes_[0].at.y);
        return std::min(footprint_.radius, room_ + 0.35 * way);
    }
    static uint64_t key(const Stand& s, int direction) {
        const auto x = static_cast<uint64_t>(std::llround(s.x / cell) + (1 << 20)),
                   y = static_cast<uint64_t>(std::llround(s.y / cell) + (1 << 20));
        const auto heading = static_cast<uint64_t>(positive(s.heading) / (2 * pi) * headings);
        return ((x << 21 | y) << 8 | heading % headings) << 1 | (direction > 0 ? 1 : 0);
    }
    double guess(const Stand& s) const {
        const double around = map_.at(distances_, s.x, s.y);
        return 1.4
             * std::max(around, 0.7
                                    * std::min(dubins_length(s, to_),
                                               backwards_costs
                                                   * dubins_length(reversed(s), reversed(to_))));
    }
    std::optional<Word> dubins(const Stand& a, const Stand& b) const {
        const double line = std::atan2(b.y - a.y, b.x - a.x);
        return shortest_word(std::hypot(b.x - a.x, b.y - a.y) * wishes_.curvature, a.heading - line,
                             b.heading - line);
    }
    double dubins_length(const Stand& a, const Stand& b) const {
        const std::optional<Word> word = dubins(a, b);
        return word ? word->total() / wishes_.curvature : 0;
    }
    void add(const Node& node, double guessed) {
        const auto [at, is_new] = known_.try_emplace(key(node.at, node.direction), nodes_.size());
        if (!is_new) {
            Node& other = nodes_[at->second];
            if (other.is_closed || other.cost <= node.cost) return;
            other.is_closed = true;
            at->second = nodes_.size();
        }
        open_.emplace(node.cost + guessed, nodes_.size());
        nodes_.push_back(node);
    }
    void expand(size_t parent) {
        const Node from = nodes_[parent];
        for (const int direction : {1, -1})
            for (const double share : {-1.0, -0.5, 0.0, 0.5, 1.0}) {
                Node next{moved(from.at, share * wishes_.curvature, direction * stride),
                          share * wishes_.curvature,
                          direction,
                          from.cost,
                          parent,
                          false};
                const Stand middle = moved(from.at, next.curvature, direction * stride / 2);
                if (!is_free(next.at, room(next.at)) || !is_free(middle, room(middle))) continue;
                next.cost += stride * (direction > 0 ? 1 : backwards_costs)
                           * (is_on_soft_ground(next.at) ? soft_costs : 1);
                if (parent != 0 && direction != from.direction) next.cost += turning_round_costs;
                next.cost +=
                    steering_costs * std::abs(next.curvature - from.curvature) / wishes_.curvature;
                add(next, guess(next.at));
            }
    }
    bool is_on_soft_ground(const Stand& s) const {
        return std::any_of(footprint_.ahead.begin(), footprint_.ahead.end(), [&](double ahead) {
            return map_.is_soft(s.x + ahead * std::cos(s.heading),
                                s.y + ahead * std::sin(s.heading));
        });
    }
    // Straight to the goal by arcs, if that is free and firm.
    std::optional<Route> shot(const Node& from) const {
        std::optional<Route> best;
        double best_cost = 0;
        for (const int direction : {1, -1}) {
            const Stand a = direction > 0 ? from.at : reversed(from.at),
                        b = direction > 0 ? to_ : reversed(to_);
            const std::optional<Word> word = dubins(a, b);
            if (!word) continue;
            const double cost = word->total() * (direction > 0 ? 1 : backwards_costs)
                              + (direction != from.direction ? turning_round_costs : 0);
            // A long way round is no way to the goal: it is looked for a shorter one.
            if (word->total() / wishes_.curvature
                > 1.6 * map_.at(distances_, from.at.x, from.at.y) + 9)
                continue;
            if (best && cost >= best_cost) continue;
            Route route;
            if (!follow(a, *word, direction, route)) continue;
            best = std::move(route);
            best_cost = cost;
        }
        return best;
    }
    bool follow(Stand s, const Word& word, int direction, Route& route) const {
        for (size_t i = 0; i < 3; ++i) {
            const double way = word.length[i] / wishes_.curvature;
            const int parts = std::max(1, static_cast<int>(std::ceil(way / wishes_.spacing)));
            const double curvature = word.turn[i] * wishes_.curvature;
            if (way < 1e-6) continue;
            for (int k = 0; k < parts; ++k) {
                s = moved(s, curvature, way / parts);
                const Stand real = direction > 0 ? s : reversed(s);
                if (!is_free(real, room(real)) || (is_on_soft_ground(real) && !ends_soft_))
                    return false;
                route.push_back({real, direction * curvature, direction});
            }
        }
        return true;
    }
    Route whole(size_t last, const Route& rest) const {
        std::vector<size_t> line;
        for (size_t i = last; i != 0; i = nodes_[i].parent) line.push_back(i);
        Route route;
        const int first = !line.empty() ? nodes_[line.back()].direction
                        : !rest.empty() ? rest[0].direction
                                        : 1;
        route.push_back({nodes_[0].at, 0, first});
        for (size_t k = line.size(); k-- > 0;) {
            const Node& to = nodes_[line[k]];
            const Stand from = nodes_[to.parent].at;
            const int parts = static_cast<int>(std::ceil(stride / wishes_.spacing));
            for (int part = 1; part <= parts; ++part)
                route.push_back({moved(from, to.curvature, to.direction * stride * part / parts),
                                 to.curvature, to.direction});
        }
        route.insert(route.end(), rest.begin(), rest.end());
        return route;
    }

    const SiteMap& map_;
    const Footprint& footprint_;
    const Stand to_;
    const RouteWishes& wishes_;
    double room_ = 0;
    bool ends_soft_ = false;
    std::vector<float> distances_;
    std::vector<Node> nodes_;
    std::unordered_map<uint64_t, size_t> known_;
    using Entry = std::pair<double, size_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open_;
};

}  // namespace

std::optional<Route> find_route(const SiteMap& map, const Footprint& footprint, const Stand& from,
                                const Stand& to, const RouteWishes& wishes) {
    return Search(map, footprint, to, wishes).run(from);
}

double length(const Route& route) {
    double sum = 0;
    for (size_t i = 1; i < route.size(); ++i)
        sum += std::hypot(route[i].at.x - route[i - 1].at.x, route[i].at.y - route[i - 1].at.y);
    return sum;
}

}  // namespace bristle::machines
