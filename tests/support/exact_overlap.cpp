#include "tests/support/exact_overlap.h"

#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Nef_polyhedron_3.h>
#include <CGAL/Polygon_mesh_processing/connected_components.h>
#include <CGAL/Polygon_mesh_processing/corefinement.h>
#include <CGAL/Polygon_mesh_processing/orientation.h>
#include <CGAL/Polygon_mesh_processing/self_intersections.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/boost/graph/convert_nef_polyhedron_to_polygon_mesh.h>
#include <boost/multiprecision/gmp.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <stdexcept>

namespace bristle::testing_support {
namespace {

using Kernel = CGAL::Exact_predicates_exact_constructions_kernel;
using Surface = CGAL::Surface_mesh<Kernel::Point_3>;
using Nef = CGAL::Nef_polyhedron_3<Kernel>;
using Number = boost::multiprecision::number<boost::multiprecision::gmp_float<150>,
                                             boost::multiprecision::et_off>;
using Point = std::array<Number, 3>;

template <class Of> CGAL::Surface_mesh<typename Of::Point_3> surface(const TriangleMesh& mesh) {
    CGAL::Surface_mesh<typename Of::Point_3> result;
    for (const Vec3& p : mesh.vertices) result.add_vertex({p.x, p.y, p.z});
    const auto vertex = [](uint32_t v) { return Surface::Vertex_index(v); };
    for (const auto& t : mesh.triangles)
        if (result.add_face(vertex(t[0]), vertex(t[1]), vertex(t[2])) == Surface::null_face())
            throw std::invalid_argument("CGAL takes only meshes that are manifold");
    return result;
}

Number number(const mpq_srcptr q) {
    Number x;
    mpf_set_q(x.backend().data(), q);
    return x;
}
Number number(const Kernel::FT& x) { return number(CGAL::exact(x).backend().data()); }
Point point(const Kernel::Point_3& p) { return {number(p.x()), number(p.y()), number(p.z())}; }

// ∫ 1, ∫ x and ∫ x xᵀ, as sums over the tetrahedra of triangles and the origin.
struct Moments {
    Number volume = 0;
    Point first = {0, 0, 0};
    std::array<Point, 3> second = {Point{0, 0, 0}, Point{0, 0, 0}, Point{0, 0, 0}};

    void add(const Point& a, const Point& b, const Point& c) {
        const Number v = (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2])
                          + a[2] * (b[0] * c[1] - b[1] * c[0]))
                       / 6;
        volume += v;
        for (size_t i = 0; i < 3; ++i) {
            const Number s = a[i] + b[i] + c[i];
            first[i] += v * s / 4;
            for (size_t j = i; j < 3; ++j)
                second[i][j] +=
                    v / 20 * (s * (a[j] + b[j] + c[j]) + a[i] * a[j] + b[i] * b[j] + c[i] * c[j]);
        }
    }

    void add(const Moments& m, int sign) {
        volume += sign * m.volume;
        for (size_t i = 0; i < 3; ++i) {
            first[i] += sign * m.first[i];
            for (size_t j = i; j < 3; ++j) second[i][j] += sign * m.second[i][j];
        }
    }
};

Moments moments(const Surface& mesh) {
    Moments sum;
    for (const auto f : mesh.faces()) {
        std::array<Point, 3> corner;
        size_t k = 0;
        for (const auto v : mesh.vertices_around_face(mesh.halfedge(f)))
            corner[k++] = point(mesh.point(v));
        sum.add(corner[0], corner[1], corner[2]);
    }
    return sum;
}

ExactOverlap rounded(const Moments& m) {
    ExactOverlap result;
    result.volume = static_cast<double>(m.volume);
    if (m.volume == 0) return result;
    const Point c = {m.first[0] / m.volume, m.first[1] / m.volume, m.first[2] / m.volume};
    std::array<Point, 3> central;
    for (size_t i = 0; i < 3; ++i)
        for (size_t j = i; j < 3; ++j)
            central[i][j] = central[j][i] = m.second[i][j] - m.volume * c[i] * c[j];
    const Number trace = central[0][0] + central[1][1] + central[2][2];
    for (int i = 0; i < 3; ++i) {
        const auto row = static_cast<size_t>(i);
        result.centroid[i] = static_cast<double>(c[row]);
        for (int j = 0; j < 3; ++j)
            result.inertia(i, j) = static_cast<double>(
                Number((i == j ? trace : Number(0)) - central[row][static_cast<size_t>(j)]));
    }
    return result;
}

