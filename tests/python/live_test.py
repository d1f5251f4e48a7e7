"""Models made in Python: written, shown and recorded."""

import re
import sys
import tempfile
import time
import unittest
import urllib.request
import warnings
from pathlib import Path

import bristle
from support import four_bar, main, pendulum

sys.path.insert(0, str(Path(__file__).parents[1] / "live"))
from web_socket import WebSocket  # noqa: E402


def driven(target):
    model, rod, pin = pendulum()
    model.add(bristle.Drive(joint=pin, target=target, max_effort=20, name="drive"))
    return model


class Functions(unittest.TestCase):
    def test_are_data(self):
        f = bristle.function("0.1*sin(2*pi*t)")
        self.assertEqual(f.text, "0.1*sin(2*pi*t)")
        self.assertAlmostEqual(f(0.25), 0.1)
        self.assertEqual(bristle.function([(0, 1), (2, 3)])(5), 3)
        self.assertEqual(bristle.function(2).text, "2")
        self.assertEqual(bristle.law("3*x + v")(2, 1), 7)
        self.assertEqual(bristle.table([(0, 0), (1, 2)]).text, "{table: [[0, 0], [1, 2]]}")
        with self.assertRaisesRegex(bristle.InputError, "letter 5"):
            bristle.function("sin(")
        self.assertEqual(driven(0.5).drives[0].target.text, "0.5")

    def test_a_force_by_expressions(self):
        model, rod, _ = pendulum()
        model.add(bristle.point_force(rod, force=["-3*vx", "0", "sin(t)"], at=[1, 0, 0], name="wind"))
        again = bristle.parse_scene(bristle.scene_of(model).text())
        worlds = [bristle.World(model), again.world()]
        for world in worlds:
            world.advance_to(0.3)
        self.assertEqual(worlds[0].hash(), worlds[1].hash())


class Writing(unittest.TestCase):
    def test_gives_the_same_motion(self):
        for model in (four_bar(), driven(bristle.function("0.3*t^2"))):
            for settings in (bristle.AugmentedLagrangian(step=2e-3), bristle.Impulse(step=5e-3)):
                with tempfile.TemporaryDirectory() as folder:
                    model.save(Path(folder) / "model.yaml", settings, title="A model", duration=3)
                    scene = bristle.read_scene(Path(folder) / "model.yaml")
                self.assertEqual((scene.title, scene.duration), ("A model", 3))
                world, again = bristle.World(model, settings), scene.world()
                world.advance_to(1)
                again.advance_to(1)
                self.assertEqual(world.hash(), again.hash())

    def test_of_a_lambda_says_which_object_and_what_to_do(self):
        with self.assertRaisesRegex(bristle.InputError, "drive 'drive': its target .* bristle.function"):
            driven(lambda t: t).save("/nowhere/model.yaml")


class Recording(unittest.TestCase):
    def test_is_what_the_world_does(self):
        with tempfile.TemporaryDirectory() as folder:
            world, other = bristle.World(four_bar()), bristle.World(four_bar())
            recording = world.record(Path(folder) / "four.mcap", until=0.5)
            other.advance_to(0.5)
            self.assertEqual(recording.hash, other.hash())
            self.assertEqual(world.hash(), other.hash())
            self.assertFalse(recording.unsaid)
            with self.assertRaises(bristle.InputError):
                bristle.record(world, Path(folder) / "four.mcap", until=1)

    def test_of_a_lambda_warns(self):
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            bristle.record(driven(lambda t: 0.1 * t), Path(folder) / "a.mcap", until=0.2)
        self.assertIn("not computed again", str(caught[0].message))


class Showing(unittest.TestCase):
    def test_serves_the_page_with_callbacks_of_python(self):
        calls = []
        view = bristle.show(driven(lambda t: calls.append(t) or 0.1 * t), port=0, title="A pendulum")
        try:
            self.assertTrue(view.is_open)
            page = urllib.request.urlopen(view.address.split("#")[0])
            self.assertIn("127.0.0.1", page.headers["Content-Security-Policy"])
            self.assertIn(view.address, view._repr_html_())
            before = len(calls)
            port, token = re.search(r":(\d+)/.*token=(\w+)", view.address).groups()
            with WebSocket(int(port)) as client:  # it begins when somebody looks
                client.hello(token)
                for _ in range(200):
                    if len(calls) > before + 100:
                        break
                    time.sleep(0.02)
            self.assertGreater(len(calls), before + 100)
        finally:
            view.stop()
        self.assertFalse(view.is_open)

    def test_ends_with_the_program(self):
        import subprocess

        code = "import bristle; m = bristle.Model(); m.add(bristle.Body.point(1)); print(bristle.show(m, port=0))"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("View('http://127.0.0.1:", done.stdout)


if __name__ == "__main__":
    main()
