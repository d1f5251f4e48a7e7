// An excavator as the one in its seat knows it: what there is to move, what there is to see (docs/operator.md).
//
//     const Excavator excavator(world.model());
//     Hands hands(excavator);
//     Eyes eyes(excavator);
//     const Senses senses = eyes.look(world);
//     hands.move(Control::boom, 0.3);
//     for (const Command& c : hands.take()) carry_out(world, c);
//
// It is found in a model by the names that scenes/parts/excavator.yaml gives; all numbers are the model's own: points of joints,
// ends of strokes, areas and openings of valves.
#pragma once

#include <bristle/world.h>

#include "machines/operator/arm.h"
#include "machines/parts/drive_train.h"
#include "machines/parts/hydraulics.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace bristle::machines {

// All that a person can move. Levers go from −1 to 1, pedals, brakes and the throttle from 0; `range` counts from 0, neutral;
// steering is the angle of the left front wheel, rad.
enum class Control : uint8_t {
    swing,
    boom,
    stick,
    bucket,
    blade,
    outriggers,
    throttle,
    pedal,
    range,
    service_brake,
    parking_brake,
    swing_brake,
    axle_lock,
    steering
};
inline constexpr size_t control_count = 14;

// An input of a law, or the target of a drive.
struct LawInputId {
    ForceId force;
    uint32_t input = 0;
};
using CommandTarget = std::variant<std::monostate, DriveId, LawInputId>;
struct Command {
    CommandTarget target;
    double value = 0;
};

// How fast a function moves by its lever.
struct LeverLaw {
    double dead_band = 0;
    double forwards = 0, backwards = 0;  // m/s or rad/s, fully open, of a pump that keeps up
    double area_a = 0, area_b = 0;       // m² (m³/rad): what it drinks; 0 of guided functions
    // For a rate, with the pump's pressure above the load as a multiple of that at full flow.
    double lever(double rate, double drop = 1) const;
    double flow(double rate) const { return rate > 0 ? area_a * rate : -area_b * rate; }
};

class Excavator {
  public:
    // Of several in a scene: the one whose names begin with the prefix. Throws InputError that names what is missing.
    explicit Excavator(const Model&, const std::string& prefix = {});

    BodyId undercarriage, platform, boom, stick, bucket, blade;
    std::vector<BodyId> bodies;  // all of it
    JointId boom_cylinder, stick_cylinder, bucket_cylinder, blade_cylinder, outrigger_cylinder;
    ArmGeometry arm;
    Vec3 turntable;  // in the undercarriage: where the swing's axis meets the platform's frame
    Vec3 teeth;      // in the bucket
    struct Stroke {
        double shortest = 0, longest = unlimited;  // m
    };
    Stroke blade_stroke, outrigger_stroke;
    // Of steering, in the undercarriage.
    double rear_axle = 0, wheelbase = 0, kingpin_y = 0, steering_end = 0;  // m, m, m, rad
    double wheel_radius = 0;
    std::array<ForceId, 4> tyres{};  // front left, front right, rear left, rear right
    std::vector<Range> ranges;

    // What its bucket holds, where there is earth: a reading of that process.
    std::optional<ProcessId> earth;
    size_t load_reading = 0;

    double pump_flow = 0;                   // m³/s at most; infinite if functions are guided
    double pump_margin = 0, pump_band = 0;  // Pa
    std::array<LeverLaw, 6> levers{};       // of the first controls
    std::array<CommandTarget, control_count> targets{};

    const LeverLaw& lever(Control c) const { return levers[static_cast<size_t>(c)]; }
    // The pump's pressure above the load when it gives this flow, as a share of that at full flow.
    double drop_at(double flow) const;
};

struct Senses {
    double time = 0;
    Pose machine;  // of the undercarriage, as it is
    Pose steady;   // and less how it rocks on its tyres: who steers by that rocks it more
    double forward_speed = 0;          // m/s, along the undercarriage
    double lean = 0;                   // rad: of the undercarriage against the vertical
    double swing = 0, swing_rate = 0;  // rad, −π … π
    TipPose tip;
    Cylinders cylinders{};
    double blade = 0, outriggers = 0;    // m: of their cylinders
    std::array<double, 4> wheel_load{};  // N
    double load = 0;                     // kg, in the bucket
    Vec3 teeth;                          // world

    // A place of the world from the seat: how far to swing, and what is there in the arm's plane.
    struct Place {
        double swing = 0, reach = 0, height = 0;
    };
    Place place(const Excavator&, Vec3 world) const;
    // Of the platform's x above the horizontal when it has swung so far: attack in the world less this is attack in the machine.
    double pitch(double swing) const;
    Vec3 world_point(const Excavator&, double swing, double reach, double height) const;
};
class Eyes {
  public:
    explicit Eyes(const Excavator& excavator) : excavator_(&excavator) {}
    Senses look(const World&);

  private:
    const Excavator* excavator_;
    Pose steady_;
    double seen_ = -unlimited;  // s
};

// What the controls are set to. A movement finer than a hand's is none: recordings get short, and the same bits come again.
class Hands {
  public:
    explicit Hands(const Excavator&);
    void move(Control, double value);
    double at(Control c) const { return now_[static_cast<size_t>(c)]; }
    bool has(Control c) const {
        return !std::holds_alternative<std::monostate>(excavator_->targets[static_cast<size_t>(c)]);
    }
    // All levers to their middle: what moves comes to rest.
    void let_go();
    // What was moved since this was asked.
    const std::vector<Command>& take();

  private:
    const Excavator* excavator_;
    std::array<double, control_count> now_{}, told_{};
    std::vector<Command> commands_;
};

void carry_out(World&, const Command&);
// A point of the world in a frame.
Vec3 seen_from(const Pose&, Vec3 world);
// Within −π … π.
double wrapped(double angle);

}  // namespace bristle::machines
