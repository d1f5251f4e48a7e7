"""Worlds: observers, views of the state, snapshots, contacts, queries."""

import gc
import math
import pickle
import subprocess
import unittest

import numpy as np

import bristle
from support import SAME_STATE, four_bar, main, pendulum


class Motion(unittest.TestCase):
    def test_the_same_mechanism_in_python_and_in_cpp_has_the_same_state(self):
        world = bristle.World(four_bar(), bristle.AugmentedLagrangian(step=2e-3))
        world.advance_to(3.0)
        printed = subprocess.run([SAME_STATE], capture_output=True, text=True, check=True).stdout
        self.assertEqual(world.hash(), int(printed))

    def test_a_rod_swings_as_it_should(self):
        model, rod, pin = pendulum(length=1.0)
        world = bristle.World(model, bristle.AugmentedLagrangian(step=1e-3))
        start = world.energy().total
        world.advance_to(1.0)
        self.assertAlmostEqual(world.energy().total, start, places=4)
        rate = world.coordinate_rate(pin)
        self.assertAlmostEqual(world.energy().kinetic, 0.5 / 3 * rate**2, places=9)
        np.testing.assert_allclose(world.point_velocity(rod, [0, 0, 0]), 0, atol=1e-9)
        np.testing.assert_allclose(np.linalg.norm(world.point(rod, [1, 0, 0])), 1, atol=1e-9)
        self.assertEqual(world.statistics.steps, 1000)
        self.assertEqual(world.degrees_of_freedom(), 1)

    def test_commands_drive_motors_and_drives(self):
        model, rod, pin = pendulum()
        model.gravity = [0, 0, 0]
        motor = model.add(bristle.Motor(joint=pin, name="motor"))
        world = bristle.World(model, bristle.AugmentedLagrangian(step=1e-3))
        world.command(motor, 2.0)
        world.advance_to(0.5)
        self.assertAlmostEqual(world.coordinate_rate(pin), 2.0 / (1 / 3) * 0.5, places=4)  # h² of the rotation

        model, rod, pin = pendulum()
        drive = model.add(bristle.Drive(joint=pin, control=bristle.Drive.Control.speed))
        world = bristle.World(model, bristle.AugmentedLagrangian(step=1e-3))
        world.command(drive, 1.5)
        world.advance_to(1.0)
        self.assertAlmostEqual(world.coordinate_rate(pin), 1.5, places=6)
        self.assertNotEqual(world.effort(drive), 0)
        with self.assertRaises(bristle.InputError):
            world.command(drive, math.nan)

    def test_each_step_is_called_after_every_step(self):
        model, _, _ = pendulum()
        world = bristle.World(model, bristle.AugmentedLagrangian(step=0.01))
        times = []
        world.advance_to(0.1, each_step=lambda w: times.append(w.time))
        np.testing.assert_allclose(times, np.arange(1, 11) * 0.01, atol=1e-12)

    def test_settings_of_every_integrator(self):
        model, rod, _ = pendulum()
        for integrator in (bristle.Integrator.newmark, bristle.Integrator.hht, bristle.Integrator.generalized_alpha):
            world = bristle.World(model, bristle.AugmentedLagrangian(step=1e-3, integrator=integrator))
            self.assertEqual(world.settings.integrator, integrator)
            world.advance_to(0.1)
            np.testing.assert_allclose(world.twist(rod).angular[1], 9.81 * 1.5 * 0.1, rtol=2e-2)


    def test_other_formulations_agree(self):
        model, rod, _ = pendulum()
        expected = bristle.World(model, bristle.AugmentedLagrangian(step=1e-4))
        expected.advance_to(0.5)
        for settings in (bristle.Baumgarte(step=1e-3), bristle.Penalty(step=1e-4),
                         bristle.IndependentCoordinates(step=1e-3)):
            world = bristle.World(model, settings)
            self.assertEqual(type(world.settings), type(settings))
            world.advance_to(0.5)
            np.testing.assert_allclose(world.point(rod, [1, 0, 0]), expected.point(rod, [1, 0, 0]), atol=1e-4)


    def test_a_hydraulic_drive_lifts_and_holds(self):
        model = bristle.Model()
        box = model.add(bristle.Body.box([0.1, 0.1, 0.1], 1.0))
        rail = model.add(bristle.Prismatic(a=model.ground(), b=box, at=[0, 0, 0], axis=[0, 0, 1]))
        lift = model.add(bristle.Drive(joint=rail, control=bristle.Drive.Control.hydraulic, max_effort=1000, max_speed=0.2))
        world = bristle.World(model)
        world.command(lift, 1)
        world.advance_to(1)
        np.testing.assert_allclose(world.coordinate(rail), 0.2, atol=1e-3)
        world.command(lift, 0)
        before = world.coordinate(rail)
        world.advance_to(2)
        np.testing.assert_allclose(world.coordinate(rail), before, atol=1e-9)

    def test_impulses_take_their_settings(self):
        model, rod, _ = pendulum()
        settings = bristle.Impulse(step=2e-3, iterations=20, correction=bristle.Impulse.Correction.baumgarte,
                                   direct=bristle.Impulse.Direct.never, sleep_after=bristle.unlimited, threads=2)
        world = bristle.World(model, settings)
        for name in ("step", "iterations", "correction", "direct", "sleep_after", "threads"):
            self.assertEqual(getattr(world.settings, name), getattr(settings, name))
        world.advance_to(0.1)
        # Of first order: half a step of falling more or less.
        np.testing.assert_allclose(world.twist(rod).angular[1], 9.81 * 1.5 * 0.1, rtol=2e-2)
        with self.assertRaisesRegex(bristle.InputError, "threads is 65; it must be between 1 and 64"):
            bristle.World(model, bristle.Impulse(threads=65))
        with self.assertRaisesRegex(TypeError, "correction"):
            bristle.Impulse(correction="substeps")


