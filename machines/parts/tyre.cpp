#include "machines/parts/tyre.h"

#include <bristle/error.h>

#include "model/input_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace bristle::machines {
namespace {

enum Memory : size_t {
    along_memory,
    across_memory,
    load_memory,
    slip_along_memory,
    slip_across_memory,
    force_along_memory,
    force_across_memory,
    memory_count
};
// What is noted when a tyre is aimed: how deep it is, how fast it goes, and how the ground holds.
enum Noted : size_t { depth_note, speed_note, grip_note };
// Ways of a point, in the order of its axes.
enum Way : size_t { up, forward, left };

// Rays of the fan that looks for the ground, and the angle between two of them: kerbs and steps from the front and behind.
constexpr int rays_of_a_side = 2;
constexpr double ray_angle = 0.4;
// Of the radius beyond it, and s of its way: what the wheel may reach within a step.
constexpr double further = 0.5, longest_step = 0.025;
// m/s: what is slower counts as rest, so that nothing of what stands is rolled out by noise.
constexpr double still = 1e-4;
// How much of its deflection the radius loses that the tread rolls with: a belt is stiff along.
constexpr double rolling_share = 1.0 / 3;

struct Curve {
    double value, slope;
};
// sin(C atan(s/C − E (s/C − atan(s/C)))): of slip in units of its own, slope one at zero.
Curve normalized_formula(const MagicFormula& f, double s) {
    const double x = s / f.shape, inner = x - f.curvature * (x - std::atan(x)),
                 inner_slope = 1 - f.curvature * (1 - 1 / (1 + x * x)),
                 angle = f.shape * std::atan(inner);
    return {std::sin(angle), std::cos(angle) / (1 + inner * inner) * inner_slope};
}

// Where a formula is largest, in the same units: there x − E (x − atan x), which never falls for E up to 1, is tan π/2C. Some have no peak.
double peak_of(const MagicFormula& f) {
    constexpr double infinity = std::numeric_limits<double>::infinity(), farthest = 1e9;
    if (!(f.shape > 1)) return infinity;
    const double top = std::tan(pi / (2 * f.shape));
    const auto is_before = [&](double x) { return x - f.curvature * (x - std::atan(x)) < top; };
    double low = 0, high = 1;
    for (; is_before(high); high *= 2) {
        if (high > farthest) return infinity;
        low = high;
    }
    for (int i = 0; i < 60; ++i) {
        const double x = 0.5 * (low + high);
        (is_before(x) ? low : high) = x;
    }
    return f.shape * low;
}

class TyreLaw final : public StatefulLaw {
  public:
    explicit TyreLaw(Tyre tyre) : tyre_(std::move(tyre)) {
        peak_ = std::min(peak_of(tyre_.along), peak_of(tyre_.across));
    }
    size_t memory_size() const override { return memory_count; }
    const Tyre& tyre() const { return tyre_; }
    std::vector<LawReading> readings() const override {
        return {{"deflection_along", "m"}, {"deflection_across", "m"}, {"load", "N"},
                {"slip_along", ""},        {"slip_across", ""},        {"force_along", "N"},
                {"force_across", "N"}};
    }
    // In the order of the memory.
    double read(size_t reading, std::span<const double> memory) const override {
        return memory[reading];
    }
    PointAim aim(size_t, const Pose&, const Twist&, std::span<const double> inputs,
                 std::span<const double> memory, const Scenery&) const override;
    void step(const LawStep&) const override;

  private:
    // Force along the ground and its derivatives by both slips and by the load.
    struct Tangential {
        double force[2];
        double by_slip[2][2];
        double by_load[2];
    };
    Tangential magic(double load, double grip, const double slip[2]) const;
    Tangential printed(double load, double grip, const double speed[2]) const;

    // The share of its slips that a tread keeps, and the derivatives of what it keeps.
    struct Kept {
        double share;
        double by_slip[2][2];
    };
    Kept keep(double speed, double grip, const double slip[2]) const;

