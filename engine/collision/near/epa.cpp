#include "collision/near/epa.h"

#include <algorithm>

namespace bristle::collision {

namespace {

class Polytope {
  public:
    static constexpr int most_corners = 128, most_faces = 2 * most_corners;

    struct Face {
        int corner[3];
        int neighbor[3];  // beyond the edge from corner i to corner i + 1
        Vec3 normal;
        double offset;  // signed distance of its plane from the origin
    };

    // From four points that span a volume, in any order, and the rounding of their coordinates.
    void start(const DifferencePoint (&p)[4], double rounding);
    int nearest_face() const;
    // False if the corner makes no valid polytope, or there is no more room.
    bool push_out(int seed, const DifferencePoint& w);
    const Face& face(int f) const { return faces_[f]; }
    std::array<DifferencePoint, 3> corners_of(int f) const {
        const int* c = faces_[f].corner;
        return {corners_[c[0]], corners_[c[1]], corners_[c[2]]};
    }

  private:
    struct HorizonEdge {
        int from, to, outside;
    };

    // What is in one plane with w, to rounding, goes too: kept, it would leave a sliver beside it.
    bool is_visible(int f, Vec3 w) const {
        return dot(faces_[f].normal, w) > faces_[f].offset - rounding_;
    }
    int new_face(int i, int j, int k);
    void collect_horizon(int f, int entry, Vec3 w);
    bool close_horizon(int apex);