class Views(unittest.TestCase):
    def setUp(self):
        model, self.rod, _ = pendulum()
        self.world = bristle.World(model, bristle.AugmentedLagrangian(step=0.01))

    def test_poses_are_not_copied_and_follow_the_motion(self):
        poses, twists = self.world.poses, self.world.twists
        self.assertEqual((poses.shape, twists.shape), ((2, 7), (2, 6)))
        where = poses.__array_interface__["data"][0]
        for _ in range(5):
            self.world.step()
            pose, twist = self.world.pose(self.rod), self.world.twist(self.rod)
            np.testing.assert_array_equal(poses[1], np.concatenate([pose.position, pose.orientation]))
            np.testing.assert_array_equal(twists[1], np.concatenate([twist.linear, twist.angular]))
            self.assertTrue(np.shares_memory(poses, self.world.poses))
            self.assertEqual(self.world.poses.__array_interface__["data"][0], where)
        before = poses.copy()
        self.world.advance_to(1.0)
        self.assertFalse(np.array_equal(before, poses))

    def test_poses_follow_a_restore(self):
        start, poses = self.world.snapshot(), self.world.poses
        before = poses.copy()
        self.world.advance_to(0.3)
        self.world.restore(start)
        np.testing.assert_array_equal(poses, before)

    def test_poses_cannot_be_written(self):
        poses = self.world.poses
        with self.assertRaises(ValueError):
            poses[1, 0] = 3
        with self.assertRaises(ValueError):
            poses.setflags(write=True)

    def test_poses_outlive_the_world(self):
        self.world.advance_to(0.1)
        poses = self.world.poses
        values = poses.copy()
        del self.world
        gc.collect()
        junk = [np.full((2, 7), 7.0) for _ in range(1000)]
        np.testing.assert_array_equal(poses, values)
        del junk


class Snapshots(unittest.TestCase):
    def test_a_pickled_snapshot_gives_the_same_future(self):
        world = bristle.World(four_bar())
        world.advance_to(0.2)
        kept = pickle.dumps(world.snapshot())
        world.advance_to(0.4)
        expected = world.hash()
        other = bristle.World(four_bar())
        other.restore(pickle.loads(kept))
        self.assertAlmostEqual(other.time, 0.2)
        other.advance_to(0.4)
        self.assertEqual(other.hash(), expected)

    def test_a_snapshot_of_another_model_is_refused(self):
        model, _, _ = pendulum()
        with self.assertRaisesRegex(bristle.InputError, "another model"):
            bristle.World(model).restore(bristle.World(four_bar()).snapshot())


class Contacts(unittest.TestCase):
    def setUp(self):
        model = bristle.Model()
        self.floor = model.add(bristle.Shape(body=model.ground(), geometry=bristle.Plane(), name="floor"))
        self.box = model.add(bristle.Body.box([0.4, 0.4, 0.4], 2.0).at([0, 0, 0.2]).named("box"))
        self.shape = model.add(bristle.Shape(body=self.box, geometry=bristle.Box([0.4, 0.4, 0.4])))
        self.world = bristle.World(model, bristle.AugmentedLagrangian(step=1e-3))
        self.world.advance_to(0.5)

    def test_a_box_stands_on_the_floor(self):
        contacts = self.world.contacts()
        self.assertEqual(len(contacts), 4)
        weight = sum(c.force[2] if c.body_a == self.box else -c.force[2] for c in contacts)
        self.assertAlmostEqual(weight, 2 * 9.81, places=3)

    def test_the_table_has_the_same_numbers(self):
        table, contacts = self.world.contact_table(), self.world.contacts()
        self.assertEqual(len(table), len(contacts))
        for row, contact in zip(table, contacts):
            for column in ("point", "normal", "force", "torque", "depth", "slip_speed", "slips"):
                np.testing.assert_array_equal(row[column], getattr(contact, column))
            self.assertEqual((row["a"], row["body_b"]), (contact.a.index, contact.body_b.index))

    def test_questions_about_shapes(self):
        hit = self.world.cast_ray([0, 0, 5], [0, 0, -1])
        self.assertEqual((hit.shape, hit.body), (self.shape, self.box))
        self.assertAlmostEqual(hit.distance, 4.6, delta=5e-4)  # it stands a thousandth of its height deep
        self.assertIsNone(self.world.cast_ray([0, 0, 5], [0, 0, 1]))
        self.assertAlmostEqual(self.world.closest_point(self.shape, [1, 0, 0.2]).distance, 0.8, places=6)
        self.assertLess(self.world.closest_points(self.shape, self.floor).distance, 1e-4)
        self.assertIn(self.shape, self.world.shapes_in_box([-1, -1, 0.1], [1, 1, 1]))
        self.assertEqual(self.world.shapes_overlapping(self.shape), [self.floor])


if __name__ == "__main__":
    main()
