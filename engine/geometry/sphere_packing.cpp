#include "geometry/sphere_packing.h"

#include <bristle/error.h>

#include <algorithm>
#include <array>
#include <limits>
#include <queue>

namespace bristle::geometry {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double points_per_ball = 48;  // of the grid: fewer miss gaps, more cost time
constexpr double least_points = 30000;  // so that few balls find their places, too
constexpr double most_cells = 3e7;      // of the grid's box: 120 MB

// Of the balls, those along the surface: as many as possible, but what is left must fill the inside.
constexpr double along_surface = 0.25;
constexpr double cover = 0.8;  // of a surface, by the squares around balls laid along it; measured

double largest_ball(const TriangleTree& tree, double volume, double count, PackingStyle style) {
    if (style == PackingStyle::largest_first) return infinity;
    const double even = 0.6 * std::cbrt(volume / count);
    if (style == PackingStyle::homogeneous) return even;
    double area = 0;
    for (uint32_t t = 0; t < tree.mesh().triangles.size(); ++t) {
        const auto c = tree.corners(t);
        area += norm(cross(c[1] - c[0], c[2] - c[0])) / 2;
    }
    return std::sqrt(cover * area / (4 * along_surface * count));
}

double volume_of(const TriangleTree& tree) {
    const Vec3 o = 0.5 * (tree.bounds().low + tree.bounds().high);
    double six = 0;
    for (uint32_t t = 0; t < tree.mesh().triangles.size(); ++t) {
        const auto c = tree.corners(t);
        six += dot(c[0] - o, cross(c[1] - o, c[2] - o));
    }
    return six / 6;
}

// The solution of m x = b, rows of n + 1 numbers; false if there is none.
template <size_t n> bool solve(std::array<std::array<double, n + 1>, n>& m) {
    for (size_t k = 0; k < n; ++k) {
        size_t pivot = k;
        for (size_t i = k + 1; i < n; ++i)
            if (std::abs(m[i][k]) > std::abs(m[pivot][k])) pivot = i;
        if (!(std::abs(m[pivot][k]) > 1e-6)) return false;  // of unit vectors: nearly parallel
        std::swap(m[k], m[pivot]);
        for (size_t i = 0; i < n; ++i) {
            if (i == k) continue;
            const double f = m[i][k] / m[k][k];
            for (size_t j = k; j <= n; ++j) m[i][j] -= f * m[k][j];
        }
    }
    for (size_t k = 0; k < n; ++k) m[k][n] /= m[k][k];
    return true;
}

// Something a ball must not overlap: a ball or, with radius zero, a triangle.
struct Near {
    Vec3 center;
    double radius;
    uint32_t triangle;
};
// The same seen from a point: how far, and away from it.
struct Obstacle {
    double distance;
    Vec3 away;  // unit
};

class Packer {
  public:
    Packer(const TriangleTree& tree, uint32_t count, PackingStyle style);
    SpherePacking pack();

  private:
    void lay_grid();
    void measure_row(int y, int z);
    void lay_balls(bool only_along_surface);
    void open_inside();
    void fill_gaps();
    void place(Vec3 center, double radius, double largest_left);
    double clearance(Vec3 p, double limit) const;
    void gather(Vec3 p, double reach);
    void look_around(Vec3 p, size_t wanted);
    Vec3 settled(Vec3 p);
    template <size_t n> bool touch(Vec3& p);
    Vec3 peak(Vec3 p, double g);
    bool level_four(Vec3& p);