    Tyre tyre_;
    double peak_;  // slip in its own units
};

// Where the wheel's disc is deepest in the ground. Against a plane that is where the ray in the disc meets it most squarely; against an
// edge the one of a fan, and then it presses towards the axle.
PointAim TyreLaw::aim(size_t, const Pose& pose, const Twist& twist, std::span<const double>,
                      std::span<const double>, const Scenery& scenery) const {
    const Vec3 axle = pose.orientation.matrix() * tyre_.axle, centre = pose.position;
    const auto in_disc = [&](Vec3 v) { return v - dot(v, axle) * axle; };
    const double reach = (1 + further) * tyre_.radius + longest_step * norm(twist.linear);
    PointAim aim{.at = centre};
    aim.noted[depth_note] = -std::numeric_limits<double>::infinity();
    aim.noted[grip_note] = 1;
    Vec3 down = in_disc({0, 0, -1});
    if (!(norm(down) > 1e-3)) return aim;  // it lies on its side
    down = normalized(down);
    const Vec3 ahead = cross(down, axle);
    std::optional<SceneryHit> best;
    Vec3 best_ray = down;
    for (int i = 0; i <= 2 * rays_of_a_side; ++i) {
        // From the middle outwards, so that level ground has the middle one.
        const int rays_away = (i + 1) / 2;
        const double angle = ray_angle * rays_away * (i % 2 == 0 ? 1 : -1);
        const Vec3 ray = std::cos(angle) * down + std::sin(angle) * ahead;
        const auto hit = scenery.cast_ray(centre, ray, reach);
        if (hit && (!best || hit->distance < best->distance - 1e-9)) {
            best = hit;
            best_ray = ray;
        }
    }
    if (!best) return aim;
    Vec3 normal = -best_ray;
    if (const Vec3 square = in_disc(-best->normal); norm(square) > 0.1) {
        const auto hit = scenery.cast_ray(centre, square, reach);
        if (hit && hit->distance <= best->distance + 1e-9) {
            best = hit;
            best_ray = normalized(square);
            normal = hit->normal;
        }
    }
    const double depth = tyre_.radius - best->distance;
    aim.at = centre + (tyre_.radius - rolling_share * std::max(depth, 0.0)) * best_ray;
    const Vec3 heading = normalized(cross(axle, normal));
    aim.axis = {normal, heading, cross(normal, heading)};
    aim.noted[depth_note] = depth * -dot(best_ray, normal);
    for (const auto& [material, grip] : tyre_.grip)
        if (material == best->material) aim.noted[grip_note] = grip;
    const Vec3 tread = twist.linear + cross(twist.angular, aim.at - centre);
    const double going = dot(heading, twist.linear), sliding = dot(heading, tread);
    aim.noted[speed_note] = std::max(
        {std::abs(going), std::abs(going - sliding), std::abs(dot(aim.axis[left], tread))});
    return aim;
}

// Slips in units of their own, s_i = K_i slip_i/μ_i, and the force along them: each formula as it is where the other slip is zero, and
// within the ellipse of both.
TyreLaw::Tangential TyreLaw::magic(double load, double grip, const double slip[2]) const {
    const MagicFormula* const of[2] = {&tyre_.along, &tyre_.across};
    double s[2], unit[2], peak[2];
    for (int i = 0; i < 2; ++i) {
        peak[i] = grip * of[i]->friction;
        unit[i] = of[i]->slip_stiffness / peak[i];
        s[i] = unit[i] * slip[i];
    }
    const double size = std::hypot(s[0], s[1]);
    Tangential t{};
    for (int i = 0; i < 2; ++i) {
        const Curve f = normalized_formula(*of[i], size);
        // f(s) sᵢ/s and its slopes f(s)/s δᵢⱼ + (f' − f/s) sᵢ sⱼ/s²
        const double share = size > 1e-9 ? f.value / size : 1,
                     bend = size > 1e-9 ? (f.slope - share) / (size * size) : 0;
        t.force[i] = peak[i] * load * share * s[i];
        t.by_load[i] = peak[i] * share * s[i];
        for (int j = 0; j < 2; ++j)
            t.by_slip[i][j] =
                peak[i] * load * unit[j] * ((i == j ? share : 0) + bend * s[i] * s[j]);
    }
    return t;
}

// −μ F_n v/√(v² + v₀²)
TyreLaw::Tangential TyreLaw::printed(double load, double grip, const double speed[2]) const {
    const double peak = grip * tyre_.along.friction,
                 size = std::hypot(speed[0], speed[1], tyre_.printed_speed);
    Tangential t{};
    for (int i = 0; i < 2; ++i) {
        t.force[i] = -peak * load * speed[i] / size;
        t.by_load[i] = -peak * speed[i] / size;
        for (int j = 0; j < 2; ++j)
            t.by_slip[i][j] =
                -peak * load * ((i == j ? 1 : 0) - speed[i] * speed[j] / (size * size)) / size;
    }
    return t;
}

// Below the speed at which it is calmed less than at its peak, and at rest no more: with |w s| what slips count in units of their own,
// and m the most they may be, m s/|w s|.
TyreLaw::Kept TyreLaw::keep(double speed, double grip, const double slip[2]) const {
    Kept kept{1, {{1, 0}, {0, 1}}};
    if (!(speed < tyre_.calm_speed)) return kept;
    const double unit[2] = {tyre_.along.slip_stiffness / (tyre_.along.friction * grip),
                            tyre_.across.slip_stiffness / (tyre_.across.friction * grip)},
                 size = std::hypot(unit[0] * slip[0], unit[1] * slip[1]),
                 most = peak_ / (1 - speed / tyre_.calm_speed);
    if (!(size > most)) return kept;
    kept.share = most / size;
    for (size_t i = 0; i < 2; ++i)
        for (size_t j = 0; j < 2; ++j)
            kept.by_slip[i][j] =
                kept.share
                * ((i == j ? 1 : 0) - slip[i] / size * unit[j] * unit[j] * slip[j] / size);
    return kept;
}

void TyreLaw::step(const LawStep& s) const {
    const PointAim& aim = s.aims[0];
    std::copy(s.before.begin(), s.before.end(), s.memory.begin());
    const double depth = aim.noted[depth_note] - s.end[up];
    // What lands is damped for the way that it goes in the ground: so its load begins with nothing.
    const double sinking = -s.end_rate[up], in_ground = depth / s.step;
    const bool lands = sinking > in_ground;
    const double load = tyre_.stiffness * depth + tyre_.damping * (lands ? in_ground : sinking);
    if (!(depth > 0) || !(load > 0)) {
        std::fill(s.memory.begin(), s.memory.end(), 0.0);
        return;
    }
    s.memory[load_memory] = s.effort[up] = load;
    s.stiffness[0] = tyre_.stiffness + (lands ? tyre_.damping / s.step : 0);
    s.damping[0] = lands ? 0 : tyre_.damping;

    // Rolled out by backward Euler. What stands is calmed.
    const double speed = std::max(0.0, aim.noted[speed_note] - still),
                 lengths[2] = {tyre_.relaxation_along, tyre_.relaxation_across},
                 calm = tyre_.calming * std::max(0.0, 1 - speed / tyre_.calm_speed);
    double slip[2], rate[2], by_way[2];
    for (size_t i = 0; i < 2; ++i) {
        const size_t way = forward + i;
        by_way[i] = 1 / (1 + s.step * speed / lengths[i]);
        s.memory[along_memory + i] =
            by_way[i] * (s.before[along_memory + i] - (s.end[way] - s.start[way]));
        rate[i] = s.end_rate[way];
        slip[i] = (s.memory[along_memory + i] - calm * rate[i]) / lengths[i];
    }
    // What slides to rest is left with no more deflection than it can hold.
    const Kept kept = keep(speed, aim.noted[grip_note], slip);
    for (size_t i = 0; i < 2; ++i) {
        s.memory[along_memory + i] *= kept.share;
        slip[i] *= kept.share;
        s.memory[slip_along_memory + i] = slip[i];
    }
    const bool is_printed = tyre_.tangential == Tyre::Tangential::printed;
    const Tangential t = is_printed ? printed(load, aim.noted[grip_note], rate)
                                    : magic(load, aim.noted[grip_note], slip);
    for (size_t i = 0; i < 2; ++i) {
        const size_t way = forward + i;
        s.effort[way] = s.memory[force_along_memory + i] = t.force[i];
        s.stiffness[3 * way + up] = t.by_load[i] * s.stiffness[0];
        s.damping[3 * way + up] = t.by_load[i] * s.damping[0];
        for (size_t j = 0; j < 2; ++j) {
            const size_t to = 3 * way + forward + j;
            if (is_printed) {
                s.damping[to] = -t.by_slip[i][j];
                continue;
            }
            const double by_slip =
                t.by_slip[i][0] * kept.by_slip[0][j] + t.by_slip[i][1] * kept.by_slip[1][j];
            s.stiffness[to] = by_slip * by_way[j] / lengths[j];
            s.damping[to] = by_slip * calm / lengths[j];
        }
    }
}

}  // namespace

