"""Values that cross, constructors, ids and errors."""

import copy
import pickle
import unittest

import numpy as np

import bristle
from support import main, pendulum


class Values(unittest.TestCase):
    def test_vectors_may_be_lists_tuples_or_arrays(self):
        for position in ([1, 2, 3], (1.0, 2.0, 3.0), np.array([1, 2, 3]), np.arange(1, 7)[:3],
                         np.array([1, 9, 2, 9, 3, 9], dtype=np.float32)[::2]):
            body = bristle.Body(position=position)
            np.testing.assert_array_equal(body.position, [1, 2, 3])

    def test_wrong_shapes_and_kinds_are_told_by_the_name_of_the_argument(self):
        with self.assertRaisesRegex(bristle.InputError, r"Body.position: expected 3 numbers.*\(2,\)"):
            bristle.Body(position=[1, 2])
        with self.assertRaisesRegex(bristle.InputError, r"Body.orientation: expected 4 numbers"):
            bristle.Body(orientation=[1, 0, 0])
        with self.assertRaisesRegex(TypeError, "Body.position: expected Vec3, not 'up'"):
            bristle.Body(position="up")
        with self.assertRaisesRegex(TypeError, "Body.mass: expected float"):
            bristle.Body(mass="heavy")
        with self.assertRaisesRegex(TypeError, "Body has no 'weight'; it has name, mass"):
            bristle.Body(weight=3)
        with self.assertRaisesRegex(TypeError, "Revolute: 'axis' is missing"):
            bristle.Revolute(a=bristle.BodyId(0), b=bristle.BodyId(1), at=[0, 0, 0])
        with self.assertRaisesRegex(TypeError, "Body: 'name' is given twice"):
            bristle.Body("crank", name="crank")

    def test_fields_can_be_read_and_replaced_but_not_changed_inside(self):
        body = bristle.Body.box([1, 2, 3], 4.0)
        with self.assertRaises(ValueError):
            body.position[0] = 1
        body.position = [1, 0, 0]
        body.mass = 5
        self.assertEqual((body.mass, body.position[0]), (5.0, 1.0))

    def test_rotations_agree_with_their_matrices(self):
        q = bristle.Quat.about([0, 0, 2], bristle.pi / 2)
        np.testing.assert_allclose(bristle.Quat.matrix(q) @ [1, 0, 0], [0, 1, 0], atol=1e-15)
        np.testing.assert_allclose(bristle.Quat.from_matrix(bristle.Quat.matrix(q)), q, atol=1e-15)
        np.testing.assert_allclose(bristle.Quat.product(q, bristle.Quat.conjugate(q)), [1, 0, 0, 0], atol=1e-15)
        np.testing.assert_allclose(bristle.Pose([1, 0, 0], q) * [1, 0, 0], [1, 1, 0], atol=1e-15)

    def test_numbers_of_a_class_of_their_own_may_change_the_list_they_are_in(self):
        """It was read on from where it had been, which ended the process."""
        class Number(int):
            def __float__(self):
                numbers.clear()
                return 1.0
        for _ in range(1000):
            numbers = [Number(1), Number(2), Number(3)]
            np.testing.assert_array_equal(bristle.Body(position=numbers).position, [1, 1, 1])

    def test_meshes_take_arrays(self):
        corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)
        faces = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
        mesh = bristle.TriangleMesh(vertices=corners, triangles=faces)
        self.assertTrue(bristle.check(mesh).is_closed)
        self.assertAlmostEqual(bristle.mass_properties(bristle.Mesh(mesh)).volume, 1 / 6)
        np.testing.assert_array_equal(mesh.triangles, faces)
        broken = bristle.check(bristle.TriangleMesh(corners, faces[:3]))
        self.assertEqual(broken.problems[0].kind, bristle.MeshReport.Kind.open_edge)
        with self.assertRaisesRegex(bristle.InputError, "whole number"):
            bristle.TriangleMesh(corners, [[0, 1, -2]])

    def test_height_fields_and_compounds(self):
        field = bristle.HeightField(columns=3, rows=2, heights=np.zeros(6), spacing_x=0.5)
        self.assertEqual(len(field.heights), 6)
        two = bristle.Compound([bristle.CompoundPart(bristle.Sphere(0.1), bristle.Pose([0, 0, 1])),
                                bristle.CompoundPart(bristle.Box([1, 1, 1]))])
        self.assertAlmostEqual(bristle.mass_properties(two).volume, 1 + 4 / 3 * np.pi * 1e-3)


