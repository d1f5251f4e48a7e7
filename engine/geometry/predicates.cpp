#include "geometry/predicates.h"

#include <array>
#include <cmath>

namespace bristle::geometry {
namespace {

constexpr double rounding = 0x1p-53;
constexpr double cross_bound = (4 + 32 * rounding) * rounding;

// A sum of doubles by increasing size that do not overlap: no digit is lost in it.
template <size_t N> struct Expansion {
    std::array<double, N> term;
    size_t size = 0;

    void push(double x) {
        if (x != 0) term[size++] = x;
    }
    // The largest term has the sign of the whole.
    double value() const {
        double sum = 0;
        for (size_t i = 0; i < size; ++i) sum += term[i];
        return sum;
    }
};

// a + b = sum + error
inline double two_sum(double a, double b, double& error) {
    const double sum = a + b, of_b = sum - a, of_a = sum - of_b;
    error = (a - of_a) + (b - of_b);
    return sum;
}
inline double fast_two_sum(double large, double small, double& error) {
    const double sum = large + small;
    error = small - (sum - large);
    return sum;
}
inline double two_product(double a, double b, double& error) {
    const double product = a * b;
    error = std::fma(a, b, -product);
    return product;
}

Expansion<2> difference(double a, double b) {
    Expansion<2> out;
    double error = 0;
    const double high = two_sum(a, -b, error);
    out.push(error);
    out.push(high);
    return out;
}

// Both are merged by size and added up from the smallest.
template <size_t N, size_t M>
Expansion<N + M> sum(const Expansion<N>& a, const Expansion<M>& b, double sign = 1) {
    Expansion<N + M> out;
    size_t i = 0, j = 0;
    const auto next = [&] {
        if (j == b.size || (i < a.size && std::abs(a.term[i]) < std::abs(b.term[j])))
            return a.term[i++];
        return sign * b.term[j++];
    };
    if (a.size + b.size == 0) return out;
    double total = next(), error = 0;
    while (i < a.size || j < b.size) {
        total = two_sum(total, next(), error);
        out.push(error);
    }
    out.push(total);
    return out;
}

template <size_t N> Expansion<2 * N> scaled(const Expansion<N>& a, double factor) {
    Expansion<2 * N> out;
    if (a.size == 0 || factor == 0) return out;
    double error = 0;
    double total = two_product(a.term[0], factor, error);
    out.push(error);
    for (size_t i = 1; i < a.size; ++i) {
        double low = 0;
        const double high = two_product(a.term[i], factor, low);
        const double middle = two_sum(total, low, error);
        out.push(error);
        total = fast_two_sum(high, middle, error);
        out.push(error);
    }
    out.push(total);
    return out;
}

template <size_t N> Expansion<4 * N> product(const Expansion<N>& a, const Expansion<2>& b) {
    if (b.size == 0) return {};
    if (b.size == 1) return sum(scaled(a, b.term[0]), Expansion<2 * N>{});
    return sum(scaled(a, b.term[0]), scaled(a, b.term[1]));
}

using Difference = std::array<Expansion<2>, 3>;
Difference difference(Vec3 a, Vec3 b) {
    return {difference(a.x, b.x), difference(a.y, b.y), difference(a.z, b.z)};
}

// u_i v_j − u_j v_i
Expansion<16> minor(const Difference& u, const Difference& v, size_t i, size_t j) {
    return sum(product(u[i], v[j]), product(u[j], v[i]), -1);
}

double component(Vec3 u, Vec3 v, const Vec3 (&ends)[4], int i, int j) {
    const double first = u[i] * v[j], second = u[j] * v[i], plain = first - second;
    const double size = std::abs(first) + std::abs(second);
    if (std::abs(plain) > cross_bound * size || size == 0) return plain;
    return minor(difference(ends[1], ends[0]), difference(ends[3], ends[2]), static_cast<size_t>(i),
                 static_cast<size_t>(j))
        .value();
}

}  // namespace

double exact_orient(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    const Difference u = difference(a, d), v = difference(b, d), w = difference(c, d);
    const auto x = product(minor(v, w, 1, 2), u[0]);
    const auto y = product(minor(v, w, 2, 0), u[1]);
    const auto z = product(minor(v, w, 0, 1), u[2]);
    return sum(sum(x, y), z).value();
}

Vec3 exact_cross(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    const Vec3 ends[4] = {a, b, c, d};
    const Vec3 u = b - a, v = d - c;
    return {component(u, v, ends, 1, 2), component(u, v, ends, 2, 0), component(u, v, ends, 0, 1)};
}

Vec3 exact_normal(Vec3 a, Vec3 b, Vec3 c) { return exact_cross(a, b, a, c); }

}  // namespace bristle::geometry