double MagicFormula::force(double slip, double load) const {
    return friction * load * normalized_formula(*this, slip_stiffness * slip / friction).value;
}

ForceId add_tyre(Model& model, BodyId wheel, const Tyre& t) {
    const auto positive = [](const char* name, double value) {
        if (!(value > 0) || !std::isfinite(value))
            throw InputError(
                fmt::format("tyre: {} is {}; it must be positive and finite", name, value));
    };
    positive("the length of its axle", norm(t.axle));
    positive("radius", t.radius);
    positive("stiffness", t.stiffness);
    positive("relaxation_along", t.relaxation_along);
    positive("relaxation_across", t.relaxation_across);
    positive("calm_speed", t.calm_speed);
    positive("printed_speed", t.printed_speed);
    for (const MagicFormula* f : {&t.along, &t.across}) {
        positive("friction", f->friction);
        positive("slip_stiffness", f->slip_stiffness);
        // Beyond these the force turns round at a high slip.
        if (!(f->shape > 0 && f->shape <= 2))
            throw InputError(
                fmt::format("tyre: shape is {}; it must be above 0 and at most 2", f->shape));
        if (!(f->curvature <= 1) || !std::isfinite(f->curvature))
            throw InputError(fmt::format("tyre: curvature is {}; it must be finite and at most 1",
                                         f->curvature));
    }
    for (const auto& [material, grip] : t.grip) positive("grip", grip);
    for (const auto& [name, value] : {std::pair{"damping", t.damping}, {"calming", t.calming}})
        if (!(value >= 0) || !std::isfinite(value))
            throw InputError(
                fmt::format("tyre: {} is {}; it must be finite and not negative", name, value));
    Tyre tyre = t;
    tyre.axle = model::checked_direction("tyre", "axle", t.axle);
    return model.add(StatefulForce{
        .law = std::make_shared<TyreLaw>(std::move(tyre)),
        .joints = {},
        .points = {wheel},
        .name = t.name.empty() ? model.bodies()[wheel.index].name + " tyre" : t.name});
}

std::optional<Tyre> tyre_of(const StatefulForce& force) {
    const auto* law = dynamic_cast<const TyreLaw*>(force.law.get());
    if (law == nullptr) return {};
    Tyre tyre = law->tyre();
    tyre.name = force.name;
    return tyre;
}

TyreNow::TyreNow(std::span<const double> m)
    : deflection_along(m[along_memory]),
      deflection_across(m[across_memory]),
      load(m[load_memory]),
      slip_along(m[slip_along_memory]),
      slip_across(m[slip_across_memory]),
      force_along(m[force_along_memory]),
      force_across(m[force_across_memory]) {}

}  // namespace bristle::machines
