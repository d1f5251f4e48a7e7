"""The command as a person or a script meets it: exit codes, messages, files, Ctrl-C.

    command_test.py path/to/bristle
"""
import csv
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

BRISTLE = sys.argv.pop(1)


def call(*arguments, **options):
    return subprocess.run([BRISTLE, *arguments], capture_output=True, text=True, timeout=120, **options)


class Usage(unittest.TestCase):
    def test_nothing_to_do_is_bad_usage(self):
        self.assertEqual(call().returncode, 2)

    def test_an_unknown_command_is_bad_usage(self):
        self.assertEqual(call("walk").returncode, 2)

    def test_help_is_good_and_lists_what_there_is(self):
        done = call("run", "--help")
        self.assertEqual(done.returncode, 0)
        self.assertIn("four-bar", done.stdout)
        self.assertIn("mechanisms", call("validate", "--help").stdout)

    def test_an_unknown_scene_or_suite_is_named(self):
        for arguments, word in ((("run", "nothing"), "scene 'nothing'"), (("info", "nothing"), "scene 'nothing'"),
                                (("validate", "nothing"), "suite 'nothing'")):
            done = call(*arguments)
            self.assertEqual(done.returncode, 2)
            self.assertIn(word, done.stderr)
            self.assertIn("--help", done.stderr)

    def test_steps_and_times_must_be_positive(self):
        for option in ("--step", "--time"):
            for value in ("0", "-1", "soon"):
                self.assertEqual(call("run", "pendulum", option, value).returncode, 2)

    def test_a_folder_that_cannot_be_made_is_named(self):
        with tempfile.NamedTemporaryFile() as file:
            done = call("run", "pendulum", "--time", "0.01", "--out", file.name + "/x")
            self.assertEqual(done.returncode, 2)
            self.assertIn(file.name, done.stderr)


class Run(unittest.TestCase):
    def test_every_scene_runs_and_leaves_a_table_and_a_report(self):
        names = [line.split()[0] for line in call("run", "--help").stdout.split("Scenes:")[1].splitlines() if line.strip()]
        self.assertGreaterEqual(len(names), 9)
        for name in names:
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                duration = "0.0005" if name == "andrews" else "0.05"
                done = call("run", name, "--json", "--time", duration, "--out", folder)
                self.assertEqual(done.returncode, 0, done.stderr)
                summary = json.loads(done.stdout)
                self.assertAlmostEqual(summary["time"], float(duration), places=9)
                self.assertTrue(pathlib.Path(summary["report"]).read_text().startswith("<!DOCTYPE html>"))
                rows = list(csv.reader(open(summary["csv"], newline="")))
                self.assertEqual({len(row) for row in rows}, {len(rows[0])})
                self.assertEqual(float(rows[-1][0]), float(duration))

    def test_the_same_run_gives_the_same_hash(self):
        with tempfile.TemporaryDirectory() as folder:
            hashes = {json.loads(call("run", "machine", "--json", "--time", "1", "--out", folder).stdout)["hash"] for _ in range(2)}
        self.assertEqual(len(hashes), 1)

    def test_interrupted_it_keeps_what_it_has(self):
        with tempfile.TemporaryDirectory() as folder:
            run = subprocess.Popen([BRISTLE, "run", "four-bars-40", "--time", "100000", "--out", folder],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            time.sleep(1.5)
            run.send_signal(signal.SIGINT)
            out, _ = run.communicate(timeout=60)
            self.assertEqual(run.returncode, 0)
            self.assertIn("stopped", out)
            rows = list(csv.reader(open(f"{folder}/four-bars-40.csv", newline="")))
            self.assertEqual({len(row) for row in rows}, {len(rows[0])})
            self.assertTrue(pathlib.Path(f"{folder}/four-bars-40.html").exists())


class Tables(unittest.TestCase):
    def test_info_tells_the_counts(self):
        info = json.loads(call("info", "machine", "--json").stdout)
        self.assertEqual([info[key] for key in ("bodies", "coordinates", "redundant", "dof")], [15, 75, 0, 8])
        self.assertEqual(len(info["entity_list"]), 25)

    def test_validate_gives_one_object_a_line(self):
        done = call("validate", "elements", "--json")
        self.assertEqual(done.returncode, 0)
        for line in done.stdout.splitlines():
            self.assertEqual(list(json.loads(line)), ["suite", "case", "quantity", "reference", "value", "error", "bound", "verdict"])


if __name__ == "__main__":
    unittest.main()
