#include "geometry/sphere_tree.h"

#include <bristle/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace bristle::geometry {
namespace {

// A sphere around balls: from the middle of their box, pulled towards whatever sticks out, in shrinking steps
// (Bădoiu and Clarkson), which is within a few per cent of the least one.
Ball ball_around(std::span<const Ball> balls) {
    Vec3 low = balls[0].center, high = low;
    for (const Ball& ball : balls)
        for (int k = 0; k < 3; ++k) {
            low[k] = std::min(low[k], ball.center[k] - ball.radius);
            high[k] = std::max(high[k], ball.center[k] + ball.radius);
        }
    const auto farthest = [&](Vec3 c, double& reach) {
        const Ball* found = &balls[0];
        reach = -1;
        for (const Ball& ball : balls) {
            const double r = norm(ball.center - c) + ball.radius;
            if (r > reach) {
                reach = r;
                found = &ball;
            }
        }
        return found;
    };
    Ball best{0.5 * (low + high), std::numeric_limits<double>::infinity()};
    Vec3 c = best.center;
    for (int round = 0; round < 12; ++round) {
        double reach = 0;
        const Ball* far = farthest(c, reach);
        if (reach < best.radius) best = {c, reach};
        const Vec3 d = far->center - c;
        if (!(norm(d) > 0)) break;
        c += (reach / (round + 3.0) / norm(d)) * d;
    }
    // What rounding may have lost of the distances.
    best.radius *= 1 + 8 * std::numeric_limits<double>::epsilon();
    return best;
}

}  // namespace

SphereTree::SphereTree(std::span<const Ball> balls) : balls_(balls.begin(), balls.end()) {
    for (size_t i = 0; i < balls_.size(); ++i)
        if (!is_finite(balls_[i].center)
            || !(balls_[i].radius > 0 && std::isfinite(balls_[i].radius)))
            throw InputError(fmt::format(
                "sphere tree: ball {} has radius {} and centre ({}, {}, {}); both must be finite, "
                "the "
                "radius positive",
                i, balls_[i].radius, balls_[i].center.x, balls_[i].center.y, balls_[i].center.z));
    if (balls_.empty()) return;
    original_.resize(balls_.size());
    std::iota(original_.begin(), original_.end(), 0u);
    for (const Ball& ball : balls_) largest_ = std::max(largest_, ball.radius);
    build(0, static_cast<uint32_t>(balls_.size()));
    // Of coordinates and radii, and of the few operations on them.
    rounding_ = 1e-6 * (norm(nodes_[0].center) + 2 * nodes_[0].radius);
}

void SphereTree::build(uint32_t first, uint32_t count) {
    const auto index = static_cast<uint32_t>(nodes_.size());
    const std::span<const Ball> mine = std::span(balls_).subspan(first, count);
    const Ball around = ball_around(mine);
    double volume = 0;
    Vec3 mean;
    for (const Ball& ball : mine) {
        volume += 4 * pi / 3 * ball.radius * ball.radius * ball.radius;
        mean += ball.center / count;
    }
    nodes_.push_back({around.center, around.radius, volume, first, count, 0, 0});
    if (count > leaf_size) {
        Vec3 spread;
        for (const Ball& ball : mine) {
            const Vec3 d = ball.center - mean;
            spread += Vec3{d.x * d.x, d.y * d.y, d.z * d.z};
        }
        const int axis = spread.x >= spread.y && spread.x >= spread.z ? 0
                       : spread.y >= spread.z                         ? 1
                                                                      : 2;
        std::vector<uint32_t> order(count);
        std::iota(order.begin(), order.end(), first);
        const uint32_t half = count / 2;
        std::sort(order.begin(), order.end(), [&](uint32_t i, uint32_t j) {
            const double a = balls_[i].center[axis], b = balls_[j].center[axis];
            return a != b ? a < b : original_[i] < original_[j];
        });
        std::vector<Ball> sorted(count);
        std::vector<uint32_t> numbers(count);
        for (uint32_t k = 0; k < count; ++k) {
            sorted[k] = balls_[order[k]];
            numbers[k] = original_[order[k]];
        }
        std::copy(sorted.begin(), sorted.end(), balls_.begin() + first);
        std::copy(numbers.begin(), numbers.end(), original_.begin() + first);
        build(first, half);
        build(first + half, count - half);
    }
    nodes_[index].skip = static_cast<uint32_t>(nodes_.size());
    if (count > leaf_size) return;
    nodes_[index].block = static_cast<uint32_t>(blocks_.size());
    add_blocks(nodes_[index]);
}

void SphereTree::add_blocks(const Node& leaf) {
    for (uint32_t start = 0; start < leaf.count; start += 8) {
        Block block{wide(1e30f), wide(1e30f), wide(1e30f), wide(0)};  // squared, it is infinite
        for (uint32_t k = 0; k < 8 && start + k < leaf.count; ++k) {
            const Ball& ball = balls_[leaf.first + start + k];
            block.x[k] = static_cast<float>(ball.center.x);
            block.y[k] = static_cast<float>(ball.center.y);
            block.z[k] = static_cast<float>(ball.center.z);
            block.radius[k] = static_cast<float>(ball.radius);
        }
        blocks_.push_back(block);
    }
}

}  // namespace bristle::geometry
