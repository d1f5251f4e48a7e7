"""Models that change while they run."""

import pickle
import unittest

import numpy as np

import bristle
from support import main, pendulum


class Changes(unittest.TestCase):
    def setUp(self):
        model, self.rod, self.pin = pendulum()
        self.world = bristle.World(model, bristle.AugmentedLagrangian(step=1e-3))
        self.world.advance_to(0.3)

    def test_a_rod_that_loses_its_pin_flies_on(self):
        velocity = self.world.point_velocity(self.rod, [0.5, 0, 0])
        start = self.world.point(self.rod, [0.5, 0, 0])
        with self.world.change() as model:
            model.remove(self.pin)
        self.assertEqual(self.world.degrees_of_freedom(), 5)  # a slender rod does not spin about itself
        self.assertAlmostEqual(self.world.time, 0.3)
        self.world.advance_to(0.8)
        expected = start + 0.5 * velocity + [0, 0, -9.81 / 2 * 0.25]
        np.testing.assert_allclose(self.world.point(self.rod, [0.5, 0, 0]), expected, atol=1e-6)

    def test_bodies_can_be_added_by_a_function(self):
        added = []
        self.world.change(lambda model: added.append(model.add(bristle.Body.sphere(0.1, 1.0).at([5, 0, 0]))))
        self.world.advance_to(0.5)
        np.testing.assert_allclose(self.world.pose(added[0]).position, [5, 0, -9.81 / 2 * 0.04], atol=1e-9)

    def test_an_exception_changes_nothing(self):
        before = self.world.hash()
        with self.assertRaises(KeyError):
            with self.world.change() as model:
                model.remove(self.rod)
                raise KeyError("second thoughts")

        def edit(model):
            model.remove(self.rod)
            raise KeyError("second thoughts")

        with self.assertRaises(KeyError):
            self.world.change(edit)
        self.assertEqual(self.world.hash(), before)
        self.assertTrue(self.world.model.contains(self.rod))
        self.world.step()

    def test_the_world_must_not_move_inside_the_block(self):
        with self.assertRaisesRegex(bristle.InputError, "moved inside the block"):
            with self.world.change() as model:
                model.remove(self.pin)
                self.world.step()

    def test_arrays_held_from_before_stay_in_memory(self):
        poses = self.world.poses
        values = poses.copy()
        for k in range(20):
            self.world.change(lambda model: model.add(bristle.Body.point(1.0).at([k, 1, 0])))
            self.world.step()
        self.assertEqual(self.world.poses.shape, (22, 7))
        np.testing.assert_array_equal(poses, values)

    def test_the_model_now_goes_on_from_here(self):
        other = bristle.World(self.world.model_now(), bristle.AugmentedLagrangian(step=1e-3))
        self.world.advance_to(0.5)
        other.advance_to(0.2)
        np.testing.assert_allclose(other.pose(self.rod).orientation, self.world.pose(self.rod).orientation, atol=1e-5)

    def test_a_snapshot_undoes_a_change_in_memory_but_not_from_bytes(self):
        before, kept = self.world.hash(), self.world.snapshot()
        poses = self.world.poses.copy()
        with self.world.change() as model:
            model.add(bristle.Body.point(1.0).at([3, 0, 0]))
        self.world.step()
        with self.assertRaisesRegex(bristle.InputError, "kept as bytes"):
            self.world.restore(pickle.loads(pickle.dumps(kept)))
        self.world.restore(kept)
        self.assertEqual(self.world.hash(), before)
        np.testing.assert_array_equal(self.world.poses, poses)

    def test_bodies_at_rest_are_taken_out(self):
        model, rod, _ = pendulum()
        box = model.add(bristle.Body.box([1, 1, 1], 5.0).at([50, 0, 0.5]))
        model.add(bristle.Shape(body=box, geometry=bristle.Box([1, 1, 1])))
        model.add(bristle.Shape(body=model.ground(), geometry=bristle.Plane(), pose=bristle.Pose([0, 0, 0])))
        world = bristle.World(model, bristle.AugmentedLagrangian(step=2e-3, take_out_beyond=5.0))
        world.advance_to(5.0)
        self.assertEqual((world.is_asleep(rod), world.is_asleep(box)), (False, True))


if __name__ == "__main__":
    main()