    DifferencePoint corners_[most_corners];
    Face faces_[most_faces];
    double key_[most_faces];  // the offset; infinite for a face that is gone
    int free_[most_faces];
    HorizonEdge horizon_[most_faces];
    int visible_[most_faces];
    double rounding_ = 0;
    int corner_count_ = 0, face_count_ = 0, free_count_ = 0, horizon_count_ = 0, visible_count_ = 0;
};

constexpr double gone = std::numeric_limits<double>::infinity();

int Polytope::new_face(int i, int j, int k) {
    const int f = free_count_ > 0 ? free_[--free_count_] : face_count_++;
    const Vec3 a = corners_[i].point, b = corners_[j].point, c = corners_[k].point;
    const Vec3 n = cross(b - a, c - a);
    const double length = norm(n);
    Face& face = faces_[f];
    face.corner[0] = i;
    face.corner[1] = j;
    face.corner[2] = k;
    // A sliver without a normal is never pushed out, and seen from nowhere.
    face.normal = length > 0 ? n / length : Vec3{};
    face.offset =
        length > 0 ? (dot(face.normal, a) + dot(face.normal, b) + dot(face.normal, c)) / 3 : 1e300;
    key_[f] = face.offset;
    return f;
}

void Polytope::start(const DifferencePoint (&p)[4], double rounding) {
    rounding_ = rounding;
    face_count_ = free_count_ = 0;
    std::copy(p, p + 4, corners_);
    const Vec3 a = p[0].point;
    if (dot(cross(p[1].point - a, p[2].point - a), p[3].point - a) > 0)
        std::swap(corners_[1], corners_[2]);
    corner_count_ = 4;
    constexpr int face[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    constexpr int neighbor[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    for (int f = 0; f < 4; ++f) {
        new_face(face[f][0], face[f][1], face[f][2]);
        std::copy(neighbor[f], neighbor[f] + 3, faces_[f].neighbor);
    }
}

int Polytope::nearest_face() const {
    return static_cast<int>(std::min_element(key_, key_ + face_count_) - key_);
}

// The edges around what w sees, counter-clockwise; `entry` is the edge we came in by.
void Polytope::collect_horizon(int f, int entry, Vec3 w) {
    visible_[visible_count_++] = f;
    key_[f] = gone;
    for (int i = 0; i < 3; ++i) {
        const int e = (entry + 1 + i) % 3;
        if (i == 2 && entry != -1) break;  // the edge we came by
        const int outside = faces_[f].neighbor[e];
        if (key_[outside] == gone) continue;
        if (is_visible(outside, w)) {
            int back = 0;
            while (back < 2 && faces_[outside].neighbor[back] != f) ++back;
            collect_horizon(outside, back, w);
        } else {
            horizon_[horizon_count_++] = {faces_[f].corner[e], faces_[f].corner[(e + 1) % 3],
                                          outside};
        }
    }
}

bool Polytope::close_horizon(int apex) {
    for (int i = 0; i < horizon_count_; ++i)  // one loop, as long as rounding has made no hole
        if (horizon_[i].to != horizon_[(i + 1) % horizon_count_].from) return false;
    for (int i = 0; i < visible_count_; ++i) free_[free_count_++] = visible_[i];
    int first = -1, previous = -1;
    for (int i = 0; i < horizon_count_; ++i) {
        const HorizonEdge& edge = horizon_[i];
        Face& outer = faces_[edge.outside];
        const int f = new_face(edge.from, edge.to, apex);
        for (int k = 0; k < 3; ++k)
            if (outer.corner[k] == edge.to && outer.corner[(k + 1) % 3] == edge.from)
                outer.neighbor[k] = f;
        faces_[f].neighbor[0] = edge.outside;
        if (previous >= 0) {
            faces_[previous].neighbor[1] = f;
            faces_[f].neighbor[2] = previous;
        } else {
            first = f;
        }
        previous = f;
    }
    faces_[previous].neighbor[1] = first;
    faces_[first].neighbor[2] = previous;
    return true;
}

bool Polytope::push_out(int seed, const DifferencePoint& w) {
    if (corner_count_ == most_corners) return false;
    horizon_count_ = visible_count_ = 0;
    collect_horizon(seed, -1, w.point);
    if (horizon_count_ < 3 || face_count_ + horizon_count_ > most_faces) return false;
    corners_[corner_count_++] = w;
    return close_horizon(corner_count_ - 1);
}

// Directions to look for the next corner of the first tetrahedron: those across what there is.
struct Start {
    DifferencePoint corner[4];
    int dimension = 0;
    Vec3 normal;  // across the points if the dimension is below three
};

template <class Support> Start first_tetrahedron(const Support& support, double scale) {
    const double flat = 1e-13 * scale;  // m: thinner than this is rounding
    Start s;
    double longest = -1;
    for (const Vec3 axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
        const DifferencePoint p = support(axis), q = support(-axis);
        if (const double length = norm(p.point - q.point); length > longest) {
            longest = length;
            s.corner[0] = p;
            s.corner[1] = q;
        }
    }
    s.normal = {0, 0, 1};
    if (!(longest > flat)) return s;
    s.dimension = 1;
    const Vec3 origin = s.corner[0].point, along = (s.corner[1].point - origin) / longest;
    const Vec3 first = any_perpendicular(along), second = cross(along, first);
    double widest = flat;
    for (const Vec3 axis : {first, second, -first, -second}) {
        const DifferencePoint p = support(axis);
        const Vec3 off = p.point - origin;
        if (const double width = norm(off - dot(off, along) * along); width > widest) {
            widest = width;
            s.corner[2] = p;
        }
    }
    s.normal = first;
    if (!(widest > flat)) return s;
    s.dimension = 2;
    s.normal = normalized(cross(along, s.corner[2].point - origin));
    double thickest = flat;
    for (const Vec3 axis : {s.normal, -s.normal}) {
        const DifferencePoint p = support(axis);
        if (const double height = std::abs(dot(p.point - origin, s.normal)); height > thickest) {
            thickest = height;
            s.corner[3] = p;
            s.dimension = 3;
        }
    }
    return s;
}

}  // namespace

EpaResult epa(const ConvexCore& a, const ConvexCore& b, const RelativePose& pose, double scale,
              double curvature_radius) {
    const auto support = [&](Vec3 u) { return difference_support(a, b, pose, u); };
    const Start start = first_tetrahedron(support, scale);
    if (start.dimension < 3) return {start.normal, 0, {}, true};

    // Below the first term there is only rounding; what is curved is polished afterwards, and the second
    // term is only to tell one valley of h from another.
    const double enough = 4e-15 * scale + 1e-10 * curvature_radius;
    thread_local Polytope polytope;  // scratch: 40 kB that need no clearing
    polytope.start(start.corner, 2e-15 * scale);
    EpaResult best;
    best.depth = std::numeric_limits<double>::infinity();
    for (int round = 0; round < Polytope::most_corners; ++round) {
        const int f = polytope.nearest_face();
        const Vec3 u = polytope.face(f).normal;
        const double reached = polytope.face(f).offset;
        if (u == Vec3{}) break;
        const DifferencePoint w = support(u);
        const double extent = dot(u, w.point);
        const bool is_done = extent - reached <= enough;
        if (extent < best.depth || is_done) best = {u, extent, polytope.corners_of(f), is_done};
        if (is_done || !polytope.push_out(f, w)) break;
    }
    return best;
}

}  // namespace bristle::collision
