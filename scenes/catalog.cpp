#include "scenes/catalog.h"

#include "scenes/contacts.h"
#include "scenes/mechanisms.h"
#include "scenes/outline.h"

#include <algorithm>

namespace bristle::scenes {
namespace {

Scene from_four_bars(int n) {
    FourBars f = four_bars(n);
    Scene s{.model = f.model};
    for (const auto* list : {&f.cranks, &f.couplers})
        for (BodyId body : *list) s.links.push_back({body, {}, {1, 0, 0}});
    s.points.push_back({"B0", f.cranks[0], {1, 0, 0}});
    s.joints.push_back({0});
    return s;
}

Scene from_pendulum() {
    Pendulum p = pendulum();
    Scene s{.model = p.model};
    s.points.push_back({"mass", p.mass, {}});
    s.joints.push_back({0});
    return s;
}

Scene from_double_pendulum() {
    DoublePendulum p = double_pendulum();
    Scene s{.model = p.model, .duration = 5};
    s.points.push_back({"first", p.first, {}});
    s.points.push_back({"second", p.second, {}});
    return s;
}

Scene from_andrews() {
    Andrews a = andrews();
    Scene s{.model = a.model, .duration = 0.05, .step = 1e-5};
    const double length[] = {.007, .028, .035, .02, .02, .04, .04};
    for (uint32_t i = 0; i < 7; ++i) s.links.push_back({{i + 1}, {}, {length[i], 0, 0}});
    s.points.push_back({"F", a.crank, {.007, 0, 0}});
    s.joints.push_back(a.pivot);
    return s;
}

Scene from_flyball() {
    Flyball f = flyball();
    Scene s{.model = f.model};
    s.points.push_back({"slider", f.slider, {}});
    for (uint32_t i = 1; i < f.model.bodies().size(); ++i) {
        const std::string& name = f.model.bodies()[i].name;
        if (name == "shaft") s.links.push_back({{i}, {0, 0, -.5}, {0, 0, .5}});
        if (name == "rod") s.links.push_back({{i}, {-.5, 0, 0}, {.5, 0, 0}});
        if (name == "slider") s.links.push_back({{i}, {-.05, 0, 0}, {.05, 0, 0}});
    }
    return s;
}

Scene from_dzhanibekov() {
    Dzhanibekov d = dzhanibekov();
    Scene s{.model = d.model, .duration = 20};
    s.links.push_back({d.body, {}, {1, 0, 0}});
    s.links.push_back({d.body, {}, {0, 1, 0}});
    s.points.push_back({"tip of the middle axis", d.body, {0, 1, 0}});
    return s;
}

Scene from_chain() {
    Chain c = chain(20, 20);
    Scene s{.model = c.model, .duration = 5};
    for (BodyId link : c.links) s.links.push_back({link, {}, {.1, 0, 0}});
    s.points.push_back({"tip", c.links.back(), {.1, 0, 0}});
    s.joints.push_back({0});
    return s;
}

Scene from_machine() {
    Machine15 m = machine15();
    Scene s{.model = m.model, .step = 5e-3};
    const auto& bodies = m.model.bodies();
    const double half[] = {2.5, 1.5, .5, .5618, .5618, .6738, .6738, .65335, .65335};
    for (uint32_t i = 7; i < bodies.size(); ++i) {
        if (bodies[i].name == "bucket") {
            s.links.push_back({{i}, {-.5, 0, -.5}, {.5, 0, -.5}});
            s.links.push_back({{i}, {.5, 0, -.5}, {.5, 0, .5}});
            s.links.push_back({{i}, {-.5, 0, .5}, {-.5, 0, -.5}});
        } else {
            s.links.push_back({{i}, {-half[i - 7], 0, 0}, {half[i - 7], 0, 0}});
        }
    }
    s.points.push_back({"bucket", m.bucket, {}});
    s.drives = m.cylinders;
    return s;
}

// ---- With contact ----------------------------------------------------------------------------------

Scene from_bouncing_ball() {
    FallingBall b = bouncing_ball();
    Scene s{.model = b.model, .duration = 3, .step = 1e-4};
    add_outlines(s, -1, 1);
    s.points.push_back({"ball", b.ball, {}});
    return s;
}

Scene from_slope(const BodyOnSlope& on, double way, double duration) {
    Scene s{.model = on.model, .duration = duration};
    add_outlines(s, -1, way);
    s.points.push_back({on.model.bodies()[on.body.index].name, on.body, {}});
    return s;
}

Scene from_mass_spring() {
    MassSpring m = mass_spring_friction();
    Scene s{.model = m.model, .duration = 13, .step = m.step};
    add_outlines(s, 0, 3);
    s.links.push_back({m.block, {-.2, 0, 0}, {.2, 0, 0}});
    s.points.push_back({"block", m.block, {}});
    return s;
}

Scene from_stick_slip() {
    StickSlip k = stick_slip();
    Scene s{.model = k.model, .duration = 60};
    s.links.push_back({k.block, {-.2, 0, -.1}, {.2, 0, -.1}});
    s.links.push_back({k.block, {-.2, 0, .1}, {.2, 0, .1}});
    s.links.push_back({Model::ground(), {0, 0, 0}, {3, 0, 0}});
    s.points.push_back({"block", k.block, {}});
    s.drives.push_back({0});
    return s;
}

Scene from_box_stack() {
    BoxStack b = box_stack(5);
    Scene s{.model = b.model, .duration = 5, .step = 5e-3};
    add_outlines(s, -1, 1);
    s.points.push_back({"top box", b.boxes.back(), {}});
    return s;
}

Scene from_gripper() {
    Gripper g = gripper(Gripper::Grip::force);
    Scene s{.model = g.model, .duration = 5, .step = 5e-3};
    add_outlines(s, -1, 1);
    s.points.push_back({"box", g.box, {}});
    s.drives = g.drives;
    return s;
}

Scene from_chain_links() {
    LinkedChain c = chain_links(8, pi / 6, 0.02);
    Scene s{.model = c.model, .duration = 2};
    add_outlines(s, -1, 1);
    s.points.push_back({"last link", c.links.back(), {}});
    return s;
}

}  // namespace

const std::vector<CatalogEntry>& catalog() {
    static const std::vector<CatalogEntry> all = {
        {"four-bar", "square four-bar that turns over through its singular positions (A02, N = 1)",
         [] { return from_four_bars(1); }},
        {"four-bars-40", "forty four-bars in a row (A02, N = 40)",
         [] { return from_four_bars(40); }},
        {"pendulum", "point mass on a bar (A01)", from_pendulum},
        {"double-pendulum", "two point masses on bars", from_double_pendulum},
        {"andrews", "Andrews' seven-body mechanism (A03)", from_andrews},
        {"flyball", "stiff flyball governor (A05)", from_flyball},
        {"dzhanibekov", "free body that tumbles about its middle axis", from_dzhanibekov},
        {"chain", "chain of 20 links with a heavy tip", from_chain},
        {"machine", "excavator arm with three hydraulic cylinders (15 bodies, chassis fixed)",
         from_machine},
        {"bouncing-ball", "ball on a floor with Hunt-Crossley damping", from_bouncing_ball},
        {"block-on-incline", "block that slides down 30 degrees, friction 0.5",
         [] { return from_slope(block_on_incline(pi / 6), 7, 4); }},
        {"mass-spring-friction", "block on a spring with dry friction that stops and starts (K1)",
         from_mass_spring},
        {"stick-slip", "block held by a spring on a belt (Bowden-Leben, K2)", from_stick_slip},
        {"rolling-cylinder", "cylinder that rolls down 15 degrees",
         [] { return from_slope(rolling_cylinder(), 5, 2); }},
        {"box-stack", "five boxes on each other", from_box_stack},
        {"gripper", "two fingers hold a box by friction", from_gripper},
        {"chain-links", "eight links of a chain that hang in each other and swing",
         from_chain_links},
    };
    return all;
}

const CatalogEntry* find_scene(const std::string& written) {
    // The functions that build them are written with underscores.
    std::string name = written;
    std::replace(name.begin(), name.end(), '_', '-');
    for (const CatalogEntry& entry : catalog())
        if (entry.name == name) return &entry;
    return nullptr;
}

}  // namespace bristle::scenes