    Vec3 at(int x, int y, int z) const { return low_ + spacing_ * Vec3{x + 0.5, y + 0.5, z + 0.5}; }
    size_t index(int x, int y, int z) const {
        return (static_cast<size_t>(z) * static_cast<size_t>(size_[1]) + static_cast<size_t>(y))
                 * static_cast<size_t>(size_[0])
             + static_cast<size_t>(x);
    }
    // visit(cell) of the coarse cells that a box around p meets.
    template <class Visit> void cells_around(Vec3 p, double reach, const Visit& visit) const {
        std::array<int, 3> from{}, to{};
        for (int k = 0; k < 3; ++k) {
            const auto i = static_cast<size_t>(k);
            const double edge = cells_[i] - 1;
            from[i] = static_cast<int>(std::clamp((p[k] - reach - low_[k]) / cell_, 0.0, edge));
            to[i] = static_cast<int>(std::clamp((p[k] + reach - low_[k]) / cell_, 0.0, edge));
        }
        for (int z = from[2]; z <= to[2]; ++z)
            for (int y = from[1]; y <= to[1]; ++y)
                for (int x = from[0]; x <= to[0]; ++x)
                    visit((static_cast<size_t>(z) * static_cast<size_t>(cells_[1])
                           + static_cast<size_t>(y))
                              * static_cast<size_t>(cells_[0])
                          + static_cast<size_t>(x));
    }

