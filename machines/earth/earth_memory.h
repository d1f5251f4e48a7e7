// What earth remembers, and the process itself.
#pragma once

#include "geometry/convex_hull.h"
#include "machines/earth/bucket_shape.h"
#include "machines/earth/earth.h"
#include "machines/earth/ground.h"
#include "machines/parts/tyre.h"

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace bristle::machines {

constexpr size_t most_parcels = 512;

// Nothing but eight-byte numbers: they are hashed by their bytes.
struct BucketState {
    double mass;
    Pose last;  // of its body
    Vec3 load_center;
    double soil;  // whose it has: of which patch
    double depth, rake, most, angle, cut, gained, flow;
    double is_told;  // its force knows of soil
};
struct Parcel {
    double mass, soil, age;
    Vec3 position, velocity;
};
struct SparePlace {
    double is_used;
    double x, y;  // of the lattice
};

struct EarthMemory final : ProcessMemory {
    void write(std::vector<std::byte>&) const override;
    bool read(std::span<const std::byte>) override;
    uint64_t hash() const override;

    std::vector<Ground> grounds;  // declared patches, spares, then beds
    std::vector<BucketState> buckets;
    std::vector<HeightField> bed_fields;
    std::vector<SparePlace> spares;
    std::vector<Parcel> parcels;
    std::vector<double> foot_forces;  // N: mean of every foot on every patch
    double lost = 0;
    uint64_t random = 1;

    // Of the step at hand, kept for its room.
    struct Cut {
        uint32_t point;
        double mass;
    };
    std::vector<Cut> cuts;
    std::vector<uint8_t> marks;
    std::vector<uint32_t> around;
    std::array<double, 16> numbers{};
};

class EarthProcess final : public Process {
  public:
    EarthProcess(Earth, EarthIds, const Model&);
    std::unique_ptr<ProcessMemory> start(World&) const override;
    void step(World&, ProcessMemory&) const override;
    void show(const World&, const ProcessMemory&, ProcessSights&) const override;
    std::string name() const override { return "earth"; }
    std::vector<LawReading> readings() const override;
    double read(size_t reading, const World&, const ProcessMemory&) const override;
    Ledger ledger(const World&, const EarthMemory&) const;

    const Earth& earth() const { return earth_; }
    const EarthIds& ids() const { return ids_; }
    size_t patches() const { return earth_.patches.size(); }

  private:
    friend class Digging;
    friend class Flight;
    // A patch of the ground, where it is now.
    struct Site {
        size_t index;  // in EarthMemory::grounds
        ShapeId shape;
        Pose pose;
        Vec3 to_local(Vec3 p) const {
            return pose.orientation.conjugate().matrix() * (p - pose.position);
        }
    };
    bool is_there(const EarthMemory&, size_t ground) const;
    Site site(const World&, size_t ground) const;

    // digging.cpp
    void dig(World&, EarthMemory&, size_t bucket) const;
    void spill(World&, EarthMemory&, size_t bucket) const;
    void tell_load(World&, EarthMemory&, size_t bucket) const;
    // flight.cpp
    void throw_parcel(World&, EarthMemory&, const Parcel&) const;
    void fly(World&, EarthMemory&) const;
    void land(World&, EarthMemory&, const Parcel&, Vec3 at) const;
    bool deposit(World&, EarthMemory&, Vec3 at, double mass) const;
    std::optional<double> surface(const World&, const EarthMemory&, size_t ground, Vec3 at) const;
    bool lay_spare(World&, EarthMemory&, Vec3 at) const;
    void join_spares(World&, EarthMemory&) const;
    bool fall_into_bed(World&, EarthMemory&, Parcel&, Vec3 to) const;
    void carry_beds(World&, EarthMemory&) const;
    // sights.cpp
    void show_loads(const World&, const EarthMemory&, ProcessSights&) const;
    // ruts.cpp
    void press(World&, EarthMemory&) const;

    Earth earth_;
    EarthIds ids_;
    std::vector<BucketShape> shapes_;
    std::vector<ConvexHull> hulls_;
    struct Wheel {
        BodyId body;
        Tyre tyre;
    };
    std::vector<Wheel> wheels_;  // of rollers
    double gravity_;
};

// Of a point in a field's own frame; none beside the grid.
struct FieldPlace {
    std::array<size_t, 3> point;
    std::array<double, 3> weight;
};
std::optional<FieldPlace> place_in(const HeightField&, double x, double y);

// Uniform in 0 … 1, and normally distributed.
double uniform(uint64_t& state);
double normal(uint64_t& state);

}  // namespace bristle::machines
