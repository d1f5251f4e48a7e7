"""`bristle excavator report` as a person or a script meets it: the page, the tables, JSON, mistakes.

    machine_report_test.py path/to/bristle
"""
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BRISTLE = os.path.abspath(sys.argv.pop(1))


def call(*arguments):
    return subprocess.run([BRISTLE, "excavator", "report", *arguments], capture_output=True, text=True, timeout=240)


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.done = call("--json", "--spacing", "3", "--out", cls.folder.name)
        cls.answer = json.loads(cls.done.stdout) if cls.done.returncode == 0 else {}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_it_says_what_the_machine_can_do(self):
        self.assertEqual(self.done.returncode, 0, self.done.stderr)
        self.assertAlmostEqual(self.answer["range"]["reach on the ground"], 10.2, delta=0.2)
        self.assertAlmostEqual(self.answer["mass"], 23070, delta=1)
        self.assertEqual([(t["on"], t["over"]) for t in self.answer["lift"]],
                         [("wheels", "front"), ("wheels", "side"), ("blade and outriggers", "front"),
                          ("blade and outriggers", "side")])
        self.assertEqual(self.answer["left_out"], [])
        for table in self.answer["lift"]:
            for c in table["capacities"]:
                shares = [0.87 * c["hydraulic"]] + ([0.75 * c["tipping"]] if c["tipping"] is not None else [])
                self.assertAlmostEqual(c["rated"], min(shares), delta=1e-6 * c["rated"])

    def test_its_tables_are_the_same_numbers(self):
        tables = {pathlib.Path(file).name: file for file in self.answer["tables"]}
        with open(tables["excavator-lift-side-wheels.csv"], newline="") as file:
            rows = list(csv.DictReader(file))
        expected = next(t for t in self.answer["lift"] if (t["on"], t["over"]) == ("wheels", "side"))["capacities"]
        self.assertEqual(len(rows), len(expected))
        for row, c in zip(rows, expected):
            self.assertAlmostEqual(float(row["rated [kg]"]), c["rated"], delta=1e-6 * c["rated"])
            self.assertEqual(row["limited by hydraulics"], "0" if c["limited_by"] == "tipping" else "1")
        self.assertIn("excavator-range.csv", tables)
        self.assertIn("excavator-stability.csv", tables)

    def test_its_page_needs_nothing_from_outside(self):
        page = pathlib.Path(self.answer["report"]).read_text(encoding="utf-8")
        self.assertIn("<svg class=\"drawing\"", page)
        self.assertIn("Lift capacities over the side, on wheels", page)
        for far in ("http://", "https://"):
            self.assertNotIn(far, page.replace("http://www.w3.org/2000/svg", ""))


class Mistakes(unittest.TestCase):
    def test_a_scene_that_is_no_machine(self):
        done = call("--scene", "pendulum")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no joint named 'boom pivot'", done.stderr)

    def test_bad_usage(self):
        self.assertEqual(call("--spacing", "0").returncode, 2)
        self.assertEqual(call("--consumption", "much").returncode, 2)
        self.assertEqual(call("--scene", "nowhere.yaml").returncode, 2)
        self.assertEqual(call("--set", "nonsense=1").returncode, 2)


if __name__ == "__main__":
    unittest.main()
