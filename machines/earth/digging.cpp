// A bucket in the ground: what its hull cuts, where that goes, and how the soil resists.
//
// The hull is swept from where it was to where it is, in parts no longer than half a cell; every point of the field above its underside
// comes down to it (LUA 4.8.1, point by point). What went is the cut's volume under the field's own triangles, exactly, and its mass
// what the columns had. The bucket gets all of it while its mouth goes towards the soil and it has room; the rest is pushed out
// beside it, mostly ahead.
#include "machines/earth/bucket_laws.h"
#include "machines/earth/earth_memory.h"
#include "machines/earth/earthmoving.h"

#include <algorithm>
#include <cmath>

namespace bristle::machines {
namespace {

constexpr size_t stations = 8;  // along the edge
constexpr int most_parts = 64;  // of a sweep
constexpr double reach = 1.5;   // cells from the tool to where the ground before it is looked at
constexpr double least_rake = 0.25;  // rad: what is flatter slides over the soil as this does
constexpr double vertical = 1e-9;    // of a face's normal: what is less leans not at all
constexpr double mouth_likeness = 0.7;
constexpr double touching = 0.01;  // m: what gives way elastically does not lift off
constexpr double held_below =
    0.25;  // m: under the hull nothing slides in, for it stands in the way
enum Mark : uint8_t { nothing, covered, ring };

Quat between(const Quat& a, Quat b, double share) {
    if (a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z < 0) b = {-b.w, -b.x, -b.y, -b.z};
    const Quat q{a.w + share * (b.w - a.w), a.x + share * (b.x - a.x), a.y + share * (b.y - a.y),
                 a.z + share * (b.z - a.z)};
    const double n = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return n > 1e-6 ? Quat{q.w / n, q.x / n, q.y / n, q.z / n} : b;
}

Vec3 level(Vec3 v) { return {v.x, v.y, 0}; }

}  // namespace

std::optional<FieldPlace> place_in(const HeightField& f, double x, double y) {
    x /= f.spacing_x;
    y /= f.spacing_y;
    if (!(x >= 0 && x <= f.columns - 1 && y >= 0 && y <= f.rows - 1)) return {};
    const size_t c = std::min(static_cast<size_t>(x), size_t{f.columns} - 2),
                 r = std::min(static_cast<size_t>(y), size_t{f.rows} - 2);
    const double u = x - static_cast<double>(c), v = y - static_cast<double>(r);
    const size_t low = r * f.columns + c, high = low + f.columns;
    if (v > u) return FieldPlace{{low, high + 1, high}, {1 - v, u, v - u}};
    return FieldPlace{{low, low + 1, high + 1}, {1 - u, u - v, v}};
}

class Digging {
  public:
    Digging(const EarthProcess& earth, World& world, EarthMemory& memory, size_t bucket)
        : earth_(earth),
          world_(world),
          m_(memory),
          bucket_(bucket),
          state_(memory.buckets[bucket]),
          shape_(earth.shapes_[bucket]),
          hull_(earth.hulls_[bucket]),
          now_(world.pose(earth.earth_.buckets[bucket].body)),
          turn_(now_.orientation.matrix()) {}

    void run();

  private:
    using Site = EarthProcess::Site;
    // Of the hull in a field's frame.
    struct Plane {
        Vec3 normal;
        double offset;
        bool is_mouth;
    };
    struct Line {
        double low = -unlimited, high = unlimited;
        bool from_mouth = false;  // its lower end
    };
    // Points of the grid, the last excluded.
    struct Window {
        uint32_t column, row, end_column, end_row;
        size_t width() const { return end_column - column; }
    };
    struct Stand {
        double area = 0, depth = 0;
        Vec3 center;  // world
    };
    // How the soil stands before, behind and beside the edge.
    struct Stations {
        size_t in_soil = 0;
        double depth = 0, behind = 0, beside = 0, flow = 0;
    };

    void place_hull(const Site&, const Pose&);
    Line line_at(double x, double y) const;
    Window window(const HeightField&, const Vec3& low, const Vec3& high, int beyond) const;
    bool may_touch(const Site&, const HeightField&, const Pose&);
    void sweep(const Site&, Ground&, Heights&);
    Stand stand(const Site&, Ground&, const HeightField&);
    void share(const Site&, Ground&, Heights&);
    void push(Ground&, Heights&, Vec3 direction, double mass);
    Stations look(const Site&, const Ground&, const HeightField&) const;
    double above(const Site&, const Ground&, const HeightField&, Vec3 at, double z) const;
    void tell(const Soil&, const Stations&, const Stand&);
    void tell_nothing();
    void command(size_t input, double value) {
        world_.command(earth_.ids_.dig_forces[bucket_], input, value);
    }

