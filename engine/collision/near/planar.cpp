#include "collision/near/planar.h"

#include <algorithm>
#include <array>
#include <utility>

namespace bristle::collision {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
// Of the length of an edge: separations that differ by less are equal, and a corner so little beside the
// edge is still over it. Ten digits are left of doubles far from the origin.
constexpr double nearly = 1e-10;

// One side of a contact: a corner of the core, or a point on an edge of it.
enum class Part : uint8_t { corner, edge };
struct FlatSide {
    Vec2 core;  // in the world
    Part part;
};

// Contacts of a pair, whose order may have been turned round.
class Contacts {
  public:
    Contacts(const FlatPlaced& first, const FlatPlaced& second, const PlaneFrame& plane,
             double height, double margin, bool is_swapped, ContactPoints& out)
        : outline_{first.outline, second.outline},
          plane_(plane),
          lift_(height * plane.normal),
          margin_(margin),
          is_swapped_(is_swapped),
          out_(out) {}

    double margin() const { return margin_; }

    // `distance` of the cores along the normal, which points from the second to the first.
    void add(const FlatSide& first, const FlatSide& second, Vec2 normal, double distance,
             uint32_t feature) {
        const double radius[2] = {outline_[0]->radius, outline_[1]->radius};
        const double depth = radius[0] + radius[1] - distance;
        if (!(depth >= -margin_) || !std::isfinite(depth)) return;
        ContactPoint& c = out_.emplace_back();
        const Vec3 n = plane_.lifted(normal), tangent = cross(plane_.normal, n);
        Vec3 on[2] = {lift_ + plane_.lifted(first.core) - radius[0] * n,
                      lift_ + plane_.lifted(second.core) + radius[1] * n};
        Curvature curvature[2];
        const Part part[2] = {first.part, second.part};
        for (size_t i = 0; i < 2; ++i) {
            if (part[i] == Part::corner)
                curvature[i].first = radius[i] > 0 ? 1 / radius[i] : Curvature::sharp;
            curvature[i].second = outline_[i]->curvature_across;
            curvature[i].direction = tangent;
        }
        const size_t a = is_swapped_ ? 1 : 0, b = 1 - a;
        c.on_a = on[a];
        c.on_b = on[b];
        c.normal = is_swapped_ ? -n : n;
        c.depth = depth;
        c.curvature_a = curvature[a];
        c.curvature_b = curvature[b];
        c.normal_of = part[b] == Part::edge ? NormalOf::b
                    : part[a] == Part::edge ? NormalOf::a
                                            : NormalOf::centers;
        c.feature = feature;
        if (!is_finite(c.on_a) || !is_finite(c.on_b) || !is_finite(n)) out_.pop_back();
    }

