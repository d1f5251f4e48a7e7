// What the excavator does to earth, and earth to it (spec F1–F4, G4): it digs itself along unless it stands on its supports, fills and
// empties its bucket, and pushes a fence.
#include "machines/earth/earth.h"
#include "validation/machine/machine.h"
#include "validation/machine_behaviour.h"

#include <cmath>

namespace bristle::validation {
namespace {

using machine::Machine;
using machine::Place;

const Vec3 teeth{1.55, 0, 0};

// Firm ground with a pit full of loam, from 3.5 to 11.5 m ahead.
Place before_loam() {
    return {
        .set = {{"boom_angle", "0.5"}, {"stick_angle", "-1.3"}, {"bucket_angle", "-0.2"}},
        .ground =
            "shapes:\n"
            "  ground: {type: height_field, columns: 41, rows: 21, spacing: 1, position: [-20.5, "
            "-10, 0], height: \"-4*(x > 24.5)*(x < 31.5)*(abs(y - 10) < 2.5)\", material: ground}\n"
            "  loam: {type: height_field, columns: 81, rows: 61, spacing: 0.1, position: [3.5, "
            "-3, 0], height: \"0\", material: ground}\n",
        .more = "earth: {patches: [{shape: loam}], spare: {material: ground}}\n"};
}

void settle(Machine& m, bool on_supports) {
    m.run(0.5);
    if (on_supports) {
        m.command("oil.blade", 1);
        m.command("oil.outriggers", 1);
        m.run(8);
        m.command("oil.blade", 0);
        m.command("oil.outriggers", 0);
    }
    m.run(3);
}

// Puts its teeth into the ground far out and pulls them towards itself; then lifts what it has.
struct Dug {
    double moved, mass, astray;  // m, kg, share
};
Dug dig(bool on_supports) {
    Machine m(before_loam());
    settle(m, on_supports);
    const auto earth = *machines::earth_of(m.model());
    const double before = machines::EarthNow(m.world(), earth.ids).ledger.total();
    m.command("oil.boom", -0.5);
    m.run_until(10, [&] { return m.point("bucket", teeth).z < -0.35; });
    m.command("oil.boom", 0);
    const double start = m.position("undercarriage").x;
    double farthest = 0;
    const auto watch = [&] {
        farthest = std::max(farthest, std::abs(m.position("undercarriage").x - start));
    };
    m.command("oil.stick", 1);
    m.run_until(4, [&] {
        watch();
        return m.coordinate("stick cylinder") > 3.05;
    });
    m.command("oil.stick", 0);
    m.command("oil.bucket", 1);
    m.command("oil.boom", 0.4);
    m.run_until(4, [&] {
        watch();
        return false;
    });
    m.command("oil.bucket", 0);
    m.command("oil.boom", 0);
    m.run(1);
    const machines::EarthNow now(m.world(), earth.ids);
    return {farthest, now.buckets[0].mass, std::abs(now.ledger.total() / before - 1)};
}

void digging(Checks& checks) {
    // Without brakes it rolls along until the soil gives way; on blade and outriggers friction holds it.
    const Dug rolls = dig(false), stands = dig(true);
    checks.between("digging, on free wheels", "drawn towards its bucket, m", 0.2, rolls.moved, 5);
    checks.between("digging, on supports", "drawn towards its bucket, m", 0, stands.moved, 0.05);
    // A bucket of 1.2 m³: 1.5 t of loose loam.
    checks.between("digging, on supports", "in the bucket, kg", 500, stands.mass, 2500);
    checks.below("digging", "earth that came or went, share", std::max(rolls.astray, stands.astray),
                 1e-12);
}

// Over a panel of the fence by blade, and one aside by the bucket.
void fence(Checks& checks) {
    const Place site{.file = "excavator-site.yaml",
                     .set = {{"stones", "0"}},
                     .ground = "",
                     .solver = "augmented_lagrangian, take_out_beyond: 1"};
    Machine m(site);
    m.run(1);
    const Vec3 before = m.position("fence 2");
    m.command("travel.range", 1);
    m.command("travel.pedal", 0.5);
    m.run_until(10, [&] { return m.position("undercarriage").x > 6; });
    m.command("travel.pedal", 0);
    m.command("travel.service_brake", 1);
    m.run(2);
    checks.between("fence, by the blade", "pushed, m", 1, norm(m.position("fence 2") - before), 6);
    checks.between("fence, by the blade", "how far the machine came, m", 6,
                   m.position("undercarriage").x, 9);

    Machine n(site);
    n.run(1);
    const Vec3 there = n.position("fence 0");
    n.command("oil.boom", -0.6);
    n.run_until(10, [&] { return n.point("bucket", teeth).z < 0.35; });
    n.command("oil.boom", 0);
    n.run(0.5);
    n.command("oil.stick", -0.6);
    n.run_until(6, [&] {
        return std::hypot(n.point("bucket", teeth).x, n.point("bucket", teeth).y) > 7.2;
    });
    n.command("oil.stick", 0);
    n.command("oil.swing", 0.6);
    n.run_until(6, [&] { return n.coordinate("swing") > 0.8; });
    n.command("oil.swing", 0);
    n.run(2);
    checks.between("fence, by the bucket", "pushed, m", 0.3, norm(n.position("fence 0") - there),
                   8);
}

}  // namespace

void validate_machine_earth(Checks& checks) {
    attempt(checks, "digging", [&] { digging(checks); });
    attempt(checks, "fence", [&] { fence(checks); });
}

}  // namespace bristle::validation