class Models(unittest.TestCase):
    def test_ids_are_small_values(self):
        model, rod, pin = pendulum()
        self.assertEqual(repr(rod), "BodyId(1)")
        self.assertEqual({rod: "rod"}[bristle.BodyId(1)], "rod")
        self.assertNotEqual(rod, bristle.JointId(1))
        self.assertEqual(pickle.loads(pickle.dumps(pin)), pin)

    def test_mistakes_are_input_errors_and_value_errors(self):
        model, rod, _ = pendulum()
        self.assertTrue(issubclass(bristle.InputError, ValueError))
        self.assertTrue(issubclass(bristle.SimulationError, RuntimeError))
        with self.assertRaisesRegex(bristle.InputError, "joins a body to itself"):
            model.add(bristle.Revolute(a=rod, b=rod, at=[0, 0, 0], axis=[0, 1, 0]))
        with self.assertRaisesRegex(bristle.InputError, "did you mean 'pin'"):
            model.joint("pim")
        with self.assertRaises(bristle.InputError):
            bristle.World(model, bristle.AugmentedLagrangian(step=-1))

    def test_all_kinds_of_joint_can_be_added(self):
        at, z, x = [0, 0, 0], [0, 0, 1], [1, 0, 0]
        for make in (
            lambda a, b: bristle.Fixed(a, b, at),
            lambda a, b: bristle.Prismatic(a, b, at, z),
            lambda a, b: bristle.Cylindrical(a, b, at, z),
            lambda a, b: bristle.Spherical(a, b, at),
            lambda a, b: bristle.Universal(a, b, at, x, z),
            lambda a, b: bristle.Planar(a, b, at, z),
            lambda a, b: bristle.PointOnLine(a, b, at, x),
            lambda a, b: bristle.PointOnPlane(a, b, at, z),
            lambda a, b: bristle.Distance(a, b, [0, 0, 2], at),
            lambda a, b: bristle.Screw(a, b, at, z, lead=0.01),
        ):
            model = bristle.Model()
            body = model.add(bristle.Body.box([1, 1, 1], 1.0))
            joint = make(model.ground(), body)
            model.add(joint)
            world = bristle.World(model)
            world.advance_to(0.01)
            self.assertLess(world.constraint_error().position, 1e-8, type(joint).__name__)

    def test_models_can_be_planar(self):
        model = bristle.Model()
        self.assertIsNone(model.plane_normal)
        model.plane_normal = [0, 1, 0]
        np.testing.assert_array_equal(model.plane_normal, [0, 1, 0])
        model.add(bristle.Body.box([1, 1, 1], 1.0))
        self.assertEqual(bristle.World(model).degrees_of_freedom(), 3)
        with self.assertRaisesRegex(bristle.InputError, "velocity must lie in the plane"):
            model.add(bristle.Body.point(1.0).moving([0, 1, 0]))
        model.plane_normal = None
        self.assertEqual(bristle.World(model).degrees_of_freedom(), 6)

    def test_models_are_copied_not_shared(self):
        model, rod, _ = pendulum()
        other = copy.copy(model)
        other.gravity = [0, 0, 0]
        other.add(bristle.Body.point(1.0))
        self.assertEqual((len(model.bodies), len(other.bodies)), (2, 3))
        world = bristle.World(other)
        other.add(bristle.Body.point(1.0))
        self.assertEqual(len(world.model.bodies), 3)
        np.testing.assert_array_equal(model.gravity, [0, 0, -9.81])

    def test_parts_can_be_removed(self):
        model, rod, pin = pendulum()
        model.remove(pin)
        self.assertFalse(model.contains(pin))
        self.assertTrue(model.contains(rod))

    def test_lists_show_what_was_added(self):
        model, rod, pin = pendulum()
        push = lambda now, out: None  # noqa: E731
        model.add(bristle.UserForce(apply=push, bodies=[rod], name="push"))
        self.assertIs(model.user_forces[0].apply, push)
        self.assertEqual(model.user_forces[0].bodies, (rod,))
        self.assertEqual(model.joints[0].type, bristle.JointType.revolute)
        self.assertEqual(model.name(model.force("push")), "push")


if __name__ == "__main__":
    main()
