// The tangent of contacts against differences of their forces.
//
// A contact's forces on the entities are Nᵀ F̄(q). Its tangent is Nᵀ K N with K = −∂F̄/∂(a − b), symmetric: that
// leaves out how N and the normal turn (in proportion to the force, not the stiffness: of the order of
// depth over radius), and the part of friction that follows the normal force (unsymmetric, μ k t nᵀ). So
// the comparison is made at depths of a millionth of the bodies, along rigid motions; the rest is measured.
#include "lagrange/contacts.h"

#include "lagrange/equations.h"
#include "tests/support/contact_scenes.h"
#include "tests/support/rows.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

namespace bristle::lagrange {
namespace {

using namespace testing_support;

constexpr double step = 1e-3;

// A model whose bodies have moved `way` (and turned) in a step in which they touch.
class Contacting {
  public:
    Contacting(const Model& model, const std::vector<Twist>& way)
        : system_(build_system(model, {.step = step})), equations_(system_) {
        state::State begin = resting_state(system_);
        position_ = begin.position;
        modes_ = rigid_motions();
        for (size_t b = 0; b < way.size(); ++b)
            for (int k = 0; k < 3; ++k) {
                position_ =
                    moved(position_, way[b].linear[k], modes_[6 * b + static_cast<size_t>(k)]);
                position_ =
                    moved(position_, way[b].angular[k], modes_[6 * b + 3 + static_cast<size_t>(k)]);
            }
        state::State predicted = begin;
        predicted.position = position_;
        weights_ = integrator_weights(system_.settings, step);
        const Found found =
            contacts().detection()->find(begin.position.data(), predicted.position.data());
        contacts().take(found, begin, predicted, weights_);
        if (contacts().needs_blocks()) equations_.renew_blocks();
        BlockLdlt mass(equations_.pattern());
        equations_.evaluate_rows(begin);
        equations_.assemble_mass(mass);
        mass.factorize();
        std::vector<Vec4> scratch(system_.entity_count, Vec4{});
        if (contacts().has_new()) contacts().weigh(mass, scratch);
        contacts().start_iterations();
        // The first evaluation continues stiff contacts as straight lines; from the second on they are as they are.
        contacts().evaluate(position_.data());
        contacts().evaluate(position_.data());
    }

    Contacts& contacts() { return equations_.contacts; }
    size_t freedom() const { return modes_.size(); }

    // βh² ∂(−force)/∂q along and onto the rigid motions, by differences.
    Eigen::MatrixXd measured(double epsilon) {
        const auto n = static_cast<Eigen::Index>(freedom());
        Eigen::MatrixXd out(n, n);
        for (Eigen::Index j = 0; j < n; ++j) {
            const auto slope = derivative(
                [&](double t) { return forces(t, modes_[static_cast<size_t>(j)]); }, epsilon);
            for (Eigen::Index i = 0; i < n; ++i)
                out(i, j) =
                    weights_.beta_h2 * testing_support::dot(modes_[static_cast<size_t>(i)], slope);
        }
        contacts().evaluate(position_.data());
        return out;
    }

    Eigen::MatrixXd assembled() {
        BlockLdlt matrix(equations_.pattern());
        for (Block3& b : matrix.blocks()) b = {};
        contacts().add_tangent(1, false, matrix.blocks().data());
        const auto n = static_cast<Eigen::Index>(freedom());
        Eigen::MatrixXd out = Eigen::MatrixXd::Zero(n, n);
        for (uint32_t e = 0; e < system_.entity_count; ++e)
            for (uint32_t f = 0; f <= e; ++f) {
                uint32_t index = 0;
                try {
                    index = matrix.index_of(e, f);
                } catch (const std::logic_error&) {
                    continue;
                }
                const Block3& b = matrix.blocks()[index];
                for (Eigen::Index i = 0; i < n; ++i)
                    for (Eigen::Index j = 0; j < n; ++j) {
                        out(i, j) += product(b, modes_[static_cast<size_t>(i)][e],
                                             modes_[static_cast<size_t>(j)][f]);
                        if (e != f)
                            out(i, j) += product(b, modes_[static_cast<size_t>(j)][e],
                                                 modes_[static_cast<size_t>(i)][f]);
                    }
            }
        return out;
    }