ExactOverlap measured(const Surface& mesh) {
    std::vector<Point> points(mesh.num_vertices());
    for (const auto v : mesh.vertices()) points[v.idx()] = point(mesh.point(v));
    std::vector<bool> seen(mesh.num_faces());
    Moments all;
    std::vector<Number> volumes;
    std::vector<Surface::Face_index> part;
    for (const auto seed : mesh.faces()) {
        if (seen[seed.idx()]) continue;
        seen[seed.idx()] = true;
        part = {seed};
        Moments own;
        for (size_t i = 0; i < part.size(); ++i) {
            const auto edge = mesh.halfedge(part[i]);
            std::array<const Point*, 3> corner{};
            size_t k = 0;
            for (const auto h : mesh.halfedges_around_face(edge)) {
                corner[k++] = &points[mesh.target(h).idx()];
                const auto next = mesh.face(mesh.opposite(h));
                if (seen[next.idx()]) continue;
                seen[next.idx()] = true;
                part.push_back(next);
            }
            all.add(*corner[0], *corner[1], *corner[2]);
            own.add(*corner[0], *corner[1], *corner[2]);
        }
        volumes.push_back(own.volume);
    }
    ExactOverlap result = rounded(all);
    std::sort(volumes.begin(), volumes.end(), std::greater<>());
    for (const Number& v : volumes)
        if (v > 0)
            result.positive.push_back(static_cast<double>(v));
        else if (v < 0)
            ++result.hollows;
    return result;
}

Moments by_nef(const Surface& a, const Surface& b) {
    const Nef both = (Nef(a) * Nef(b)).regularization();
    std::vector<Kernel::Point_3> points;
    std::vector<std::vector<size_t>> faces;
    CGAL::convert_nef_polyhedron_to_polygon_soup(both, points, faces, true);
    std::vector<Point> exact;
    for (const auto& p : points) exact.push_back(point(p));
    Moments all;
    for (const auto& f : faces)
        for (size_t i = 2; i < f.size(); ++i) all.add(exact[f[0]], exact[f[i - 1]], exact[f[i]]);
    return all;
}

// Nothing if corefinement refuses.
std::optional<Surface> corefined(const Surface& a, const Surface& b) {
    Surface x = a, y = b, both;
    if (!CGAL::Polygon_mesh_processing::corefine_and_compute_intersection(x, y, both)) return {};
    both.collect_garbage();
    return both;
}

struct Shell {
    Surface surface;  // right side out
    int sign;         // −1 for a hollow
};
std::vector<Shell> shells(const Surface& mesh) {
    std::vector<Surface> parts;
    CGAL::Polygon_mesh_processing::split_connected_components(mesh, parts);
    std::vector<Shell> result;
    for (Surface& part : parts) {
        const bool is_body = measured(part).volume > 0;
        if (!is_body) CGAL::Polygon_mesh_processing::reverse_face_orientations(part);
        result.push_back({std::move(part), is_body ? 1 : -1});
    }
    return result;
}

// A body is the sum of its shells, filled, each with its sign; so is what two share.
ExactOverlap by_shells(const Surface& a, const Surface& b) {
    Moments sum;
    for (const Shell& x : shells(a))
        for (const Shell& y : shells(b)) {
            const auto both = corefined(x.surface, y.surface);
            sum.add(both ? moments(*both) : by_nef(x.surface, y.surface), x.sign * y.sign);
        }
    ExactOverlap result = rounded(sum);
    result.method = ExactOverlap::Method::shells;
    return result;
}

}  // namespace

ExactOverlap exact_overlap(const TriangleMesh& a, const TriangleMesh& b,
                           ExactOverlap::Method method) {
    const Surface first = surface<Kernel>(a), second = surface<Kernel>(b);
    if (method == ExactOverlap::Method::shells) return by_shells(first, second);
    if (const auto both = corefined(first, second)) return measured(*both);
    ExactOverlap result = rounded(by_nef(first, second));
    result.method = ExactOverlap::Method::nef;
    return result;
}

bool crosses_itself(const TriangleMesh& mesh) {
    return CGAL::Polygon_mesh_processing::does_self_intersect(
        surface<CGAL::Exact_predicates_inexact_constructions_kernel>(mesh));
}

}  // namespace bristle::testing_support
