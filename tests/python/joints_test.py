"""What joints can be told: rates, gauges, friction; and what a start changes."""

import math
import unittest
import warnings

import numpy as np

import bristle
from support import main

SOLVERS = [bristle.AugmentedLagrangian(step=1e-3), bristle.Impulse(step=1e-3)]


def four_bar(rate=None, spin=0.0):
    """Of unequal links; the crank's rate decides all."""
    model = bristle.Model()
    a, b, c, d = [0, 0, 0], [0, 0, 0.2], [1, 0, 0.8], [1, 0, 0]
    body = bristle.Body.rod(a, b, 1.0).named("crank")
    body.angular_velocity = [0, spin, 0]
    crank = model.add(body)
    coupler = model.add(bristle.Body.rod(b, c, 2.0))
    rocker = model.add(bristle.Body.rod(d, c, 1.5))
    y = [0, 1, 0]
    pin = model.add(bristle.Revolute(a=model.ground(), b=crank, at=a, axis=y, rate=rate))
    model.add(bristle.Revolute(a=crank, b=coupler, at=b, axis=y))
    model.add(bristle.Revolute(a=coupler, b=rocker, at=c, axis=y))
    model.add(bristle.Revolute(a=model.ground(), b=rocker, at=d, axis=y))
    return model, crank, pin


class Starts(unittest.TestCase):
    def test_a_rate_starts_the_whole_mechanism(self):
        model, _, pin = four_bar(rate=6.0)
        for solver in SOLVERS:
            self.assertAlmostEqual(bristle.World(model, solver).coordinate_rate(pin), 6.0, places=8)

    def test_a_velocity_that_joints_change_is_told(self):
        model, crank, _ = four_bar(spin=6.0)
        with self.assertWarnsRegex(UserWarning, r"'crank' was given .*6, 0\) rad/s and starts with .* %"):
            bristle.World(model)
        (change,) = bristle.start_changes(model)
        self.assertEqual(change.body, crank)
        self.assertEqual(change.given.angular[1], 6.0)
        self.assertAlmostEqual(change.share(), 1 - change.starts.angular[1] / 6.0, places=9)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            bristle.World(four_bar(rate=6.0)[0])


class Gauges(unittest.TestCase):
    def test_a_cylindrical_joint_is_turned_and_pushed(self):
        model = bristle.Model()
        ram = model.add(bristle.Body.box([0.1, 0.2, 0.3], 2.0))
        z = [0, 0, 1]
        slide = model.add(bristle.Cylindrical(a=model.ground(), b=ram, at=[0, 0, 0], axis=z))
        turn = model.add(bristle.TurnGauge(a=model.ground(), b=ram, axis=z))
        speed = bristle.Drive.Control.speed
        model.add(bristle.Drive(joint=turn, control=speed, target=lambda t: 4.0))
        model.add(bristle.Drive(joint=slide, target=lambda t: 0.1 * t))
        for solver in SOLVERS:
            world = bristle.World(model, solver)
            world.advance_to(2.0)
            self.assertAlmostEqual(world.coordinate(turn), 8.0, places=4)
            self.assertAlmostEqual(world.coordinate(slide), 0.2, places=4)

    def test_friction_stops_a_wheel(self):
        model = bristle.Model()
        wheel = model.add(bristle.Body.cylinder(0.2, 0.1, 5.0))
        hinge = model.add(
            bristle.Revolute(a=model.ground(), b=wheel, at=[0, 0, 0], axis=[0, 0, 1], rate=10.0)
        )
        friction = bristle.Drive.Control.friction
        dry = model.add(bristle.Drive(joint=hinge, control=friction, max_effort=2.0))
        for solver in SOLVERS:
            world = bristle.World(model, solver)
            world.advance_to(2.0)
            self.assertAlmostEqual(world.coordinate(hinge), 0.05 * 10**2 / 2.0, places=1)
            self.assertAlmostEqual(world.work(dry), -0.5 * 0.1 * 10**2, places=1)


class Momenta(unittest.TestCase):
    def test_a_ball_has_what_it_should(self):
        model = bristle.Model()
        ball = model.add(bristle.Body.sphere(0.1, 2.0).at([1, 0, 0]).moving([0, 3, 0], [0, 0, 5]))
        world = bristle.World(model)
        own = 0.4 * 2.0 * 0.01 * 5
        np.testing.assert_allclose(world.momentum(), [0, 6, 0], atol=1e-12)
        np.testing.assert_allclose(world.angular_momentum(), [0, 0, 6 + own], atol=1e-12)
        np.testing.assert_allclose(world.angular_momentum(ball, [1, 0, 0]), [0, 0, own], atol=1e-12)
        np.testing.assert_allclose(world.center_of_mass(), [1, 0, 0])


class Forces(unittest.TestCase):
    def test_a_force_reads_what_a_floor_presses_with(self):
        for solver in SOLVERS:
            model = bristle.Model()
            body = model.add(bristle.Body.sphere(0.1, 2.0).at([0, 0, 0.1]))
            model.add(bristle.Shape(body=body, geometry=bristle.Sphere(0.1)))
            model.add(bristle.Shape(body=model.ground(), geometry=bristle.Plane()))
            seen = []

            def look(now, out):
                seen.append((now.normal_force(body), now.normal_force(body, model.ground())))

            model.add(bristle.UserForce(apply=look))
            bristle.World(model, solver).advance_to(1.0)
            self.assertTrue(math.isclose(seen[-1][0], 2 * 9.81, rel_tol=1e-2))
            self.assertEqual(*seen[-1])


if __name__ == "__main__":
    main()
