#include "validation/rough/account.h"

#include "validation/rough/bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle::validation::rough {
namespace {

constexpr double gain_allowed = 1e-3;  // of the largest energy
// A thing at rest has no energy to take a share of: 1e-7 of what lifting it all by a metre takes.
constexpr double gain_of_rest = 1e-7 * 9.81;  // J/kg
constexpr uint64_t steps_between_looks = 20;  // behind surfaces of fixed solids

bool is_convex_solid(const Geometry& g) {
    return std::holds_alternative<Box>(g) || std::holds_alternative<Sphere>(g)
        || std::holds_alternative<Cylinder>(g) || std::holds_alternative<Capsule>(g)
        || std::holds_alternative<Plane>(g) || std::holds_alternative<ConvexPolyhedron>(g);
}

double wall_of(const Geometry& g) {
    const auto* compound = std::get_if<Compound>(&g);
    if (!compound) return bounds_of(g).thinnest();
    double out = unlimited;
    for (const CompoundPart& part : compound->parts) out = std::min(out, wall_of(part.geometry));
    return out;
}

bool can_touch(const Shape& a, const Shape& b) { return (a.group & b.mask) && (b.group & a.mask); }

double mass_of(const Model& model) {
    double mass = 0;
    for (uint32_t i = 1; i < model.bodies().size(); ++i)
        if (model.contains(BodyId{i})) mass += model.bodies()[i].mass;
    return mass;
}

}  // namespace

void Rise::add(double energy, double time) {
    last_[count_++ % lasting] = energy;
    if (count_ >= lasting)
        lowest_ = std::min(lowest_, *std::max_element(last_.begin(), last_.end()));
    if (energy - lowest_ > largest_) {
        largest_ = energy - lowest_;
        time_ = time;
    }
}

Account::Account(const Case& c, const World& world, Result& result)
    : case_(c), result_(result), work_(world), gaps_(c.model) {
    const Model& model = c.model;
    solids_.resize(model.bodies().size());
    for (uint32_t i = 1; i < model.bodies().size(); ++i) {
        const Bounds bounds = bounds_of(model, {i});
        if (!(bounds.thinnest() > 0)) continue;
        solids_[i].size = bounds.size();
        solids_[i].centre = (bounds.low + bounds.high) / 2;
    }
    for (uint32_t i = 0; i < model.shapes().size(); ++i) {
        const Shape& s = model.shapes()[i];
        Solid& solid = solids_[s.body.index];
        // A sheet of terrain is as thick as the earth, however low its hills.
        const bool is_terrain = c.terrain && s.body == Model::ground();
        if (!is_convex_solid(s.geometry) && !is_terrain)
            solid.wall = std::min(solid.wall > 0 ? solid.wall : unlimited, wall_of(s.geometry));
        is_fixed_solid_.push_back(model.contains(ShapeId{i}) && s.body == Model::ground()
                                  && s.mask != 0 && is_convex_solid(s.geometry));
    }
    if (c.starts_overlapping) lifting_ = lifting_energy(world);
    result_.fastest_allowed = c.fastest;
    look_at_energy(world);
}

// To get two bodies out of each other one of them is lifted by their overlap, at most.
double Account::lifting_energy(const World& world) const {
    const Model& model = case_.model;
    double sum = 0;
    for (uint32_t i = 0; i < model.shapes().size(); ++i)
        for (uint32_t k = 0; k < i; ++k) {
            const Shape &a = model.shapes()[i], &b = model.shapes()[k];
            if (a.body == b.body || !can_touch(a, b)) continue;
            const auto near = world.closest_points({i}, {k}, 0);
            if (!near || near->distance >= 0) continue;
            const auto mass = [&](const Shape& s) {
                return s.body == Model::ground() ? unlimited : model.bodies()[s.body.index].mass;
            };
            sum += std::min(mass(a), mass(b)) * norm(model.gravity) * -near->distance;
        }
    return sum;
}

std::string Account::name(BodyId b) const {
    if (b == Model::ground()) return "ground";
    const std::string& name = case_.model.bodies()[b.index].name;
    return name.empty() ? fmt::format("body {}", b.index) : name;
}

bool Account::after_step(const World& world, double seconds) {
    step_seconds_.push_back(static_cast<float>(seconds));
    result_.simulated = world.time();
    if (!look_at_motion(world)) return false;
    const std::vector<Contact> contacts = world.contacts();
    work_.update(world, step_of(world.settings()));
    look_at_energy(world);
    look_at_contacts(world, contacts);
    if (++steps_ % steps_between_looks == 0) look_for_bodies_behind_surfaces(world);
    const JointGaps::Gap gap = gaps_.worst(world);
    if (gap.distance > result_.joint_gap) {
        result_.joint_gap = gap.distance;
        result_.joint_gap_time = world.time();
        result_.joint_gap_where = case_.model.joints()[gap.joint].name;
    }
    return result_.fastest <= 50 * result_.fastest_allowed;  // it has exploded; NaN is near
}

bool Account::look_at_motion(const World& world) {
    const auto poses = world.poses();
    const auto twists = world.twists();
    for (size_t i = 1; i < poses.size(); ++i) {
        const Quat q = poses[i].orientation;
        const bool is_good = is_finite(poses[i].position) && is_finite(twists[i].linear)
                          && is_finite(twists[i].angular) && std::isfinite(q.w + q.x + q.y + q.z);
        if (!is_good) {
            result_.not_finite = world.time();
            return false;
        }
        result_.fastest = std::max(result_.fastest, norm(twists[i].linear));
    }
    return true;
}

