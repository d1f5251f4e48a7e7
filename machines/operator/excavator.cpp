#include "machines/operator/excavator.h"

#include <bristle/error.h>

#include "machines/earth/earth.h"
#include "machines/parts/brake.h"
#include "machines/parts/tyre.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle::machines {
namespace {

constexpr size_t index_of(Control c) { return static_cast<size_t>(c); }

// Looks a machine up in a model. Bodies are where they start.
class Finder {
  public:
    Finder(const Model& model, const std::string& prefix) : model_(model), prefix_(prefix) {}

    BodyId body(const char* name) const { return model_.body(prefix_ + name); }
    JointId joint(const char* name) const { return model_.joint(prefix_ + name); }
    const Joint& of(JointId id) const { return model_.joints()[id.index]; }
    Pose start(BodyId id) const {
        const Body& b = model_.bodies()[id.index];
        return {b.position, b.orientation};
    }
    // In the arm's plane of a body.
    InPlane in_plane(BodyId id, Vec3 world) const {
        const Vec3 p = seen_from(start(id), world);
        if (!(std::abs(p.y) < 1e-3))
            throw InputError(
                fmt::format("excavator: a pivot of '{}' is {:.3f} m beside the plane of its arm",
                            model_.bodies()[id.index].name, p.y));
        return {p.x, p.z};
    }
    ArmGeometry::Cylinder cylinder(JointId id) const {
        const Joint& j = of(id);
        ArmGeometry::Cylinder c{in_plane(j.a, j.at_a), in_plane(j.b, j.at_b)};
        const Excavator::Stroke ends = stroke(id);
        c.shortest = ends.shortest;
        c.longest = ends.longest;
        return c;
    }
    Excavator::Stroke stroke(JointId id) const {
        Excavator::Stroke ends;
        for (uint32_t i = 0; i < model_.limits().size(); ++i) {
            const Limit& limit = model_.limits()[i];
            if (!model_.contains(LimitId{i}) || limit.joint != id) continue;
            ends.shortest = std::max(ends.shortest, limit.min);
            ends.longest = std::min(ends.longest, limit.max);
        }
        return ends;
    }
    template <class Visit> void each_law(const Visit& visit) const {
        for (uint32_t i = 0; i < model_.forces().size(); ++i) {
            const auto [kind, k] = model_.forces()[i];
            if (kind == Model::ForceKind::stateful && model_.contains(ForceId{i}))
                visit(ForceId{i}, model_.stateful_forces()[k]);
        }
    }
    const Model& model() const { return model_; }

  private:
    const Model& model_;
    std::string prefix_;
};

// The point of a body's shapes that is furthest from the pivot: the teeth.
struct Furthest {
    Vec3 pivot, found;
    void see(Vec3 p) {
        if (norm(p - pivot) > norm(found - pivot)) found = p;
    }
};

Vec3 teeth_of(const Model& model, BodyId bucket, Vec3 pivot) {
    Furthest far{pivot, pivot};
    for (const Shape& shape : model.shapes()) {
        if (shape.body != bucket) continue;
        if (const auto* hull = std::get_if<ConvexPolyhedron>(&shape.geometry))
            for (const Vec3 p : hull->points) {
                const Vec3 at = shape.pose * p;
                far.see({at.x, pivot.y, at.z});
            }
    }
    if (!(norm(far.found - pivot) > 0))
        throw InputError("excavator: the bucket has no shape whose teeth could be seen");
    return far.found;
}

ArmGeometry arm_of(const Finder& find, const Excavator& e, InPlane foot) {
    const Joint& elbow = find.of(find.joint("stick pivot"));
    const Joint& wrist = find.of(find.joint("bucket pivot"));
    const JointId rocker_joint = find.joint("rocker pivot"), coupler = find.joint("coupler");
    const Joint& link = find.of(coupler);
    ArmGeometry arm;
    arm.foot = foot;
    arm.elbow = find.in_plane(e.boom, elbow.at_a);
    arm.wrist = find.in_plane(e.stick, wrist.at_a);
    arm.tip = {e.teeth.x, e.teeth.z};
    arm.boom = find.cylinder(e.boom_cylinder);
    arm.stick = find.cylinder(e.stick_cylinder);
    arm.bucket = find.cylinder(e.bucket_cylinder);
    arm.rocker_pivot = find.in_plane(e.stick, find.of(rocker_joint).at_a);
    arm.rocker_pin = find.in_plane(link.a, link.at_a);
    arm.coupler_pin = find.in_plane(e.bucket, link.at_b);
    arm.coupler = link.length;
    return arm;
}

LeverLaw lever_law(const Circuit& circuit, const HydraulicFunction& f) {
    const double root = std::sqrt((circuit.pump.margin - circuit.pump.band) / f.valve.drop);
    return {.dead_band = f.valve.dead_band,
            .forwards = f.valve.inlet_a * root / f.area_a,
            .backwards = f.valve.inlet_b * root / f.area_b,
            .area_a = f.area_a,
            .area_b = f.area_b};
}

}  // namespace

