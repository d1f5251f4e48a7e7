// What is too steep slides.
//
// Of every triangle of a field the slope is one vector, g = Σ h_i ∇N_i. Where |g| exceeds what its soil stands, soil goes from its upper
// to its lower points along g: with d_i = ∇N_i·ĝ, Σ d_i = 0,
//
//     Δh_i = −λ d_i/A_i ,    λ = (|g| − tan θ)/Σ d_i²/A_i
//
// which is the least that takes the triangle to tan θ, and moves no volume out of it: whatever is moved, nothing is lost, and the slope
// of no direction counts more than that of another. One triangle after the other, to and fro, until all stand (Gauss–Seidel); only cells
// that something touched are looked at. Rules that compare heights of neighbours make heaps with eight sides.
#include "machines/earth/ground.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace bristle::machines {
namespace {

// Of the tangent: how much steeper is steep, and where it comes to rest. On a grid the flanks of a heap are that much flatter than its
// triangles.
constexpr double slack = 0.012, rest = 0.008;
// m: what would move less stands.
constexpr double least_way = 1e-7;

struct Triangle {
    std::array<size_t, 3> point;
    std::array<double, 3> by_x, by_y;  // ∇N
};

// Cells are cut along one diagonal and the other in turn: with one alone, heaps are flatter across it.
Triangle triangle_of(const Ground& g, uint32_t cell, bool is_upper) {
    const size_t columns = g.columns(), row = cell / (columns - 1), column = cell % (columns - 1);
    const size_t a = row * columns + column, b = a + 1, c = a + columns + 1, d = a + columns;
    const double x = 1 / g.spacing_x(), y = 1 / g.spacing_y();
    if ((row + column) % 2 == 0)
        return is_upper ? Triangle{{a, c, d}, {0, x, -x}, {-y, 0, y}}
                        : Triangle{{a, b, c}, {-x, x, 0}, {0, -y, y}};
    return is_upper ? Triangle{{b, c, d}, {0, x, -x}, {-y, y, 0}}
                    : Triangle{{a, b, d}, {-x, x, 0}, {-y, 0, y}};
}

// Whether anything moved.
bool settle(Ground& ground, Heights& heights, const Triangle& t, Tilt tilt) {
    double x = tilt.x, y = tilt.y;
    for (const size_t point : t.point)
        if (ground.is_held(point) || ground.is_blocked(point)) return false;
    for (size_t i = 0; i < 3; ++i) {
        x += t.by_x[i] * heights[t.point[i]];
        y += t.by_y[i] * heights[t.point[i]];
    }
    const double slope = std::hypot(x, y);
    if (!(slope > ground.loose_slope() * (1 + slack))) return false;
    std::array<double, 3> d{}, way{};
    double sum = 0;
    for (size_t i = 0; i < 3; ++i) {
        d[i] = (t.by_x[i] * x + t.by_y[i] * y) / slope;
        way[i] = d[i] / ground.area(t.point[i]);
        sum += d[i] * way[i];
    }
    const double loose = (slope - ground.loose_slope() * (1 + rest)) / sum,
                 all = std::max(0.0, slope - ground.standing_slope()) / sum;
    // As far as there is loose soil on those that lose some; a bank only as far as it does not stand.
    double share = loose;
    for (size_t i = 0; i < 3; ++i)
        if (way[i] > 0)
            share = std::min(share, std::max(std::min(all, ground.diggable(t.point[i]) / way[i]),
                                             ground.column(t.point[i]).thickness / way[i]));
    double lost = 0, gaining = 0, most = 0;
    for (size_t i = 0; i < 3; ++i) {
        most = std::max(most, share * way[i]);
        if (d[i] < 0) gaining -= d[i];
    }
    if (!(most > least_way) || !(gaining > 0)) return false;
    for (size_t i = 0; i < 3; ++i)
        if (d[i] > 0) lost += ground.take(heights, t.point[i], share * way[i]);
    for (size_t i = 0; i < 3; ++i)
        if (d[i] < 0) ground.give(heights, t.point[i], lost * (-d[i] / gaining));
    return lost > 0;
}

}  // namespace

void slide(Ground& ground, Heights& heights, Tilt tilt, int looks) {
    std::vector<uint32_t>& active = ground.active();
    bool is_forward = true;
    while (!active.empty() && looks > 0) {
        const size_t count = active.size();
        looks -= 2 * static_cast<int>(count);
        // Those that stand leave; those that are touched on the way come after them.
        for (size_t k = 0; k < count; ++k) {
            uint32_t& place = active[is_forward ? k : count - 1 - k];
            const uint32_t cell = place;
            bool moved = settle(ground, heights, triangle_of(ground, cell, !is_forward), tilt);
            moved |= settle(ground, heights, triangle_of(ground, cell, is_forward), tilt);
            if (moved) continue;
            active[is_forward ? k : count - 1 - k] = 0xffffffffu;
            ground.rest(cell);
        }
        std::erase(active, 0xffffffffu);
        is_forward = !is_forward;
    }
}

}  // namespace bristle::machines