  private:
    const Outline* outline_[2];
    const PlaneFrame& plane_;
    Vec3 lift_;
    double margin_;
    bool is_swapped_;
    ContactPoints& out_;
};

uint32_t corner_feature(size_t a, size_t b) {
    return 1u << 31 | static_cast<uint32_t>(a & 0x7fff) << 16 | static_cast<uint32_t>(b & 0xffff);
}
// `end` of their overlap, along the first's edge.
uint32_t edge_feature(size_t a, size_t b, uint32_t end) {
    return static_cast<uint32_t>(a & 0x7fff) << 16 | static_cast<uint32_t>(b & 0x7fff) << 1 | end;
}

// ---- Circles -------------------------------------------------------------------------------------------

void circle_circle(const FlatPlaced& a, const FlatPlaced& b, Contacts& out) {
    const Vec2 way = a.position - b.position;
    const double distance = norm(way);
    // Of the same centre: any direction.
    const Vec2 normal = distance > 0 ? way / distance : Vec2{1, 0};
    out.add({a.position, Part::corner}, {b.position, Part::corner}, normal, distance, 0);
}

// The nearest corner of an edge, or the edge itself, seen from outside.
void circle_edge(const FlatPlaced& a, const FlatPlaced& b, size_t index, double separation,
                 Vec2 center, Contacts& out) {
    const auto& edges = b.outline->edges;
    const Outline::Edge& e = edges[index];
    const double along = dot(left_of(e.normal), center - e.from);
    const bool is_before = along < 0, is_over = !is_before && !(along > e.length);
    if (is_over || separation <= 0) {
        const Vec2 on_edge = center - separation * e.normal;
        out.add({a.position, Part::corner}, {b.position + b.turn(on_edge), Part::edge},
                b.turn(e.normal), separation, static_cast<uint32_t>(index));
        return;
    }
    const size_t corner = is_before ? index : (index + 1) % edges.size();
    const Vec2 way = center - edges[corner].from;
    const double distance = norm(way);
    out.add({a.position, Part::corner}, {b.position + b.turn(edges[corner].from), Part::corner},
            b.turn(way / distance), distance, corner_feature(0, corner));
}

void circle_polygon(const FlatPlaced& a, const FlatPlaced& b, Contacts& out) {
    const Vec2 center = b.turn_back(a.position - b.position);
    const double limit = a.outline->radius + b.outline->radius + out.margin();
    size_t best = 0;
    double separation = -infinite;
    const auto& edges = b.outline->edges;
    for (size_t i = 0; i < edges.size(); ++i) {
        const double s = dot(edges[i].normal, center) - edges[i].offset;
        if (!(s <= limit)) return;
        if (s > separation) {
            separation = s;
            best = i;
        }
    }
    circle_edge(a, b, best, separation, center, out);
}

// Beyond its ends neither of a segment's two edges separates, so the ends come first.
void circle_segment(const FlatPlaced& a, const FlatPlaced& b, Contacts& out) {
    const Vec2 center = b.turn_back(a.position - b.position);
    const auto& edges = b.outline->edges;
    const size_t side = dot(edges[0].normal, center) > edges[0].offset ? 0 : 1;
    const double along = dot(left_of(edges[0].normal), center - edges[0].from);
    if (along >= 0 && along <= edges[0].length) {
        circle_edge(a, b, side, dot(edges[side].normal, center) - edges[side].offset, center, out);
        return;
    }
    const size_t corner = along < 0 ? 0 : 1;
    const Vec2 way = center - edges[corner].from;
    const double distance = norm(way);
    if (!(distance > 0)) return;  // not finite
    out.add({a.position, Part::corner}, {b.position + b.turn(edges[corner].from), Part::corner},
            b.turn(way / distance), distance, corner_feature(0, corner));
}

// ---- Half-planes: the second one, its normal is its x axis ------------------------------------------------

void circle_half_plane(const FlatPlaced& a, const FlatPlaced& b, Contacts& out) {
    const double height = dot(b.direction, a.position - b.position);
    out.add({a.position, Part::corner}, {a.position - height * b.direction, Part::edge},
            b.direction, height, 0);
}

// The edge that looks most along a direction; the corner farthest along it is one of its ends.
size_t edge_towards(const Outline& outline, Vec2 direction) {
    size_t best = 0;
    double most = -infinite;
    for (size_t i = 0; i < outline.edges.size(); ++i) {
        const double looks = dot(outline.edges[i].normal, direction);
        if (looks > most) {
            most = looks;
            best = i;
        }
    }
    return best;
}

void polygon_half_plane(const FlatPlaced& a, const FlatPlaced& b, Contacts& out) {
    const auto& edges = a.outline->edges;
    const size_t first = edge_towards(*a.outline, a.turn_back(-b.direction));
    for (size_t corner : {first, (first + 1) % edges.size()}) {
        const Vec2 core = a.position + a.turn(edges[corner].from);
        const double height = dot(b.direction, core - b.position);
        out.add({core, Part::corner}, {core - height * b.direction, Part::edge}, b.direction,
                height, static_cast<uint32_t>(corner));
    }
}

// ---- Polygons ------------------------------------------------------------------------------------------

// The second as seen from the first.
struct Relative {
    Vec2 position, direction;

