"""The link check finds every kind of link that leads nowhere, and leaves good ones alone."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "tools" / "check_links.py"


class CheckLinks(unittest.TestCase):
    def check(self, files, *options):
        """Runs the script over a tree of {path: text}; gives (exit code, output lines)."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            result = subprocess.run(
                [sys.executable, str(SCRIPT), *options, folder], capture_output=True, text=True
            )
            self.assertEqual(result.stderr, "")
            return result.returncode, result.stdout.splitlines()

    def assert_good(self, files, *options):
        code, output = self.check(files, *options)
        self.assertEqual((code, output), (0, ["all links lead somewhere"]))

    def assert_bad(self, files, *beginnings, options=()):
        code, output = self.check(files, *options)
        self.assertEqual(code, 1, output)
        self.assertEqual(len(output), len(beginnings), output)
        for line, beginning in zip(output, beginnings):
            self.assertTrue(line.startswith(beginning), line)

    def test_good_tree(self):
        self.assert_good(
            {
                "README.md": "# Top\n[a](docs/a.md) [b](docs/a.md#two-words) [c](#top) ![p](p.png)\n"
                "[code](engine/x.cpp#L2) [folder](docs) [w](https://example.org/a?b=c#d) [m](mailto:a@b.org)\n",
                "docs/a.md": "## Two words\n[up](../README.md#top)\n",
                "engine/x.cpp": "1\n2\n",
                "p.png": "",
            }
        )

    def test_what_is_not_there(self):
        self.assert_bad(
            {"a.md": "\n[x](b.md) and ![y](c.png \"title\")\n"},
            "a.md:2: b.md is not there",
            "a.md:2: c.png is not there",
        )

    def test_links_of_every_kind_are_seen(self):
        self.assert_bad(
            {"a.md": '[a]: gone.md\n<img src="gone.png">\n[`code`](gone.h)\n[![i](gone.svg)](gone.html)\n'},
            "a.md:1: gone.md",
            "a.md:2: gone.png",
            "a.md:3: gone.h",
            "a.md:4: gone.svg",
            "a.md:4: gone.html",
        )

    def test_anchors(self):
        page = "# A & B\n## Same\n## Same\n## `code` of [x](a.md)\n## Größe\n"
        good = "[1](a.md#a--b) [2](a.md#same) [3](a.md#same-1) [4](a.md#code-of-x) [5](a.md#größe)\n"
        self.assert_good({"a.md": page, "b.md": good})
        self.assert_bad({"a.md": page, "b.md": "[1](a.md#same-2)\n"}, "b.md:1: a.md#same-2 has no heading")

    def test_lines_of_code(self):
        files = {"x.cpp": "1\n2\n", "a.md": "[l](x.cpp#L9)\n[m](x.cpp#main)\n"}
        self.assert_bad(files, "a.md:1: x.cpp#L9 has no line 9", "a.md:2: x.cpp#main has no anchor")

    def test_a_path_in_code_style_is_a_link(self):
        page = "`engine/base/jobs.h` `base/jobs.h` `other/x.h` `base/NAME_test.h` `base/gone.h`\n"
        files = {"engine/base/jobs.h": "", "a.md": page}
        self.assert_bad(files, "a.md:1: base/gone.h is not there")
        self.assert_good({"engine/base/jobs.h": "", "CHANGELOG.md": "what was `base/gone.h`\n"})

    def test_code_is_not_prose(self):
        self.assert_good(
            {"a.md": "```cpp\nf([&](Model& m) {});\n```\n\n    g([](int) {});\n\nsee `h[i](x)`\n"}
        )

    def test_items_of_lists_are_prose(self):
        self.assert_bad({"a.md": "- item\n\n    [x](gone.md)\n"}, "a.md:3: gone.md")

    def test_addresses_are_looked_at(self):
        self.assert_bad(
            {"a.md": "[a](https://no-dots)\n[b](htps://example.org)\n[c](mailto:nobody)\n"},
            "a.md:1: https://no-dots",
            "a.md:2: htps://example.org unknown kind",
            "a.md:3: mailto:nobody",
        )

    def test_out_of_the_project(self):
        self.assert_bad({"a.md": "[x](../../etc/passwd)\n[y](/etc/passwd)\n"}, "a.md:1: ", "a.md:2: /etc/passwd")

    def test_what_is_made_is_not_checked(self):
        self.assert_good({"a.md": "", "build/b.md": "[x](gone.md)", "web/node_modules/c.md": "[x](gone.md)"})

    def test_site(self):
        good = {
            "index.html": '<a href="a/#x">a</a> <img src="p.png"> <a href="https://gone.example">w</a>',
            "a/index.html": '<h1 id="x">x</h1> <a href="..">up</a> <a href="#x">here</a>',
            "p.png": "",
        }
        self.assert_good(good, "--site")
        self.assert_bad(
            good | {"b.html": '<a href="a/#y">y</a>\n<img src="q.png">'},
            "b.html:1: a/#y has no #y",
            "b.html:2: q.png is not there",
            options=["--site"],
        )

    def test_bad_usage(self):
        result = subprocess.run([sys.executable, str(SCRIPT), "/nowhere/at/all"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 2)


if __name__ == "__main__":
    unittest.main()