void Account::look_at_energy(const World& world) {
    const Energy e = world.energy();
    highest_total_ = std::max(highest_total_, e.total());
    lowest_potential_ = std::min(lowest_potential_, e.potential);
    const auto add = [&](Rise& rise, double work) {
        rise.add(e.total() + e.contact - work, world.time());
    };
    add(by_end_, work_.by_end());
    add(by_mean_, work_.by_mean());
    add(at_least_, work_.at_most());
}

// How far one can go into a body before one is through it.
double Account::extent(const World& world, BodyId body, Vec3 along) const {
    const Solid& solid = solids_[body.index];
    if (solid.wall > 0 || !solid.has_shape()) return solid.wall > 0 ? solid.wall : unlimited;
    const Vec3 n = world.pose(body).orientation.matrix().transposed() * along, s = solid.size;
    const double box = std::abs(n.x) * s.x + std::abs(n.y) * s.y + std::abs(n.z) * s.z;
    return std::min(box, std::max({s.x, s.y, s.z}));
}

// Where a model says how stiff its surfaces are, they give as much as that: a tyre on which 10 t fall from 2 m gives by 18 cm. The spring
// pushes as it should, if it is that.
bool Account::is_as_stiff_as_given(const Contact& c) const {
    const Model& model = case_.model;
    const ContactLaw law =
        model.contact_law(model.shapes()[c.a.index].material, model.shapes()[c.b.index].material);
    return law.stiffness > 0
        && std::abs(dot(c.force, c.normal)) > 0.5 * law.stiffness * std::pow(c.depth, law.exponent);
}

void Account::look_at_contacts(const World& world, const std::vector<Contact>& contacts) {
    for (const Contact& c : contacts) {
        if (steps_ == 0) result_.start_depth = std::max(result_.start_depth, c.depth);
        if (world.time() < case_.settling) continue;
        const double share =
            c.depth
            / std::min(extent(world, c.body_a, c.normal), extent(world, c.body_b, c.normal));
        if (share <= result_.depth_share || is_as_stiff_as_given(c)) continue;
        result_.depth_share = share;
        result_.depth = c.depth;
        result_.depth_time = world.time();
        result_.depth_where = fmt::format("{} in {}", name(c.body_a), name(c.body_b));
    }
}

// The centre of a body that has a shape is never in the ground, in a fixed solid or beyond the walls.
void Account::look_for_bodies_behind_surfaces(const World& world) {
    const auto found = [&](BodyId body, const std::string& where) {
        if (result_.through++ > 0) return;
        result_.through_time = world.time();
        result_.through_where = fmt::format("{} {}", name(body), where);
    };
    if (world.time() < case_.settling) return;
    const Model& model = case_.model;
    for (uint32_t i = 1; i < solids_.size(); ++i) {
        const Solid& solid = solids_[i];
        if (!solid.has_shape()) continue;
        const Vec3 centre = world.point({i}, solid.centre);
        // Something may stand in the middle of what is hollow, up to a point.
        const double margin =
            solid.wall > 0 ? std::min({solid.size.x, solid.size.y, solid.size.z}) / 2 : 0;
        if (std::abs(centre.x) > case_.walls || std::abs(centre.y) > case_.walls)
            found({i}, "beyond the walls");
        else if (case_.terrain && centre.z < case_.terrain(centre.x, centre.y) - margin)
            found({i}, "under the terrain");
        for (const ShapeId s : world.shapes_in_box(centre, centre)) {
            if (!is_fixed_solid_[s.index]) continue;
            const bool touches =
                std::any_of(model.shapes().begin(), model.shapes().end(), [&](const Shape& shape) {
                    return shape.body == BodyId{i} && can_touch(shape, model.shapes()[s.index]);
                });
            const auto near = touches ? world.closest_point(s, centre) : std::nullopt;
            if (near && near->distance < -margin)
                found({i}, fmt::format("inside fixed shape {}", model.shapes()[s.index].name));
        }
    }
}

void Account::close(const World& world) {
    Result& r = result_;
    r.gain = at_least_.largest();
    r.gain_time = at_least_.time();
    r.gain_by_end = by_end_.largest();
    r.gain_by_mean = by_mean_.largest();
    r.largest_energy = highest_total_ - lowest_potential_;
    r.allowed_gain =
        gain_allowed * r.largest_energy + gain_of_rest * mass_of(case_.model) + lifting_;
    r.work = work_.by_end();
    r.work_by_mean = work_.by_mean();
    const StepStatistics s = world.statistics();
    r.steps = s.steps;
    r.iterations = s.average_iterations();
    r.worst_iterations = s.worst_iterations;
    r.retried = s.rough_steps;
    r.loose = s.impact_steps;
    if (step_seconds_.empty()) return;
    double sum = 0;
    for (const float t : step_seconds_) sum += static_cast<double>(t);
    std::sort(step_seconds_.begin(), step_seconds_.end());
    const size_t n = step_seconds_.size();
    r.mean_us = 1e6 * sum / static_cast<double>(n);
    r.p999_us = 1e6 * static_cast<double>(step_seconds_[n - 1 - n / 1000]);
    r.worst_us = 1e6 * static_cast<double>(step_seconds_.back());
}

}  // namespace bristle::validation::rough
