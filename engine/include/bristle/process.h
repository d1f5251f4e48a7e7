// What goes on between the steps of a world, with a memory of its own: earth that is dug and slides, a controller, a script.
//
//     struct Tide : Process { … };
//     const ProcessId tide = model.add(std::make_shared<const Tide>());
//     world.memory(tide);
//
// After each step of a world, when its motion is settled, its processes are asked in the order they were added. They may read
// anything and do what a user may do between steps, but for stepping and changing the model: command drives and forces, set heights.
// What they remember is state of the world: in snapshots and the hash, so that a world goes on from a snapshot with the same bits, and
// a recording of a user's inputs needs nothing of theirs. (A law that acts within the step is a StatefulForce.)
#pragma once

#include <bristle/shape.h>
#include <bristle/stateful.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace bristle {

class World;
using ProcessId = Id<struct ProcessTag>;

class ProcessMemory {
  public:
    virtual ~ProcessMemory() = default;
    // As bytes, for snapshots: appended.
    virtual void write(std::vector<std::byte>&) const = 0;
    // As these bytes say. False, and nothing changed, if they are none of this process's.
    virtual bool read(std::span<const std::byte>) = 0;
    virtual uint64_t hash() const = 0;
};

// Where a process tells what there is to be seen of it, besides bodies and height fields. Colours are red, green, blue as on a
// screen, 0 … 1.
class ProcessSights {
  public:
    virtual ~ProcessSights() = default;
    // Something small that is loose.
    virtual void grain(Vec3 at, double radius, Vec3 color) = 0;  // m, world
    // What lies in or on a body: a sheet over a grid of points in its frame, row by row; none while nothing lies there.
    virtual void heap(BodyId, uint32_t columns, std::span<const Vec3> points, Vec3 color) = 0;
    // What a height field is made of, where it is no longer as the model has it.
    virtual void soil(ShapeId field, Vec3 color) = 0;
};

class Process {
  public:
    virtual ~Process() = default;
    // For tables, plots and Python: what it is called, and what of it can be read.
    virtual std::string name() const { return "process"; }
    virtual std::vector<LawReading> readings() const { return {}; }
    virtual double read(size_t reading, const World&, const ProcessMemory&) const;
    // When the world begins, or it is added to one. Throws InputError.
    virtual std::unique_ptr<ProcessMemory> start(World&) const = 0;
    // The same from the same state; nothing may be allocated where nothing happens.
    virtual void step(World&, ProcessMemory&) const = 0;
    // As it is now: always the same heaps in the same order, also empty ones.
    virtual void show(const World&, const ProcessMemory&, ProcessSights&) const {}
};

}  // namespace bristle
