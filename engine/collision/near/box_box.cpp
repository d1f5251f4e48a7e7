// Two boxes by the fifteen directions that can separate them: three faces each, and nine pairs of edges.
//
// The largest separation s over all of them is minus the depth if it is negative, and otherwise a lower
// bound of the distance, which it attains if the points that show it exist: corners of the overlap of two
// faces, or points inside both edges. Only when they do not (a corner near an edge or a corner) are the
// nearest points looked for by GJK.
#include "collision/near/manifold.h"
#include "collision/near/pairs.h"

#include <algorithm>

namespace bristle::collision {

namespace {

struct Axis {
    double separation = -std::numeric_limits<double>::infinity();
    Vec3 normal;                   // from b to a, in a's frame
    int edge_a = -1, edge_b = -1;  // or a face
};

struct BoxPair {
    const Vec3& a;  // half sizes
    const Vec3& b;
    const RelativePose& pose;
    Mat3 absolute;  // of the rotation
};

// In a's frame a's axes are the unit vectors, and b's the columns of the rotation.
double face_separation_a(const BoxPair& p, int i) {
    return std::abs(p.pose.position[i]) - p.a[i] - dot(p.absolute.row[static_cast<size_t>(i)], p.b);
}
double face_separation_b(const BoxPair& p, int j, double along) {
    return std::abs(along) - p.b[j] - dot(p.absolute.column(j), p.a);
}

// Separation along edge i of a × edge j of b; far if beyond the limit.
double edge_separation(const BoxPair& p, int i, int j, double& along, double& length) {
    const Mat3& r = p.pose.rotation;
    const Mat3& q = p.absolute;
    const Vec3& t = p.pose.position;
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    // e_i × r_j has the components −r(i2, j) along i1 and r(i1, j) along i2.
    along = t[i2] * r(i1, j) - t[i1] * r(i2, j);
    length = std::sqrt(r(i1, j) * r(i1, j) + r(i2, j) * r(i2, j));
    return std::abs(along) - p.a[i1] * q(i2, j) - p.a[i2] * q(i1, j) - p.b[j1] * q(i, j2)
         - p.b[j2] * q(i, j1);
}

// False if some direction separates by more than the limit.
bool best_face_axis(const BoxPair& p, double limit, Axis& best) {
    for (int i = 0; i < 3; ++i) {
        const double s = face_separation_a(p, i);
        if (!(s <= limit)) return false;
        if (s > best.separation) {
            best.separation = s;
            best.normal = {};
            best.normal[i] = p.pose.position[i] > 0 ? -1 : 1;
        }
    }
    for (int j = 0; j < 3; ++j) {
        const Vec3 axis = p.pose.rotation.column(j);
        const double along = dot(axis, p.pose.position), s = face_separation_b(p, j, along);
        if (!(s <= limit)) return false;
        if (s > best.separation) {
            best.separation = s;
            best.normal = along > 0 ? -axis : axis;
        }
    }
    return true;
}

bool best_edge_axis(const BoxPair& p, double limit, double better, Axis& best) {
    // sin of the angle between two edges: below it they are parallel, and faces separate as well.
    constexpr double parallel = 1e-7;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            double along = 0, length = 0;
            const double s = edge_separation(p, i, j, along, length);
            if (!(length > parallel)) continue;
            if (s > limit * length) return false;
            if (!(s > (best.separation + better) * length)) continue;
            better = 0;
            Vec3 n;
            n[(i + 1) % 3] = -p.pose.rotation((i + 2) % 3, j);
            n[(i + 2) % 3] = p.pose.rotation((i + 1) % 3, j);
            best = {s / length, (along > 0 ? -1 / length : 1 / length) * n, i, j};
        }
    return true;
}

// The points of the two edges that are nearest to each other; true if they are inside both.
bool nearest_on_edges(const BoxPair& p, const Axis& axis, Vec3& on_a, Vec3& on_b) {
    const Vec3 n = axis.normal, n_in_b = p.pose.turn_to_b(n);
    Vec3 a, b;  // middle of the edge of a that looks along −n, of that of b along n
    for (int k = 0; k < 3; ++k) {
        if (k != axis.edge_a) a[k] = std::copysign(p.a[k], -n[k]);
        if (k != axis.edge_b) b[k] = std::copysign(p.b[k], n_in_b[k]);
    }
    Vec3 u;
    u[axis.edge_a] = 1;
    const Vec3 v = p.pose.rotation.column(axis.edge_b), middle = p.pose.to_a(b), w = middle - a;
    const double c = dot(u, v), uw = dot(u, w), vw = dot(v, w), square_sine = norm(cross(u, v));
    const double s = (uw - c * vw) / (square_sine * square_sine), t = c * s - vw;
    const double half_a = p.a[axis.edge_a], half_b = p.b[axis.edge_b];
    const double s_inside = std::clamp(s, -half_a, half_a),
                 t_inside = std::clamp(t, -half_b, half_b);
    on_a = a + s_inside * u;
    on_b = middle + t_inside * v;
    const double rounding = 1e-9 * (half_a + half_b);  // m
    return std::abs(s - s_inside) <= rounding && std::abs(t - t_inside) <= rounding;
}

}  // namespace

void collide_box_box(const Placed& a, const Placed& b, double margin, ContactPoints& out) {
    const RelativePose pose(a, b);
    BoxPair pair{a.collider->half, b.collider->half, pose, {}};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) pair.absolute(i, j) = std::abs(pose.rotation(i, j));
    Axis best;
    if (!best_face_axis(pair, margin, best)) return;
    // Where an edge and a face separate equally well, to rounding, the face tells more.
    const double size = pair.a.x + pair.a.y + pair.a.z + pair.b.x + pair.b.y + pair.b.z;
    if (!best_edge_axis(pair, margin, 1e-12 * size, best)) return;

    ConvexDistance deepest{best.separation, best.normal, {}, {}, true};
    bool is_attained = false;
    if (best.edge_a >= 0) {
        is_attained = nearest_on_edges(pair, best, deepest.on_a, deepest.on_b);
        if (is_attained || best.separation <= 0) {
            deepest.on_b = deepest.on_a - best.separation * best.normal;
            add_manifold(a, b, pose, deepest, margin, out);
            return;
        }
    } else if (add_overlap(a, b, pose, deepest, margin, out)) {
        return;
    }
    deepest =
        convex_distance(ConvexCore::of(*a.collider), ConvexCore::of(*b.collider), pose, margin);
    if (deepest.is_near) add_manifold(a, b, pose, deepest, margin, out);
}

}  // namespace bristle::collision
