#include "machines/operator/dig_site.h"

#include "machines/earth/earth.h"

#include <algorithm>
#include <cmath>

namespace bristle::machines {
namespace {

// m: where the teeth can dig a line from the swing's axis, and how wide and long a line is at least.
constexpr double nearest = 4.0, furthest = 7.4, half_width = 0.65, shortest = 1.8, longest = 3.6;
constexpr double sampling = 0.3;        // m, along a line
constexpr double slice = 0.17;          // rad: a bucket's width at the middle of a line
constexpr double worth_digging = 0.45;  // m³ of bank: half a bucket
constexpr double bed_nearest = 3.6, bed_furthest = 7.6;
constexpr double highest_heap = 1.6;  // m

double height_in(const HeightField& f, double x, double y) {
    const auto along = [](double at, double spacing, uint32_t count) {
        return static_cast<size_t>(
            std::clamp(std::round(at / spacing), 0.0, static_cast<double>(count - 1)));
    };
    return f.heights[along(y, f.spacing_y, f.rows) * f.columns + along(x, f.spacing_x, f.columns)];
}

// Whether a body that is no part of the machine lies about there: most are no longer than two metres.
bool is_littered(const World& world, const Excavator& e, double x, double y, double room) {
    const std::span<const Pose> poses = world.poses();
    for (uint32_t i = 1; i < poses.size(); ++i) {
        const Vec3 p = poses[i].position;
        if (std::hypot(p.x - x, p.y - y) < room + 0.6 && world.model().contains(BodyId{i})
            && std::find(e.bodies.begin(), e.bodies.end(), BodyId{i}) == e.bodies.end())
            return true;
    }
    return false;
}

// No wall or truck within two metres: nothing that is higher than the foot of a heap.
bool has_free_ground(const World& world, Vec3 at, double foot) {
    for (int i = 0; i < 8; ++i)
        for (const double way : {1.0, 2.0}) {
            const double angle = i * pi / 4;
            const double height =
                ground_at(world, at.x + way * std::cos(angle), at.y + way * std::sin(angle));
            if (height > foot + 1 || height < foot - 2) return false;
        }
    return true;
}

}  // namespace

DigSite::DigSite(const Model& model, double depth) : depth_(depth) {
    const std::optional<EarthOf> earth = earth_of(model);
    if (!earth) return;
    for (const Earth::Patch& p : earth->earth.patches) {
        const Shape& shape = model.shapes()[p.shape.index];
        const auto& field = std::get<HeightField>(shape.geometry);
        patches_.push_back({p.shape, shape.pose, (field.columns - 1) * field.spacing_x,
                            (field.rows - 1) * field.spacing_y});
    }
    for (size_t i = 0; i < earth->earth.beds.size(); ++i) {
        const Earth::Bed& bed = earth->earth.beds[i];
        beds_.push_back({bed.low, bed.high, bed.body, i});
    }
}

std::optional<DigSite::Ground> DigSite::ground(const World& world, double x, double y,
                                               double margin) const {
    for (const Patch& p : patches_) {
        const Vec3 at = seen_from(p.pose, {x, y, p.pose.position.z});
        if (at.x < margin || at.y < margin || at.x > p.width - margin || at.y > p.depth - margin)
            continue;
        const auto& first = std::get<HeightField>(world.model().shapes()[p.shape.index].geometry);
        return Ground{p.pose.position.z + height_in(world.height_field(p.shape), at.x, at.y),
                      p.pose.position.z + height_in(first, at.x, at.y)};
    }
    return {};
}

std::optional<DigSite::Found> DigSite::along(const World& world, double x, double y,
                                             double angle) const {
    const double c = std::cos(angle), s = std::sin(angle);
    Found best, now;
    double area = 0, lowest = unlimited;
    int samples = 0;
    for (double r = nearest; r <= furthest + 1e-9; r += sampling) {
        bool is_ground = true;
        double above = 0, floor = -unlimited, height = 0;
        for (const double side : {-half_width, 0.0, half_width}) {
            const auto g = ground(world, x + r * c - side * s, y + r * s + side * c, 0.4);
            if (!g) {
                is_ground = false;
                break;
            }
            above += std::max(0.0, g->now - g->at_first + depth_) / 3;
            floor = std::max(floor, g->at_first - depth_);
            height += g->now / 3;
        }
        if (!is_ground || (samples > 0 && r - now.near > longest)) {
            if (samples > 0 && now.far - now.near > shortest && now.volume > best.volume)
                best = now;
            samples = 0;
            if (!is_ground) continue;
        }
        if (samples++ == 0) {
            now = {.near = r};
            area = 0;
            lowest = unlimited;
        }
        area += above * sampling;
        lowest = std::min(lowest, height);
        now.far = r;
        now.volume = 2 * half_width * area;
        now.floor = samples == 1 ? floor : std::max(now.floor, floor);
        now.height = lowest;
    }
    if (samples > 0 && now.far - now.near > shortest && now.volume > best.volume) best = now;
    if (best.volume < worth_digging) return {};
    return best;
}

std::optional<Dig::Line> DigSite::best_line(const Seat& seat) const {
    const Senses& s = seat.senses;
    const Vec3 axis = s.world_point(seat.machine, 0, 0, 0);
    const Vec3 ahead = s.steady.orientation.matrix().column(0);
    const double heading = std::atan2(ahead.y, ahead.x);
    std::optional<Dig::Line> best;
    double best_score = 0;
    for (double swing = -pi; swing < pi; swing += slice) {
        const auto found = along(seat.world, axis.x, axis.y, heading + swing);
        if (!found) continue;
        // What there is beyond two buckets counts no more; what is near is done first.
        const double score =
            std::min(found->volume, 2.5) - 0.25 * std::abs(wrapped(swing - s.swing));
        if (best && score <= best_score) continue;
        bool is_free = true;
        for (double r = found->near; r < found->far + 0.5 && is_free; r += 0.7) {
            const Vec3 p = s.world_point(seat.machine, swing, r, 0);
            is_free = !is_littered(seat.world, seat.machine, p.x, p.y, 0.8);
        }
        const double height = s.place(seat.machine, {axis.x, axis.y, found->floor}).height;
        if (!is_free || !seat.machine.arm.reached({found->near, height, -1.85}, 0.01)
            || !seat.machine.arm.reached({found->far, height, -1.3}, 0.01))
            continue;
        best_score = score;
        best = Dig::Line{
            .swing = swing, .far = found->far, .near = found->near, .floor = found->floor};
    }
    return best;
}

bool DigSite::has_room(const World& world, const Bed& bed) const {
    const std::optional<EarthOf> earth = earth_of(world.model());
    const HeightField heights = bed_heights(world, earth->ids, bed.index);
    double sum = 0;
    for (const double h : heights.heights) sum += h;
    return sum / static_cast<double>(heights.heights.size()) < 0.9 * (bed.high.z - bed.low.z);
}

// The lowest place of a bed that can be reached, a metre inside its sides.
std::optional<Dump::Target> DigSite::in_bed(const Seat& seat, const Bed& bed) const {
    const World& world = seat.world;
    const std::optional<EarthOf> earth = earth_of(world.model());
    const HeightField heights = bed_heights(world, earth->ids, bed.index);
    const Pose pose = bed.body == Model::ground() ? Pose{} : world.pose(bed.body);
    const double inset = 1.0;  // half a bucket, and what scatters
    std::optional<Dump::Target> best;
    double best_score = unlimited;
    constexpr int places = 4;
    for (int i = 0; i < places; ++i)
        for (int j = 0; j < places; ++j) {
            const auto inside = [&](double low, double high, int k) {
                const double free = std::max(0.0, high - low - 2 * inset);
                return std::min(inset, (high - low) / 2) + free * k / (places - 1);
            };
            const double x = inside(bed.low.x, bed.high.x, i), y = inside(bed.low.y, bed.high.y, j);
            const Vec3 over = pose * Vec3{bed.low.x + x, bed.low.y + y, bed.low.z};
            const Senses::Place place = seat.senses.place(seat.machine, over);
            if (place.reach < bed_nearest || place.reach > bed_furthest) continue;
            const double level = height_in(heights, x, y);
            const double score = level + 0.25 * std::abs(wrapped(place.swing - seat.senses.swing));
            if (score >= best_score) continue;
            const Dump::Target target{over, std::max((pose * bed.high).z, over.z + level) + 0.15};
            if (!Dump::poses(seat.machine, seat.senses, target)) continue;
            best_score = score;
            best = target;
        }
    return best;
}

std::optional<DigSite::Place> DigSite::best_dump(const Seat& seat, double from_swing) const {
    for (const Bed& bed : beds_)
        if (has_room(seat.world, bed))
            if (const auto target = in_bed(seat, bed)) return Place{*target, true};
    // Beside, as near to the cut as it may be: heaps grow to 1.6 m.
    for (double off = 0.9; off < pi; off += 0.2)
        for (const double side : {1.0, -1.0})
            for (const double reach : {6.2, 7.0, 5.4}) {
                const double swing = from_swing + side * off;
                const Vec3 p = seat.senses.world_point(seat.machine, swing, reach, 0);
                const double height = ground_at(seat.world, p.x, p.y);
                const double foot = seat.senses.machine.position.z;
                if (height > foot + highest_heap || height < foot - 1.5
                    || ground(seat.world, p.x, p.y, -1.5)
                    || is_littered(seat.world, seat.machine, p.x, p.y, 1.6)
                    || !has_free_ground(seat.world, p, foot))
                    continue;
                // On the way there what is as high as a fence is passed.
                const Dump::Target target{{p.x, p.y, height}, std::max(height + 0.4, foot + 1.5)};
                if (Dump::poses(seat.machine, seat.senses, target)) return Place{target, false};
            }
    return {};
}

double DigSite::worth(const World& world, double x, double y) const {
    double sum = 0;
    for (double angle = -pi; angle < pi; angle += 2 * slice)
        if (const auto found = along(world, x, y, angle)) sum += 2 * std::min(found->volume, 3.0);
    return sum;
}

std::vector<Travel::Goal> DigSite::stands(const Seat& seat) const {
    struct Stand {
        double score;
        Travel::Goal goal;
    };
    std::vector<Stand> found;
    const Vec3 here = seat.senses.machine.position;
    for (const Patch& patch : patches_) {
        const double off = furthest;
        Vec3 low{unlimited, unlimited, 0}, high{-unlimited, -unlimited, 0};
        for (const double x : {-off, patch.width + off})
            for (const double y : {-off, patch.depth + off}) {
                const Vec3 p = patch.pose * Vec3{x, y, 0};
                low = {std::min(low.x, p.x), std::min(low.y, p.y), 0};
                high = {std::max(high.x, p.x), std::max(high.y, p.y), 0};
            }
        const SiteMap map(seat.world, seat.machine, {low.x - 3, low.y - 3, high.x + 3, high.y + 3});
        for (double x = low.x; x <= high.x; x += 1)
            for (double y = low.y; y <= high.y; y += 1) {
                if (map.clearance(x, y) < 1.9 || ground(seat.world, x, y, -3)
                    || std::hypot(x - here.x, y - here.y) < 2.5)
                    continue;
                double score = worth(seat.world, x, y);
                if (score < 3) continue;
                for (const Bed& bed : beds_) {
                    const Vec3 middle = 0.5 * (bed.low + bed.high);
                    const double way = std::hypot(x - middle.x, y - middle.y);
                    if (way > 4.5 && way < 7.2 && has_room(seat.world, bed)) score += 15;
                }
                score -= 0.3 * std::hypot(x - here.x, y - here.y);
                for (int k = 0; k < 8; ++k) {
                    const double heading = k * pi / 4;
                    double room = unlimited;
                    for (const double ahead : footprint(seat.machine).ahead) {
                        const double way = seat.machine.rear_axle + ahead;
                        room = std::min(room, map.clearance(x + way * std::cos(heading),
                                                            y + way * std::sin(heading)));
                    }
                    if (room > 2.15)
                        found.push_back({score + 0.2 * std::min(room, 4.0), {x, y, heading}});
                }
            }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Stand& a, const Stand& b) { return a.score > b.score; });
    std::vector<Travel::Goal> out;
    for (const Stand& stand : found) {
        // The first few that are really others.
        const bool is_new = std::all_of(out.begin(), out.end(), [&](const Travel::Goal& g) {
            return std::hypot(g.x - stand.goal.x, g.y - stand.goal.y) > 1.5
                || std::abs(wrapped(g.heading - stand.goal.heading)) > 0.1;
        });
        if (is_new) out.push_back(stand.goal);
        if (out.size() == 6) break;
    }
    return out;
}

}  // namespace bristle::machines
