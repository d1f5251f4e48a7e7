"""The command as a person or a script meets it: exit codes, messages, files, Ctrl-C.

    command_test.py path/to/bristle
"""
import csv
import json
import math
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

BRISTLE = os.path.abspath(sys.argv.pop(1))


def call(*arguments, **options):
    return subprocess.run([BRISTLE, *arguments], capture_output=True, text=True, timeout=120, **options)


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.reader(file))


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, text):
        path = pathlib.Path(self.folder, name)
        path.write_text(text)
        return str(path)

    def run_scene(self, *arguments):
        done = call("run", *arguments, "--json", "--out", self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)


class Usage(InFolder):
    def test_nothing_to_do_is_bad_usage(self):
        self.assertEqual(call().returncode, 2)

    def test_an_unknown_command_is_bad_usage(self):
        self.assertEqual(call("walk").returncode, 2)

    def test_help_is_good_and_lists_what_there_is(self):
        done = call("run", "--help")
        self.assertEqual(done.returncode, 0)
        self.assertIn("four-bar", done.stdout)
        self.assertIn("130", done.stdout)
        self.assertIn("mechanisms", call("validate", "--help").stdout)

    def test_an_unknown_scene_or_suite_is_named_with_what_is_near(self):
        for command in ("run", "info", "study"):
            done = call(command, "foru-bar", *(["--set", "n=1,2"] if command == "study" else []))
            self.assertEqual(done.returncode, 2)
            self.assertIn("scene 'foru-bar'", done.stderr)
            self.assertIn("did you mean 'four-bar'?", done.stderr)
        done = call("validate", "nothing")
        self.assertEqual(done.returncode, 2)
        self.assertIn("suite 'nothing'", done.stderr)

    def test_a_file_that_is_not_there_is_named_with_what_is_near(self):
        self.write("pendulum.yaml", "title: x\n")
        done = call("run", f"{self.folder}/pendulun.yaml")
        self.assertEqual(done.returncode, 2)
        self.assertIn(f"did you mean '{self.folder}/pendulum.yaml'?", done.stderr)

    def test_steps_and_times_must_be_positive(self):
        for option in ("--step", "--time", "--every"):
            for value in ("0", "-1", "soon"):
                self.assertEqual(call("run", "pendulum", option, value).returncode, 2)

    def test_what_cannot_be_set_or_asked_for_is_explained(self):
        for arguments, words in (
                (("--set", "lenght=2"), "did you mean 'length'?"),
                (("--set", "length"), "name=value"),
                (("--set", "length=2*"), "length"),
                (("--quantities", "mass.positon"), "did you mean 'position'?"),
                (("--quantities", "mess.position"), "did you mean 'mass.position'?"),
                (("--solver", "baumgart"), "did you mean 'baumgarte'?"),
                (("--solver", "impuls"), "did you mean 'impulse'?")):
            done = call("run", "pendulum", *arguments, "--out", self.folder)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(words, done.stderr)
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_folder_that_cannot_be_made_is_named(self):
        file = self.write("file", "")
        done = call("run", "pendulum", "--time", "0.01", "--out", file + "/x")
        self.assertEqual(done.returncode, 2)
        self.assertIn(file, done.stderr)

    def test_scenes_are_looked_for_in_a_folder_of_ones_own_first(self):
        self.write("pendulum.yaml", "title: mine\nbodies: {p: {type: point, mass: 1}}\n")
        done = call("scenes", env={**os.environ, "BRISTLE_SCENES": self.folder})
        self.assertRegex(done.stdout, r"pendulum +mine\n")
        self.assertIn("four-bar", done.stdout)


