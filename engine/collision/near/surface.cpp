#include "collision/near/surface.h"

#include <algorithm>

namespace bristle::collision {
namespace {

// Sine by which a direction may leave its cone. What is flat has `flat_sine`; a few times that
// keeps a touch at the meeting of two nearly flat edges.
constexpr double cone_tolerance = 4 * TriangleTree::flat_sine;

// x > cone_tolerance |v|, without the root.
bool is_above(double x, Vec3 v) {
    return x > 0 && x * x > cone_tolerance * cone_tolerance * dot(v, v);
}

Vec3 next_corner(const Facet& f, int k) { return f.corner[static_cast<size_t>((k + 1) % 3)]; }
Vec3 corner_of(const Facet& f, int k) { return f.corner[static_cast<size_t>(k)]; }

// Triangles of a height field: cell c has 2c, below its diagonal, and 2c + 1 above it.
struct FieldTriangle {
    uint32_t column, row;
    bool is_upper;
};
FieldTriangle field_triangle(const HeightField& field, uint32_t index) {
    const uint32_t cell = index / 2, columns = field.columns - 1;
    return {cell % columns, cell / columns, index % 2 == 1};
}

}  // namespace

Vec3 Surface::field_vertex(uint32_t column, uint32_t row) const {
    return {column * field_->spacing_x, row * field_->spacing_y,
            field_->heights[static_cast<size_t>(row) * field_->columns + column]};
}

Facet Surface::facet(uint32_t index) const {
    if (tree_) return {tree_->corners(index), tree_->face(index).normal, index};
    const auto [c, r, is_upper] = field_triangle(*field_, index);
    Facet f{{field_vertex(c, r), is_upper ? field_vertex(c + 1, r + 1) : field_vertex(c + 1, r),
             is_upper ? field_vertex(c, r + 1) : field_vertex(c + 1, r + 1)},
            {},
            index};
    f.normal = normalized(cross(f.corner[1] - f.corner[0], f.corner[2] - f.corner[0]));
    return f;
}

std::optional<Surface::Cells> Surface::cells_over(const Aabb& box) const {
    if (field_->columns < 2 || field_->rows < 2) return {};
    Cells out{0, 0, 0, 0, true};
    // Rounded outward.
    const auto find = [&](double low, double high, double spacing, uint32_t count, uint32_t& from,
                          uint32_t& to) {
        const double first = std::floor(low / spacing - 1e-9);
        const double last = std::floor(high / spacing + 1e-9);
        if (!(last >= 0 && first <= count - 1)) return false;
        from = static_cast<uint32_t>(std::clamp(first, 0.0, static_cast<double>(count - 1)));
        to = static_cast<uint32_t>(std::clamp(last, 0.0, static_cast<double>(count - 1)));
        out.is_inside &= first >= 0 && last <= count - 1;
        return true;
    };
    if (!find(box.low.x, box.high.x, field_->spacing_x, field_->columns - 1, out.from_column,
              out.to_column)
        || !find(box.low.y, box.high.y, field_->spacing_y, field_->rows - 1, out.from_row,
                 out.to_row))
        return {};
    return out;
}

Surface::Under Surface::under(const Aabb& box, double tolerance) const {
    Under out;
    if (!field_) return out;
    const std::optional<Cells> cells = cells_over(box);
    if (!cells) return {Under::Kind::nothing, {}, 0};
    const auto height = [&](uint32_t column, uint32_t row) {
        return field_->heights[size_t{row} * field_->columns + column];
    };
    // The plane of the first three points, z = z0 + i dx + j dy, if the others are in it.
    const uint32_t c0 = cells->from_column, r0 = cells->from_row;
    const double z0 = height(c0, r0), dx = height(c0 + 1, r0) - z0, dy = height(c0, r0 + 1) - z0;
    double highest = z0, off = 0;
    for (uint32_t r = r0; r <= cells->to_row + 1; ++r)
        for (uint32_t c = c0; c <= cells->to_column + 1; ++c) {
            const double z = height(c, r);
            highest = std::max(highest, z);
            off = std::max(off, std::abs(z - (z0 + (c - c0) * dx + (r - r0) * dy)));
        }
    if (highest < box.low.z) return {Under::Kind::nothing, {}, 0};
    if (!cells->is_inside || !(off <= tolerance)) return out;
    out.kind = Under::Kind::plane;
    out.normal = normalized(Vec3{-dx / field_->spacing_x, -dy / field_->spacing_y, 1});
    out.offset = dot(out.normal, field_vertex(c0, r0));
    return out;
}

void Surface::gather(const Aabb& box, std::vector<Facet>& out) const {
    if (tree_) {
        tree_->in_box(box, [&](uint32_t triangle) { out.push_back(facet(triangle)); });
        return;
    }
    const std::optional<Cells> cells = cells_over(box);
    if (!cells) return;
    for (uint32_t r = cells->from_row; r <= cells->to_row; ++r)
        for (uint32_t c = cells->from_column; c <= cells->to_column; ++c)
            for (uint32_t half = 0; half < 2; ++half) {
                const uint32_t index = 2 * (r * (field_->columns - 1) + c) + half;
                const double top =
                    std::max({field_vertex(c, r).z, field_vertex(c + 1, r + 1).z,
                              half == 0 ? field_vertex(c + 1, r).z : field_vertex(c, r + 1).z});
                if (top >= box.low.z) out.push_back(facet(index));
            }
}

bool Surface::facet_over(Vec3 point, Facet& out) const {
    if (!field_ || field_->columns < 2 || field_->rows < 2) return false;
    const double x = point.x / field_->spacing_x, y = point.y / field_->spacing_y;
    if (!(x >= 0 && x <= field_->columns - 1 && y >= 0 && y <= field_->rows - 1)) return false;
    const uint32_t c = std::min(static_cast<uint32_t>(x), field_->columns - 2);
    const uint32_t r = std::min(static_cast<uint32_t>(y), field_->rows - 2);
    out = facet(2 * (r * (field_->columns - 1) + c) + (y - r > x - c ? 1 : 0));
    return true;
}

Surface::Edge Surface::edge(const Facet& f, int k) const {
    if (tree_) {
        const TriangleTree::Face& face = tree_->face(f.index);
        const uint32_t other = face.neighbor[static_cast<size_t>(k)];
        return {face.edge[static_cast<size_t>(k)],
                other == TriangleTree::none ? f.normal : tree_->face(other).normal};
    }
    const auto [c, r, is_upper] = field_triangle(*field_, f.index);
    const uint32_t columns = field_->columns - 1, rows = field_->rows - 1;
    uint32_t other = TriangleTree::none;
    // Lower triangle: bottom, right side, diagonal; upper: diagonal, top, left side.
    if (!is_upper) {
        if (k == 0 && r > 0) other = f.index - 2 * columns + 1;
        if (k == 1 && c + 1 < columns) other = f.index + 3;
        if (k == 2) other = f.index + 1;
    } else {
        if (k == 0) other = f.index - 1;
        if (k == 1 && r + 1 < rows) other = f.index + 2 * columns - 1;
        if (k == 2 && c > 0) other = f.index - 3;
    }
    if (other == TriangleTree::none) return {EdgeKind::open, f.normal};
    const Vec3 normal = facet(other).normal;
    const double sine =
        dot(cross(f.normal, normal), normalized(next_corner(f, k) - corner_of(f, k)));
    return {sine > TriangleTree::flat_sine    ? EdgeKind::convex
            : sine < -TriangleTree::flat_sine ? EdgeKind::concave
                                              : EdgeKind::flat,
            normal};
}

bool Surface::edge_faces(const Facet& f, int k, Vec3 u) const {
    const Edge e = edge(f, k);
    if (e.kind == EdgeKind::flat || e.kind == EdgeKind::concave) return false;
    const Vec3 along = next_corner(f, k) - corner_of(f, k);
    if (is_above(dot(u, cross(f.normal, along)), along)) return false;
    return e.kind == EdgeKind::open || !is_above(dot(u, cross(along, e.other_normal)), along);
}

int Surface::around(uint32_t vertex, std::array<Vec3, 6>& places) const {
    const uint32_t c = vertex % field_->columns, r = vertex / field_->columns;
    const bool left = c > 0, right = c + 1 < field_->columns;
    const bool down = r > 0, up = r + 1 < field_->rows;
    int count = 0;
    const auto add = [&](uint32_t column, uint32_t row) {
        places[static_cast<size_t>(count++)] = field_vertex(column, row);
    };
    if (right) add(c + 1, r);
    if (right && up) add(c + 1, r + 1);
    if (up) add(c, r + 1);
    if (left) add(c - 1, r);
    if (left && down) add(c - 1, r - 1);
    if (down) add(c, r - 1);
    return count;
}

uint32_t Surface::corner_number(const Facet& f, int k) const {
    if (tree_) return tree_->face(f.index).vertex[static_cast<size_t>(k)];
    const auto [c, r, is_upper] = field_triangle(*field_, f.index);
    const uint32_t column = k == 0 ? c : k == 1 ? c + 1 : is_upper ? c : c + 1;
    const uint32_t row = k == 0 ? r : k == 1 ? (is_upper ? r + 1 : r) : r + 1;
    return row * field_->columns + column;
}

bool Surface::corner_faces(const Facet& f, int k, Vec3 u) const {
    const Vec3 at = corner_of(f, k);
    const auto is_beyond = [&](Vec3 w) { return is_above(dot(w - at, u), w - at); };
    const uint32_t vertex = corner_number(f, k);
    if (tree_) {
        const auto others = tree_->around(vertex);
        return std::none_of(others.begin(), others.end(), is_beyond);
    }
    std::array<Vec3, 6> others;
    const int count = around(vertex, others);
    return std::none_of(others.begin(), others.begin() + count, is_beyond);
}

bool Surface::is_border(const Facet& f, int k) const {
    const uint32_t vertex = corner_number(f, k);
    if (tree_) return tree_->is_border(vertex);
    const uint32_t c = vertex % field_->columns, r = vertex / field_->columns;
    return c == 0 || r == 0 || c + 1 == field_->columns || r + 1 == field_->rows;
}

Vec3 Surface::corner_normal(const Facet& f, int k) const {
    return tree_ ? tree_->vertex_normal(corner_number(f, k)) : Vec3{0, 0, 1};
}

}  // namespace bristle::collision
