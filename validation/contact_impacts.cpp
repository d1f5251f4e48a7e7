// Impacts: what the laws promise at steps that resolve them, and that nothing gains energy or passes
// through at steps that do not.
#include "scenes/contacts.h"
#include "validation/contact.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace bristle::validation {
namespace {

// ---- Ref. 11: the bouncing ball --------------------------------------------------------------------

struct Bounce {
    double touch, indentation, apex;
};

std::vector<Bounce> bounces_of_the_ball(double h, size_t count) {
    const auto scene = scenes::bouncing_ball();
    World world(scene.model, {.step = h});
    std::vector<Bounce> out;
    double time = 0, gap = 1, speed = 0;
    bool touches = false;
    while (true) {
        world.step();
        const bool touched = touches;
        touches = !world.contacts().empty();
        if (touches && !touched) {
            if (out.size() == count) return out;
            // The rest of the fall, from the last free step.
            const double fall = speed + std::sqrt(speed * speed + 2 * gravity * gap);
            out.push_back({time + fall / gravity, 0, 0});
        }
        time = world.time();
        gap = scene.gap(world.pose(scene.ball).position);
        speed = world.twist(scene.ball).linear.z;
        if (touches) out.back().indentation = std::max(out.back().indentation, -gap);
        if (touched && !touches) out.back().apex = gap + speed * speed / (2 * gravity);
    }
}

void bouncing_ball(Checks& check) {
    const std::string name = "bouncing ball, 10 us";
    const Bounce exact[] = {// bouncing_ball.csv
                            {0.451523640986, 0.00498231054903, 0.487368480051},
                            {1.08593454947, 0.00387728056078, 0.287812046636},
                            {1.57461497991, 0.00321050340597, 0.18965511512},
                            {1.97229522163, 0.00275812993497, 0.134199749524},
                            {2.30768830525, 0.00242848455528, 0.099836970986},
                            {2.59775021809, 0.00217629765753, 0.0770859798435},
                            {2.85333563273, 0.00197641103813, 0.0612521096963},
                            {3.08181452027, 0.00181363856773, 0.0497941231219}};
    const auto bounces = bounces_of_the_ball(1e-5, std::size(exact));
    for (size_t i = 0; i < bounces.size(); ++i) {
        const auto of = [&](const char* what) { return fmt::format("bounce {}: {}", i + 1, what); };
        check.near(name, of("touches at, s"), exact[i].touch, bounces[i].touch, 1e-4);
        check.relative(name, of("largest indentation"), exact[i].indentation,
                       bounces[i].indentation, 1e-3);
        check.relative(name, of("apex"), exact[i].apex, bounces[i].apex, 1e-3);
    }
}

// ---- One impact, resolved ---------------------------------------------------------------------------

struct Impact {
    double restitution = 0, duration = 0, indentation = 0, force = 0;
};

// Without gravity: it comes, and goes, at a constant speed.
Impact strike(const scenes::FallingBall& scene, double h) {
    World world(scene.model, {.step = h});
    Impact out;
    const double begin = scene.drop.height / scene.drop.speed;
    while (world.time() < 1) {
        world.step();
        const auto contacts = world.contacts();
        const double gap = scene.gap(world.pose(scene.ball).position),
                     speed = world.twist(scene.ball).linear.z;
        out.indentation = std::max(out.indentation, -gap);
        for (const Contact& c : contacts) out.force = std::max(out.force, norm(c.force));
        if (contacts.empty() && speed > 0) {
            out.duration = world.time() - gap / speed - begin;
            out.restitution = speed / scene.drop.speed;
            return out;
        }
    }
    throw SimulationError("the ball does not come back");
}

void steel(Checks& check) {
    const std::string name = "steel sphere on steel, 0.05 us";
    const Impact impact = strike(scenes::steel_impact(), 5e-8);
    // Ref. 12
    check.relative(name, "largest indentation, m", 2.34208489e-5, impact.indentation, 1e-3);
    check.relative(name, "largest force, N", 1743.77558, impact.force, 1e-3);
    check.relative(name, "lasts, s", 6.89340034e-5, impact.duration, 1e-3);
    check.near(name, "restitution", 1, impact.restitution, 1e-3);
}

// Elastic indentation of a power law: K δⁿ⁺¹/(n + 1) = m v²/2.
double elastic_indentation(const scenes::Drop& d) {
    const double n = d.law.normal == ContactLaw::Normal::kelvin_voigt ? 1 : d.law.exponent;
    return std::pow((n + 1) * d.mass * d.speed * d.speed / (2 * d.law.stiffness), 1 / (n + 1));
}

// In about 300 steps.
Impact resolved_strike(const ContactLaw& law) {
    const scenes::Drop drop{.law = law, .height = 1e-4, .speed = 3, .gravity = 0};
    return strike(scenes::falling_ball(drop), elastic_indentation(drop) / drop.speed / 100);
}

void durations(Checks& check) {
    const std::pair<double, double> factors[] = {{1, pi}, {1.5, 2.9432751843}, {2, 2.8043642107}};
    for (const auto& [exponent, factor] : factors) {
        const Impact impact =
            resolved_strike({.stiffness = 1e7, .exponent = exponent, .restitution = 1});
        check.relative("elastic impact", fmt::format("duration v / indentation, n = {}", exponent),
                       factor, impact.duration * 3 / impact.indentation, 1e-3);
    }
}

void restitutions(Checks& check) {
    using Normal = ContactLaw::Normal;
    struct Kind {
        const char* name;
        Normal normal;
        std::vector<double> exponents;
    };
    const Kind kinds[] = {{"Hunt-Crossley", Normal::hunt_crossley, {1, 1.5, 2}},
                          {"Lankarani-Nikravesh", Normal::lankarani_nikravesh, {1, 1.5, 2}},
                          {"Kelvin-Voigt", Normal::kelvin_voigt, {1}}};
    for (const Kind& kind : kinds)
        for (const double exponent : kind.exponents)
            for (int tenths = 1; tenths <= 10; ++tenths) {
                const double e = tenths / 10.0;
                const Impact impact = resolved_strike({.normal = kind.normal,
                                                       .stiffness = 1e7,
                                                       .exponent = exponent,
                                                       .restitution = e});
                check.near(fmt::format("{}, exact, n = {}", kind.name, exponent), "restitution", e,
                           impact.restitution, 1e-3);
            }
}

void published_damping(Checks& check) {
    struct Row {  // hunt_crossley_restitution.csv: e_nominal, e_HC, e_LN
        double nominal, hunt_crossley, lankarani_nikravesh;
    };
    const Row rows[] = {
        {0.1, 0.5158326164, 0.665265406755},   {0.2, 0.546854050657, 0.672262488962},
        {0.3, 0.581288041809, 0.684224605749}, {0.4, 0.619736466082, 0.701634727674},
        {0.5, 0.662962200002, 0.72524111401},  {0.6, 0.711950179578, 0.756148680659},
        {0.7, 0.767999789078, 0.795972595365}, {0.8, 0.832869792266, 0.847102279788},
        {0.9, 0.909015741349, 0.913176677806}, {0.95, 0.95237015282, 0.953506045142},
        {0.99, 0.990098912841, 0.990147931505}};
    for (const Row& r : rows) {
        const auto returned = [&](ContactLaw::Normal normal) {
            return resolved_strike({.normal = normal,
                                    .damping = ContactLaw::Damping::published,
                                    .stiffness = 1e7,
                                    .restitution = r.nominal})
                .restitution;
        };
        const std::string quantity = fmt::format("restitution for {}", r.nominal);
        check.near("Hunt-Crossley as published", quantity, r.hunt_crossley,
                   returned(ContactLaw::Normal::hunt_crossley), 1e-3);
        check.near("Lankarani-Nikravesh as published", quantity, r.lankarani_nikravesh,
                   returned(ContactLaw::Normal::lankarani_nikravesh), 1e-3);
    }
}

void two_balls(Checks& check) {
    for (const double e : {0.2, 0.5, 0.8, 1.0}) {
        const auto scene = scenes::colliding_balls({.stiffness = 1e7, .restitution = e});
        World world(scene.model, {.step = 1e-5});
        world.advance_to(0.02);
        const double first = world.twist(scene.striking).linear.x,
                     second = world.twist(scene.struck).linear.x;
        const std::string name = fmt::format("two balls, restitution {}", e);
        check.near(name, "restitution", e, (second - first) / 3, 1e-3);
        check.near(name, "momentum, 1 kg at 3 m/s", 3, first + 2 * second, 1e-9);
    }
}

// A first impact without friction or damping, in hundreds of steps: the bodies turn, but energy stays.
void elastic_turning(Checks& check) {
    const ContactLaw law{
        .stiffness = 1e7, .restitution = 1, .static_friction = 0, .kinetic_friction = 0};
    const std::pair<const char*, Model> scenes[] = {
        {"box on its edge", scenes::falling_box(scenes::FallingBox::Foremost::edge, law).model},
        {"box on its corner", scenes::falling_box(scenes::FallingBox::Foremost::corner, law).model},
        {"slender rod", scenes::falling_rod(law).model},
        {"pendulum on a wall", scenes::pendulum_and_wall(law).model},
        {"double pendulum", scenes::double_pendulum_and_floor(law).model},
        {"box on a ball joint", scenes::hanging_box(law).model}};
    for (const auto& [name, model] : scenes) {
        World world(model, {.step = 1e-5});
        const double start = world.energy().total();
        while (world.contacts().empty() && world.time() < 1) world.step();
        const double moving = world.energy().kinetic;
        while (!world.contacts().empty()) world.step();
        check.below("elastic impact, 10 us", fmt::format("{}: energy changes by", name),
                    (world.energy().total() - start) / moving, 1e-5);
    }
}

// ---- Long steps: energy, and nothing passes through ------------------------------------------------

// Follows the energy from the last free moment before bodies touch to the first one after.
class EnergyWatch {
  public:
    // `least` is the energy when all is at rest where it can go no lower: only what is above counts, and
    // impacts with less than a millionth of the start's are rest already.
    EnergyWatch(const World& world, double least)
        : least_(least), start_(world.energy().total() - least), free_(start_) {}

