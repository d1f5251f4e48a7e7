"""Recordings by the command itself: written, read by other people's libraries, killed, repaired, computed again.

recordings_test.py BRISTLE FOLDER_WITH_NODE_MODULES
"""

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from view import PENDULUM

BRISTLE, MODULES = str(Path(sys.argv[1]).resolve()), sys.argv[2]
READER = Path(__file__).parent / "read_recording.mjs"
FOXGLOVE = Path(__file__).parent / "read_foxglove.mjs"
SCENES = Path(__file__).resolve().parents[2] / "scenes"


def call(*arguments, **options):
    return subprocess.run([BRISTLE, *map(str, arguments)], capture_output=True, text=True, timeout=120, **options)


def read_by_others(*files):
    """What @mcap/core finds in the files, all checksums compared."""
    done = subprocess.run(["node", str(READER), MODULES, *map(str, files)], capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


def change_attachment(data, old, new):
    """Another text of the same length in an attached file, with the checksum it then has."""
    at = data.index(old)
    data[at:at + len(old)] = new
    start = next(i for i in range(at, 0, -1) if data[i] == 9 and i + 9 + int.from_bytes(data[i + 1:i + 9], "little") > at
                 and int.from_bytes(data[i + 1:i + 9], "little") < len(data)) + 9
    end = start + int.from_bytes(data[start - 8:start], "little") - 4
    data[end:end + 4] = zlib.crc32(data[start:end]).to_bytes(4, "little")


class InFolder(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="bristle-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def record(self, scene, *options, name="a.mcap"):
        file = self.folder / name
        done = call("record", scene, "--out", file, "--json", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return file, json.loads(done.stdout)


class Foxglove(InFolder):
    """What Foxglove gets: decoded by the schemas in the file, and compared with what else Bristle says of the same motion."""

    def export(self, what, *options):
        file = self.folder / "shown.mcap"
        done = call("export", what, "--format", "foxglove", "--out", file, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = subprocess.run(["node", str(FOXGLOVE), MODULES, str(file)], capture_output=True, text=True, timeout=120)
        self.assertEqual(found.returncode, 0, found.stderr)
        return json.loads(found.stdout)

    def test_frames_and_values_are_those_of_the_motion(self):
        file, _ = self.record(SCENES / "four-bar.yaml", "--time", "1")
        found = self.export(file, "--quantities", "energy.total,crank 0.position", "--every", "0.1")
        self.assertEqual(found["schemas"], {"/tf": "foxglove.FrameTransforms", "/scene": "foxglove.SceneUpdate",
                                            "/values": "bristle.Values"})
        table = [json.loads(line) for line in call("export", file, "--quantities", "energy.total,crank 0.position", "--every", "0.1",
                                                   "--format", "json", "--out", "-").stdout.splitlines()]
        frames, values = found["messages"]["/tf"], found["messages"]["/values"]
        self.assertEqual((len(frames), len(values)), (len(table), len(table)))
        for row, frame, value in zip(table, frames, values):
            self.assertAlmostEqual(frame["at"], row["time (s)"], places=9)
            self.assertEqual(value["at"], frame["at"])
            self.assertEqual(value["energy"]["total"], row["energy.total (J)"])
            moved = {t["child_frame_id"]: t for t in frame["transforms"]}
            self.assertEqual({t["parent_frame_id"] for t in frame["transforms"]}, {"world"})
            stamp = moved["crank 0"]["timestamp"]
            self.assertAlmostEqual(stamp.get("seconds", 0) + 1e-9 * stamp.get("nanos", 0), row["time (s)"], places=8)
            for axis in "xyz":
                place = row[f"crank 0.position.{axis} (m)"]
                self.assertEqual(value["crank_0"]["position"][axis], place)
                self.assertAlmostEqual(moved["crank 0"]["translation"].get(axis, 0), place, places=6)
            turn = moved["crank 0"]["rotation"]
            self.assertAlmostEqual(sum(turn.get(k, 0) ** 2 for k in "wxyz"), 1, places=6)

    def test_names_that_protobuf_takes_for_the_same_have_values_of_their_own(self):
        # It ended with "the schema of the values is none".
        scene = self.folder / "names.yaml"
        names = ("ball1", "ball_1", "Ball 1", "Of_ball1", "1")
        scene.write_text("bodies:\n" + "".join(f"  '{name}': {{type: point, mass: 1, position: [{x}, 0, 2]}}\n"
                                               for x, name in enumerate(names)) + "duration: 0.01\n")
        found = self.export(scene, "--quantities", ",".join(f"{name}.position" for name in names))
        value = found["messages"]["/values"][0]
        for x, name in enumerate(("ball1", "ball_1_2", "Ball_1_3", "_Of_ball1", "_1")):
            self.assertEqual(value[name]["position"], {"x": x, "y": 0, "z": 2})

    def test_every_body_is_drawn_in_its_frame(self):
        found = self.export(SCENES / "machine-on-wheels.yaml", "--time", "0.05")
        (scene,) = found["messages"]["/scene"]
        entities = {e["id"]: e for e in scene["entities"]}
        self.assertEqual(len(entities), len(scene["entities"]))
        frames = {t["child_frame_id"] for t in found["messages"]["/tf"][0]["transforms"]} | {"world"}
        self.assertEqual({e["frame_id"] for e in scene["entities"]}, frames)
        kinds = ("arrows", "cubes", "spheres", "cylinders", "lines", "triangles", "texts", "models")
        for entity in scene["entities"]:
            self.assertTrue(entity["frame_locked"])
            self.assertTrue(all(kind in entity for kind in kinds), "the panel looks at all of them")
            if entity["id"] != "world":
                self.assertGreater(sum(len(entity[kind]) for kind in kinds), 0, entity["id"])
            for kind in ("cubes", "spheres", "cylinders"):
                for part in entity[kind]:
                    self.assertTrue(all(part["size"][axis] > 0 for axis in "xyz"))
                    self.assertIn(part["color"]["a"], (0.5, 1))  # the panes of its cab are of glass
            for part in entity["triangles"]:
                self.assertTrue(all(i < len(part["points"]) for i in part["indices"]))

    def test_shapes_are_drawn_as_they_are(self):
        scene = self.folder / "falling.yaml"
        scene.write_text("bodies:\n  ball: {type: sphere, radius: 0.1, mass: 1, position: [0, 0, 5], material: default}\n"
                         "shapes:\n  floor: {type: plane}\n  ramp: {type: torus, radius: 1, tube: 0.1}\nduration: 0.2\n")
        found = self.export(scene)
        (drawn,) = found["messages"]["/scene"]
        ground, ball = drawn["entities"]
        self.assertEqual([d["type"] for d in drawn["deletions"]], ["ALL"])
        self.assertAlmostEqual(ball["spheres"][0]["size"]["x"], 0.2, places=6)
        self.assertEqual(len(ground["triangles"]), 1)  # the torus
        (floor,) = ground["cubes"]
        top = floor["pose"]["position"]["z"] + floor["size"]["z"] / 2
        self.assertAlmostEqual(top, 0, places=9)
        self.assertNotIn("/values", found["messages"])  # the scene asks for none

    def test_mistakes(self):
        file, _ = self.record(SCENES / "pendulum.yaml", "--time", "0.1")
        for arguments, expected in (((file, "--out", "-"), "makes a file"), ((file, "--out", file), "it is what is read"),
                                    ((file, "--quantities", "mas.position"), "mass.position"),
                                    ((file, "--step", "0.001"), "as it was")):
            done = call("export", *arguments, "--format", "foxglove")
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(expected, done.stderr)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["a.mcap"], "nothing half written is left")


class Commands(InFolder):
    def test_others_read_what_was_recorded(self):
        for scene in ("machine", "box-stack"):
            file, summary = self.record(SCENES / f"{scene}.yaml", name=f"{scene}.mcap")
            (found,) = read_by_others(file)
            self.assertEqual(found["hash"], summary["hash"])  # the last keyframe is at the end
            self.assertEqual(found["counts"]["/scene"], 1)
            self.assertEqual(found["counts"]["/keyframe"], 1 + round(summary["time"]))
            self.assertEqual(found["counts"]["/state"], 1 + summary["steps"] // 3)
            self.assertEqual(found["last"]["step"], summary["steps"] // 3 * 3)
            self.assertEqual(found["metadata"]["scene"], scene)
            self.assertEqual(found["attachments"][0], f"{scene}.yaml")
            self.assertEqual(summary["bytes"], file.stat().st_size)

    def test_a_recording_computes_to_the_same_hashes(self):
        file, summary = self.record(SCENES / "four-bar.yaml", "--time", "3", "--step", "0.002")
        done = call("replay", "--check", file)
        self.assertEqual((done.returncode, done.stdout), (0, "4 keyframes, all the same hash\n"), done.stderr)
        again, second = self.record(SCENES / "four-bar.yaml", "--time", "3", "--step", "0.002", "--inputs-from", file,
                                    name="b.mcap")
        self.assertEqual(second["hash"], summary["hash"])
        info = json.loads(call("info", file, "--json").stdout)
        self.assertEqual((info["scene"], info["steps"], info["step"], info["keyframes"], info["damage"]),
                         ("four-bar", 1500, 0.002, 4, ""))

    def test_a_motion_that_differs_is_found(self):
        # Of a file that is named by its full path the copy in the recording counts, and so only another copy differs.
        part, scene = self.folder / "part.yaml", self.folder / "scene.yaml"
        part.write_text("bodies:\n  rod: {type: rod, from: [0, 0, 0], to: [1, 0, 0], mass: 1}\n")
        scene.write_text(f"include: [{part}]\njoints:\n  pin: {{type: revolute, b: rod, at: [0, 0, 0], axis: y}}\n"
                         "duration: 1\n")
        file, _ = self.record(scene)
        self.assertEqual(call("replay", "--check", file).returncode, 0)
        part.write_text(part.read_text().replace("mass: 1", "mass: 2"))
        self.assertEqual(call("replay", "--check", file).returncode, 0)
        data = bytearray(file.read_bytes())
        change_attachment(data, b"mass: 1", b"mass: 2")
        file.write_bytes(data)
        done = call("replay", "--check", file)
        self.assertEqual(done.returncode, 1)
        self.assertIn("not make the model that was recorded", done.stdout)

    def test_damage_is_told(self):
        file, _ = self.record(SCENES / "four-bar.yaml", "--time", "1")
        data = bytearray(file.read_bytes())
        data[data.index(b"title:")] ^= 1  # in the attached scene
        file.write_bytes(data)
        done = call("replay", "--check", file)
        self.assertEqual(done.returncode, 2)
        self.assertIn("the checksum of an attached file is wrong", done.stderr)
        self.assertIn("the checksum of an attached file is wrong", call("info", file).stdout)

    def test_export(self):
        file, _ = self.record(SCENES / "four-bar.yaml", "--time", "2")
        poses = call("export", file, "--out", "-").stdout.splitlines()
        self.assertTrue(poses[0].startswith("time (s),crank 0.position.x (m),"))
        self.assertEqual(len(poses), 2 + 2000 // 17)
        rows = [json.loads(line) for line in call("export", file, "--quantities", "energy.total,crank 0.orientation.w",
                                                  "--every", "0.5", "--format", "json", "--out", "-").stdout.splitlines()]
        self.assertEqual([row["time (s)"] for row in rows], [0, 0.5, 1, 1.5, 2])
        run = call("run", SCENES / "four-bar.yaml", "--time", "2", "--quantities", "energy.total", "--json", "--out",
                   self.folder)
        table = (self.folder / "four-bar.csv").read_text().splitlines()
        self.assertEqual(run.returncode, 0)
        self.assertAlmostEqual(rows[-1]["energy.total (J)"], float(table[-1].split(",")[1]), places=9)

    def test_mistakes(self):
        file, _ = self.record(SCENES / "pendulum.yaml", "--time", "0.1")
        text = self.folder / "text.mcap"
        text.write_text("no recording, only text")
        for arguments, expected in ((("record", SCENES / "pendulum.yaml", "--out", file), "choose another name"),
                                    (("replay", text), "no MCAP file"),
                                    (("info", self.folder / "none.mcap"), "No such file"),
                                    (("export", file, "--quantities", "mas.position"), "mass.position"),
                                    (("record", SCENES / "pendulum.yaml", "--inputs-from", text), "no MCAP file")):
            done = call(*arguments, cwd=self.folder)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(expected, done.stderr)

    def test_an_interrupted_recording_is_whole(self):
        scene = self.folder / "pendulum.yaml"
        scene.write_text(PENDULUM)
        file = self.folder / "a.mcap"
        with subprocess.Popen([BRISTLE, "record", scene, "--out", file, "--speed", "1", "--json"],
                              stdout=subprocess.PIPE) as process:
            while not file.exists():
                time.sleep(0.01)
            time.sleep(0.3)
            process.terminate()
            summary = json.loads(process.stdout.read())
        self.assertEqual(process.returncode, 143)
        self.assertEqual(json.loads(call("info", file, "--json").stdout)["damage"], "")
        self.assertEqual(read_by_others(file)[0]["last"]["step"], summary["steps"] // 8 * 8)


def withheld(process):
    """Seconds the threads of a process could have run, but the machine ran something else."""
    tasks = Path(f"/proc/{process.pid}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[1]) for task in tasks) * 1e-9


class Kills(InFolder):
    """kill -9 at random moments of recordings at real time: simulated time lost is wall time lost."""

    def kill_one(self, number, wait):
        """The recording, its wall time, and how much of that the machine withheld at most."""
        file = self.folder / f"{number}.mcap"
        process = subprocess.Popen([BRISTLE, "record", self.folder / "pendulum.yaml", "--out", file, "--speed", "1",
                                    "--quiet"])
        while not file.exists():
            time.sleep(0.001)
        began, before = time.monotonic(), withheld(process)  # the simulation begins when the file is there
        time.sleep(wait)
        elapsed, waited = time.monotonic() - began, withheld(process) - before
        process.kill()
        process.wait()
        return file, elapsed, waited

    def test_what_is_killed_has_lost_less_than_half_a_second(self):
        (self.folder / "pendulum.yaml").write_text(PENDULUM)
        chosen = random.Random(int(os.environ.get("SEED", "1")))
        waits = [chosen.uniform(0, 1.2) for _ in range(50)]
        with ThreadPoolExecutor(2) as pool:
            killed = list(pool.map(self.kill_one, range(50), waits))

        losses, excused = [], []
        for file, elapsed, waited in killed:
            info = json.loads(call("info", file, "--json").stdout)
            self.assertFalse(info["finished"])
            losses.append(elapsed - info["time"])
            excused.append(losses[-1] - waited)
            self.assertIn("not finished", info["damage"])
            before = file.read_bytes()
            self.assertEqual(call("replay", "--check", file).returncode, 1, "it is not whole")
            self.assertEqual(file.read_bytes(), before, "checking changes nothing")
            self.assertEqual(call("repair", file).returncode, 0)
            if info["keyframes"] == 0:  # killed before the first chunk: there is nothing to compare
                call("replay", "--check", file)
            else:
                done = call("replay", "--check", file)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertIn("all the same hash", done.stdout)
            info = json.loads(call("info", file, "--json").stdout)
            self.assertEqual((info["finished"], info["damage"]), (True, ""))
        print(f"lost of 50 recordings that were killed: {sum(losses) / 50:.3f} s on average, {max(losses):.3f} s at most; "
              f"without what a busy machine withheld {max(excused):.3f} s at most")
        self.assertLess(max(excused), 0.5)

        for (file, _, _), found in zip(killed, read_by_others(*(file for file, _, _ in killed))):
            if found["counts"]:
                self.assertEqual(found["last"]["step"] % 8, 0, file)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
