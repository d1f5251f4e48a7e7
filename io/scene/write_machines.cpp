// Parts of machines, as a file says them.
#include "io/scene/exact.h"
#include "io/scene/machine_fields.h"
#include "io/scene/writing.h"

#include <fmt/format.h>

namespace bristle::io {
namespace {

using namespace machines;

template <class Part>
void put_part(Entry& entry, const char* key, const char* of, const Part& part,
              const Part& usual = {}) {
    Entry inner(section(of).types[0]);
    write_fields(inner, part, usual);
    if (inner.text() != "{}") entry.put(key, inner.text());
}

std::string function_text(const HydraulicFunction& f, const FileNames& names) {
    Entry entry(section("functions").types[0]);
    entry.name("joint", names.of(f.joint));
    write_fields(entry, f);
    put_part(entry, "valve", "valve", f.valve);
    return entry.function("lever", f.lever).text();
}

Entry entry_of(const Circuit& c, const FileNames& names) {
    Entry entry(*section("forces").find("hydraulics")), engine(section("engine").types[0]);
    write_fields(engine, c.engine);
    engine.function("throttle", c.engine.throttle);
    if (engine.text() != "{}") entry.put("engine", engine.text());
    put_part(entry, "pump", "pump", c.pump);
    put_part(entry, "oil", "oil", c.oil);
    entry.word("sharing", c.sharing).number("parts", c.parts);
    std::string functions;
    for (const HydraulicFunction& f : c.functions)
        functions +=
            (functions.empty() ? "" : ", ") + written(f.name) + ": " + function_text(f, names);
    return entry.put("functions", "{" + functions + "}");
}

Entry entry_of(BodyId wheel, const Tyre& t, const FileNames& names) {
    Entry entry(*section("forces").find("tyre"));
    entry.name("wheel", names.of(wheel)).put("axle", written(before_direction(t.axle)));
    write_fields(entry, t);
    put_part(entry, "along", "magic_formula", t.along, Tyre{}.along);
    put_part(entry, "across", "magic_formula", t.across, Tyre{}.across);
    entry.word("tangential", t.tangential);
    std::string grip;
    for (const auto& [material, share] : t.grip)
        grip += (grip.empty() ? "" : ", ") + written(names.of(material)) + ": " + exact_text(share);
    if (!grip.empty()) entry.put("grip", "{" + grip + "}");
    return entry;
}

Entry entry_of(const DriveTrain& t, const FileNames& names) {
    Entry entry(*section("forces").find("drive_train"));
    std::string ranges, axles;
    for (const Range& range : t.ranges) {
        Entry inner(section("ranges").types[0]);
        inner.number("torque", range.torque).number("speed", range.speed);
        ranges += (ranges.empty() ? "" : ", ") + inner.text();
    }
    for (const Axle& axle : t.axles) {
        Entry inner(section("axles").types[0]);
        inner.name("left", names.of(axle.left)).name("right", names.of(axle.right));
        write_fields(inner, axle);
        axles += (axles.empty() ? "" : ", ") + inner.text();
    }
    entry.put("axles", "[" + axles + "]").put("ranges", "[" + ranges + "]");
    write_fields(entry, t);
    static constexpr const char* words[] = {"pedal", "range", "service_brake", "parking_brake"};
    for (size_t i = 0; i < drive_inputs; ++i) entry.function(words[i], t.inputs[i]);
    return entry;
}

Entry entry_of(const Brake& b, const FileNames& names) {
    Entry entry(*section("forces").find("brake"));
    entry.name("joint", names.of(b.joint)).number("effort", b.effort);
    Brake usual;
    usual.effort = b.effort;
    write_fields(entry, b, usual);
    return entry.function("lever", b.lever);
}

}  // namespace

bool can_write(const StatefulForce& f) {
    return circuit_of(f) || tyre_of(f) || drive_train_of(f) || brake_of(f);
}

Entry force_entry(const StatefulForce& f, const FileNames& names) {
    if (const auto circuit = circuit_of(f)) return entry_of(*circuit, names);
    if (const auto tyre = tyre_of(f)) return entry_of(f.points[0], *tyre, names);
    if (const auto train = drive_train_of(f)) return entry_of(*train, names);
    return entry_of(*brake_of(f), names);
}

}  // namespace bristle::io