    void after_step(const World& world) {
        const std::vector<Contact> contacts = world.contacts();
        const bool touches = std::any_of(contacts.begin(), contacts.end(),
                                         [](const Contact& c) { return c.depth > 0; });
        if (!touches) {
            const double now = world.energy().total() - least_;
            // Over, or begun and over within this step.
            if (touched_ || !contacts.empty()) {
                ++impacts_;
                if (free_ > 1e-6 * start_) gain_ = std::max(gain_, now / free_ - 1);
            }
            free_ = now;
        }
        touched_ = touches;
    }
    int impacts() const { return impacts_; }
    // Largest of all impacts, as a share of the energy it came with.
    double gain() const { return gain_; }

  private:
    double least_, start_, free_, gain_ = 0;
    bool touched_ = false;
    int impacts_ = 0;
};

// How deep the ball may go: where all its energy is in the elastic spring, weight included.
double deepest(const scenes::Drop& d) {
    double depth = 0;
    for (int i = 0; i < 100; ++i)
        depth = std::pow(2.5 * d.mass * gravity * (d.height + depth) / d.law.stiffness, 0.4);
    return depth;
}

// From 1, 2, 5 and 10 m on floors of 1e5 … 1e10 N/m^1.5.
void drops(Checks& check, double mass, double e, const std::string& name) {
    const double radius = 0.1;
    double gain = 0, elastic = 0, lowest = 0;
    int missed = 0;
    for (double stiffness = 1e5; stiffness < 2e10; stiffness *= 10)
        for (const double height : {1.0, 2.0, 5.0, 10.0}) {
            const scenes::Drop drop{.law = {.stiffness = stiffness, .restitution = e},
                                    .mass = mass,
                                    .radius = radius,
                                    .height = height};
            const auto scene = scenes::falling_ball(drop);
            World world(scene.model, {.step = usual_step});
            EnergyWatch watch(world, mass * gravity * radius);
            double depth = 0;
            while (world.time() < 3) {
                world.step();
                watch.after_step(world);
                depth = std::max(depth, -scene.gap(world.pose(scene.ball).position));
            }
            gain = std::max(gain, watch.gain());
            missed += depth > 0 || watch.impacts() > 0 ? 0 : 1;
            elastic = std::max(elastic, depth / deepest(drop));
            // The softest floors let the heavy ball sink by more than its radius.
            if (deepest(drop) < radius) lowest = std::max(lowest, depth);
        }
    check.below(name, "energy gained in an impact", gain, 1e-6);
    check.below(name, "depth / elastic indentation", elastic, 1 + 1e-6);
    check.near(name, "drops without an impact", 0, missed, 0.5);
    check.below(name, "depth, where the spring can hold it, m", lowest, radius);
}

void all_drops(Checks& check) {
    for (const double mass : {1.0, 1000.0})
        for (const double e : {0.0, 0.3, 0.5, 0.8, 1.0}) {
            const std::string name = fmt::format("drops at 5 ms: {} kg, e {}", mass, e);
            attempt(check, name, [&] { drops(check, mass, e, name); });
        }
}

void thin_plate(Checks& check) {
    for (const double e : {0.0, 0.5, 1.0}) {
        const std::string name = fmt::format("ball on a 20 mm plate, e {}", e);
        attempt(check, name, [&] {
            double lowest = 1, gain = 0;
            int missed = 0;
            for (const double height : {1.0, 5.0, 10.0, 50.0}) {
                const auto scene = scenes::ball_over_plate(
                    {.law = {.stiffness = 1e8, .restitution = e}, .height = height}, 0.02);
                World world(scene.model, {.step = usual_step});
                EnergyWatch watch(world, gravity * scene.drop.radius);
                while (world.time() < std::sqrt(2 * height / gravity) + 1) {
                    world.step();
                    watch.after_step(world);
                    lowest = std::min(lowest, world.pose(scene.ball).position.z);
                }
                gain = std::max(gain, watch.gain());
                missed += watch.impacts() > 0 ? 0 : 1;
            }
            check.between(name, "lowest centre, 1 to 50 m drops, m", 0, lowest, 0.11);
            check.near(name, "drops without an impact", 0, missed, 0.5);
            check.below(name, "energy gained in an impact", gain, 1e-6);
        });
    }
}

// Runs a scene at 5 ms and reports; `inside` says by how much something is where it cannot be, in m.
template <class Inside>
void watch_impacts(Checks& check, const std::string& name, const Model& model, double least,
                   double may_sink, const Inside& inside) {
    attempt(check, name, [&] {
        World world(model, {.step = usual_step});
        EnergyWatch watch(world, least);
        double deepest = -1;
        while (world.time() < 5) {
            world.step();
            watch.after_step(world);
            deepest = std::max(deepest, inside(world));
        }
        // A whirling double pendulum keeps its energy to 1e-4 at this step, struck or not.
        const bool whirls = name.starts_with("double pendulum");
        check.below(name, "energy gained in an impact", watch.gain(), whirls ? 1e-4 : 1e-6);
        check.below(name, "sinks in, m", deepest, may_sink);
        check.between(name, "impacts, or sinks in", 1, deepest > 0 ? 1 : watch.impacts(), 1e9);
    });
}

std::vector<Vec3> corners(Vec3 size) {
    std::vector<Vec3> out;
    for (const double x : {-0.5, 0.5})
        for (const double y : {-0.5, 0.5})
            for (const double z : {-0.5, 0.5}) out.push_back({x * size.x, y * size.y, z * size.z});
    return out;
}

// Of a body's corners along a direction.
double farthest_corner(const World& world, BodyId box, Vec3 size, Vec3 direction) {
    double out = -unlimited;
    for (const Vec3 corner : corners(size))
        out = std::max(out, dot(direction, world.point(box, corner)));
    return out;
}

// Everything that is not a free ball, by one law.
void strikes(Checks& check, const ContactLaw& law, const std::string& how) {
    using Foremost = scenes::FallingBox::Foremost;
    const auto wall = scenes::pendulum_and_wall(law);
    // The rod hangs: its centre is half a metre down.
    watch_impacts(
        check, "pendulum on a wall" + how, wall.model, -gravity / 2, wall.radius,
        [&](const World& w) { return w.point(wall.rod, wall.ball).x + wall.radius - wall.wall; });
    const auto floor = scenes::double_pendulum_and_floor(law);
    watch_impacts(check, "double pendulum" + how, floor.model, -gravity * (0.5 + 1.15),
                  floor.radius, [&](const World& w) {
                      return floor.floor + floor.radius - w.point(floor.lower, floor.ball).z;
                  });
    const std::pair<Foremost, const char*> boxes[] = {{Foremost::face, "box on its face"},
                                                      {Foremost::edge, "box on its edge"},
                                                      {Foremost::corner, "box on its corner"}};
    for (const auto& [foremost, name] : boxes) {
        const auto box = scenes::falling_box(foremost, law);
        watch_impacts(check, name + how, box.model, gravity * box.size.z / 2, box.size.z / 2,
                      [&](const World& w) {
                          return farthest_corner(w, box.box, box.size, {0, 0, -1});
                      });
    }
    const auto hung = scenes::hanging_box(law);
    watch_impacts(check, "box on a ball joint" + how, hung.model, -2 * gravity * hung.size.z / 2,
                  hung.size.x / 2, [&](const World& w) {
                      return farthest_corner(w, hung.box, hung.size, {1, 0, 0}) - hung.post;
                  });
}

// Friction would hide what a bounce gains, so both.
void all_strikes(Checks& check) {
    for (const double stiffness : {0.0, 1e8})
        for (const double friction : {0.0, 0.6})
            for (const double e : {0.0, 0.5, 1.0})
                strikes(check,
                        {.stiffness = stiffness,
                         .restitution = e,
                         .static_friction = friction,
                         .kinetic_friction = friction},
                        fmt::format(", {}, mu {}, e {}", stiffness > 0 ? "stiff" : "soft", friction,
                                    e));
}

}  // namespace

void validate_contact_impacts(Checks& check) {
    attempt(check, "bouncing ball", [&] { bouncing_ball(check); });
    attempt(check, "steel sphere on steel", [&] { steel(check); });
    attempt(check, "elastic impact", [&] { durations(check); });
    attempt(check, "restitution", [&] { restitutions(check); });
    attempt(check, "published damping", [&] { published_damping(check); });
    attempt(check, "two balls", [&] { two_balls(check); });
    attempt(check, "elastic impact, 10 us", [&] { elastic_turning(check); });
    all_drops(check);
    thin_plate(check);
    all_strikes(check);
}

}  // namespace bristle::validation
