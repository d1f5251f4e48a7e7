#include "machines/operator/site_map.h"

#include <bristle/error.h>

#include "machines/earth/earth.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <queue>
#include <utility>

namespace bristle::machines {
namespace {

constexpr double highest = 60;      // m: rays begin here
constexpr double most_cells = 1e6;  // a quarter of a kilometre square
constexpr int most_layers = 20;     // of the machine's own shapes, one below the other
constexpr float far_away = 1e6F;
constexpr double step = 0.3 * SiteMap::cell;  // m: from a cell to the next
constexpr double rut = 0.2;                   // m
constexpr int looks = 4;                      // along a cell's edge: 6 cm

// What is there, seen from above: the height of the ground, and where things stand on it.
class View {
  public:
    View(const World& world, const Excavator& e)
        : world_(world),
          is_own_(world.model().bodies().size(), false),
          is_thing_(world.model().shapes().size(), true) {
        for (const BodyId body : e.bodies) is_own_[body.index] = true;
        for (size_t i = 0; i < is_thing_.size(); ++i) {
            const Shape& shape = world.model().shapes()[i];
            if (is_own_[shape.body.index] || std::holds_alternative<Plane>(shape.geometry)
                || std::holds_alternative<HeightField>(shape.geometry)
                || std::holds_alternative<Mesh>(shape.geometry))
                is_thing_[i] = false;
        }
    }
    double ground(double x, double y) const {
        const auto hit = world_.scenery().cast_ray({x, y, highest}, {0, 0, -1}, 2 * highest);
        return hit ? hit->point.z : -far_away;
    }
    // Of the highest that is there; the machine itself is seen through.
    double top(double x, double y) const {
        double from = highest;
        for (int i = 0; i < most_layers; ++i) {
            const std::optional<ShapeHit> hit =
                world_.cast_ray({x, y, from}, {0, 0, -1}, 2 * highest);
            if (!hit) return -far_away;
            if (!is_own_[hit->body.index]) return hit->point.z;
            from = hit->point.z - 0.15;
        }
        return from;
    }
    bool has_things(double x, double y, double width, double depth) const {
        const auto shapes = world_.shapes_in_box({x, y, -highest}, {x + width, y + depth, highest});
        return std::any_of(shapes.begin(), shapes.end(),
                           [this](ShapeId id) { return is_thing_[id.index]; });
    }

