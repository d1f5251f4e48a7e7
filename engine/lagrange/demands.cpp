#include "lagrange/demands.h"

#include "base/lists.h"
#include "math/symmetric_eigen.h"
#include "model/joint_kind.h"

#include <algorithm>
#include <numeric>

namespace bristle::lagrange {

namespace {

void add_gauge(const Joint& j, GroupDemand& a, GroupDemand& b) {
    a.directions.push_back(j.axis);
    if (j.type == JointType::turn_gauge) a.directions.push_back(model::start_mark(j));
    if (j.type == JointType::slide_gauge) {
        a.points.push_back(j.at_a);
        b.points.push_back(j.at_b);
    } else {
        b.directions.push_back(j.axis_b);
    }
}

}  // namespace

std::vector<GroupDemand> group_demands(const Model& model, const NaturalCoordinates& chosen) {
    std::vector<GroupDemand> demand(chosen.groups.size());
    const auto group = [&](BodyId body) { return chosen.group_of[body.index]; };
    const auto point = [&](BodyId body, Vec3 at) { demand[group(body)].points.push_back(at); };
    const auto direction = [&](BodyId body, Vec3 d) {
        demand[group(body)].directions.push_back(d);
    };
    const auto across = [&](BodyId body, Vec3 axis) {
        const Vec3 u = any_perpendicular(axis);
        direction(body, u);
        direction(body, cross(axis, u));
    };
    for (uint32_t i = 0; i < model.joints().size(); ++i) {
        const Joint& j = model.joints()[i];
        // Nothing acts on it: it is read off the bodies.
        const bool is_idle = model::is_gauge(j) && !model.is_acted_on({i});
        if (model::is_gear(j) || model::is_weld(j) || is_idle) continue;
        if (model::is_gauge(j)) add_gauge(j, demand[group(j.a)], demand[group(j.b)]);
        if (model::is_gauge(j)) continue;
        point(j.a, j.at_a);
        point(j.b, j.at_b);
        const model::JointKind& kind = model::kind_of(j);
        const bool has_line = kind.place == model::Place::line,
                   is_common = kind.turn == model::Turn::about_axis;
        if (is_common && has_line) direction(j.b, j.axis);
        if (kind.turn != model::Turn::any || kind.place == model::Place::plane)
            direction(j.a, j.axis);
        if (is_common && !has_line) direction(j.b, j.axis);
        if (kind.turn == model::Turn::crossed) direction(j.b, j.axis_b);
        if (has_line) across(j.a, j.axis);
    }
    const auto turns = [&](JointId id) {
        const Joint& j = model.joints()[id.index];
        const model::JointKind& kind = model::kind_of(j);
        if (model::is_gauge(j)) return;  // its directions are asked for above
        if (kind.coordinate != model::CoordinateKind::angle && !kind.is_screw) return;
        for (BodyId body : {j.a, j.b}) demand[group(body)].turning_axes.push_back(j.axis);
    };
    for (uint32_t i = 0; i < model.joints().size(); ++i) {
        const Joint& j = model.joints()[i];
        if (model::is_gear(j)) {
            turns(j.first);
            turns(j.second);
        } else if (model::kind_of(j).is_screw) {
            turns({i});
        }
    }
    for (const auto& d : model.drives()) turns(d.joint);
    for (const auto& l : model.limits()) turns(l.joint);
    for (const auto& c : model.coordinates()) turns(c.joint);
    for (const auto& s : model.joint_springs()) turns(s.joint);
    for (const auto& m : model.motors()) turns(m.joint);
    for (const auto& s : model.springs()) {
        point(s.a, s.at_a);
        point(s.b, s.at_b);
    }
    // What can touch anywhere needs all directions, unless it is a rod or a point: those have no
    // inertia about themselves, and what touches them acts on their axis.
    for (const auto& s : model.shapes()) {
        const uint32_t g = group(s.body);
        if (chosen.groups[g].is_ground) continue;
        const Vec3 moments = symmetric_eigen(chosen.groups[g].second_moment).values;
        const double largest = std::max({moments.x, moments.y, moments.z});
        int flat = 0;
        for (int k = 0; k < 3; ++k) flat += moments[k] <= 1e-12 * largest;
        if (flat > 1 || !(largest > 0)) continue;
        for (Vec3 d : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) direction(s.body, d);
    }
    for (const auto& b : model.bushings()) {
        const auto frame = [&](BodyId body, Vec3 at, const Mat3& axes) {
            point(body, at);
            for (int k = 0; k < 3; ++k) direction(body, axes.column(k));
        };
        frame(b.a, b.at, b.axes.matrix());
        frame(b.b, b.at_b.value_or(b.at), b.axes_b.value_or(b.axes).matrix());
    }
    return demand;
}

// Breadth first over joints, from the ground and then from the heaviest group not yet reached.
std::vector<uint32_t> outward_order(const Model& model, const NaturalCoordinates& chosen) {
    const auto group = [&](BodyId body) { return chosen.group_of[body.index]; };
    const size_t count = chosen.groups.size();
    const Lists<uint32_t> neighbours(count, [&](const auto& add) {
        for (const Joint& j : model.joints()) {
            if (!model::joins_bodies(j)) continue;
            add(group(j.a), group(j.b));
            add(group(j.b), group(j.a));
        }
    });
    std::vector<uint32_t> seeds(count);
    std::iota(seeds.begin(), seeds.end(), 0u);
    std::stable_sort(seeds.begin() + 1, seeds.end(), [&](uint32_t i, uint32_t j) {
        return chosen.groups[i].mass > chosen.groups[j].mass;
    });
    std::vector<bool> reached(count, false);
    std::vector<uint32_t> order;
    order.reserve(count);
    for (uint32_t seed : seeds) {
        if (reached[seed]) continue;
        reached[seed] = true;
        order.push_back(seed);
        for (size_t next = order.size() - 1; next < order.size(); ++next)
            for (uint32_t n : neighbours[order[next]]) {
                if (reached[n]) continue;
                reached[n] = true;
                order.push_back(n);
            }
    }
    return order;
}

}  // namespace bristle::lagrange
