"""Analyses: what they return to Python, against closed forms."""

import math
import unittest

import numpy as np

import bristle
from support import four_bar, main, pendulum


class Analyses(unittest.TestCase):
    def test_a_hanging_rod_and_its_frequency(self):
        model, rod, pin = pendulum(length=1.0)
        model.add(bristle.JointSpring(joint=pin, damping=0.05))
        world = bristle.World(model)
        rest = bristle.find_equilibrium(world)
        self.assertTrue(rest.is_stable)
        np.testing.assert_allclose(world.point(rod, [1, 0, 0]), [0, 0, -1], atol=1e-6)
        (mode,) = bristle.modes(world)
        self.assertAlmostEqual(mode.frequency, math.sqrt(1.5 * 9.81) / (2 * math.pi), places=6)
        self.assertAlmostEqual(mode.damping_ratio, 0.05 / (2 / 3 * math.sqrt(1.5 * 9.81)), places=6)
        self.assertLess(mode.eigenvalue.real, 0)
        self.assertEqual(mode.shape.shape, (2, 6))
        np.testing.assert_allclose(mode.shape / mode.shape[1, 4], [[0] * 6, [0, 0, 0, 0, 1, 0]], atol=1e-9)

    def test_the_matrices_give_the_same_frequency(self):
        model, rod, pin = pendulum()
        model.add(bristle.JointSpring(joint=pin, stiffness=7.0, damping=0.3))
        model.gravity = [0, 0, 0]
        small = bristle.linearize(bristle.World(model))
        self.assertEqual((small.n, small.mass.shape, small.basis.shape), (1, (1, 1), (1, 2, 6)))
        self.assertAlmostEqual(small.stiffness[0, 0] / small.mass[0, 0], 7.0 * 3, places=5)
        self.assertAlmostEqual(small.damping[0, 0] / small.mass[0, 0], 0.3 * 3, places=5)

    def test_mobility_in_words(self):
        world = bristle.World(four_bar())
        found = bristle.mobility(world)
        self.assertEqual((found.degrees_of_freedom, found.redundant_constraints), (1, 3))
        self.assertEqual(found.freedoms[0].motion.shape, (4, 6))
        self.assertGreater(len(bristle.explain(found, world).splitlines()), 1)

    def test_a_rough_model_is_assembled(self):
        model = bristle.Model()
        a = model.add(bristle.Body.rod([0, 0, 0], [1, 0, 0], 1.0))
        b = model.add(bristle.Body.rod([1.02, 0, 0.03], [2, 0, 0], 1.0))
        y = [0, 1, 0]
        model.add(bristle.Revolute(a=model.ground(), b=a, at=[0, 0, 0], axis=y))
        model.add(bristle.Revolute(a=a, b=b, at=[1, 0, 0], at_b=[1.02, 0, 0.03], axis=y))
        self.assertFalse(model.is_assembled())
        whole = bristle.assembled(model, keep=[a])
        self.assertTrue(whole.is_assembled())
        np.testing.assert_array_equal(whole.bodies[1].position, model.bodies[1].position)

    def test_guided_motion_gives_reactions_and_efforts(self):
        model, rod, pin = pendulum()
        drive = model.add(bristle.Drive(joint=pin, target=lambda t: 0.5 * t * t))
        world = bristle.World(model)
        world.guide(1.0)
        self.assertAlmostEqual(world.coordinate(pin), 0.5, places=8)
        self.assertAlmostEqual(world.coordinate_rate(pin), 1.0, places=6)
        torque = 1 / 3 - 9.81 * 0.5 * math.cos(0.5)
        self.assertAlmostEqual(world.effort(drive), torque, places=4)

        model, rod, pin = pendulum()
        drive = model.add(bristle.Drive(joint=pin))
        world = bristle.World(model)
        world.guide([bristle.DriveMotion(drive, position=0.5, rate=1.0, acceleration=1.0)])
        self.assertAlmostEqual(world.effort(drive), torque, places=6)


if __name__ == "__main__":
    main()
