// What solids share: corefinement of two meshes with exact predicates and inexact constructions, then
// volume, centroid and inertia of the result.
#include "bench/peers/common.h"
#include "scenes/plain/icosphere.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/corefinement.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/version.h>

namespace bristle::bench::peers {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Surface = CGAL::Surface_mesh<Kernel::Point_3>;

Surface surface(const scenes::icosphere::Mesh& mesh) {
    Surface result;
    for (const auto& p : mesh.vertices) result.add_vertex({p[0], p[1], p[2]});
    for (const auto& t : mesh.triangles)
        result.add_face(Surface::Vertex_index(t[0]), Surface::Vertex_index(t[1]),
                        Surface::Vertex_index(t[2]));
    return result;
}

// ∫ 1, ∫ x and ∫ x xᵀ, the latter as xx, yy, zz, yz, zx, xy: sums over the tetrahedra of the faces and
// a point near them.
struct Moments {
    double volume = 0;
    std::array<double, 3> first{};
    std::array<double, 6> second{};
};

Moments moments(const Surface& mesh) {
    Moments sum;
    if (mesh.number_of_faces() == 0) return sum;
    const auto o = mesh.point(*mesh.vertices().begin());
    for (const auto f : mesh.faces()) {
        std::array<std::array<double, 3>, 3> p;
        std::size_t i = 0;
        for (const auto v : mesh.vertices_around_face(mesh.halfedge(f))) {
            const auto d = mesh.point(v) - o;
            p[i++] = {d.x(), d.y(), d.z()};
        }
        const auto &a = p[0], &b = p[1], &c = p[2];
        const double volume =
            (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2])
             + a[2] * (b[0] * c[1] - b[1] * c[0]))
            / 6;
        sum.volume += volume;
        std::array<double, 3> s;
        for (std::size_t k = 0; k < 3; ++k) {
            s[k] = a[k] + b[k] + c[k];
            sum.first[k] += volume / 4 * s[k];
        }
        constexpr std::size_t row[6] = {0, 1, 2, 1, 2, 0}, column[6] = {0, 1, 2, 2, 0, 1};
        for (std::size_t k = 0; k < 6; ++k) {
            const std::size_t r = row[k], q = column[k];
            sum.second[k] += volume / 20 * (s[r] * s[q] + a[r] * a[q] + b[r] * b[q] + c[r] * c[q]);
        }
    }
    return sum;
}

void run_case(const Report& report, const scenes::icosphere::Case& c, int repetitions) {
    const Entry entry{c.name, "corefinement, EPICK", "relative error of the volume"};
    isolated(report, entry, [&] {
        const scenes::icosphere::Mesh sphere = scenes::icosphere::make(c.frequency);
        const Surface first = surface(sphere);
        std::vector<double> times;
        double volume = 0, check = 0;
        for (int k = 0; k < repetitions; ++k) {
            Surface a = first, b = surface(scenes::icosphere::placed(
                                   sphere, scenes::icosphere::distance(c, k)));
            Surface both;
            CpuStopwatch watch;
            watch.start();
            if (!CGAL::Polygon_mesh_processing::corefine_and_compute_intersection(a, b, both))
                throw std::runtime_error("no intersection");
            const Moments found = moments(both);
            watch.stop();
            times.push_back(watch.seconds());
            if (k == 0) volume = found.volume;
            check += found.first[0] + found.second[0];
        }
        if (!std::isfinite(check)) throw std::runtime_error("not finite");
        report.volume_row(entry, 1e6 * median(times), volume);
    });
}

void run(const Arguments& arguments, const MachineModel& /*machine*/) {
    const Report report("cgal " CGAL_VERSION_STR, arguments.suite);
    if (arguments.suite != "conforming") return;
    for (const scenes::icosphere::Case& c : scenes::icosphere::cases)
        run_case(report, c, arguments.quick ? 1 + c.repetitions / 4 : c.repetitions);
}

}  // namespace
}  // namespace bristle::bench::peers

int main(int argc, char** argv) {
    return bristle::bench::peers::run_peer(argc, argv, bristle::bench::peers::run);
}
