"""Pictures, videos and the state: looked at and written from Python."""

import math
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib
from pathlib import Path
from unittest import mock

import bristle
import numpy as np
from support import main, pendulum

SCENES = Path(__file__).parents[2] / "scenes"


def chunks(data):
    """Kinds and contents of a PNG's parts; their checksums must hold."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, out = 8, []
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length : at + 12 + length])[0] == zlib.crc32(kind + body)
        out.append((kind, body))
        at += 12 + length
    return out


class Pictures(unittest.TestCase):
    def test_show_ground_that_changes(self):
        model = bristle.Model()
        ground = model.add(bristle.Shape(body=model.ground(), geometry=bristle.terrain(np.zeros((21, 21)), spacing=0.1)))
        model.gravity = [0, 0, 0]
        for corner in ([0, 0, 0.3], [2, 2, 0.3]):  # what is framed stays where it is
            model.add(bristle.Body.sphere(0.1, 1.0).at(corner))
        world = bristle.World(model, bristle.AugmentedLagrangian(step=1e-2))
        view = (0, -1, 0.5)
        flat = bristle.render(world, size=(160, 90), view=view)
        video = bristle.render(world, until=0.3, fps=10, size=(160, 90), view=view,
                               each_step=lambda w: w.time > 0.15 and w.set_heights(ground, np.full((1, 21), 0.5), row=10))
        # Each frame is of its moment: a ridge comes up in the third.
        changed = [int((np.abs(frame.astype(int) - video.frames[0]) > 40).any(axis=2).sum()) for frame in video.frames]
        self.assertLess(changed[1], 100)
        self.assertGreater(changed[2], 300)
        now = bristle.render(world, size=(160, 90), view=view)
        self.assertGreater(int((np.abs(np.asarray(now.array).astype(int) - np.asarray(flat.array)) > 40).any(axis=2).sum()), 300)

    def test_show_a_body_where_it_is(self):
        model = bristle.Model()
        ball = model.add(bristle.Body.sphere(0.2, 1.0).at([1, 0, 1]))
        model.add(bristle.Shape(body=ball, geometry=bristle.Sphere(0.2)))
        model.add(bristle.Body.sphere(0.01, 1.0).at([-1, 0, 1]))
        picture = bristle.render(model, size=(320, 180), view="front")
        self.assertEqual(picture.array.shape, (180, 320, 3))
        # Blue is more than red where the first body of the palette is, and only there.
        rows, columns = np.nonzero(picture.array[:, :, 2].astype(int) - picture.array[:, :, 0] > 60)
        self.assertGreater(len(rows), 100)
        self.assertGreater(columns.mean(), 200)  # to the right: x is, seen from the front
        self.assertAlmostEqual(rows.mean(), 90, delta=12)

    def test_of_other_shapes_are_refused(self):
        """A table of numbers was read beyond its end."""
        for shape in ((2000, 2000), (20, 20, 4), (20, 20, 1)):
            with self.assertRaisesRegex(bristle.InputError, "rows of pixels"):
                bristle._bristle._png(np.zeros(shape, np.uint8))

    def test_are_png_files(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "pendulum.png"
            picture = bristle.render(pendulum()[0], file, size=(64, 48))
            found = chunks(file.read_bytes())
        self.assertEqual([kind for kind, _ in found], [b"IHDR", b"IDAT", b"IEND"])
        rows = np.frombuffer(zlib.decompress(found[1][1]), np.uint8).reshape(48, 1 + 3 * 64)
        decoded = np.cumsum(rows[:, 1:].astype(np.uint64), axis=0).astype(np.uint8).reshape(48, 64, 3)
        np.testing.assert_array_equal(decoded, picture.array)
        self.assertEqual(picture._repr_png_()[:4], b"\x89PNG")

    def test_have_the_colours_of_the_scene(self):
        scene = bristle.parse_scene("bodies: {b: {type: box, size: [1, 1, 1], mass: 1, color: red}}")
        middle = bristle.render(scene, size=(64, 64)).array[32, 32].astype(int)
        self.assertGreater(middle[0], middle[2] + 60)

    def test_mistakes_are_told(self):
        model = pendulum()[0]
        for wrong in ({"size": (4, 4)}, {"view": "below"}, {"until": 1, "fps": 0}, {"file": "a.jpg"}, {"file": "a.doc", "until": 0.1}):
            with self.assertRaises(bristle.InputError):
                bristle.render(model, **wrong)


class Videos(unittest.TestCase):
    def test_move(self):
        world = bristle.World(pendulum()[0])
        video = bristle.render(world, until=0.5, fps=10, size=(96, 64))
        self.assertEqual(len(video), 6)
        self.assertAlmostEqual(world.time, 0.5)
        self.assertTrue((video.frames[0] != video.frames[-1]).any())
        kinds = [kind for kind, _ in chunks(video._animated_png())]
        self.assertEqual(kinds.count(b"fcTL"), 6)

    @unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg is not here")
    def test_are_files_that_others_read(self):
        with tempfile.TemporaryDirectory() as folder:
            for ending in ("mp4", "gif"):
                file = Path(folder) / f"pendulum.{ending}"
                bristle.render(pendulum()[0], file, until=0.3, fps=10, size=(97, 64))
                said = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v", "-show_entries",
                                       "stream=width,height,nb_read_frames", "-of", "csv=p=0", file], capture_output=True, text=True)
                self.assertEqual(said.stdout.strip(), "96,64,4")

    def test_that_fail_give_what_they_had(self):
        world = bristle.World(pendulum()[0])

        def fail(world):
            if world.time > 0.25:
                raise ValueError("enough")

        with self.assertRaisesRegex(ValueError, "enough") as caught:
            bristle.render(world, until=1, fps=10, size=(32, 32), each_step=fail)
        self.assertEqual(len(caught.exception.video), 3)


class Runs(unittest.TestCase):
    def test_that_fail_give_what_they_had(self):
        world = bristle.World(pendulum()[0])

        def fail(world):
            if world.time > 0.45:
                raise RuntimeError("enough")

        with self.assertRaisesRegex(RuntimeError, "enough") as caught:
            bristle.simulate(world, 1, ["pin.angle"], every=0.1, each_step=fail)
        np.testing.assert_allclose(caught.exception.result.time, [0, 0.1, 0.2, 0.3, 0.4], atol=1e-9)
        self.assertEqual(caught.exception.result["pin.angle"].shape, (5,))

    def test_whose_force_is_no_number_give_what_they_had(self):
        def world():
            model, *_ = pendulum()

            def push(kinematics, sink):
                sink.add_torque(bristle.BodyId(1), [0, math.nan if kinematics.time > 0.3 else 0.1, 0])

            model.add(bristle.UserForce(apply=push, name="push"))
            return bristle.World(model)

        why = "'push' is not finite at t = 0.3"
        with self.assertRaisesRegex(bristle.SimulationError, why) as caught:
            bristle.simulate(world(), 1, ["pin.angle"], every=0.1)
        # The rows that were due, and the last state before it failed.
        self.assertAlmostEqual(caught.exception.result.time[-1], 0.3, places=6)
        self.assertTrue(np.isfinite(caught.exception.result["pin.angle"]).all())
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "a.mcap")
            with self.assertRaisesRegex(bristle.SimulationError, why) as caught:
                bristle.record(world(), file, until=1)
            self.assertEqual(caught.exception.file, file)
            self.assertGreater(file.stat().st_size, 1000)
            with self.assertRaisesRegex(bristle.SimulationError, why) as caught:
                bristle.render(world(), Path(folder, "a.png"), until=1, fps=10, size=(32, 32))
            self.assertEqual(len(caught.exception.video), 4)
            self.assertTrue(Path(folder, "a.png").exists())

    def test_that_cannot_begin_leave_no_file(self):
        model = bristle.Model()
        rod = model.add(bristle.Body.rod(1, 1))
        for x in (0, 3):  # farther apart than it is long
            model.add(bristle.Spherical(a=model.ground(), b=rod, at=[x, 0, 0], at_b=[min(x, 1), 0, 0]))
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "a.mcap")
            with self.assertRaises(bristle.SimulationError) as caught:
                bristle.record(model, file, until=1)
            self.assertFalse(hasattr(caught.exception, "file"))
            self.assertFalse(file.exists())

    def test_are_data_frames(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("pandas is not here")
        result = bristle.simulate(bristle.World(pendulum()[0]), 0.1, ["rod.position", "pin.angle"], every=0.05)
        frame = result.to_frame()
        self.assertEqual(list(frame.columns), ["rod.position.x", "rod.position.y", "rod.position.z", "pin.angle"])
        self.assertEqual(frame.index.name, "time")
        np.testing.assert_array_equal(frame["pin.angle"], result["pin.angle"])
        self.assertEqual(frame.attrs["units"]["pin.angle"], "rad")
        self.assertIn("pin.angle [rad]", result._repr_html_())

    def test_say_what_is_missing_without_pandas(self):
        result = bristle.simulate(bristle.World(pendulum()[0]), 0.1, ["pin.angle"])
        with mock.patch.dict(sys.modules, {"pandas": None}):
            with self.assertRaisesRegex(bristle.InputError, "needs pandas"):
                result.to_frame()
            self.assertIn("Result(", result._repr_html_())


class State(unittest.TestCase):
    def test_of_a_body_can_be_set(self):
        model, rod, pin = pendulum()
        world = bristle.World(model)
        world.advance_to(0.1)
        world.set_velocity(rod)
        world.set_pose(rod, bristle.Pose([0, 0, 0], [np.cos(0.4), 0, np.sin(0.4), 0]))
        self.assertAlmostEqual(world.coordinate(pin), 0.8, places=9)
        np.testing.assert_allclose(world.twist(rod).angular, 0, atol=1e-12)
        world.set_velocity(rod, angular=[0, 2, 0])
        self.assertAlmostEqual(world.coordinate_rate(pin), 2, places=9)
        with self.assertRaises(bristle.InputError):
            world.set_velocity(rod, [np.nan, 0, 0])


class Viewing(unittest.TestCase):
    """README's example, viewed from a script and from a notebook."""

    EXAMPLE = (
        "import bristle\n"
        "model = bristle.Model()\n"
        "rod = model.add(bristle.Body.rod(1.0, 1.0))\n"
        "pin = model.add(bristle.Revolute(a=model.ground(), b=rod, at=[0, 0, 0], axis=[0, 1, 0]))\n"
        "world = bristle.World(model, bristle.AugmentedLagrangian(step=5e-3))\n"
    )

    def test_the_readme_has_this_example(self):
        readme = (Path(__file__).parents[2] / "README.md").read_text()
        for line in self.EXAMPLE.splitlines():
            self.assertIn(line, readme)

    def test_from_a_script_until_it_is_ended(self):
        import signal

        script = self.EXAMPLE + "bristle.view(world, browser=False)\nprint('over')\n"
        program = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
        address = program.stdout.readline().strip()
        self.assertRegex(address, r"^http://127\.0\.0\.1:\d+/#token=")
        program.send_signal(signal.SIGINT)
        self.assertIn("over", program.communicate(timeout=30)[0])
        self.assertEqual(program.returncode, 0)

    def test_from_a_notebook(self):
        try:
            import nbformat
            from nbclient import NotebookClient
        except ImportError:
            self.skipTest("nbclient is not here")
        cells = [
            self.EXAMPLE,
            "bristle.render(world, size=(160, 90))",
            "bristle.render(world, until=0.2, fps=10, size=(160, 90))",
            "bristle.simulate(world, 0.1, ['energy.total'])",
            "view = bristle.view(world)\nview",
            "view.stop()",
        ]
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
        NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
        data = [cell.outputs[0].data if cell.outputs else {} for cell in notebook.cells]
        self.assertIn("image/png", data[1])
        self.assertRegex(data[2]["text/html"], "<(video|img) ")
        self.assertIn("text/html", data[3])
        self.assertIn("<iframe src=", data[4]["text/html"])


if __name__ == "__main__":
    main()