    double largest_depth() {
        double d = 0;
        for (const ActiveContact& t : contacts().touches()) d = std::max(d, t.depth);
        return d;
    }
    double factor() const { return weights_.beta_h2 / (weights_.gamma_h / step); }

  private:
    static double product(const Block3& b, Vec4 row, Vec4 column) {
        double sum = 0;
        for (int c = 0; c < 3; ++c) sum += column[c] * math::dot(row, b.column[c]);
        return sum;
    }
    // Six for every body but the ground: along and about the axes through where it starts.
    std::vector<std::vector<Vec4>> rigid_motions() const {
        std::vector<std::vector<Vec4>> out;
        for (uint32_t b = 1; b < system_.model().bodies().size(); ++b)
            for (int k = 0; k < 6; ++k) {
                Vec3 linear, angular;
                (k < 3 ? linear : angular)[k % 3] = 1;
                std::vector<Vec4> motion(system_.entity_count, Vec4{});
                for (uint32_t e = 0; e < system_.entity_count; ++e) {
                    if (!(system_.entity_bodies[e][0] == BodyId{b})) continue;
                    const Vec3 p = to_vec3(position_[e]);
                    const bool is_point = system_.kind[e] == Entity::Kind::point;
                    motion[e] = to_vec4(
                        is_point ? linear + cross(angular, p - system_.model().bodies()[b].position)
                                 : cross(angular, p));
                }
                out.push_back(motion);
            }
        return out;
    }
    std::vector<Vec4> forces(double t, const std::vector<Vec4>& along) {
        contacts().evaluate(moved(position_, t, along).data());
        std::vector<Vec4> out(system_.entity_count, Vec4{}), load = out;
        contacts().subtract_forces(1, out.data(), load.data());
        return out;
    }