    Relative(const FlatPlaced& a, const FlatPlaced& b)
        : position(a.turn_back(b.position - a.position)), direction(a.turn_back(b.direction)) {}
    Relative(Vec2 p, Vec2 d) : position(p), direction(d) {}
    Vec2 turn(Vec2 v) const { return v.x * direction + v.y * left_of(direction); }
    Vec2 turn_back(Vec2 v) const { return {dot(direction, v), dot(left_of(direction), v)}; }
    Vec2 to_first(Vec2 p) const { return position + turn(p); }
    Relative reversed() const { return {-turn_back(position), {direction.x, -direction.y}}; }
};

struct BestEdge {
    double separation = -infinite;
    size_t index = 0;
};

// False if one of the first's edges separates the cores by more than the limit. Four edges at a time, so that
// no sum or least value is across lanes.
bool find_best_edge(const Outline& first, const Outline& second, const Relative& pose, double limit,
                    BestEdge& best) {
    const Vec2 d = pose.direction;
    for (size_t i = 0; i < first.fours.size(); ++i) {
        const Outline::FourEdges& four = first.fours[i];
        // The normals in the second's frame.
        const Vec4 x = d.x * four.normal_x + d.y * four.normal_y,
                   y = d.x * four.normal_y - d.y * four.normal_x;
        Vec4 lowest = broadcast(infinite);
        for (const Outline::Edge& other : second.edges) {
            const Vec4 height = other.from.x * x + other.from.y * y;
            lowest = height < lowest ? height : lowest;
        }
        const Vec4 separation =
            lowest
            + (pose.position.x * four.normal_x + pose.position.y * four.normal_y - four.offset);
        for (size_t k = 0; k < 4; ++k) {
            const double s = separation[k];
            if (!(s <= limit)) return false;
            if (s > best.separation) best = {s, 4 * i + k};
        }
    }
    return true;
}

// An end of the overlap of two edges.
struct End {
    double along = 0, height = 0;  // over the reference edge
    bool is_reference_corner = false;
};

// The part of the incident edge over the reference edge. False if there is none that is as near as they
// should be.
bool clip_edges(const Outline::Edge& reference, Vec2 from, Vec2 to, double separation,
                std::array<End, 2>& ends) {
    const Vec2 tangent = left_of(reference.normal);
    const double length = reference.length;
    // Edges around two outlines run against each other.
    End low{dot(tangent, to - reference.from), dot(reference.normal, to) - reference.offset},
        high{dot(tangent, from - reference.from), dot(reference.normal, from) - reference.offset};
    if (low.along > high.along) std::swap(low, high);
    const double span = high.along - low.along,
                 tolerance = nearly * (length + norm(to - from) + std::abs(separation));
    if (low.along > length + tolerance || high.along < -tolerance) return false;
    const double slope = span > 0 ? (high.height - low.height) / span : 0;
    const End first = low;
    if (low.along < 0) low = {0, first.height - slope * first.along, true};
    if (high.along > length) high = {length, first.height + slope * (length - first.along), true};
    // Nothing over it but, within the tolerance, an end.
    if (low.along > high.along) low = high;
    ends = {low, high};
    return std::min(low.height, high.height) <= separation + tolerance;
}

void add_nearest_corners(const FlatPlaced& a, const FlatPlaced& b, const Relative& pose,
                         Vec2 otherwise, Contacts& out) {
    double nearest = infinite;
    size_t best_a = 0, best_b = 0;
    for (size_t i = 0; i < a.outline->edges.size(); ++i) {
        const Vec2 corner = a.outline->edges[i].from - pose.position;
        for (size_t j = 0; j < b.outline->edges.size(); ++j) {
            const Vec2 way = corner - pose.turn(b.outline->edges[j].from);
            const double square = dot(way, way);
            if (square < nearest) {
                nearest = square;
                best_a = i;
                best_b = j;
            }
        }
    }
    const Vec2 corner_a = a.outline->edges[best_a].from,
               corner_b = pose.to_first(b.outline->edges[best_b].from);
    const Vec2 way = corner_a - corner_b;
    const double distance = norm(way);
    const Vec2 normal = distance > 0 ? way / distance : otherwise;
    out.add({a.position + a.turn(corner_a), Part::corner},
            {a.position + a.turn(corner_b), Part::corner}, a.turn(normal), distance,
            corner_feature(best_a, best_b));
}

// Everything in the frame of a.
void polygon_polygon(const FlatPlaced& a, const FlatPlaced& b, Contacts& out) {
    const Relative pose(a, b), back = pose.reversed();
    const double limit = a.outline->radius + b.outline->radius + out.margin();
    BestEdge best_a, best_b;
    if (!find_best_edge(*a.outline, *b.outline, pose, limit, best_a)
        || !find_best_edge(*b.outline, *a.outline, back, limit, best_b))
        return;
    const Outline::Edge &edge_a = a.outline->edges[best_a.index],
                        &edge_b = b.outline->edges[best_b.index];
    // Where both separate equally well, a's, whatever the rounding.
    const bool is_of_a =
        !(best_b.separation > best_a.separation + nearly * (edge_a.length + edge_b.length));
    const BestEdge& best = is_of_a ? best_a : best_b;
    const FlatPlaced &owner = is_of_a ? a : b, &other = is_of_a ? b : a;
    const Relative& other_seen = is_of_a ? pose : back;
    const Outline::Edge& reference = is_of_a ? edge_a : edge_b;

    const size_t incident = edge_towards(*other.outline, other_seen.turn_back(-reference.normal));
    const auto& others = other.outline->edges;
    const Vec2 from = other_seen.to_first(others[incident].from),
               to = other_seen.to_first(others[(incident + 1) % others.size()].from);
    const Vec2 outward = owner.turn(reference.normal), normal = is_of_a ? -outward : outward;
    std::array<End, 2> ends;
    if (!clip_edges(reference, from, to, best.separation, ends)) {
        add_nearest_corners(a, b, pose, a.turn_back(normal), out);
        return;
    }
    const size_t index_a = is_of_a ? best.index : incident,
                 index_b = is_of_a ? incident : best.index;
    // Two corners in one place are one contact.
    const bool is_point =
        ends[1].along - ends[0].along <= nearly * (reference.length + others[incident].length);
    for (uint32_t i = 0; i < 2; ++i) {
        if (is_point && i == (ends[0].height <= ends[1].height ? 1u : 0u)) continue;
        const End& end = ends[i];
        const Vec2 foot = reference.from + end.along * left_of(reference.normal);
        const FlatSide on_owner{owner.position + owner.turn(foot),
                                end.is_reference_corner ? Part::corner : Part::edge};
        const FlatSide on_other{on_owner.core + end.height * outward,
                                end.is_reference_corner ? Part::edge : Part::corner};
        const uint32_t feature = edge_feature(index_a, index_b, is_of_a ? i : 1 - i);
        if (is_of_a)
            out.add(on_owner, on_other, normal, end.height, feature);
        else
            out.add(on_other, on_owner, normal, end.height, feature);
    }
}

using CollideFlat = void (*)(const FlatPlaced&, const FlatPlaced&, Contacts&);

constexpr int kinds = 4;
constexpr CollideFlat flat_table[kinds][kinds] = {
    // clang-format off
    //               circle         segment         polygon          half-plane
    /* circle     */{circle_circle, circle_segment, circle_polygon,  circle_half_plane},
    /* segment    */{nullptr,       polygon_polygon, polygon_polygon, polygon_half_plane},
    /* polygon    */{nullptr,       nullptr,        polygon_polygon, polygon_half_plane},
    /* half-plane */{nullptr,       nullptr,        nullptr,         nullptr},
    // clang-format on
};

}  // namespace

FlatPlaced flattened(const Outline& outline, const Placed& placed, const PlaneFrame& plane) {
    const Vec2 x = plane.flat(placed.rotation * outline.x);
    return {&outline, plane.flat(placed.position), x / norm(x)};
}

void collide_flat(const FlatPlaced& a, const FlatPlaced& b, const PlaneFrame& plane, double height,
                  double margin, ContactPoints& out) {
    const bool is_swapped = a.outline->kind > b.outline->kind;
    const FlatPlaced &first = is_swapped ? b : a, &second = is_swapped ? a : b;
    const CollideFlat pair = flat_table[static_cast<size_t>(first.outline->kind)]
                                       [static_cast<size_t>(second.outline->kind)];
    if (pair == nullptr) return;
    Contacts contacts(first, second, plane, height, margin, is_swapped, out);
    pair(first, second, contacts);
}

}  // namespace bristle::collision