class Run(InFolder):
    def test_every_scene_runs_and_leaves_a_table_and_a_report(self):
        names = [json.loads(line)["scene"] for line in call("scenes", "--json").stdout.splitlines()]
        self.assertGreaterEqual(len(names), 27)
        for name in names:
            with self.subTest(name):
                duration = {"andrews": "0.0005", "steel-impact": "1e-06"}.get(name, "0.05")
                summary = self.run_scene(name, "--time", duration)
                self.assertAlmostEqual(summary["time"], float(duration), places=9)
                self.assertTrue(pathlib.Path(summary["report"]).read_text().startswith("<!DOCTYPE html>"))
                rows = rows_of(summary["csv"])
                self.assertEqual({len(row) for row in rows}, {len(rows[0])})
                self.assertEqual(float(rows[-1][0]), float(duration))

    def test_the_same_run_gives_the_same_hash(self):
        self.assertEqual(*(self.run_scene("machine", "--time", "1")["hash"] for _ in range(2)))

    def test_parameters_are_set_by_expressions(self):
        summary = self.run_scene("pendulum", "--set", "length=2*pi/3", "--set", "mass=2", "--time", "0.01")
        self.assertEqual(summary["parameters"], {"length": 2 * math.pi / 3, "mass": 2})
        self.assertAlmostEqual(float(rows_of(summary["csv"])[1][1]), -2 * math.pi / 3, places=9)

    def test_columns_are_those_asked_for(self):
        asked = self.run_scene("four-bar", "--time", "0.1", "--every", "0.05",
                               "--quantities", "energy.total,crank 0.point(1, 0, 0),foot 1.angle")
        rows = rows_of(asked["csv"])
        self.assertEqual(rows[0], ["time (s)", "energy.total (J)"]
                         + [f"crank 0.point(1, 0, 0).{axis} (m)" for axis in "xyz"] + ["foot 1.angle (rad)"])
        self.assertEqual([float(row[0]) for row in rows[1:]], [0, 0.05, 0.1])
        more = rows_of(self.run_scene("pendulum", "--time", "0.1", "--quantities", "+mass.velocity.x")["csv"])
        self.assertIn("mass.position.x (m)", more[0])
        self.assertIn("mass.velocity.x (m/s)", more[0])

    def test_the_step_is_changed(self):
        self.assertEqual(self.run_scene("pendulum", "--time", "0.1", "--step", "0.01")["steps"], 10)

    def test_other_formulations_move_alike(self):
        def end(*arguments):
            return [float(cell) for cell in rows_of(self.run_scene("four-bar", "--time", "0.5", *arguments)["csv"])[-1][:4]]
        usual = end()
        for solver in ("baumgarte", "penalty", "independent-coordinates"):
            for a, b in zip(end("--solver", solver), usual):
                self.assertAlmostEqual(a, b, delta=1e-3)
        # Of first order, at the scene's step of 1 ms.
        for a, b in zip(end("--solver", "impulse"), usual):
            self.assertAlmostEqual(a, b, delta=1e-2)
        done = call("run", "box-stack", "--solver", "penalty", "--out", self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("contact", done.stderr)

    def test_the_rows_come_as_often_as_the_scene_says(self):
        file = self.write("fall.yaml", "bodies: {p: {type: point, mass: 1}}\nduration: 1\n"
                                       "outputs: {every: 0.25, quantities: [p.position.z]}\n")
        rows = rows_of(self.run_scene(file)["csv"])
        self.assertEqual([float(row[0]) for row in rows[1:]], [0, 0.25, 0.5, 0.75, 1])
        for row in rows[1:]:
            self.assertAlmostEqual(float(row[1]), -9.81 / 2 * float(row[0]) ** 2, places=9)

    def test_quiet_says_nothing(self):
        done = call("run", "pendulum", "--time", "0.1", "--quiet", "--out", self.folder)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_a_scene_that_says_nothing_of_outputs_gets_a_table_and_plots(self):
        file = self.write("fall.yaml", "bodies: {p: {type: point, mass: 1, velocity: [1, 0, 0]}}\nduration: 0.1\n")
        summary = self.run_scene(file)
        self.assertIn("p.center.x (m)", rows_of(summary["csv"])[0])
        self.assertIn('data-title="Position"', pathlib.Path(summary["report"]).read_text())

    def test_what_turns_too_far_for_torques_is_told(self):
        file = self.write("rotor.yaml", "bodies: {p: {mass: 1, inertia: [0.01, 0.01, 0.01]}}\n"
                                        "joints: {I: {type: revolute, b: p, at: [0, 0, 0], axis: z}}\n"
                                        "forces: {N: {type: motor, joint: I, effort: 1}}\n"
                                        "duration: 8\n")
        for step, told in (("5 ms", True), ("2 ms", False)):
            done = call("run", file, "--step", step, "--out", self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual("'p' by" in done.stdout and "rad a step" in done.stdout, told, done.stdout)

    def test_a_simulation_that_fails_keeps_what_it_has(self):
        # A force that grows beyond all bounds.
        file = self.write("bad.yaml", "bodies: {p: {type: point, mass: 1}}\n"
                                      "forces: {f: {type: force, body: p, force: [\"exp(1e4*t)\", 0, 0]}}\n"
                                      "duration: 1\n")
        done = call("run", file, "--json", "--out", self.folder)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(json.loads(done.stdout)["ended"], "failed")
        rows = rows_of(f"{self.folder}/bad.csv")
        self.assertGreater(len(rows), 2)
        self.assertTrue(all(math.isfinite(float(cell)) for row in rows[1:] for cell in row))
        self.assertIn("failed", pathlib.Path(self.folder, "bad.html").read_text())


class Interrupts(InFolder):
    def start(self):
        return subprocess.Popen([BRISTLE, "run", "four-bars-40", "--time", "100000", "--every", "0.01", "--out", self.folder],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def check_table(self, must_exist):
        path = pathlib.Path(self.folder, "four-bars-40.csv")
        if not path.exists():
            self.assertFalse(must_exist)
            return
        text = path.read_text()
        if not text:  # killed between making the file and its first line
            self.assertFalse(must_exist)
            return
        self.assertTrue(text.endswith("\n"))
        rows = rows_of(path)
        self.assertEqual({len(row) for row in rows}, {10})
        times = [float(row[0]) for row in rows[1:]]
        self.assertEqual(times, sorted(set(times)))
        for row in rows[1:]:
            self.assertTrue(all(math.isfinite(float(cell)) for cell in row))

    def interrupt(self, number, after):
        for file in os.listdir(self.folder):
            os.remove(os.path.join(self.folder, file))
        run = self.start()
        time.sleep(after)
        run.send_signal(number)
        out, _ = run.communicate(timeout=60)
        return run.returncode, out

    def test_at_any_moment_it_keeps_what_it_has(self):
        moments = random.Random(4)
        for i in range(24):
            number = (signal.SIGINT, signal.SIGINT, signal.SIGTERM, signal.SIGKILL)[i % 4]
            after = moments.choice((0.02, 0.1, 0.6)) * moments.random()
            with self.subTest(number=number, after=after):
                code, out = self.interrupt(number, after)
                # While the scene is read there is nothing to keep, and it ends as any program does.
                began = code >= 0
                if number == signal.SIGKILL:
                    self.assertEqual(code, -number)
                else:
                    self.assertIn(code, (128 + number, -number))
                self.check_table(must_exist=began)
                self.assertEqual(pathlib.Path(self.folder, "four-bars-40.html").exists(), began)
                self.assertEqual("stopped" in out, began)
                self.assertFalse([file for file in os.listdir(self.folder) if file.endswith(".part")])

    def test_rows_are_on_the_disk_while_it_runs(self):
        run = self.start()
        time.sleep(1.5)
        first = rows_of(f"{self.folder}/four-bars-40.csv")
        time.sleep(0.5)
        second = rows_of(f"{self.folder}/four-bars-40.csv")
        run.kill()
        run.communicate()
        self.assertGreater(len(first), 2)
        self.assertGreater(len(second), len(first))

    def test_a_second_interrupt_ends_at_once_and_leaves_no_torn_file(self):
        for gap in (0, 0.001, 0.01, 0.05):
            run = self.start()
            time.sleep(1)
            run.send_signal(signal.SIGINT)
            time.sleep(gap)
            run.send_signal(signal.SIGINT)
            run.communicate(timeout=60)
            self.assertEqual(run.returncode, 130)
            self.check_table(must_exist=True)
            self.assertFalse([file for file in os.listdir(self.folder) if file.endswith(".part")])
            page = pathlib.Path(self.folder, "four-bars-40.html")
            self.assertTrue(not page.exists() or page.read_text().endswith("</html>\n"))

    def test_a_study_keeps_the_rows_it_has(self):
        study = subprocess.Popen([BRISTLE, "study", "pendulum", "--set", "length=1:2:1000", "--quantities", "energy.total",
                                  "--time", "5", "--out", self.folder], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(1)
        study.send_signal(signal.SIGINT)
        study.communicate(timeout=60)
        self.assertEqual(study.returncode, 130)
        rows = rows_of(f"{self.folder}/pendulum-study.csv")
        self.assertGreater(len(rows), 2)
        self.assertLess(len(rows), 1000)
        self.assertEqual({len(row) for row in rows}, {2})


class Study(InFolder):
    def study(self, *arguments):
        done = call("study", *arguments, "--json", "--out", self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return rows_of(json.loads(done.stdout)["csv"])

    def test_a_row_for_every_value(self):
        rows = self.study("pendulum", "--set", "length=0.5:1.5:3", "--quantities", "mass.position.z,energy.total",
                          "--time", "1", "--min", "--final")
        self.assertEqual(rows[0], ["length (m)", "min mass.position.z (m)", "final mass.position.z (m)",
                                   "min energy.total (J)", "final energy.total (J)"])
        self.assertEqual([float(row[0]) for row in rows[1:]], [0.5, 1, 1.5])
        # It starts level with its pivot, and within a second reaches the bottom.
        for row in rows[1:]:
            self.assertAlmostEqual(float(row[1]), -float(row[0]), places=3)

    def test_several_parameters_make_a_grid(self):
        rows = self.study("pendulum", "--set", "length=1,2", "--set", "mass=1 kg,3 kg", "--quantities", "bar.reaction.force.norm",
                          "--time", "1", "--max")
        self.assertEqual([row[:2] for row in rows[1:]], [["1", "1"], ["1", "3"], ["2", "1"], ["2", "3"]])
        # A pendulum from the horizontal pulls with three times its weight at the bottom.
        self.assertAlmostEqual(float(rows[2][2]), 3 * 3 * 9.81, delta=0.01)

    def test_one_run_is_the_run_itself(self):
        rows = self.study("four-bar", "--set", "speed=1,2", "--quantities", "crank 0.position,energy.total", "--time", "0.1")
        run = rows_of(self.run_scene("four-bar", "--set", "speed=2", "--quantities", "energy.total", "--time", "0.1")["csv"])
        self.assertEqual(rows[-1][-1], run[-1][-1])

    def test_a_value_that_is_refused_is_a_failed_run(self):
        # It was the end of the study, and there was no report.
        for values in ("-1,1,2", "1,-1,2"):
            done = call("study", "pendulum", "--set", f"mass={values}", "--quantities", "energy.total", "--time", "0.1",
                        "--out", self.folder)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("expected a number in kg above 0", done.stderr)
            rows = rows_of(f"{self.folder}/pendulum-study.csv")[1:]
            self.assertEqual([float(row[0]) for row in rows], [float(v) for v in values.split(",")])
            self.assertEqual([row[1] == "" for row in rows], [v == "-1" for v in values.split(",")])
            self.assertTrue(os.path.exists(f"{self.folder}/pendulum-study.html"))
        done = call("study", "pendulum", "--set", "mass=-1,-2", "--quantities", "energy.total", "--out", self.folder)
        self.assertEqual(done.returncode, 2)

    def test_what_is_missing_is_told(self):
        for arguments, word in (((), "several values"), (("--set", "length=1"), "several values"),
                                (("--set", "length=1:2"), "from:to:count"), (("--set", "length=1:2:0"), "from:to:count")):
            done = call("study", "pendulum", *arguments, "--quantities", "energy.total", "--out", self.folder)
            self.assertEqual(done.returncode, 2)
            self.assertIn(word, done.stderr)


class Check(InFolder):
    def test_all_scenes_are_good(self):
        names = call("words", "scenes").stdout.split()
        done = call("check", *names)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count(": good, "), len(names))

    def test_all_mistakes_are_told_at_their_places(self):
        file = self.write("broken.yaml", "title: broken\n"
                                         "bodies:\n"
                                         "  crank: {type: rodd, length: 1, mass: 1}\n"
                                         "  arm: {type: rod, length: 1, mas: 1}\n"
                                         "joints:\n"
                                         "  A: {type: revolute, b: ram, at: [0, 0, 0], axis: y}\n")
        done = call("check", file)
        self.assertEqual(done.returncode, 2)
        for place in ("3:", "4:", "6:"):
            self.assertIn(f"broken.yaml:{place}", done.stderr)
        self.assertIn("did you mean 'rod'?", done.stderr)
        self.assertIn("did you mean 'mass'?", done.stderr)
        report = json.loads(call("check", file, "--json").stdout)
        self.assertEqual(report["verdict"], "bad")
        self.assertGreaterEqual(len(report["mistakes"]), 3)

    def test_what_looks_wrong_is_a_warning(self):
        file = self.write("odd.yaml", "bodies:\n"
                                      "  a: {type: sphere, radius: 0.1, mass: 1, position: [0, 0, 0], material: default}\n"
                                      "  b: {type: sphere, radius: 0.1, mass: 1, position: [0.1, 0, 0], material: default}\n"
                                      "  c: {type: sphere, radius: 0.001, mass: 1e7, position: [1, 0, 0], material: default}\n")
        done = call("check", file)
        self.assertEqual(done.returncode, 0)
        self.assertIn("'a' and 'b' start 0.1 m inside each other", done.stdout)
        self.assertIn("kg/m³", done.stdout)
        self.assertIn("times as heavy", done.stdout)


    def test_what_is_wrong_with_a_mesh_is_a_warning(self):
        self.write("block.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 4 3\n")
        text = ("bodies: {{a: {{type: sphere, radius: 0.1, mass: 1}}}}\n"
                "shapes: {{b: {{type: mesh, file: block.obj, repair: {}, body: a}}}}\n")
        done = call("check", self.write("turned.yaml", text.format("nothing")))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("'a', its mesh: triangles", done.stdout)
        self.assertIn("disagree about the outside", done.stdout)
        self.assertIn("with `repair: safe` its mesh has 0 of these 3 problems", done.stdout)
        self.assertNotIn("its mesh", call("check", self.write("mended.yaml", text.format("safe"))).stdout)

    def test_what_is_joined_may_overlap(self):
        file = self.write("joined.yaml", "bodies:\n"
                                         "  a: {type: sphere, radius: 0.1, mass: 1, material: default}\n"
                                         "  b: {type: sphere, radius: 0.1, mass: 1, position: [0.1, 0, 0], material: default}\n"
                                         "  c: {type: sphere, radius: 0.1, mass: 1, position: [0, 0.1, 0], material: default}\n"
                                         "joints:\n"
                                         "  ab: {type: fixed, a: a, b: b, at: [0, 0, 0]}\n"
                                         "  bc: {type: fixed, a: b, b: c, at: [0, 0, 0]}\n")
        self.assertEqual(call("check", file).stdout, f"{file}: good, 6 degrees of freedom\n")

    def test_a_joint_to_the_ground_does_not_part_it_from_the_scenery(self):
        file = self.write("pinned.yaml", "bodies:\n"
                                         "  a: {type: sphere, radius: 0.1, mass: 1, material: default}\n"
                                         "joints: {p: {type: spherical, b: a, at: [0, 0, 0]}}\n"
                                         "shapes: {floor: {type: plane}}\n")
        self.assertIn("'ground' start 0.1 m inside each other", call("check", file).stdout)


class Completion(InFolder):
    def complete(self, *words):
        """What bash would offer for the last word."""
        script = (f'source <("{BRISTLE}" completion bash); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _bristle; '
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "-c", script, "bash", BRISTLE, *words], capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(done.stderr, "")
        return done.stdout.split("\n")[:-1]

    def test_commands(self):
        self.assertEqual(self.complete("r"), ["run", "record", "replay", "repair"])
        self.assertIn("completion", self.complete(""))

    def test_scenes_and_files(self):
        self.write("mine.yaml", "")
        self.write("mine.txt", "")
        self.assertEqual(self.complete("run", "four"), ["four-bar", "four-bars-40"])
        self.assertEqual(self.complete("run", "mi"), ["mine.yaml"])
        self.assertIn("pendulum", self.complete("check", "four-bar", "pen"))
        self.write("mine.mcap", "")
        self.assertEqual(self.complete("replay", "mi"), ["mine.mcap"])
        self.assertEqual(self.complete("repair", "mi"), ["mine.mcap"])
        self.assertEqual(sorted(self.complete("info", "mi")), ["mine.mcap", "mine.yaml"])
        self.assertEqual(self.complete("run", "mi"), ["mine.yaml"])
        self.assertEqual(self.complete("export", "mine.mcap", "--format", ""), ["csv", "json", "vtk", "foxglove", "scene"])
        self.assertEqual(sorted(self.complete("export", "mi")), ["mine.mcap", "mine.yaml"])

    def test_options_and_their_values(self):
        self.assertEqual(self.complete("run", "four-bar", "--qu"), ["--quantities", "--quiet"])
        self.assertEqual(self.complete("run", "four-bar", "--solver", "p"), ["penalty"])
        self.assertEqual(self.complete("view", "four-bar", "--solver", "i"), ["independent_coordinates", "impulse"])
        self.assertEqual(self.complete("study", "four-bar", "--m"), ["--max", "--min"])

    def test_parameters_and_quantities_of_the_scene(self):
        self.assertEqual(self.complete("run", "four-bar", "--set", "l"), ["length="])
        self.assertEqual(self.complete("run", "--step", "0.01", "four-bar", "--set", ""), ["n=", "length=", "mass=", "speed="])
        self.assertEqual(self.complete("run", "pendulum", "--quantities", "energy.t"), ["energy.total"])
        self.assertEqual(self.complete("run", "pendulum", "--quantities", "energy.total,mass.position.x"), ["energy.total,mass.position.x"])
        self.assertEqual(self.complete("run", "four-bar", "--quantities", "crank\\ 0.position.x"), ["crank\\ 0.position.x"])

    def test_suites(self):
        self.assertEqual(self.complete("validate", "m"), ["mechanisms", "machine"])
        self.assertEqual(self.complete("bench", "f"), ["far", "field"])

    def test_the_other_shells_have_scripts(self):
        for shell in ("zsh", "fish"):
            done = call("completion", shell)
            self.assertEqual(done.returncode, 0)
            for command in ("study", "check", "validate"):
                self.assertIn(command, done.stdout)
            self.assertIn("independent_coordinates impulse", done.stdout)
        self.assertEqual(call("completion", "tcsh").returncode, 2)


class Excavator(InFolder):
    def autopilot(self, *arguments):
        return call("excavator", "--autopilot", "dig-and-load", *arguments)

    def test_an_operator_works_and_figures_are_told(self):
        done = self.autopilot("--minutes", "0.2", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        told = json.loads(done.stdout)
        self.assertEqual(told["steps"], 2400)
        self.assertEqual(told["held_steps"], 0)
        self.assertEqual(told["failed_manoeuvres"], 0)
        self.assertLessEqual(told["step_p50"], told["step_p99"])
        self.assertLessEqual(told["step_p99"], told["step_worst"])
        self.assertGreater(told["pump_work"], 1e4)
        self.assertEqual(told["hash"], json.loads(self.autopilot("--minutes", "0.2", "--json").stdout)["hash"])

    def test_what_it_did_is_computed_again_without_it(self):
        file = os.path.join(self.folder, "work.mcap")
        done = self.autopilot("--minutes", "0.15", "--json", "--record", file)
        self.assertEqual(done.returncode, 0, done.stderr)
        free = json.loads(self.autopilot("--minutes", "0.15", "--json").stdout)
        self.assertEqual(json.loads(done.stdout)["hash"], free["hash"])
        checked = call("replay", "--check", file)
        self.assertEqual(checked.returncode, 0, checked.stderr)
        self.assertIn("all the same hash", checked.stdout)
        self.assertEqual(self.autopilot("--minutes", "0.1", "--record", file).returncode, 2)

    def test_mistakes_are_told(self):
        self.assertEqual(call("excavator", "--autopilot", "dance").returncode, 2)
        self.assertEqual(call("excavator", "--minutes", "1").returncode, 2)
        self.assertEqual(self.autopilot("--minutes", "-1").returncode, 2)
        done = self.autopilot("--scene", "pendulum")
        self.assertEqual(done.returncode, 2)
        self.assertIn("undercarriage", done.stderr)
        # On rock there is nothing to dig.
        done = self.autopilot("--scene", "excavator", "--minutes", "0.1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("there is no earth to dig", done.stdout)

    def test_it_ends_well_when_interrupted(self):
        running = subprocess.Popen([BRISTLE, "excavator", "--autopilot", "dig-and-load", "--json"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(2)
        running.send_signal(signal.SIGINT)
        out, _ = running.communicate(timeout=60)
        self.assertEqual(running.returncode, 130)
        self.assertGreater(json.loads(out)["steps"], 0)


class Tables(InFolder):
    def test_info_tells_the_counts(self):
        info = json.loads(call("info", "machine", "--json").stdout)
        self.assertEqual([info[key] for key in ("bodies", "coordinates", "redundant", "dof")], [15, 75, 0, 8])
        self.assertEqual(len(info["entity_list"]), 25)
        self.assertEqual([p["name"] for p in info["parameter_list"]], ["speed", "frequency"])

    def test_info_lists_what_can_be_asked_for(self):
        names = call("info", "pendulum", "--quantities").stdout.splitlines()
        self.assertIn("mass.position.x", names)
        self.assertIn("bar.reaction.force.norm", names)

    def test_the_schema_is_json(self):
        self.assertIn("bodies", json.loads(call("schema").stdout)["properties"])

    def test_validate_gives_one_object_a_line(self):
        done = call("validate", "elements", "--json")
        self.assertEqual(done.returncode, 0)
        for line in done.stdout.splitlines():
            self.assertEqual(list(json.loads(line)), ["suite", "case", "quantity", "reference", "value", "error", "bound", "verdict"])


if __name__ == "__main__":
    unittest.main()