    const EarthProcess& earth_;
    World& world_;
    EarthMemory& m_;
    size_t bucket_;
    BucketState& state_;
    const BucketShape& shape_;
    const ConvexHull& hull_;
    Pose now_;
    Mat3 turn_;
    Vec3 ahead_, edge_velocity_;
    double cut_ = 0;
    bool sees_mouth_ = false;

    static constexpr size_t most_faces = 128;
    std::array<Plane, most_faces> planes_{};
    size_t plane_count_ = 0;
    Vec3 low_, high_;  // of the hull, in the field's frame
};

// ---- The hull ------------------------------------------------------------------------------------------

void Digging::place_hull(const Site& site, const Pose& pose) {
    const Mat3 turn = (site.pose.orientation.conjugate() * pose.orientation).matrix();
    const Vec3 origin = site.to_local(pose.position);
    plane_count_ = std::min(hull_.faces().size(), most_faces);
    for (size_t i = 0; i < plane_count_; ++i) {
        const ConvexHull::Face& f = hull_.faces()[i];
        const Vec3 normal = turn * f.normal;
        planes_[i] = {normal, f.offset + dot(normal, origin),
                      dot(f.normal, shape_.opening()) > mouth_likeness};
    }
    low_ = {unlimited, unlimited, unlimited};
    high_ = -low_;
    for (Vec3 v : hull_.vertices()) {
        const Vec3 p = origin + turn * v;
        for (int k = 0; k < 3; ++k) {
            low_[k] = std::min(low_[k], p[k]);
            high_[k] = std::max(high_[k], p[k]);
        }
    }
}

// Where a vertical line is within the hull; nowhere if `high` is below `low`.
Digging::Line Digging::line_at(double x, double y) const {
    Line line;
    for (size_t i = 0; i < plane_count_; ++i) {
        const Plane& p = planes_[i];
        const double left = p.offset - p.normal.x * x - p.normal.y * y;
        if (p.normal.z > vertical) {
            line.high = std::min(line.high, left / p.normal.z);
        } else if (p.normal.z < -vertical) {
            if (left / p.normal.z > line.low) {
                line.low = left / p.normal.z;
                line.from_mouth = p.is_mouth;
            }
        } else if (left < 0) {
            return {1, 0};
        }
    }
    return line;
}

Digging::Window Digging::window(const HeightField& f, const Vec3& low, const Vec3& high,
                                int beyond) const {
    const auto clipped = [&](double at, double spacing, uint32_t count) {
        return static_cast<uint32_t>(std::clamp(at / spacing, 0.0, static_cast<double>(count)));
    };
    return {clipped(std::ceil(low.x / f.spacing_x) * f.spacing_x - beyond * f.spacing_x,
                    f.spacing_x, f.columns),
            clipped(std::ceil(low.y / f.spacing_y) * f.spacing_y - beyond * f.spacing_y,
                    f.spacing_y, f.rows),
            clipped(high.x + (1 + beyond) * f.spacing_x, f.spacing_x, f.columns),
            clipped(high.y + (1 + beyond) * f.spacing_y, f.spacing_y, f.rows)};
}

// Whether its box is above some of the field, and not above all heights there.
bool Digging::may_touch(const Site& site, const HeightField& f, const Pose& pose) {
    place_hull(site, pose);
    const Window w = window(f, low_, high_, 1);
    for (uint32_t r = w.row; r < w.end_row; ++r)
        for (uint32_t c = w.column; c < w.end_column; ++c)
            if (f.heights[size_t{r} * f.columns + c] > low_.z - touching) return true;
    return false;
}

// ---- The cut -------------------------------------------------------------------------------------------

void Digging::sweep(const Site& site, Ground& ground, Heights& heights) {
    const HeightField& f = heights.field();
    m_.cuts.clear();
    double way = 0;
    for (Vec3 v : hull_.vertices()) way = std::max(way, norm(now_ * v - state_.last * v));
    const int parts = std::clamp(
        static_cast<int>(std::ceil(2 * way / std::min(f.spacing_x, f.spacing_y))), 1, most_parts);
    for (int part = 1; part <= parts; ++part) {
        const double at = static_cast<double>(part) / parts;
        const Pose pose =
            part == parts ? now_
                          : Pose{state_.last.position + at * (now_.position - state_.last.position),
                                 between(state_.last.orientation, now_.orientation, at)};
        place_hull(site, pose);
        const Window w = window(f, low_, high_, 0);
        for (uint32_t r = w.row; r < w.end_row; ++r)
            for (uint32_t c = w.column; c < w.end_column; ++c) {
                const size_t point = size_t{r} * f.columns + c;
                if (!(heights[point] > low_.z)) continue;
                const Line line = line_at(c * f.spacing_x, r * f.spacing_y);
                if (!(line.high > line.low) || !(heights[point] > line.low)) continue;
                const double mass = ground.take(heights, point, heights[point] - line.low);
                if (!(mass > 0)) continue;
                sees_mouth_ |= line.from_mouth;
                m_.cuts.push_back({static_cast<uint32_t>(point), mass});
            }
    }
    for (const EarthMemory::Cut& c : m_.cuts) cut_ += c.mass;
}

// Marks what the hull covers where it is, and what lies around that; tells how the shell stands on the soil.
Digging::Stand Digging::stand(const Site& site, Ground& ground, const HeightField& f) {
    place_hull(site, now_);
    const Window w = window(f, low_, high_, 2);
    const size_t width = w.width();
    m_.marks.assign(width * (w.end_row - w.row), nothing);
    m_.around.clear();
    Stand out;
    double under = 0;
    for (uint32_t r = w.row; r < w.end_row; ++r)
        for (uint32_t c = w.column; c < w.end_column; ++c) {
            const size_t point = size_t{r} * f.columns + c;
            const Line line = line_at(c * f.spacing_x, r * f.spacing_y);
            if (!(line.high > line.low)) continue;
            m_.marks[(r - w.row) * width + c - w.column] = covered;
            if (f.heights[point] > line.low - held_below) ground.hold(point);
            if (line.from_mouth || !(f.heights[point] > line.low - touching)
                || !(ground.diggable(point) > 0))
                continue;
            const double area = ground.area(point);
            out.area += area;
            under += area * line.low;
            out.center += area * (site.pose * Vec3{c * f.spacing_x, r * f.spacing_y, line.low});
        }
    if (out.area > 0) {
        out.center = out.center / out.area;
        under /= out.area;
    }
    for (uint32_t r = w.row; r < w.end_row; ++r)
        for (uint32_t c = w.column; c < w.end_column; ++c) {
            uint8_t& mark = m_.marks[(r - w.row) * width + c - w.column];
            if (mark != nothing) continue;
            bool is_next = false;
            for (uint32_t y = std::max(r, w.row + 1) - 1; y < std::min(r + 2, w.end_row); ++y)
                for (uint32_t x = std::max(c, w.column + 1) - 1; x < std::min(c + 2, w.end_column);
                     ++x)
                    is_next |= m_.marks[(y - w.row) * width + x - w.column] == covered;
            if (!is_next) continue;
            mark = ring;
            const uint32_t point = r * f.columns + c;
            m_.around.push_back(point);
            out.depth += std::min(f.heights[point] - under, ground.diggable(point));
        }
    out.depth = out.area > 0 && !m_.around.empty()
                  ? std::max(0.0, out.depth / static_cast<double>(m_.around.size()))
                  : 0;
    return out;
}

void Digging::push(Ground& ground, Heights& heights, Vec3 direction, double mass) {
    const HeightField& f = heights.field();
    const auto place = [&](size_t point) { return place_of(f, point); };
    const Vec3 middle = 0.5 * level(low_ + high_);
    const double speed = norm(direction);
    const auto weight = [&](size_t point) {
        if (ground.is_blocked(point)) return 0.0;
        const Vec3 to = place(point) - middle;
        const double along =
            speed > 1e-6 && norm(to) > 1e-9 ? dot(to, direction) / (speed * norm(to)) : 0;
        return 0.02 + std::max(0.0, along) * std::max(0.0, along);
    };
    double sum = 0;
    for (const uint32_t point : m_.around) sum += weight(point);
    if (!(sum > 0)) {
        // It covers all there is: the soil stays, denser.
        for (const EarthMemory::Cut& c : m_.cuts) ground.cram(c.point, c.mass * (mass / cut_));
        return;
    }
    double left = mass;
    for (size_t i = 0; i < m_.around.size(); ++i) {
        const double part = i + 1 == m_.around.size() ? left : mass * (weight(m_.around[i]) / sum);
        ground.give(heights, m_.around[i], std::min(part, left));
        left = std::max(0.0, left - part);
    }
}

// Who gets what was cut.
void Digging::share(const Site& site, Ground& ground, Heights& heights) {
    const Soil& soil = ground.soil();
    const double room =
        std::max(0.0, shape_.capacity(ground.loose_slope()) * soil.loose_density() - state_.mass);
    const bool comes_in = sees_mouth_ || dot(edge_velocity_, turn_ * shape_.digging()) > 1e-9
                       || dot(edge_velocity_, turn_ * shape_.opening()) > 1e-9;
    const double gained = comes_in ? std::min(cut_, room) : 0;
    if (gained > 0) state_.soil = static_cast<double>(site.index);
    state_.mass += gained;
    state_.cut += cut_;
    state_.gained += gained;
    if (cut_ > gained)
        push(ground, heights, level(site.pose.orientation.conjugate().matrix() * edge_velocity_),
             cut_ - gained);
}

// ---- Resistance ----------------------------------------------------------------------------------------

// How much soil there is above this height; what is hard does not count. Below the surface by nothing: negative.
double Digging::above(const Site& site, const Ground& ground, const HeightField& f, Vec3 at,
                      double z) const {
    const Vec3 p = site.to_local(at);
    const auto place = place_in(f, p.x, p.y);
    if (!place) return 0;
    double surface = site.pose.position.z, soil = 0;
    for (size_t i = 0; i < 3; ++i) {
        surface += place->weight[i] * f.heights[place->point[i]];
        // Not 0 · ∞.
        if (place->weight[i] > 0) soil += place->weight[i] * ground.diggable(place->point[i]);
    }
    return std::min(surface - z, soil);
}

Digging::Stations Digging::look(const Site& site, const Ground& ground,
                                const HeightField& f) const {
    Stations out;
    const auto soil_above = [&](Vec3 at, double z) { return above(site, ground, f, at, z); };
    const double step = reach * std::max(f.spacing_x, f.spacing_y);
    const Vec3 side = turn_ * shape_.across(), edge = now_ * shape_.edge();
    double back = 0, lowest = edge.z;
    for (Vec3 v : hull_.vertices()) {
        const Vec3 p = now_ * v;
        back = std::min(back, dot(p - edge, ahead_));
        lowest = std::min(lowest, p.z);
    }
    // LUA (3.25)–(3.28), with the errata of docs/sources.md.
    const Vec3 mouth = now_ * shape_.rim() - edge, normal = turn_ * shape_.opening();
    const double size = norm(mouth), rise = mouth.z / size;
    const Twist twist = world_.twist(earth_.earth_.buckets[bucket_].body);
    const Vec3 rim_velocity =
        twist.linear + cross(twist.angular, now_ * shape_.rim() - now_.position);
    for (size_t i = 0; i < stations; ++i) {
        const Vec3 at =
            edge + ((static_cast<double>(i) + 0.5) / stations - 0.5) * shape_.width() * side;
        const double depth = soil_above(at + step * ahead_, at.z);
        out.behind += std::max(0.0, soil_above(at + (back - step) * ahead_, lowest));
        if (!(depth > 0)) continue;
        ++out.in_soil;
        out.depth += depth;
        if (!(rise > 0.05)) continue;
        const double filled = std::min(depth / rise, size);
        const Vec3 mean = edge_velocity_ + filled / (2 * size) * (rim_velocity - edge_velocity_);
        out.flow += std::max(0.0, dot(mean, normal)) * filled * shape_.width() / stations;
    }
    if (out.in_soil > 0) out.depth /= static_cast<double>(out.in_soil);
    out.behind /= stations;
    for (const double to : {-1.0, 1.0}) {
        const Vec3 at = edge + to * (0.5 * shape_.width() + step) * side + 0.5 * back * ahead_;
        out.beside = std::max(out.beside, soil_above(at, edge.z));
    }
    return out;
}

void Digging::tell(const Soil& soil, const Stations& s, const Stand& foot) {
    const double width = shape_.width() * static_cast<double>(s.in_soil) / stations;
    const Vec3 along = turn_ * shape_.digging();
    const double rake = std::clamp(std::atan2(-along.z, dot(along, ahead_)), least_rake, pi / 2);
    const double gravity = earth_.gravity_;
    const double load = state_.mass * gravity / (shape_.width() * shape_.floor());
    state_.depth = s.depth;
    state_.rake = rake;
    state_.flow = s.flow;
    state_.is_told = 1;
    const bool is_printed = soil.digging == Soil::Digging::printed;

    const Vec3 edge = shape_.edge();
    const Vec3 foot_at = foot.area > 0 ? turn_.transposed() * (foot.center - now_.position) : edge;
    const Vec3 axis = is_printed ? along : ahead_;
    for (size_t k = 0; k < 3; ++k) {
        command(edge_place + k, edge[static_cast<int>(k)]);
        command(foot_place + k, foot_at[static_cast<int>(k)]);
        command(ahead_axis + k, axis[static_cast<int>(k)]);
    }
    const auto wall = [&](double depth) {
        return wedge_failure(soil, {.depth = depth, .rake = pi / 2, .gravity = gravity}).ahead;
    };
    const Failure wedge = wedge_failure(
        soil, {.depth = s.depth, .rake = rake, .surcharge = load, .gravity = gravity});
    const double pushed = state_.cut > 0 ? 1 - state_.gained / state_.cut : 1;
    const double on = is_printed ? 0 : 1;
    command(ahead_limit, on * wedge.ahead * width);
    command(down_share, wedge.ahead > 0 ? wedge.down / wedge.ahead : 0);
    command(speed_factor, on * pushed * wedge.by_speed * width);
    command(back_limit, on * wall(s.behind) * shape_.width());
    command(side_limit, on * wall(std::max(0.0, s.beside)) * shape_.floor());
    command(up_limit, on * soil.adhesion * s.depth / std::sin(rake) * width);
    command(down_limit, soil.pressure(s.depth, earth_.earth_.buckets[bucket_].edge_thickness)
                            * earth_.earth_.buckets[bucket_].edge_thickness * width);
    const double smaller = std::min(shape_.width(), foot.area / shape_.width());
    command(foot_limit,
            foot.area > 0 ? soil.pressure(foot.depth, std::max(smaller, 1e-3)) * foot.area : 0);
    command(foot_grip, std::tan(soil.steel_friction_angle));
    const double deep = std::pow(s.depth, soil.printed_depth_power) * (width / shape_.width());
    const double volume = state_.mass / soil.loose_density();
    command(along_damping,
            is_printed ? soil.printed_along * deep
                             * (soil.printed_empty
                                + soil.printed_load * std::pow(volume, soil.printed_load_power))
                       : 0);
    command(across_damping, is_printed ? soil.printed_across * deep : 0);
}

void Digging::tell_nothing() {
    state_.depth = state_.rake = state_.flow = 0;
    if (state_.is_told == 0) return;
    state_.is_told = 0;
    for (const size_t input : {ahead_limit, back_limit, down_limit, up_limit, side_limit,
                               speed_factor, foot_limit, along_damping, across_damping})
        command(input, 0);
}

void Digging::run() {
    const Twist twist = world_.twist(earth_.earth_.buckets[bucket_].body);
    edge_velocity_ = twist.linear + cross(twist.angular, now_ * shape_.edge() - now_.position);
    // Level, over the edge; of a bucket that stands on its edge, out of its mouth.
    const Vec3 along = turn_ * shape_.digging(), mouth = turn_ * shape_.opening();
    const Vec3 front = level(along) + 0.5 * std::max(0.0, -along.z) * level(mouth);
    ahead_ = norm(front) > 1e-6 ? normalized(front) : Vec3{1, 0, 0};
    state_.cut = state_.gained = 0;

    Stations best;
    Stand foot;
    std::optional<size_t> of;
    for (size_t k = 0; k < earth_.patches() + m_.spares.size(); ++k) {
        if (!earth_.is_there(m_, k)) continue;
        const Site site = earth_.site(world_, k);
        Heights heights(world_, site.shape);
        const HeightField& f = heights.field();
        if (!may_touch(site, f, now_) && !may_touch(site, f, state_.last)) continue;
        Ground& ground = m_.grounds[k];
        cut_ = 0;
        sees_mouth_ = false;
        sweep(site, ground, heights);
        const Stand here = stand(site, ground, f);
        if (cut_ > 0) share(site, ground, heights);
        const Stations s = look(site, ground, f);
        if (of && s.in_soil <= best.in_soil && here.area <= foot.area) continue;
        best = s;
        foot = here;
        of = k;
    }
    state_.last = now_;
    if (of && (best.in_soil > 0 || foot.area > 0 || best.behind > 0))
        tell(m_.grounds[*of].soil(), best, foot);
    else
        tell_nothing();
}

void EarthProcess::dig(World& world, EarthMemory& m, size_t bucket) const {
    Digging(*this, world, m, bucket).run();
}

}  // namespace bristle::machines