    System system_;
    Equations equations_;
    IntegratorWeights weights_{};
    std::vector<Vec4> position_;
    std::vector<std::vector<Vec4>> modes_;
};

MaterialId law(Model& m, ContactLaw l) {
    const MaterialId s = m.add(Material{});
    m.add(ContactPair{s, s, l});
    return s;
}

// Sticking, far below the limit, κ = 1.
ContactLaw sticking(double friction) {
    return {.stiffness = 1e6,
            .exponent = 1,
            .damping_factor = 0.01,
            .static_friction = friction,
            .kinetic_friction = friction,
            .stick_speed = 1e3,
            .stick_stiffness = 1e4,
            .stick_damping = 5};
}

void expect_symmetric_part(Contacting& c, size_t touches, double tolerance = 2e-5) {
    ASSERT_EQ(c.contacts().touches().size(), touches);
    const Eigen::MatrixXd mine = c.assembled(), known = c.measured(1e-9);
    const Eigen::MatrixXd symmetric = 0.5 * (known + known.transpose());
    ASSERT_GT(mine.norm(), 0);
    EXPECT_LE((mine - mine.transpose()).norm(), 1e-13 * mine.norm());
    EXPECT_GE(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(mine).eigenvalues()(0),
              -1e-12 * mine.norm());
    EXPECT_LE((mine - symmetric).norm(), tolerance * mine.norm()) << "mine\n"
                                                                  << mine << "\nmeasured\n"
                                                                  << symmetric;
}

const Twist nudge{{2e-9, -1e-9, -1e-6}, {1e-9, 2e-9, -1e-9}};

TEST(ContactTangent, OfABallOnAPlane) {
    for (double friction : {0.0, 0.6})
        for (bool floor_first : {false, true}) {
            Model m;
            const MaterialId s = law(m, sticking(friction));
            if (floor_first) add_floor(m, s);
            add_ball(m, 0.5, 1, {0.3, 0.2, 0.5}, {}, {}, s);
            if (!floor_first) add_floor(m, s);
            Contacting c(m, {nudge});
            expect_symmetric_part(c, 1);
        }
}

TEST(ContactTangent, OfABoxOnAPlane) {
    for (double friction : {0.0, 0.6}) {
        Model m;
        const MaterialId s = law(m, sticking(friction));
        add_floor(m, s);
        add_box(m, {1, 0.8, 0.6}, 1, {0.3, 0.2, 0.3}, {}, s);
        Contacting c(m, {nudge});
        expect_symmetric_part(c, 4);
    }
}

TEST(ContactTangent, OfMovingPairs) {
    for (double friction : {0.0, 0.6}) {
        Model balls;
        MaterialId s = law(balls, sticking(friction));
        add_ball(balls, 0.5, 1, {0, 0, 0}, {}, {}, s);
        add_ball(balls, 0.3, 2, {0, 0, 0.8}, {}, {}, s);
        Contacting two(balls, {{{1e-9, 0, 0}, {}}, nudge});
        expect_symmetric_part(two, 1);

        Model mixed;
        s = law(mixed, sticking(friction));
        add_box(mixed, {1, 1, 0.4}, 1, {0, 0, 0}, {}, s);
        add_ball(mixed, 0.3, 2, {0.2, 0.1, 0.5}, {}, {}, s);
        Contacting pair(mixed, {{{0, 1e-9, 0}, {0, 0, 1e-9}}, nudge});
        expect_symmetric_part(pair, 1);

        Model boxes;
        s = law(boxes, sticking(friction));
        add_box(boxes, {1, 1, 0.4}, 1, {0, 0, 0}, {}, s);
        add_box(boxes, {0.5, 0.6, 0.4}, 1, {0.1, 0, 0.4}, {}, s);
        Contacting stack(boxes, {{{0, 1e-9, 0}, {}}, nudge});
        expect_symmetric_part(stack, 4);
    }
}

TEST(ContactTangent, OfRollingAndSpinningResistance) {
    Model m;
    ContactLaw l = sticking(0.6);
    l.rolling_resistance = l.spinning_resistance = 0.1;
    const MaterialId s = law(m, l);
    add_floor(m, s);
    add_ball(m, 0.5, 1, {0.3, 0.2, 0.5}, {}, {}, s);
    Contacting c(m, {nudge});
    expect_symmetric_part(c, 1);
}

// What the turning of normals and arms leaves out is of the order of depth over radius.
TEST(ContactTangent, LeavesOutTheTurningInProportionToTheForce) {
    double last = 0;
    for (double depth : {1e-5, 1e-4, 1e-3}) {
        Model m;
        const MaterialId s = law(m, sticking(0));
        add_ball(m, 0.5, 1, {0, 0, 0}, {}, {}, s);
        add_ball(m, 0.3, 2, {0, 0, 0.8}, {}, {}, s);
        Contacting c(m, {{}, {{1e-3 * depth, 0, -depth}, {}}});
        const Eigen::MatrixXd mine = c.assembled(), known = c.measured(1e-4 * depth);
        const double left_out = (mine - 0.5 * (known + known.transpose())).norm() / mine.norm();
        EXPECT_LE(left_out, 4 * depth / 0.3) << depth;
        if (last > 0) {
            EXPECT_NEAR(left_out / last, 10, 1);
        }
        last = left_out;
    }
}

// Sliding: friction follows the normal force, μ k t nᵀ. Its symmetric part has the size μ k/2, and is left out.
TEST(ContactTangent, LeavesOutHalfTheCouplingOfFrictionToTheNormalForce) {
    for (double friction : {0.1, 0.3, 0.6}) {
        Model m;
        const MaterialId s = law(m, {.stiffness = 1e6,
                                     .exponent = 1,
                                     .damping_factor = 1e-9,
                                     .static_friction = friction,
                                     .kinetic_friction = friction,
                                     .stick_speed = 1e-4});
        add_floor(m, s);
        add_ball(m, 0.5, 1, {0.3, 0.2, 0.5}, {}, {}, s);
        Contacting c(m, {{{1e-4, 0, -1e-6}, {}}});
        ASSERT_EQ(c.contacts().touches().size(), 1u);
        ASSERT_TRUE(c.contacts().touches()[0].slide.slips);
        const Eigen::Matrix3d mine = c.assembled().topLeftCorner(3, 3),
                              known = c.measured(1e-9).topLeftCorner(3, 3);
        const Eigen::Matrix3d left_out = 0.5 * (known + known.transpose()) - mine;
        const double normal = c.factor() * c.contacts().touches()[0].mean.by_depth;
        EXPECT_NEAR(mine(2, 2), normal, 1e-9 * normal);
        EXPECT_NEAR(left_out.operatorNorm(), 0.5 * friction * normal, 0.01 * friction * normal);
        EXPECT_NEAR(std::abs(left_out(0, 2)), 0.5 * friction * normal, 0.01 * friction * normal);
    }
}

}  // namespace
}  // namespace bristle::lagrange