double LeverLaw::lever(double rate, double drop) const {
    const double most = rate > 0 ? forwards : backwards;
    if (rate == 0 || !(most > 0)) return 0;
    const double opening = std::min(1.0, std::abs(rate) / (most * std::sqrt(drop)));
    return std::copysign(dead_band + (1 - dead_band) * opening, rate);
}

double Excavator::drop_at(double flow) const {
    if (!(pump_margin > pump_band)) return 1;
    const double share = std::clamp(flow / pump_flow, 0.0, 1.0);
    return (pump_margin - share * pump_band) / (pump_margin - pump_band);
}

namespace {

void find_levers(const Finder& find, Excavator& e, JointId swing) {
    const std::array<JointId, 6> joints{swing,
                                        e.boom_cylinder,
                                        e.stick_cylinder,
                                        e.bucket_cylinder,
                                        e.blade_cylinder,
                                        e.outrigger_cylinder};
    const auto control_of = [&](JointId joint) {
        return static_cast<size_t>(std::find(joints.begin(), joints.end(), joint) - joints.begin());
    };
    e.pump_flow = unlimited;
    find.each_law([&](ForceId id, const StatefulForce& force) {
        const std::optional<Circuit> circuit = circuit_of(force);
        if (!circuit) return;
        for (uint32_t i = 0; i < circuit->functions.size(); ++i) {
            const size_t c = control_of(circuit->functions[i].joint);
            if (c == joints.size()) continue;
            e.levers[c] = lever_law(*circuit, circuit->functions[i]);
            e.targets[c] = LawInputId{id, static_cast<uint32_t>(lever_of(i))};
            e.targets[index_of(Control::throttle)] = LawInputId{id, uint32_t{throttle}};
            e.pump_flow = circuit->pump.max_flow;
            e.pump_margin = circuit->pump.margin;
            e.pump_band = circuit->pump.band;
        }
    });
    const Model& model = find.model();
    for (uint32_t i = 0; i < model.drives().size(); ++i) {
        const Drive& drive = model.drives()[i];
        const size_t c = control_of(drive.joint);
        if (c == joints.size() || drive.control != Drive::Control::hydraulic
            || !model.contains(DriveId{i}))
            continue;
        e.levers[c] = {.forwards = drive.max_speed, .backwards = drive.max_speed};
        e.targets[c] = DriveId{i};
    }
    static constexpr const char* names[] = {"swing",  "boom",  "stick",
                                            "bucket", "blade", "outriggers"};
    for (size_t c = 0; c < joints.size(); ++c)
        if (std::holds_alternative<std::monostate>(e.targets[c]))
            throw InputError(fmt::format("excavator: there is no lever for its {}", names[c]));
}

void find_wheels(const Finder& find, Excavator& e) {
    static constexpr const char* wheels[] = {"front left wheel", "front right wheel",
                                             "rear left wheel", "rear right wheel"};
    for (size_t i = 0; i < e.tyres.size(); ++i) {
        const BodyId wheel = find.body(wheels[i]);
        find.each_law([&](ForceId id, const StatefulForce& force) {
            const std::optional<Tyre> tyre = tyre_of(force);
            if (!tyre || force.points.empty() || force.points[0] != wheel) return;
            e.tyres[i] = id;
            e.wheel_radius = tyre->radius;
        });
        if (e.tyres[i] == ForceId{})
            throw InputError(fmt::format("excavator: '{}' has no tyre", wheels[i]));
    }
    find.each_law([&](ForceId id, const StatefulForce& force) {
        const std::optional<DriveTrain> train = drive_train_of(force);
        if (!train || train->axles.empty()) return;
        if (find.of(train->axles[0].left).b != find.body("rear left wheel")
            && find.of(train->axles[0].left).b != find.body("front left wheel"))
            return;
        e.ranges = train->ranges;
        e.targets[index_of(Control::pedal)] = LawInputId{id, uint32_t{pedal}};
        e.targets[index_of(Control::range)] = LawInputId{id, uint32_t{range}};
        e.targets[index_of(Control::service_brake)] = LawInputId{id, uint32_t{service_brake}};
        e.targets[index_of(Control::parking_brake)] = LawInputId{id, uint32_t{parking_brake}};
    });
    if (e.ranges.empty()) throw InputError("excavator: nothing drives its wheels");
}

void find_steering(const Finder& find, Excavator& e) {
    const Pose frame = find.start(e.undercarriage);
    const JointId kingpin = find.joint("left kingpin");
    const Vec3 pin = seen_from(frame, find.of(kingpin).at_a),
               rear = seen_from(frame, find.of(find.joint("rear left hub")).at_a);
    e.rear_axle = rear.x;
    e.wheelbase = pin.x - rear.x;
    e.kingpin_y = pin.y;
    e.steering_end = find.stroke(kingpin).longest;
    const Model& model = find.model();
    for (uint32_t i = 0; i < model.drives().size(); ++i)
        if (model.drives()[i].joint == kingpin && model.contains(DriveId{i}))
            e.targets[index_of(Control::steering)] = DriveId{i};
    if (std::holds_alternative<std::monostate>(e.targets[index_of(Control::steering)]))
        throw InputError("excavator: nothing steers its wheels");
}

void find_load(const Finder& find, Excavator& e) {
    const std::optional<EarthOf> earth = earth_of(find.model());
    if (!earth) return;
    for (const Bucket& bucket : earth->earth.buckets) {
        if (bucket.body != e.bucket) continue;
        e.earth = earth->ids.process;
        const auto readings = find.model().processes()[e.earth->index]->readings();
        for (size_t i = 0; i < readings.size(); ++i)
            if (readings[i].name == bucket.name + ".mass") e.load_reading = i;
    }
}

}  // namespace

