// The cases of `bristle bench bodies`, and how a run of one is timed and judged: alike for every engine.
#pragma once

#include "scenes/plain/boxes.h"
#include "scenes/plain/jointed.h"

#include <cstdio>
#include <stdexcept>

namespace bristle::bench {

namespace plain = scenes::plain;

namespace many_bodies {

using plain::Joint, plain::Piece, plain::PlacedBox, plain::Pose, plain::Quat, plain::Scene,
    plain::Vec3;
using plain::operator-, plain::operator*, plain::squared;

struct Case {
    enum class Judged : uint8_t {
        by_standing,  // how far boxes move from where they should stay
        by_depth,     // how deep boxes are in each other at the end
        by_joints     // how far the two sides of a joint come apart
    };
    std::string name;
    Scene scene;
    double step;  // s
    int steps;
    int timed;  // so many of the last steps count
    Judged judged;
};

constexpr double frame = 1. / 60;  // s

inline Case stack_case() {
    return {"stack_20", plain::stack(20), 0.01, 1500, 1500, Case::Judged::by_standing};
}
inline Case pyramid_case() {
    return {"pyramid_20", plain::pyramid(20), 0.01, 500, 500, Case::Judged::by_standing};
}
inline Case wall_case() {
    return {"wall_20x10", plain::wall(20, 10), 0.01, 500, 500, Case::Judged::by_standing};
}
inline Case pile_case(int cubes) {
    return {"pile_" + std::to_string(cubes), plain::pile(cubes), frame, 300, 120,
            Case::Judged::by_depth};
}
inline Case tumbler_case() {
    return {"tumbler_500", plain::tumbler(500), frame, 600, 300, Case::Judged::by_depth};
}
inline Case ragdolls_case() {
    return {"ragdolls_50", plain::ragdolls(50), frame, 300, 120, Case::Judged::by_joints};
}
inline Case chains_case() {
    return {"chains_20x20", plain::chains(20, 20), 0.01, 500, 500, Case::Judged::by_joints};
}
inline Case joint_grid_case() {
    return {"joint_grid_20", plain::joint_grid(20), 0.01, 500, 500, Case::Judged::by_joints};
}
// The same, seen along y by an engine of the plane.
inline Case in_plane(Case c) {
    c.name += "_planar";
    return c;
}

struct Outcome {
    double time = 0;       // s: mean of the steps that count
    double spent = 0;      // s: all of them
    double fell_at = 0;    // s; zero: it stands
    double drift = 0;      // m: largest horizontal displacement of a body at any time
    plain::Depths depths;  // at the end
    int escaped = 0;       // bodies that are not in the scene's room at the end
    double gap = 0;        // m: largest between the sides of a joint, in the steps that count
};

// Where the joints of a scene are in their bodies.
class JointGaps {
  public:
    explicit JointGaps(const Scene& scene) {
        const auto local = [&](int body, const Vec3& at) {
            if (body == Joint::ground) return at;
            const Pose& pose = scene.bodies[static_cast<std::size_t>(body)].pose;
            const Quat back{pose.orientation.w, -1 * pose.orientation.v};
            return back * (at - pose.position);
        };
        for (const Joint& joint : scene.joints)
            sides_.push_back(
                {joint.a, joint.b, local(joint.a, joint.at), local(joint.b, joint.at)});
    }
    double largest(const std::vector<Pose>& poses) const {
        const auto world = [&](int body, const Vec3& at) {
            return body == Joint::ground ? at : poses[static_cast<std::size_t>(body)] * at;
        };
        double gap = 0;
        for (const Sides& s : sides_)
            gap = plain::widened(gap, world(s.a, s.at_a), world(s.b, s.at_b));
        return gap;
    }

  private:
    struct Sides {
        int a, b;
        Vec3 at_a, at_b;
    };
    std::vector<Sides> sides_;
};

inline double largest_drift(const Scene& scene, const std::vector<Pose>& poses) {
    double drift = 0;
    for (std::size_t i = 0; i < poses.size(); ++i) {
        const Vec3 way = poses[i].position - scene.bodies[i].pose.position;
        drift = std::max(drift, std::hypot(way[0], way[1]));
    }
    return drift;
}

// Of bodies that are single boxes.
inline std::vector<PlacedBox> placed_boxes(const Scene& scene, const std::vector<Pose>& poses) {
    std::vector<PlacedBox> boxes;
    for (std::size_t i = 0; i < poses.size(); ++i) {
        const std::vector<Piece>& pieces = scene.bodies[i].pieces;
        if (pieces.size() == 1 && pieces[0].kind == Piece::Kind::box)
            boxes.emplace_back(pieces[0].size, poses[i]);
    }
    return boxes;
}

// A run. The simulation has `step()` and `pose(i)` of every body; `now` reads a clock in s. Only the step
// call is timed. What stands is timed until it falls, which is when its top has come down by 5 %.
template <class Simulation, class Clock>
Outcome follow(const Case& c, Simulation& simulation, const Clock& now) {
    Outcome out;
    const JointGaps gaps(c.scene);
    const std::size_t count = c.scene.bodies.size();
    const double lowest_top = 0.95 * c.scene.bodies.back().pose.position[2];
    std::vector<Pose> poses(count);
    double sum = 0;
    int counted = 0;
    for (int k = 1; k <= c.steps && out.fell_at == 0; ++k) {
        const double start = now();
        simulation.step();
        const double taken = now() - start;
        out.spent += taken;
        if (k > c.steps - c.timed) {
            sum += taken;
            ++counted;
        }
        for (std::size_t i = 0; i < count; ++i) poses[i] = simulation.pose(i);
        for (const Pose& pose : poses)
            if (!std::isfinite(squared(pose.position))) throw std::runtime_error("not finite");
        if (c.judged == Case::Judged::by_joints && counted > 0)
            out.gap = std::max(out.gap, gaps.largest(poses));
        if (c.judged != Case::Judged::by_standing) continue;
        out.drift = std::max(out.drift, largest_drift(c.scene, poses));
        if (poses.back().position[2] < lowest_top) out.fell_at = k * c.step;
    }
    if (c.judged == Case::Judged::by_depth)
        out.depths = plain::depths(placed_boxes(c.scene, poses));
    for (const Pose& pose : poses) out.escaped += !c.scene.room.contains(pose.position);
    out.time = sum / counted;
    return out;
}

// One of the errors of a run, as a row of the report shows it.
struct Finding {
    double error;
    const char* error_is;
};
inline std::vector<Finding> findings(const Case& c, const Outcome& out) {
    switch (c.judged) {
        case Case::Judged::by_standing:
            return {{out.fell_at > 0 ? NAN : out.drift, "largest horizontal displacement in m"}};
        case Case::Judged::by_depth:
            return {{out.depths.mean, "mean depth of overlapping boxes in m"},
                    {out.depths.max, "largest depth of overlapping boxes in m"},
                    {static_cast<double>(out.depths.pairs), "pairs of boxes that overlap"},
                    {static_cast<double>(out.escaped), "boxes that left their room"}};
        case Case::Judged::by_joints: return {{out.gap, "largest gap of a joint in m"}};
    }
    return {};
}

// What else the report says beside the setting.
inline std::string remark(const Outcome& out) {
    if (out.fell_at == 0) return {};
    char text[64];
    std::snprintf(text, sizeof text, ", timed until it fell at %.2f s", out.fell_at);
    return text;
}

}  // namespace many_bodies
}  // namespace bristle::bench
