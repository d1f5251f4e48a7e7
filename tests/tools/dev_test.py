"""./dev finds rooms and turns its words into targets and filters. cmake and the programs only say what they are told."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "dev"
ECHO = '#!/bin/sh\necho "$(basename "$0") $*"\n'


class Dev(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        shutil.copy(SCRIPT, self.root / "dev")
        for name in ("tests/impulse/rows_test.cpp", "tests/live/clock_test.cpp", "tests/live/clock_slow_test.cpp"):
            self.write(name, "")
        self.write("tests/python/a_test.py", "print('a ran')\n")
        self.write("tests/python/b_test.py", "raise SystemExit(3)\n")
        for name in ("bin/cmake", "tools/setup"):
            self.write(name, ECHO)
        for name in ("test_impulse", "test_live_slow", "bristle"):
            self.write(f"build/release/{name}", ECHO)
        self.write("build/release/build.ninja", "")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def run_dev(self, *words, **settings):
        environment = {"PATH": f"{self.root}/bin:{os.environ['PATH']}", **settings}
        done = subprocess.run([self.root / "dev", *words], capture_output=True, text=True, env=environment)
        return done.returncode, done.stdout.splitlines(), done.stderr

    def test_no_words_list_the_rooms(self):
        code, lines, _ = self.run_dev()
        self.assertEqual(code, 0)
        self.assertIn("  impulse", lines)
        self.assertIn("  live", lines)
        self.assertNotIn("  python", lines)

    def test_a_room_is_built_and_run(self):
        code, lines, _ = self.run_dev("impulse")
        self.assertEqual(code, 0)
        self.assertEqual(
            lines,
            [
                "cmake --build --preset release --target test_impulse -- --quiet",
                "test_impulse --gtest_brief=1 --gtest_filter=**",
            ],
        )

    def test_words_choose_tests(self):
        _, lines, _ = self.run_dev("impulse", "Stack", "Chain")
        self.assertEqual(lines[-1], "test_impulse --gtest_brief=1 --gtest_filter=*Stack*:*Chain*")

    def test_tests_of_another_kind(self):
        _, lines, _ = self.run_dev("live_slow")
        self.assertIn("--target test_live_slow", lines[0])
        self.assertTrue(lines[-1].startswith("test_live_slow "))

    def test_a_tree_that_is_not_configured_is_set_up(self):
        (self.root / "build/release/build.ninja").unlink()
        _, lines, _ = self.run_dev("impulse")
        self.assertEqual(lines[0], "setup tests")

    def test_another_preset(self):
        self.write("build/asan/test_impulse", ECHO)
        _, lines, _ = self.run_dev("impulse", BRISTLE_PRESET="asan")
        self.assertEqual(lines[0], "setup tests")
        self.assertIn("--preset asan", lines[1])

    def test_python_tests_by_name(self):
        code, lines, _ = self.run_dev("python", "a_")
        self.assertEqual((code, lines[-1]), (0, "a ran"))
        self.assertEqual(self.run_dev("python")[0], 1)

    def test_validation(self):
        self.assertEqual(self.run_dev("validation", "contact")[1][-1], "bristle validate contact")

    def test_no_such_room(self):
        for word in ("nowhere", "../etc", "impulse/..", "nowhere_slow"):
            with self.subTest(word=word):
                code, _, error = self.run_dev(word)
                self.assertEqual(code, 2)
                self.assertIn("there is no room", error)


if __name__ == "__main__":
    unittest.main()