Excavator::Excavator(const Model& model, const std::string& prefix) {
    const Finder find(model, prefix);
    undercarriage = find.body("undercarriage");
    platform = find.body("platform");
    boom = find.body("boom");
    stick = find.body("stick");
    bucket = find.body("bucket");
    blade = find.body("blade");
    for (const char* name :
         {"undercarriage", "platform", "boom", "stick", "bucket", "rocker", "blade", "rear axle",
          "left outrigger", "right outrigger", "front left knuckle", "front right knuckle",
          "front left wheel", "front right wheel", "rear left wheel", "rear right wheel"})
        bodies.push_back(find.body(name));
    boom_cylinder = find.joint("boom cylinder");
    stick_cylinder = find.joint("stick cylinder");
    bucket_cylinder = find.joint("bucket cylinder");
    blade_cylinder = find.joint("blade cylinder");
    outrigger_cylinder = find.joint("outrigger cylinder");
    const JointId swing = find.joint("swing");

    const Vec3 axis = find.of(swing).at_a;
    turntable = seen_from(find.start(undercarriage), axis);
    const InPlane origin = find.in_plane(platform, axis);
    InPlane foot = find.in_plane(platform, find.of(find.joint("boom pivot")).at_a) - origin;
    teeth = teeth_of(model, bucket,
                     seen_from(find.start(bucket), find.of(find.joint("bucket pivot")).at_b));
    arm = arm_of(find, *this, foot);
    arm.boom.on_a = arm.boom.on_a - origin;
    blade_stroke = find.stroke(blade_cylinder);
    outrigger_stroke = find.stroke(outrigger_cylinder);
    find_load(find, *this);
    find_levers(find, *this, swing);
    find_wheels(find, *this);
    find_steering(find, *this);
    find.each_law([&](ForceId id, const StatefulForce& force) {
        const std::optional<Brake> brake = brake_of(force);
        if (!brake) return;
        const LawInputId lever{id, uint32_t{brake_lever}};
        if (brake->joint == swing) targets[index_of(Control::swing_brake)] = lever;
        if (brake->joint == find.joint("axle pivot")) targets[index_of(Control::axle_lock)] = lever;
    });
}

// ---- Seeing ----------------------------------------------------------------------------------------------

namespace {

// s: it rocks on its tyres with some 1 Hz, which is not to be followed; it settles in ruts within some seconds, which is.
constexpr double steadying = 1.0;

Quat between(Quat a, Quat b, double share) {
    const double sign = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z < 0 ? -1 : 1,
                 other = sign * share, own = 1 - share;
    const Quat q{own * a.w + other * b.w, own * a.x + other * b.x, own * a.y + other * b.y,
                 own * a.z + other * b.z};
    const double size = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return {q.w / size, q.x / size, q.y / size, q.z / size};
}

}  // namespace

