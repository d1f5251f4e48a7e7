// Wheels and feet press the ground they stand on (Bekker): p = (k_c/b + k_φ) zⁿ, with p the load over the area it stands on and b that
// area's smaller side. A column that has borne z once bears as much again without sinking. What is pressed down gets denser.
#include "machines/earth/earth_memory.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace bristle::machines {
namespace {

constexpr double share_of_step = 0.5;  // of what a load would sink in the end …
// m/s: … and no faster, so that what stands there can follow.
constexpr double wheel_sinking = 0.4, foot_sinking = 0.05;
constexpr double settling = 0.1;  // s: over which the force of a foot counts, whose contacts knock
constexpr double least_sinking = 1e-5;  // m
constexpr double near = 0.03;           // m: between a foot and the ground it presses

// A rectangle on the ground, and what stands on it.
struct Load {
    Vec3 center, along, across;  // world, level
    double half_length, half_width;
    double margin;  // cells beyond it that go down too
    double force;
};

// Whether it is on the soil there: `z` of its underside, of the world.
template <class Site>
void press_down(Ground& ground, Heights& heights, const Site& site, const Load& load, double z,
                double reach, double most) {
    const HeightField& f = heights.field();
    const double width = 2 * std::min(load.half_length, load.half_width);
    const double sinkage =
        ground.soil().sinkage(load.force / (4 * load.half_length * load.half_width), width);
    const Vec3 center = site.to_local(load.center);
    const double radius = std::hypot(load.half_length, load.half_width)
                        + (1 + load.margin) * std::max(f.spacing_x, f.spacing_y);
    const auto from = [&](double at, double spacing, uint32_t count) {
        return static_cast<uint32_t>(std::clamp(at / spacing, 0.0, static_cast<double>(count)));
    };
    const double beyond = load.margin * std::max(f.spacing_x, f.spacing_y);
    for (uint32_t r = from(center.y - radius, f.spacing_y, f.rows);
         r < from(center.y + radius + f.spacing_y, f.spacing_y, f.rows); ++r)
        for (uint32_t c = from(center.x - radius, f.spacing_x, f.columns);
             c < from(center.x + radius + f.spacing_x, f.spacing_x, f.columns); ++c) {
            const size_t point = size_t{r} * f.columns + c;
            const Vec3 at = site.pose * Vec3{c * f.spacing_x, r * f.spacing_y, heights[point]};
            const Vec3 off = at - load.center;
            if (std::abs(dot(off, load.along)) > load.half_length + beyond
                || std::abs(dot(off, load.across)) > load.half_width + beyond
                || std::abs(at.z - z) > reach || ground.is_blocked(point))
                continue;
            ground.hold(point);
            const double carried = ground.column(point).carried, more = sinkage - carried;
            if (!(more > least_sinking)) continue;
            const double way = std::min(share_of_step * more, most);
            ground.press(heights, point, way);
            ground.carry(point, carried + way);
        }
}

// Whether what reaches so far about a point of the field's frame may touch it.
bool may_stand(const HeightField& f, Vec3 at, double reach) {
    if (!(at.x > -reach && at.x < (f.columns - 1) * f.spacing_x + reach && at.y > -reach
          && at.y < (f.rows - 1) * f.spacing_y + reach))
        return false;
    const auto place = place_in(f, at.x, at.y);
    if (!place) return true;
    double surface = 0;
    for (size_t i = 0; i < 3; ++i) surface += place->weight[i] * f.heights[place->point[i]];
    return at.z - surface < reach;
}

}  // namespace

void EarthProcess::press(World& world, EarthMemory& m) const {
    const double h = step_of(world.settings());
    for (size_t i = 0; i < earth_.rollers.size(); ++i) {
        const Earth::Roller& r = earth_.rollers[i];
        const Wheel& wheel = wheels_[i];
        const double radius = wheel.tyre.radius;
        if (!world.model().contains(wheel.body) || !world.model().contains(r.tyre)) continue;
        const TyreNow tyre(world.memory(r.tyre, m.numbers));
        if (!(tyre.load > 0)) continue;
        const Pose pose = world.pose(wheel.body);
        const Vec3 axle = pose.orientation.matrix() * wheel.tyre.axle, level{axle.x, axle.y, 0};
        if (!(norm(level) > 0.3)) continue;
        const Vec3 across = normalized(level), along{across.y, -across.x, 0};
        for (size_t k = 0; k < patches() + m.spares.size(); ++k) {
            const auto z = surface(world, m, k, pose.position);
            if (!z) continue;
            const double deep = radius - (pose.position.z - *z);
            if (!(deep > 0) || deep > radius) continue;
            const Site s = site(world, k);
            Heights heights(world, s.shape);
            // In front the wheel stands in its rut, too.
            const Vec3 local = s.to_local(pose.position);
            const auto place = *place_in(heights.field(), local.x, local.y);
            const double rut =
                std::min(radius, deep + std::max(0.0, m.grounds[k].column(place.point[0]).carried));
            const double half = std::max(
                0.5 * (std::sqrt(deep * (2 * radius - deep)) + std::sqrt(rut * (2 * radius - rut))),
                0.05 * radius);
            press_down(m.grounds[k], heights, s,
                       {pose.position, along, across, half, 0.5 * r.width, 0, tyre.load}, *z, half,
                       wheel_sinking * h);
        }
    }
    // Asked for once a foot may touch: they are listed anew each time.
    std::optional<std::vector<Contact>> contacts;
    const size_t sites = patches() + m.spares.size();
    for (size_t i = 0; i < earth_.feet.size(); ++i) {
        const Earth::Foot& foot = earth_.feet[i];
        if (!world.model().contains(foot.body)) continue;
        const Pose pose = world.pose(foot.body);
        const Mat3 turn = pose.orientation.matrix();
        const Vec3 center = pose * foot.center, x = turn.column(0), y = turn.column(1);
        for (size_t k = 0; k < patches() + m.spares.size(); ++k) {
            if (!is_there(m, k)) continue;
            const Site s = site(world, k);
            double force = 0;
            if (may_stand(world.height_field(s.shape), s.to_local(center),
                          std::hypot(foot.length, foot.width) + near)) {
                if (!contacts) contacts = world.contacts();
                for (const Contact& c : *contacts) {
                    if (c.body_a == foot.body && c.b == s.shape) force += c.force.z;
                    if (c.body_b == foot.body && c.a == s.shape) force -= c.force.z;
                }
            }
            double& mean = m.foot_forces[i * sites + k];
            mean += std::min(1.0, h / settling) * (force - mean);
            if (!(force > 0)) continue;
            Heights heights(world, s.shape);
            press_down(m.grounds[k], heights, s,
                       {center, normalized(Vec3{x.x, x.y, 0}), normalized(Vec3{y.x, y.y, 0}),
                        0.5 * foot.length, 0.5 * foot.width, 1, mean},
                       center.z, near, foot_sinking * h);
        }
    }
}

}  // namespace bristle::machines