    const TriangleTree& tree_;
    size_t count_;
    SpherePacking out_;
    double laid_ = 0;   // radius of the balls that are laid
    double limit_ = 0;  // g on the grid is cut off here: nobody asks for more
    double spacing_ = 0, rounding_ = 0;
    Vec3 low_;
    std::array<int, 3> size_{};
    std::vector<float> g_;             // on the grid, never above the true one; negative outside
    std::vector<uint8_t> is_surface_;  // is the surface the nearest to be?
    double cell_ = 0;                  // coarse cells, with the balls that meet them
    std::array<int, 3> cells_{};
    std::vector<std::vector<uint32_t>> balls_in_;
    std::vector<Near> near_;
    std::vector<Obstacle> obstacles_;
};

Packer::Packer(const TriangleTree& tree, uint32_t count, PackingStyle style)
    : tree_(tree), count_(count) {
    if (count == 0)
        throw InputError("sphere packing: the number of spheres is zero; give at least 1");
    if (!tree.is_closed())
        throw InputError(
            "sphere packing: the mesh is not closed, so it has no inside; check() lists its open "
            "edges");
    out_.volume = volume_of(tree);
    if (!(out_.volume > 0))
        throw InputError(
            "sphere packing: the mesh encloses no volume, or is inside out; repaired() turns it");
    laid_ = largest_ball(tree, out_.volume, count, style);
    limit_ = style == PackingStyle::homogeneous ? 2 * laid_ : infinity;
    const Aabb box = tree.bounds();
    const Vec3 extent = box.high - box.low;
    // Coordinates are known to so much; radii are smaller by it than they could be.
    rounding_ = 8 * std::numeric_limits<double>::epsilon() * (norm(box.low) + norm(extent));
    spacing_ = std::cbrt(std::max(out_.volume / std::max(points_per_ball * count, least_points),
                                  extent.x * extent.y * extent.z / most_cells));
    low_ = box.low;
    cell_ =
        std::max(std::cbrt(out_.volume / count), std::cbrt(extent.x * extent.y * extent.z / 1e6));
    size_t cells = 1;
    for (int k = 0; k < 3; ++k) {
        const auto i = static_cast<size_t>(k);
        size_[i] = std::max(1, static_cast<int>(std::ceil(extent[k] / spacing_)));
        cells_[i] = std::max(1, static_cast<int>(std::ceil(extent[k] / cell_)));
        cells *= static_cast<size_t>(cells_[i]);
        // Centred, so that a symmetric body is not packed from a crooked grid.
        low_[k] += 0.5 * (extent[k] - spacing_ * size_[i]);
    }
    balls_in_.resize(cells);
    out_.balls.reserve(count);
}

SpherePacking Packer::pack() {
    lay_grid();
    if (std::isfinite(laid_)) {
        lay_balls(true);
        if (std::isfinite(limit_))
            lay_balls(false);
        else
            open_inside();
    }
    fill_gaps();
    double sum = 0;
    for (const Ball& ball : out_.balls) {
        sum += 4 * pi / 3 * ball.radius * ball.radius * ball.radius;
        out_.largest = std::max(out_.largest, ball.radius);
    }
    out_.filled = sum / out_.volume;
    out_.laid = std::isfinite(laid_) ? laid_ : 0;
    return std::move(out_);
}

void Packer::lay_grid() {
    g_.assign(index(0, 0, size_[2]), -1);
    is_surface_.assign(g_.size(), 1);
    for (int z = 0; z < size_[2]; ++z)
        for (int y = 0; y < size_[1]; ++y) measure_row(y, z);
}

// Between two points of a row inside and outside can change only if the surface is nearer than their distance. And deep
// inside, where searching for the nearest triangle is dear, the distance less the way will do for a while.
void Packer::measure_row(int y, int z) {
    const double far = std::max(limit_, 2 * spacing_);
    double measured = 0, known = 0;
    bool is_inside = false;
    for (int x = 0; x < size_[0]; ++x) {
        const Vec3 p = at(x, y, z);
        known -= spacing_;
        const bool may_have_changed = known <= 0;
        if (known < 0.9 * measured || known < 4 * spacing_) {
            // Not farther than from the last point by more than the way.
            const double limit =
                std::min(far, x == 0 ? infinity : 1.01 * (measured + 2 * spacing_));
            const TriangleTree::Nearest near = tree_.nearest(p, limit);
            measured = known = near.triangle == TriangleTree::none ? limit : near.distance;
        }
        if (may_have_changed) is_inside = tree_.contains(p);
        // Rounded down, so that what the grid says fits does fit.
        if (is_inside)
            g_[index(x, y, z)] = static_cast<float>(std::min(known, limit_) * (1 - 1e-6));
    }
}

double Packer::clearance(Vec3 p, double limit) const {
    const TriangleTree::Nearest near = tree_.nearest(p, limit);
    double least = near.triangle == TriangleTree::none ? limit : near.distance;
    cells_around(p, least, [&](size_t cell) {
        for (const uint32_t i : balls_in_[cell])
            least = std::min(least, norm(p - out_.balls[i].center) - out_.balls[i].radius);
    });
    return least - rounding_;
}

// `largest_left`: g of no grid point that matters is larger.
void Packer::place(Vec3 center, double radius, double largest_left) {
    const auto number = static_cast<uint32_t>(out_.balls.size());
    out_.balls.push_back({center, radius});
    cells_around(center, radius, [&](size_t cell) { balls_in_[cell].push_back(number); });
    const double reach = radius + largest_left;
    std::array<int, 3> from{}, to{};
    for (int k = 0; k < 3; ++k) {
        const auto i = static_cast<size_t>(k);
        from[i] = static_cast<int>(
            std::clamp(std::floor((center[k] - reach - low_[k]) / spacing_), 0.0, size_[i] - 1.0));
        to[i] = static_cast<int>(
            std::clamp(std::floor((center[k] + reach - low_[k]) / spacing_), 0.0, size_[i] - 1.0));
    }
    for (int z = from[2]; z <= to[2]; ++z)
        for (int y = from[1]; y <= to[1]; ++y)
            for (int x = from[0]; x <= to[0]; ++x) {
                float& g = g_[index(x, y, z)];
                if (!(g > 0)) continue;
                const Vec3 d = at(x, y, z) - center;
                const double far = g + radius, square = dot(d, d);
                if (square >= far * far) continue;
                g = static_cast<float>(std::sqrt(square) - radius);
                is_surface_[index(x, y, z)] = 0;
            }
}

// ---- Balls of one size, laid ----------------------------------------------------------------------

void Packer::lay_balls(bool only_along_surface) {
    const double radius = laid_;
    for (int z = 0; z < size_[2]; ++z)
        for (int y = 0; y < size_[1]; ++y)
            for (int x = 0; x < size_[0]; ++x) {
                const size_t i = index(x, y, z);
                if (!(g_[i] >= radius)) continue;
                if (only_along_surface && (!is_surface_[i] || g_[i] >= radius + 1.5 * spacing_))
                    continue;
                const Vec3 p = settled(at(x, y, z));
                place(p, std::min(radius, clearance(p, 2 * radius)), 2 * radius + spacing_);
                if (out_.balls.size() == count_) return;
            }
}

// Beyond the layer along the surface, where it was not kept up to date: there g was the distance from the surface, and
// the layer is two radii thick.
void Packer::open_inside() {
    const double kept = 2 * laid_ + spacing_;
    for (float& g : g_)
        if (g > kept) g = static_cast<float>(std::max(kept, g - 2 * laid_) * (1 - 1e-6));
}

// All that is nearer to p than `reach`.
void Packer::gather(Vec3 p, double reach) {
    near_.clear();
    const Vec3 r = {reach, reach, reach};
    tree_.in_box({p - r, p + r}, [&](uint32_t t) { near_.push_back({{}, 0, t}); });
    cells_around(p, reach, [&](size_t cell) {
        for (const uint32_t i : balls_in_[cell]) {
            const Ball& ball = out_.balls[i];
            const double far = reach + ball.radius;
            if (dot(p - ball.center, p - ball.center) < far * far)
                near_.push_back({ball.center, ball.radius, TriangleTree::none});
        }
    });
}

// What was gathered, seen from p and nearest first. Faces in one plane are one obstacle, and so is a ball that
// was gathered from two cells.
void Packer::look_around(Vec3 p, size_t wanted) {
    obstacles_.clear();
    for (const Near& near : near_) {
        const bool is_ball = near.triangle == TriangleTree::none;
        const Vec3 d = p
                     - (is_ball ? near.center
                                : nearest_on_triangle(tree_.corners(near.triangle),
                                                      tree_.face(near.triangle).normal, p)
                                      .point);
        const double length = norm(d);
        if (length > 0) obstacles_.push_back({length - near.radius, d / length});
    }
    size_t kept = 0;
    for (; kept < wanted && kept < obstacles_.size(); ++kept) {
        for (size_t i = kept; i < obstacles_.size();) {
            bool is_new = true;
            for (size_t k = 0; k < kept; ++k)
                is_new = is_new && dot(obstacles_[i].away, obstacles_[k].away) < 0.999;
            if (is_new) {
                if (obstacles_[i].distance < obstacles_[kept].distance)
                    std::swap(obstacles_[i], obstacles_[kept]);
                ++i;
            } else {
                obstacles_[i] = obstacles_.back();
                obstacles_.pop_back();
            }
        }
    }
    if (obstacles_.size() > kept) obstacles_.resize(kept);
}

// Moves p so that a ball of the largest radius touches the n nearest obstacles.
template <size_t n> bool Packer::touch(Vec3& p) {
    const Vec3 start = p;
    const double radius = laid_;
    for (int round = 0; round < 12; ++round) {
        look_around(p, n);
        if (obstacles_.size() < n) return false;
        // The least motion that does it: dx = Σ f_k u_k with u_j · dx = R − distance_j.
        std::array<std::array<double, n + 1>, n> m{};
        for (size_t j = 0; j < n; ++j) {
            for (size_t k = 0; k < n; ++k) m[j][k] = dot(obstacles_[j].away, obstacles_[k].away);
            m[j][n] = radius - obstacles_[j].distance;
        }
        if (!solve<n>(m)) return false;
        Vec3 step;
        for (size_t k = 0; k < n; ++k) step += m[k][n] * obstacles_[k].away;
        p += step;
        if (!(norm(p - start) < 2 * spacing_)) return false;
        if (norm(step) < 1e-12 * radius) break;
    }
    return clearance(p, 2 * radius) >= radius * (1 - 1e-9);
}

Vec3 Packer::settled(Vec3 p) {
    gather(p, laid_ + 4 * spacing_);
    Vec3 q = p;
    if (touch<3>(q)) return q;
    q = p;
    if (touch<2>(q)) return q;
    q = p;
    if (touch<1>(q)) return q;
    return p;
}

// ---- Gaps, the largest ball first -----------------------------------------------------------------

void Packer::fill_gaps() {
    using Entry = std::pair<float, uint32_t>;
    const auto is_less = [](const Entry& a, const Entry& b) {
        return a.first != b.first ? a.first < b.first : a.second > b.second;
    };
    std::vector<Entry> entries;
    // Smaller balls would be dust that costs more than it fills.
    const double least = 0.05 * spacing_, most = std::isfinite(limit_) ? laid_ : infinity;
    for (size_t i = 0; i < g_.size(); ++i)
        if (g_[i] > least) entries.emplace_back(g_[i], static_cast<uint32_t>(i));
    std::priority_queue<Entry, std::vector<Entry>, decltype(is_less)> queue(is_less,
                                                                            std::move(entries));
    while (!queue.empty() && out_.balls.size() < count_) {
        const auto [key, i] = queue.top();
        queue.pop();
        if (g_[i] < key) {
            if (g_[i] > least) queue.emplace(g_[i], i);
            continue;
        }
        const auto columns = static_cast<uint32_t>(size_[0]),
                   rows = static_cast<uint32_t>(size_[1]);
        const Vec3 p = peak(at(static_cast<int>(i % columns), static_cast<int>(i / columns % rows),
                               static_cast<int>(i / columns / rows)),
                            key);
        const double radius = std::min(clearance(p, infinity), most);
        g_[i] = 0;  // in case the peak is so far away that the ball does not cover its start
        if (radius > least) place(p, radius, std::max<double>(key, radius));
    }
}

// Uphill from p, away from the nearest obstacles in shrinking steps; then to where four are equally far. No step is
// longer than g, so that none leaves the body or jumps over a ball.
Vec3 Packer::peak(Vec3 p, double g) {
    const double reach = 1.3 * g + 4 * spacing_;
    gather(p, reach);
    const Vec3 start = p;
    look_around(p, 4);
    double step = std::max(0.5 * spacing_, 0.1 * g);
    const auto go = [&](Vec3 q) {
        if (!(norm(q - start) + g < reach)) return false;
        const double best = obstacles_[0].distance;
        if (!(norm(q - p) < best)) return false;
        look_around(q, 4);
        if (obstacles_[0].distance > best) {
            p = q;
            return true;
        }
        look_around(p, 4);
        return false;
    };
    for (int round = 0; round < 30 && !obstacles_.empty(); ++round) {
        // The direction that gains on all that are about as near as the nearest.
        Vec3 up;
        for (const Obstacle& o : obstacles_)
            if (o.distance < obstacles_[0].distance + 0.5 * step) up += o.away;
        if (!(norm(up) > 1e-6)) up = obstacles_[0].away;
        if (go(p + step * normalized(up))) continue;
        step *= 0.5;
        if (step < 0.05 * spacing_) break;
    }
    for (int round = 0; round < 6; ++round) {
        Vec3 q = p;
        if (!level_four(q) || !go(q)) break;
    }
    return p;
}

// One step of Newton's method to the point as far from each of the four nearest obstacles.
bool Packer::level_four(Vec3& p) {
    if (obstacles_.size() < 4) return false;
    std::array<std::array<double, 5>, 4> m{};
    for (size_t k = 0; k < 4; ++k)
        m[k] = {obstacles_[k].away.x, obstacles_[k].away.y, obstacles_[k].away.z, -1,
                -obstacles_[k].distance};
    if (!solve<4>(m)) return false;
    p += Vec3{m[0][4], m[1][4], m[2][4]};
    return true;
}

}  // namespace

SpherePacking pack_spheres(const TriangleTree& tree, uint32_t count, PackingStyle style) {
    return Packer(tree, count, style).pack();
}

}  // namespace bristle::geometry
