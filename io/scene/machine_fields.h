// Numbers of the parts of machines (machines/parts) and of soils, each told once: the table of the format, the reader and the writer all go by
// these lists. What is left out has the value that the part itself has.
#pragma once

#include "io/scene/entry.h"
#include "io/scene/object.h"
#include "machines/earth/soil.h"
#include "machines/parts/brake.h"
#include "machines/parts/drive_train.h"
#include "machines/parts/hydraulics.h"
#include "machines/parts/tyre.h"

#include <functional>
#include <span>

namespace bristle::io {

enum class Bound : uint8_t { positive, not_negative, share, any, given };

template <class Part> struct Field {
    const char* name;
    double Part::*value;
    const char* unit;  // "m^2 or m^3/rad": of what slides, and of what turns
    Bound bound;
    const char* about;
};

template <class Part> std::span<const Field<Part>> fields_of();
template <> std::span<const Field<machines::Oil>> fields_of();
template <> std::span<const Field<machines::Engine>> fields_of();
template <> std::span<const Field<machines::Pump>> fields_of();
template <> std::span<const Field<machines::Valve>> fields_of();
template <> std::span<const Field<machines::HydraulicFunction>> fields_of();
template <> std::span<const Field<machines::MagicFormula>> fields_of();
template <> std::span<const Field<machines::Tyre>> fields_of();
template <> std::span<const Field<machines::Range>> fields_of();
template <> std::span<const Field<machines::Axle>> fields_of();
template <> std::span<const Field<machines::DriveTrain>> fields_of();
template <> std::span<const Field<machines::Brake>> fields_of();
template <> std::span<const Field<machines::Soil>> fields_of();

// A part inside another, if it is given and a map: `read` fills it in.
void read_nested(const Object&, const char* key, const std::function<void(const Object&)>& read);

// The side of " or " that the unit of a joint's coordinate is on.
std::string unit_on(const char* unit, bool turns);

// Of the keys of `o` into the part.
template <class Part> void read_fields(const Object& o, Part& part, bool turns = false) {
    for (const Field<Part>& f : fields_of<Part>())
        if (o.has(f.name)) part.*f.value = o.number(f.name, unit_on(f.unit, turns));
}

// Only what differs from the values of `usual`.
template <class Part> void write_fields(Entry& entry, const Part& part, const Part& usual = {}) {
    for (const Field<Part>& f : fields_of<Part>())
        if (part.*f.value != usual.*f.value) entry.number(f.name, part.*f.value);
}

}  // namespace bristle::io