Senses Eyes::look(const World& world) {
    const Excavator& e = *excavator_;
    Senses s;
    s.time = world.time();
    s.machine = world.pose(e.undercarriage);
    const double since = s.time - seen_;
    if (!(since >= 0 && since < steadying)) steady_ = s.machine;
    const double share = 1 - std::exp(-std::max(0.0, since) / steadying);
    steady_ = {steady_.position + share * (s.machine.position - steady_.position),
               between(steady_.orientation, s.machine.orientation, share)};
    seen_ = s.time;
    s.steady = steady_;
    const Mat3 machine = s.machine.orientation.matrix(),
               platform = world.pose(e.platform).orientation.matrix();
    const Twist twist = world.twist(e.undercarriage);
    s.forward_speed = dot(twist.linear, machine.column(0));
    s.lean = std::acos(std::clamp(machine(2, 2), -1.0, 1.0));
    s.swing = std::atan2(dot(platform.column(0), machine.column(1)),
                         dot(platform.column(0), machine.column(0)));
    s.swing_rate = dot(world.twist(e.platform).angular - twist.angular, machine.column(2));
    const auto angle_of = [&](BodyId body) {
        const Vec3 along = world.pose(body).orientation.matrix().column(0);
        return std::atan2(dot(along, platform.column(2)), dot(along, platform.column(0)));
    };
    s.tip = e.arm.tip_at({angle_of(e.boom), angle_of(e.stick), angle_of(e.bucket)});
    // Counted on from where a bucket hangs down, through −π where it is level: nowhere near a jump.
    if (s.tip.attack > pi / 2) s.tip.attack -= 2 * pi;
    s.cylinders = {world.coordinate(e.boom_cylinder), world.coordinate(e.stick_cylinder),
                   world.coordinate(e.bucket_cylinder)};
    s.blade = world.coordinate(e.blade_cylinder);
    s.outriggers = world.coordinate(e.outrigger_cylinder);
    std::array<double, 32> memory{};
    for (size_t i = 0; i < e.tyres.size(); ++i)
        s.wheel_load[i] = TyreNow(world.memory(e.tyres[i], memory)).load;
    s.teeth = world.point(e.bucket, e.teeth);
    if (e.earth)
        s.load = world.model().processes()[e.earth->index]->read(e.load_reading, world,
                                                                 world.memory(*e.earth));
    return s;
}

Senses::Place Senses::place(const Excavator& e, Vec3 world) const {
    const Vec3 p = seen_from(steady, world) - e.turntable;
    return {std::atan2(p.y, p.x), std::hypot(p.x, p.y), p.z};
}

double Senses::pitch(double at_swing) const {
    const Mat3 m = steady.orientation.matrix();
    const Vec3 ahead = std::cos(at_swing) * m.column(0) + std::sin(at_swing) * m.column(1);
    return std::asin(std::clamp(ahead.z, -1.0, 1.0));
}

Vec3 Senses::world_point(const Excavator& e, double at_swing, double reach, double height) const {
    return steady
         * (e.turntable + Vec3{reach * std::cos(at_swing), reach * std::sin(at_swing), height});
}

// ---- Moving ----------------------------------------------------------------------------------------------

Hands::Hands(const Excavator& excavator) : excavator_(&excavator) {
    told_.fill(std::numeric_limits<double>::quiet_NaN());
    now_[index_of(Control::throttle)] = 1;
    now_[index_of(Control::range)] = 1;
}

void Hands::move(Control control, double value) {
    const bool both_ways = control <= Control::outriggers || control == Control::pedal;
    double high = 1;
    if (control == Control::steering) high = excavator_->steering_end;
    if (control == Control::range) high = static_cast<double>(excavator_->ranges.size());
    const double low = both_ways || control == Control::steering ? -high : 0;
    if (!std::isfinite(value)) value = 0;
    // As finely as a hand moves: 256 places to either side.
    now_[index_of(control)] = std::clamp(std::round(value * 256) / 256, low, high);
}

void Hands::let_go() {
    for (const Control c : {Control::swing, Control::boom, Control::stick, Control::bucket,
                            Control::blade, Control::outriggers, Control::pedal})
        move(c, 0);
}

const std::vector<Command>& Hands::take() {
    commands_.clear();
    for (size_t i = 0; i < control_count; ++i) {
        if (now_[i] == told_[i] || !has(static_cast<Control>(i))) continue;
        told_[i] = now_[i];
        commands_.push_back({excavator_->targets[i], now_[i]});
    }
    return commands_;
}

void carry_out(World& world, const Command& command) {
    if (const auto* drive = std::get_if<DriveId>(&command.target))
        world.command(*drive, command.value);
    else if (const auto* input = std::get_if<LawInputId>(&command.target))
        world.command(input->force, input->input, command.value);
}

Vec3 seen_from(const Pose& pose, Vec3 world) {
    return pose.orientation.matrix().transposed() * (world - pose.position);
}

double wrapped(double angle) { return std::remainder(angle, 2 * pi); }

}  // namespace bristle::machines
