// What leaves a bucket or a bed: it flies in parcels, lands, and is spread by chance; patches are laid where there are none.
#include "machines/earth/bucket_laws.h"
#include "machines/earth/earth_memory.h"
#include "machines/random.h"

#include <algorithm>
#include <cmath>

namespace bristle::machines {
namespace {

constexpr double longest_flight = 60;                         // s
constexpr double least_scatter = 0.05, scatter_share = 0.08;  // m, and of the way fallen
constexpr double under_all = -1e6;                            // m: below all ground
constexpr double above = 3, below = 50;  // m: of where something landed, that rays look for scenery
constexpr double skirt = 5;              // m: of a spare patch, below others' ground
constexpr double hidden = 0.005;         // m: bare points of spare patches are below scenery
constexpr double spills_over = 1e-3;     // m: that lie at an edge before the next patch is laid

}  // namespace

double uniform(uint64_t& state) { return next_share(state); }

double normal(uint64_t& state) {
    const double radius = std::sqrt(-2 * std::log(1 - uniform(state)));
    return radius * std::cos(2 * pi * uniform(state));
}

// ---- Flight --------------------------------------------------------------------------------------------

void EarthProcess::throw_parcel(World& world, EarthMemory& m, const Parcel& p) const {
    // From within the ground it goes nowhere.
    for (size_t k = 0; k < patches() + m.spares.size(); ++k)
        if (const auto z = surface(world, m, k, p.position);
            z && p.position.z < *z && p.position.z > *z - 1)
            if (deposit(world, m, {p.position.x, p.position.y, *z}, p.mass)) return;
    if (m.parcels.size() < most_parcels) {
        m.parcels.push_back(p);
        return;
    }
    // No room: what has flown longest lands at once, below where it is.
    const Parcel first = m.parcels.front();
    m.parcels.erase(m.parcels.begin());
    m.parcels.push_back(p);
    land(world, m, first, first.position);
}

void EarthProcess::fly(World& world, EarthMemory& m) const {
    const double h = step_of(world.settings());
    const Vec3 gravity = world.model().gravity;
    size_t kept = 0;
    for (size_t i = 0; i < m.parcels.size(); ++i) {
        Parcel p = m.parcels[i];
        const Vec3 to = p.position + h * p.velocity + 0.5 * h * h * gravity;
        const Vec3 way = to - p.position;
        const double length = norm(way);
        if (fall_into_bed(world, m, p, to)) continue;
        std::optional<Vec3> at;
        if (length > 0)
            if (const auto hit = world.scenery().cast_ray(p.position, way / length, length))
                at = hit->point;
        if (at) {
            land(world, m, p, *at);
            continue;
        }
        p.position = to;
        p.velocity += h * gravity;
        p.age += h;
        if (p.age > longest_flight) {
            m.lost += p.mass;
            continue;
        }
        m.parcels[kept++] = p;
    }
    m.parcels.resize(kept);
}

void EarthProcess::land(World& world, EarthMemory& m, const Parcel& p, Vec3 at) const {
    const double fallen = 0.5 * dot(p.velocity, p.velocity) / std::max(gravity_, 1e-3);
    const double spread = least_scatter + scatter_share * std::min(fallen, 10.0);
    const Vec3 off{spread * normal(m.random), spread * normal(m.random), 1};
    Vec3 there = at;
    if (const auto hit = world.scenery().cast_ray(at + off, {0, 0, -1}, below)) there = hit->point;
    if (deposit(world, m, there, p.mass) || deposit(world, m, at, p.mass)) return;
    for (const Vec3 place : {there, at})
        if (lay_spare(world, m, place) && deposit(world, m, place, p.mass)) return;
    // At a wall it slides down; and what is steeper there than points can say takes it on top.
    const Vec3 before = p.position;
    if (const auto hit = world.scenery().cast_ray(before, {0, 0, -1}, below))
        if (deposit(world, m, hit->point, p.mass)
            || (lay_spare(world, m, hit->point) && deposit(world, m, hit->point, p.mass)))
            return;
    if (deposit(world, m, {before.x, before.y, under_all}, p.mass)) return;
    m.lost += p.mass;
}

// ---- On the ground -------------------------------------------------------------------------------------

// How high a patch is there; none beside it, and where it is another's ground.
std::optional<double> EarthProcess::surface(const World& world, const EarthMemory& m, size_t ground,
                                            Vec3 at) const {
    if (!is_there(world, m, ground)) return {};
    const Site s = site(world, ground);
    const Vec3 p = s.to_local(at);
    const HeightField& f = world.height_field(s.shape);
    const auto place = place_in(f, p.x, p.y);
    if (!place) return {};
    double z = s.pose.position.z;
    for (size_t i = 0; i < 3; ++i) {
        if (m.grounds[ground].is_blocked(place->point[i])) return {};
        z += place->weight[i] * f.heights[place->point[i]];
    }
    return z;
}

// On the uppermost patch there, if that is where it lies.
bool EarthProcess::deposit(World& world, EarthMemory& m, Vec3 at, double mass) const {
    std::optional<size_t> best;
    double highest = -unlimited;
    for (size_t k = 0; k < patches() + m.spares.size(); ++k)
        if (const auto z = surface(world, m, k, at);
            z && *z > std::max(highest, at.z - 0.1 - (k < patches() ? 0 : hidden))) {
            highest = *z;
            best = k;
        }
    if (!best) return false;
    const Site s = site(world, *best);
    Heights heights(world, s.shape);
    const Vec3 p = s.to_local(at);
    const auto place = *place_in(heights.field(), p.x, p.y);
    double left = mass;
    for (size_t i = 0; i < 3; ++i) {
        const double part = i == 2 ? left : std::min(left, mass * place.weight[i]);
        m.grounds[*best].give(heights, place.point[i], part);
        left -= part;
    }
    return true;
}

// A spare patch, draped over the scenery at this place of the lattice they lie in.
bool EarthProcess::lay_spare(World& world, EarthMemory& m, Vec3 at) const {
    const double size = (earth_.spare_points - 1) * earth_.spare_spacing;
    const double x = std::floor(at.x / size), y = std::floor(at.y / size);
    std::optional<size_t> next;
    for (size_t i = 0; i < m.spares.size(); ++i) {
        const SparePlace& s = m.spares[i];
        if (s.is_used > 0 && s.x == x && s.y == y) return false;
        if (!(s.is_used > 0) && !next && world.model().contains(ids_.spares[i])) next = i;
    }
    if (!next) return false;
    const ShapeId shape = ids_.spares[*next];
    Ground& ground = m.grounds[patches() + *next];
    const Vec3 origin{x * size, y * size, 0};
    const uint32_t n = earth_.spare_points;
    std::vector<double> heights(size_t{n} * n);
    size_t open = 0;
    const Scenery& scenery = world.scenery();
    for (size_t k = 0; k < heights.size(); ++k) {
        const size_t row = k / n;
        const Vec3 p =
            origin
            + earth_.spare_spacing * Vec3{static_cast<double>(k % n), static_cast<double>(row), 0};
        const auto hit = scenery.cast_ray({p.x, p.y, at.z + above}, {0, 0, -1}, above + below);
        heights[k] = (hit ? hit->point.z : at.z) - hidden;
        bool is_others = !hit;
        for (size_t g = 0; g < patches() && !is_others; ++g)
            is_others = surface(world, m, g, p).has_value();
        // Of a neighbour: its ground, without what lies on it.
        for (size_t s = 0; s < m.spares.size() && !is_others; ++s) {
            if (!surface(world, m, patches() + s, p)) continue;
            const HeightField& f = world.height_field(ids_.spares[s]);
            const Vec3 local = site(world, patches() + s).to_local(p);
            const size_t point = static_cast<size_t>(std::lround(local.y / f.spacing_y)) * f.columns
                               + static_cast<size_t>(std::lround(local.x / f.spacing_x));
            heights[k] = f.heights[point] - m.grounds[patches() + s].column(point).thickness;
        }
        if (!is_others) {
            ++open;
            continue;
        }
        heights[k] -= skirt;
        ground.block(k);
    }
    if (open == 0) {
        ground.clear();
        return false;
    }
    m.spares[*next] = {1, x, y};
    world.place_field(shape, origin);
    world.set_heights(shape, {.columns = n, .rows = n}, heights);
    return true;
}

// Neighbours have the points of their common edge twice: loose soil lies equally high on both. What comes to an edge without a
// neighbour gets one.
void EarthProcess::join_spares(World& world, EarthMemory& m) const {
    if (std::none_of(m.grounds.begin() + static_cast<std::ptrdiff_t>(patches()),
                     m.grounds.begin() + static_cast<std::ptrdiff_t>(patches() + m.spares.size()),
                     [](const Ground& g) { return g.active_count() > 0; }))
        return;
    const uint32_t n = earth_.spare_points;
    const double size = (n - 1) * earth_.spare_spacing;
    for (size_t a = 0; a < m.spares.size(); ++a) {
        if (!(m.spares[a].is_used > 0)) continue;
        for (const auto& side : {std::pair{1, 0}, {0, 1}, {-1, 0}, {0, -1}}) {
            const int dx = side.first, dy = side.second;
            std::optional<size_t> b;
            for (size_t i = 0; i < m.spares.size(); ++i)
                if (m.spares[i].is_used > 0 && m.spares[i].x == m.spares[a].x + dx
                    && m.spares[i].y == m.spares[a].y + dy)
                    b = i;
            Ground& ga = m.grounds[patches() + a];
            const auto point = [&](uint32_t k, bool of_a) -> size_t {
                const uint32_t far = n - 1;
                const uint32_t column = dx == 0 ? k : (dx > 0) == of_a ? far : 0;
                const uint32_t row = dy == 0 ? k : (dy > 0) == of_a ? far : 0;
                return size_t{row} * n + column;
            };
            if (!b) {
                if (ga.active_count() == 0) continue;
                for (uint32_t k = 0; k < n; ++k)
                    if (ga.column(point(k, true)).thickness > spills_over) {
                        const Vec3 middle{
                            (m.spares[a].x + dx + 0.5) * size, (m.spares[a].y + dy + 0.5) * size,
                            world.height_field(ids_.spares[a]).heights[point(k, true)]};
                        lay_spare(world, m, middle);
                        break;
                    }
                continue;
            }
            if (dx + dy < 0) continue;
            Ground& gb = m.grounds[patches() + *b];
            if (ga.active_count() == 0 && gb.active_count() == 0) continue;
            Heights ha(world, ids_.spares[a]), hb(world, ids_.spares[*b]);
            for (uint32_t k = 0; k < n; ++k) {
                const size_t pa = point(k, true), pb = point(k, false);
                const Column ca = ga.column(pa), cb = gb.column(pb);
                if (std::abs(ca.thickness - cb.thickness) < 1e-6 || ga.is_blocked(pa)
                    || gb.is_blocked(pb))
                    continue;
                const double share = ga.area(pa) / (ga.area(pa) + gb.area(pb)),
                             mass = ca.mass + cb.mass,
                             thickness = share * ca.thickness + (1 - share) * cb.thickness;
                ga.set(ha, pa, share * mass, thickness);
                gb.set(hb, pb, mass - share * mass, thickness);
            }
        }
    }
}

// ---- Beds ----------------------------------------------------------------------------------------------

bool EarthProcess::fall_into_bed(World& world, EarthMemory& m, Parcel& p, Vec3 to) const {
    for (size_t k = 0; k < earth_.beds.size(); ++k) {
        const Earth::Bed& bed = earth_.beds[k];
        if (!world.model().contains(bed.body)) continue;
        const Pose pose = world.pose(bed.body);
        const Mat3 back = pose.orientation.conjugate().matrix();
        const Vec3 start = back * (p.position - pose.position) - bed.low,
                   end = back * (to - pose.position) - bed.low;
        HeightField& f = m.bed_fields[k];
        const auto place = place_in(f, end.x, end.y);
        const double side = bed.high.z - bed.low.z;
        // From above, or through its sides where it is inside already.
        if (!place || start.z < -1e-6 || start.z < end.z) continue;
        double z = 0;
        for (size_t i = 0; i < 3; ++i) z += place->weight[i] * f.heights[place->point[i]];
        if (end.z > z || (start.z < std::min(z, side) - 0.5)) continue;
        Ground& ground = m.grounds[patches() + m.spares.size() + k];
        Heights heights(f);
        double left = p.mass;
        for (size_t i = 0; i < 3; ++i) {
            const double part = i == 2 ? left : std::min(left, p.mass * place->weight[i]);
            ground.give(heights, place->point[i], part);
            left -= part;
        }
        return true;
    }
    return false;
}

// Lets loads of beds slide, fall over their sides or out over the tail, and weigh.
void EarthProcess::carry_beds(World& world, EarthMemory& m) const {
    for (size_t k = 0; k < earth_.beds.size(); ++k) {
        const Earth::Bed& bed = earth_.beds[k];
        Ground& ground = m.grounds[patches() + m.spares.size() + k];
        if (ground.is_bare() || !world.model().contains(bed.body)) continue;
        HeightField& f = m.bed_fields[k];
        Heights heights(f);
        const Pose pose = world.pose(bed.body);
        const Mat3 turn = pose.orientation.matrix();
        const Vec3 up = turn.transposed() * Vec3{0, 0, 1};
        const Twist twist = world.twist(bed.body);
        const double side = bed.high.z - bed.low.z;
        const bool is_over = up.z < 0.2;
        const double steep = std::max(up.z, 0.2);
        // It leans towards −x where its own x points up.
        const bool tail_is_open = std::atan2(up.x, std::max(up.z, 1e-3)) > bed.tail_angle;
        for (size_t i = 0; i < f.heights.size(); ++i) {
            const size_t c = i % f.columns, r = i / f.columns;
            const bool at_tail = c == 0 && tail_is_open;
            const bool at_side = c == 0 || r == 0 || c + 1 == f.columns || r + 1 == f.rows;
            const double stays = is_over || at_tail ? 0 : side;
            if (!(is_over || at_side) || !(f.heights[i] > stays)) continue;
            const Vec3 from = pose
                            * (bed.low
                               + Vec3{static_cast<double>(c) * f.spacing_x,
                                      static_cast<double>(r) * f.spacing_y, f.heights[i]});
            const double mass = ground.take(heights, i, f.heights[i] - stays);
            if (mass > 0)
                throw_parcel(
                    world, m,
                    {.mass = mass,
                     .soil = static_cast<double>(patches() + m.spares.size() + k),
                     .age = 0,
                     .position = from + turn * Vec3{at_tail ? -0.1 : 0, 0, 0},
                     .velocity = twist.linear + cross(twist.angular, from - pose.position)});
        }
        if (!ground.active().empty() || std::hypot(up.x, up.y) > 0.05 * steep) {
            if (std::hypot(up.x, up.y) > 0.05 * steep)
                for (size_t i = 0; i < f.heights.size(); ++i)
                    if (f.heights[i] > 0) ground.disturb(i);
            slide(ground, heights, {up.x / steep, up.y / steep}, earth_.looks);
        }
        if (bed.body == Model::ground()) continue;
        Vec3 center;
        double mass = 0;
        for (size_t i = 0; i < f.heights.size(); ++i) {
            const double part = ground.column(i).mass;
            mass += part;
            center += part * (bed.low + place_of(f, i) + Vec3{0, 0, 0.5 * f.heights[i]});
        }
        if (mass > 0) center = center / mass;
        for (size_t i = 0; i < 3; ++i)
            world.command(ids_.bed_loads[k], load_place + i, center[static_cast<int>(i)]);
        world.command(ids_.bed_loads[k], load_mass, mass);
    }
}

}  // namespace bristle::machines