  private:
    const World& world_;
    std::vector<bool> is_own_, is_thing_;
};

}  // namespace

SiteMap::SiteMap(const World& world, const Excavator& e, const MapArea& area)
    : area_(area),
      columns_(static_cast<size_t>(std::max(1.0, std::ceil((area.high_x - area.low_x) / cell)))),
      rows_(static_cast<size_t>(std::max(1.0, std::ceil((area.high_y - area.low_y) / cell)))) {
    if (!(static_cast<double>(columns_) * static_cast<double>(rows_) < most_cells))
        throw InputError("a way is looked for over at most 250 m by 250 m");
    if (const std::optional<EarthOf> earth = earth_of(world.model()))
        for (const Earth::Patch& p : earth->earth.patches) {
            const Shape& shape = world.model().shapes()[p.shape.index];
            const auto& field = std::get<HeightField>(shape.geometry);
            soft_.push_back({shape.pose, (field.columns - 1) * field.spacing_x,
                             (field.rows - 1) * field.spacing_y});
        }
    std::vector<bool> blocked(columns_ * rows_, false);
    see(world, e, blocked);
    measure_clearance(blocked);
}

void SiteMap::see(const World& world, const Excavator& e, std::vector<bool>& blocked) const {
    const View view(world, e);
    std::vector<float> height(columns_ * rows_);
    const auto x_of = [&](size_t column) {
        return area_.low_x + static_cast<double>(column) * cell;
    };
    const auto y_of = [&](size_t row) { return area_.low_y + static_cast<double>(row) * cell; };
    for (size_t row = 0; row < rows_; ++row)
        for (size_t column = 0; column < columns_; ++column)
            height[row * columns_ + column] =
                static_cast<float>(view.ground(x_of(column) + cell / 2, y_of(row) + cell / 2));
    // Its own ruts are no obstacle, a trench is.
    const auto compare = [&](size_t a, size_t b) {
        const double difference = std::abs(height[a] - height[b]);
        if (difference > step
            && (difference > rut
                || !is_soft(x_of(a % columns_) + cell / 2, y_of(a / columns_) + cell / 2)))
            blocked[a] = blocked[b] = true;
    };
    for (size_t row = 0; row < rows_; ++row)
        for (size_t column = 0; column < columns_; ++column) {
            const size_t i = row * columns_ + column;
            if (row + 1 < rows_) compare(i, i + columns_);
            if (column + 1 < columns_) compare(i, i + 1);
            if (row == 0 || column == 0 || row + 1 == rows_ || column + 1 == columns_)
                blocked[i] = true;
        }
    // Things that may be thin are looked for closely, but only where there are any: quarter by quarter.
    struct Part {
        size_t column, row, size;
    };
    std::vector<Part> parts;
    constexpr size_t largest = 32;
    for (size_t row = 0; row < rows_; row += largest)
        for (size_t column = 0; column < columns_; column += largest)
            parts.push_back({column, row, largest});
    while (!parts.empty()) {
        const auto [column, row, size] = parts.back();
        parts.pop_back();
        const double width = static_cast<double>(size) * cell;
        if (column >= columns_ || row >= rows_
            || !view.has_things(x_of(column), y_of(row), width, width))
            continue;
        if (size == 1) {
            const size_t i = row * columns_ + column;
            if (blocked[i]) continue;
            // A cell without a step is as high as its middle; what stands in it, thin as it may be, is not.
            for (int k = 0; k < looks * looks && !blocked[i]; ++k) {
                const int in_row = k / looks;
                const double u = (k % looks + (in_row + 0.5) / looks) / looks,
                             v = (in_row + 0.5) / looks;
                if (std::abs(view.top(x_of(column) + u * cell, y_of(row) + v * cell) - height[i])
                    > step)
                    blocked[i] = true;
            }
            continue;
        }
        for (const size_t dy : {size_t{0}, size / 2})
            for (const size_t dx : {size_t{0}, size / 2})
                parts.push_back({column + dx, row + dy, size / 2});
    }
}

// Distances to what blocks, row by row and then column by column: the lower envelope of parabolas, square by square.
void SiteMap::measure_clearance(const std::vector<bool>& blocked) {
    clearance_.assign(columns_ * rows_, far_away);
    for (size_t row = 0; row < rows_; ++row) {
        float since = far_away;
        const size_t begin = row * columns_;
        for (size_t c = 0; c < columns_; ++c) {
            since = blocked[begin + c] ? 0 : since + 1;
            clearance_[begin + c] = since;
        }
        since = far_away;
        for (size_t c = columns_; c-- > 0;) {
            since = blocked[begin + c] ? 0 : since + 1;
            clearance_[begin + c] = std::min(clearance_[begin + c], since);
        }
    }
    std::vector<float> column(rows_);
    for (size_t c = 0; c < columns_; ++c) {
        for (size_t row = 0; row < rows_; ++row) column[row] = clearance_[row * columns_ + c];
        for (size_t row = 0; row < rows_; ++row) {
            float least = column[row] * column[row];
            for (size_t off = 1; static_cast<float>(off * off) < least; ++off) {
                const auto square = static_cast<float>(off * off);
                if (row >= off)
                    least = std::min(least, square + column[row - off] * column[row - off]);
                if (row + off < rows_)
                    least = std::min(least, square + column[row + off] * column[row + off]);
                if (row < off && row + off >= rows_) break;
            }
            clearance_[row * columns_ + c] = std::sqrt(least) * static_cast<float>(cell);
        }
    }
}

bool SiteMap::is_soft(double x, double y) const {
    return std::any_of(soft_.begin(), soft_.end(), [&](const Field& f) {
        const Vec3 at = seen_from(f.pose, {x, y, f.pose.position.z});
        return at.x > 0 && at.y > 0 && at.x < f.width && at.y < f.depth;
    });
}

bool SiteMap::contains(double x, double y) const {
    return x >= area_.low_x && x < area_.high_x && y >= area_.low_y && y < area_.high_y;
}

size_t SiteMap::index(double x, double y) const {
    const auto along = [](double value, double low, size_t count) {
        return std::min(count - 1,
                        static_cast<size_t>(std::max(0.0, std::floor((value - low) / cell))));
    };
    return along(y, area_.low_y, rows_) * columns_ + along(x, area_.low_x, columns_);
}

double SiteMap::clearance(double x, double y) const {
    return contains(x, y) ? clearance_[index(x, y)] : 0;
}

std::vector<float> SiteMap::distances_to(double x, double y, double room) const {
    std::vector<float> out(columns_ * rows_, far_away);
    using Entry = std::pair<float, size_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    const size_t goal = index(x, y);
    out[goal] = 0;
    open.emplace(0.0F, goal);
    const auto straight = static_cast<float>(cell), across = straight * 1.41421356F;
    while (!open.empty()) {
        const auto [distance, i] = open.top();
        open.pop();
        if (distance > out[i]) continue;
        const size_t row = i / columns_, column = i % columns_;
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
                if ((dx == 0 && dy == 0) || (dx < 0 && column == 0) || (dy < 0 && row == 0)
                    || (dx > 0 && column + 1 == columns_) || (dy > 0 && row + 1 == rows_))
                    continue;
                const size_t j = static_cast<size_t>(static_cast<long>(i) + dx
                                                     + dy * static_cast<long>(columns_));
                if (clearance_[j] < room) continue;
                const float there = distance + (dx != 0 && dy != 0 ? across : straight);
                if (there >= out[j]) continue;
                out[j] = there;
                open.emplace(there, j);
            }
    }
    return out;
}

}  // namespace bristle::machines
