// What two solids share, ours beside CGAL's exact result.
#pragma once

#include "collision/volume/intersection.h"
#include "tests/support/exact_overlap.h"
#include "tests/support/solids.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

namespace bristle::testing_support {

struct Overlap {
    double volume = 0;
    Vec3 centroid;
    Mat3 inertia;
    std::vector<double> regions;  // volumes, the largest first
};

// All regions as one.
inline Overlap total(const collision::Patches& found) {
    Overlap sum;
    for (const collision::ContactPatch& p : found.patches) sum.volume += p.volume;
    for (const collision::ContactPatch& p : found.patches)
        sum.centroid += p.volume / sum.volume * p.centroid;
    for (const collision::ContactPatch& p : found.patches) {
        const Vec3 d = p.centroid - sum.centroid;
        sum.inertia = sum.inertia + p.inertia
                    + p.volume * (Mat3::diagonal(dot(d, d) * Vec3{1, 1, 1}) - Mat3::outer(d, d));
        sum.regions.push_back(p.volume);
    }
    return sum;
}

inline Overlap overlap(collision::Intersection& intersection, const Solid& a, const Placement& at_a,
                       const Solid& b, const Placement& at_b) {
    collision::Patches found;
    intersection.find(a, at_a, b, at_b, found);
    return total(found);
}

inline Overlap overlap(const TriangleMesh& a, const TriangleMesh& b) {
    collision::Intersection intersection;
    return overlap(intersection, Solid(share(a)), {}, Solid(share(b)), {});
}

inline double size_of(const TriangleMesh& mesh) {
    Vec3 low = mesh.vertices[0], high = low;
    for (const Vec3 v : mesh.vertices)
        for (int i = 0; i < 3; ++i) {
            low[i] = std::min(low[i], v[i]);
            high[i] = std::max(high[i], v[i]);
        }
    return norm(high - low);
}

inline double largest_entry(const Mat3& m) {
    double largest = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) largest = std::max(largest, std::abs(m(i, j)));
    return largest;
}

struct OverlapErrors {
    double volume = 0, centroid = 0, inertia = 0;  // relative where it counts
    double small_volume = 0;                       // elsewhere, over the smaller body's volume
    int compared = 0, small = 0, empty = 0, by_nef = 0;

    void take(const OverlapErrors& o) {
        volume = std::max(volume, o.volume);
        centroid = std::max(centroid, o.centroid);
        inertia = std::max(inertia, o.inertia);
        small_volume = std::max(small_volume, o.small_volume);
        compared += o.compared;
        small += o.small;
        empty += o.empty;
        by_nef += o.by_nef;
    }
};

// The centroid's error is over the size of the smaller body, the inertia's over its largest entry.
inline OverlapErrors compare(const TriangleMesh& a, const TriangleMesh& b, const Overlap& ours,
                             const ExactOverlap& exact) {
    OverlapErrors e;
    const double smaller = std::min(volume_of(a), volume_of(b));
    e.by_nef = exact.method == ExactOverlap::Method::nef;
    if (!std::isfinite(ours.volume)) {
        e.volume = INFINITY;
        return e;
    }
    if (exact.volume < 1e-6 * smaller) {
        e.small = exact.volume > 0;
        e.empty = exact.volume == 0;
        e.small_volume = std::abs(ours.volume - exact.volume) / smaller;
        return e;
    }
    e.compared = 1;
    e.volume = std::abs(ours.volume / exact.volume - 1);
    e.centroid = norm(ours.centroid - exact.centroid) / std::min(size_of(a), size_of(b));
    e.inertia = largest_entry(ours.inertia - exact.inertia) / largest_entry(exact.inertia);
    return e;
}

// Asked for is 1e-9 where the overlap is a millionth of the smaller body or more; this is ten times better, and ten times
// what was seen. Below that the volume is right to 1e-15 of the body.
inline bool is_good(const OverlapErrors& e) {
    return e.volume < 1e-10 && e.centroid < 1e-10 && e.inertia < 1e-10 && e.small_volume < 1e-15;
}
inline std::string text_of(const OverlapErrors& e) {
    return "relative errors of volume " + std::to_string(e.volume * 1e9) + "e-9, centroid "
         + std::to_string(e.centroid * 1e9) + "e-9, inertia " + std::to_string(e.inertia * 1e9)
         + "e-9; of small volumes " + std::to_string(e.small_volume * 1e15) + "e-15; compared "
         + std::to_string(e.compared) + ", small " + std::to_string(e.small) + ", empty "
         + std::to_string(e.empty) + ", by Nef polyhedra " + std::to_string(e.by_nef);
}

struct SolidPair {
    TriangleMesh a, b;
};

// Two of any kind, stretched, turned, of similar or different size, so that most overlap; all of it somewhere
// between a micrometre and a thousand kilometres in size.
inline SolidPair random_pair(Random& random) {
    const double scale = std::pow(10.0, random.uniform(-6, 6));
    const double ratio =
        std::pow(10.0, random.chance(0.2) ? random.uniform(-3, 3) : random.uniform(-0.5, 0.5));
    const auto stretched = [&](double size) {
        const Vec3 by = random.chance(0.3)
                          ? Vec3{random.uniform(0.05, 1), random.uniform(0.05, 1), 1}
                          : Vec3{1, 1, 1};
        return random.rotation().matrix() * Mat3::diagonal(size * by);
    };
    SolidPair pair{random_solid(random, random.integer(0, solid_kinds - 1)),
                   random_solid(random, random.integer(0, solid_kinds - 1))};
    const Vec3 at = random.chance(0.5) ? Vec3{} : random.vector(10 * scale);
    pair.a = moved(pair.a, stretched(scale), at);
    pair.b = moved(pair.b, stretched(scale * ratio), {});
    // A vertex or the middle of b comes near a vertex, the middle, or a point within a.
    const auto some = [&](const TriangleMesh& m) {
        return m.vertices[static_cast<size_t>(
            random.integer(0, static_cast<int>(m.vertices.size()) - 1))];
    };
    const Vec3 goal =
        0.5 * (some(pair.a) + some(pair.a)) + random.vector(0.3 * scale * std::min(1.0, ratio));
    const Vec3 from = random.chance(0.5) ? some(pair.b) : Vec3{};
    pair.b = moved(pair.b, goal - from);
    return pair;
}

}  // namespace bristle::testing_support
