#include "collision/volume/triangulate.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bristle::collision {
namespace {

// Twice the area of a, b, c, positive if they turn left.
double turn(Vec2 a, Vec2 b, Vec2 c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

double area(const std::vector<uint32_t>& loop, const std::vector<Vec2>& at) {
    double sum = 0;
    for (size_t i = 1; i + 1 < loop.size(); ++i)
        sum += turn(at[loop[0]], at[loop[i]], at[loop[i + 1]]);
    return sum;
}

bool contains(const std::vector<uint32_t>& loop, const std::vector<Vec2>& at, Vec2 p) {
    bool inside = false;
    for (size_t i = 0, j = loop.size() - 1; i < loop.size(); j = i++) {
        const Vec2 a = at[loop[i]], b = at[loop[j]];
        if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x)
            inside = !inside;
    }
    return inside;
}

// From a corner of the hole to the nearest corner around it that no edge hides.
void bridge(std::vector<uint32_t>& outer, const std::vector<uint32_t>& hole,
            const std::vector<Vec2>& at) {
    const auto is_hidden = [&](Vec2 from, Vec2 to) {
        const auto crosses = [&](const std::vector<uint32_t>& loop) {
            for (size_t i = 0, j = loop.size() - 1; i < loop.size(); j = i++) {
                const Vec2 a = at[loop[i]], b = at[loop[j]];
                if (turn(from, to, a) * turn(from, to, b) < 0
                    && turn(a, b, from) * turn(a, b, to) < 0)
                    return true;
            }
            return false;
        };
        return crosses(outer) || crosses(hole);
    };
    size_t best_outer = 0, best_hole = 0;
    double nearest = std::numeric_limits<double>::infinity();
    for (const bool visible : {true, false}) {
        for (size_t i = 0; i < outer.size(); ++i)
            for (size_t j = 0; j < hole.size(); ++j) {
                const Vec2 d = at[outer[i]] - at[hole[j]];
                const double distance = d.x * d.x + d.y * d.y;
                if (distance < nearest && !(visible && is_hidden(at[hole[j]], at[outer[i]]))) {
                    nearest = distance;
                    best_outer = i;
                    best_hole = j;
                }
            }
        if (nearest < std::numeric_limits<double>::infinity()) break;
    }
    std::vector<uint32_t> way;
    for (size_t j = 0; j <= hole.size(); ++j) way.push_back(hole[(best_hole + j) % hole.size()]);
    way.push_back(outer[best_outer]);
    outer.insert(outer.begin() + static_cast<std::ptrdiff_t>(best_outer) + 1, way.begin(),
                 way.end());
}

void clip_ears(std::vector<uint32_t> loop, const std::vector<Vec2>& at,
               std::vector<std::array<uint32_t, 3>>& out) {
    size_t i = 0;
    while (loop.size() > 3) {
        const size_t n = loop.size();
        size_t sharpest = 0;
        double largest = -std::numeric_limits<double>::infinity();
        bool found = false;
        for (size_t tried = 0; tried < n && !found; ++tried, i = (i + 1) % n) {
            const uint32_t a = loop[(i + n - 1) % n], b = loop[i], c = loop[(i + 1) % n];
            const double size = turn(at[a], at[b], at[c]);
            if (size > largest) {
                largest = size;
                sharpest = i;
            }
            if (!(size > 0)) continue;
            found = true;
            for (uint32_t p : loop) {
                if (p == a || p == b || p == c) continue;
                if (turn(at[a], at[b], at[p]) >= 0 && turn(at[b], at[c], at[p]) >= 0
                    && turn(at[c], at[a], at[p]) >= 0) {
                    found = false;
                    break;
                }
            }
            if (found) break;
        }
        const size_t ear = found ? i : sharpest;
        out.push_back({loop[(ear + n - 1) % n], loop[ear], loop[(ear + 1) % n]});
        loop.erase(loop.begin() + static_cast<std::ptrdiff_t>(ear));
        // The next but one: long fans of slivers do no good.
        i = (ear + 1) % loop.size();
    }
    if (loop.size() == 3) out.push_back({loop[0], loop[1], loop[2]});
}

}  // namespace

std::vector<std::array<uint32_t, 3>> triangulated(const std::vector<std::vector<uint32_t>>& loops,
                                                  const std::vector<Vec2>& at) {
    std::vector<std::vector<uint32_t>> outer;
    std::vector<const std::vector<uint32_t>*> holes;
    for (const auto& loop : loops) {
        if (loop.size() < 3) continue;
        if (area(loop, at) >= 0)
            outer.push_back(loop);
        else
            holes.push_back(&loop);
    }
    std::vector<std::array<uint32_t, 3>> out;
    for (const auto* hole : holes) {
        // The smallest of those around it; a hole that none is around is cut as it is.
        std::vector<uint32_t>* around = nullptr;
        double least = std::numeric_limits<double>::infinity();
        for (auto& loop : outer)
            if (contains(loop, at, at[hole->front()]) && area(loop, at) < least) {
                least = area(loop, at);
                around = &loop;
            }
        if (around != nullptr)
            bridge(*around, *hole, at);
        else
            clip_ears(*hole, at, out);
    }
    for (auto& loop : outer) clip_ears(std::move(loop), at, out);
    return out;
}

}  // namespace bristle::collision
