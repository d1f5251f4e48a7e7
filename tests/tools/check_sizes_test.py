"""The size check finds long functions and files, by the right name and line, and leaves the rest alone."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "tools" / "check_sizes.py"
FILE = "engine/math/a.cpp"


def statements(count, depth=4):
    return " " * depth + ("work();\n" + " " * depth) * (count - 1) + "work();\n"


class CheckSizes(unittest.TestCase):
    def check(self, files):
        """Runs the script over a tree of {path: text}; gives (exit code, output lines)."""
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "engine").mkdir()
            for name, text in files.items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            result = subprocess.run(
                [sys.executable, str(SCRIPT), str(root)], capture_output=True, text=True
            )
            self.assertEqual(result.stderr, "")
            return result.returncode, result.stdout.splitlines()

    def assert_good(self, text, path=FILE):
        self.assertEqual(self.check({path: text}), (0, ["check_sizes: good"]))

    def assert_bad(self, text, line, words, path=FILE):
        code, output = self.check({path: text})
        self.assertEqual(code, 1, output)
        self.assertEqual(len(output), 1, output)
        self.assertTrue(output[0].startswith(f"{path}:{line}: {words}; "), output[0])

    def test_empty_tree(self):
        self.assertEqual(self.check({}), (0, ["check_sizes: good"]))

    def test_a_function_of_eighty_lines_fits(self):
        self.assert_good("int f(int x) {\n" + statements(78) + "}\n")
        self.assert_bad("int f(int x) {\n" + statements(79) + "}\n", 1, "f has 81 lines")

    def test_name_and_line_are_those_of_the_function(self):
        text = "int before() {\n    return 1;\n}\n\nvoid Solver::run() {\n" + statements(79) + "}\n"
        self.assert_bad(text, 5, "Solver::run has 81 lines")

    def test_a_comment_above_hides_nothing_and_does_not_count(self):
        for comment in ("// Runs.\n", "// Runs:\n", "// Runs\n// and runs.\n"):
            with self.subTest(comment=comment):
                line = 1 + comment.count("\n")
                text = comment + "void run() {\n" + statements(79) + "}\n"
                self.assert_bad(text, line, "run has 81 lines")
                self.assert_good(comment + "void run() {\n" + statements(78) + "}\n")

    def test_a_method_in_a_class(self):
        text = (
            "class Solver {\n  public:\n    void reset() { count_ = 0; }\n    // Runs.\n"
            "    bool run() const {\n" + statements(79, 8) + "    }\n\n  private:\n    int count_;\n};\n"
        )
        self.assert_bad(text, 5, "run has 81 lines")

    def test_a_signature_of_several_lines_counts(self):
        start = "template <class Probe>\nRange find(const Probe& probe,\n           double reach) {\n"
        self.assert_good(start + statements(76) + "}\n")
        self.assert_bad(start + statements(77) + "}\n", 1, "find has 81 lines")

    def test_a_constructor_with_initializers(self):
        start = "Solver::Solver(const Model& model)\n    : model_(model),\n      count_(model.count()) {\n"
        self.assert_bad(start + statements(77) + "}\n", 1, "Solver::Solver has 81 lines")
        self.assert_good(start + statements(76) + "}\n")

    def test_every_long_function_is_listed(self):
        long = "() {\n" + statements(79) + "}\n\n"
        code, output = self.check({FILE: "void f" + long + "void g" + long, "engine/b.h": "int h" + long})
        self.assertEqual(code, 1)
        self.assertEqual(
            [line.split(" has ")[0] for line in output],
            ["engine/b.h:1: h", f"{FILE}:1: f", f"{FILE}:83: g"],
        )

    def test_what_holds_functions_is_none(self):
        short = "    void f() {\n        work();\n    }\n\n"
        self.assert_good("class Solver {\n" + 30 * short + "};\n")
        self.assert_good("namespace a {\n\n" + 30 * "void f() {\n    work();\n}\n\n" + "}  // namespace a\n")
        self.assert_good("constexpr int table[] = {\n" + 90 * "    1,\n" + "};\n")

    def test_a_call_with_a_lambda_is_no_function(self):
        lambdas = (
            "    jobs.run(count, [&](int i) {\n        work(i);\n    });\n",
            "    sort(first, last,\n         [](int a, int b) {\n             return a < b;\n         });\n",
        )
        for call in lambdas:
            with self.subTest(call=call):
                start = "void f() {\n" + call
                text = start + statements(75) + "    if (x) {\n        work();\n    }\n}\n"
                self.assert_bad(text, 1, f"f has {text.count(chr(10))} lines")

    def test_directives_do_not_end_a_function(self):
        text = "void f() {\n#if FAST\n    quick();\n#endif\n" + statements(76) + "}\n"
        self.assert_bad(text, 1, "f has 81 lines")

    def test_a_long_file_says_why(self):
        declarations = 500 * "void f();\n"
        self.assert_good(declarations)
        self.assert_bad("void g();\n" + declarations, 1, "501 lines")
        self.assert_bad("// All of them.\n" + declarations, 1, "501 lines")
        self.assert_good("// All of them.\n// Long because there are so many.\n" + declarations)

    def test_the_reason_is_at_the_top(self):
        self.assert_bad(500 * "void f();\n" + "// Long because nobody looked.\n", 1, "501 lines")

    def test_a_reason_for_the_file_is_none_for_its_functions(self):
        text = "// Long because of f.\n\nvoid f() {\n" + statements(500) + "}\n"
        self.assert_bad(text, 3, "f has 502 lines")

    def test_other_files_are_ignored(self):
        self.assert_good(600 * "words\n", "engine/math/README.md")
        self.assert_good(600 * "void f();\n", "io/scene.cpp")

    def test_bad_usage(self):
        result = subprocess.run(
            [sys.executable, str(SCRIPT), "/nowhere/at/all"], capture_output=True, text=True
        )
        self.assertEqual(result.returncode, 2)
        self.assertIn("has no engine/", result.stderr)


if __name__ == "__main__":
    unittest.main()
