"""Scene files, quantities and results."""

import tempfile
import unittest
from pathlib import Path

import numpy as np

import bristle
from support import main, pendulum

SCENES = Path(__file__).resolve().parents[2] / "scenes"
PENDULUM = """
bodies:
  rod: {type: rod, from: [0, 0, 0], to: [length, 0, 0], mass: 1}
joints:
  pin: {type: revolute, b: rod, at: [0, 0, 0], axis: y}
parameters:
  length: {value: 1, unit: m}
solver: {step: 1 ms}
duration: 0.5
outputs: {quantities: ['rod.point(1, 0, 0)', energy.total]}
"""


class Scenes(unittest.TestCase):
    def test_yaml_and_python_give_the_same_state(self):
        scene = bristle.parse_scene(PENDULUM)
        from_file = scene.world()
        model = bristle.Model()
        rod = model.add(bristle.Body.rod([0, 0, 0], [1, 0, 0], 1.0).named("rod"))
        model.add(bristle.Revolute(a=model.ground(), b=rod, at=[0, 0, 0], axis=[0, 1, 0], name="pin"))
        own = bristle.World(model, scene.solver)
        from_file.advance_to(0.5)
        own.advance_to(0.5)
        self.assertEqual(from_file.hash(), own.hash())

    def test_parameters_are_keywords(self):
        self.assertEqual(bristle.parse_scene(PENDULUM, length=2).parameters[0].value, 2.0)
        scene = bristle.parse_scene(PENDULUM, length="2*pi/3")
        self.assertEqual(scene.parameters[0].value, 2 * np.pi / 3)
        with self.assertRaisesRegex(bristle.InputError, "lenght"):
            bristle.parse_scene(PENDULUM, lenght=2)

    def test_mistakes_are_told_all_at_once(self):
        with self.assertRaises(bristle.SceneError) as caught:
            bristle.parse_scene(PENDULUM.replace("mass: 1", "mass: -1").replace("step: 1 ms", "step: -1 ms"))
        self.assertEqual(len(caught.exception.messages), 2)
        self.assertIsInstance(caught.exception, ValueError)

    def test_files_are_read(self):
        scene = bristle.read_scene(SCENES / "four-bar.yaml", n=2)
        self.assertEqual(scene.name, "four-bar")
        self.assertEqual(len(scene.model.bodies), 6)
        with self.assertRaises(bristle.InputError):
            bristle.read_scene(SCENES / "no-such-file.yaml")


class Results(unittest.TestCase):
    def test_a_scene_knows_what_to_record(self):
        result = bristle.simulate(bristle.parse_scene(PENDULUM))
        self.assertEqual(len(result), 501)
        np.testing.assert_allclose(result.time, np.arange(501) * 1e-3, atol=1e-12)
        tip = result["rod.point(1, 0, 0)"]
        self.assertEqual(tip.shape, (501, 3))
        np.testing.assert_allclose(np.linalg.norm(tip, axis=1), 1, atol=1e-9)
        np.testing.assert_array_equal(result["rod.point(1, 0, 0).z"], tip[:, 2])
        self.assertLess(np.ptp(result["energy.total"]), 1e-4)
        self.assertIn("energy.total", result)
        with self.assertRaisesRegex(KeyError, "was not recorded"):
            result["rod.velocity"]

    def test_a_world_goes_on_from_where_it_is(self):
        model, rod, pin = pendulum()
        world = bristle.World(model)
        world.advance_to(0.1)
        seen = []
        result = bristle.simulate(world, duration=0.1, quantities=["pin.coordinate"], every=0.05,
                                  each_step=lambda w: seen.append(w.time))
        np.testing.assert_allclose(result.time, [0.1, 0.15, 0.2], atol=1e-12)
        self.assertEqual(len(seen), 100)
        self.assertEqual(result["pin.coordinate"][-1], world.coordinate(pin))
        with self.assertRaises(bristle.InputError):
            bristle.simulate(world)
        with self.assertRaisesRegex(bristle.InputError, "coordinate"):
            bristle.simulate(world, 0.1, ["pin.coordinat"])

    def test_tables_and_pictures(self):
        result = bristle.simulate(bristle.parse_scene(PENDULUM), duration=0.01)
        with tempfile.TemporaryDirectory() as folder:
            text = result.to_csv(Path(folder) / "out.csv")
            self.assertEqual((Path(folder) / "out.csv").read_text(encoding="utf-8"), text)
            head, *rows = text.splitlines()
            self.assertTrue(head.startswith('time [s],'))
            self.assertIn("energy.total [J]", head)
            self.assertEqual(len(rows), len(result))
            self.assertEqual(float(rows[-1].split(",")[-1]), result["energy.total"][-1])
            result.plot("energy.total", file=Path(folder) / "out.png")
            self.assertGreater((Path(folder) / "out.png").stat().st_size, 1000)

    def test_quantities_can_be_listed_and_read(self):
        model, rod, pin = pendulum()
        world = bristle.World(model)
        self.assertIn("rod.position", " ".join(bristle.quantity_names(model)))
        x, y, z = bristle.quantities(model, "rod.center")[:3]
        self.assertEqual((x.unit, x.read(world)), ("m", 0.5))


if __name__ == "__main__":
    main()
