"""The version is written once, in CMakeLists.txt, and whatever tells one tells that.

    version_test.py SOURCES BUILD
"""
import re
import subprocess
import sys
import unittest
from pathlib import Path

SOURCES, BUILD = map(Path, sys.argv[1:3])
VERSION = re.search(r"^project\(bristle VERSION ([\d.]+)", (SOURCES / "CMakeLists.txt").read_text(), re.MULTILINE)[1]


def said(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout.strip()


class Version(unittest.TestCase):
    def test_of_the_command(self):
        self.assertEqual(said(BUILD / "bristle", "--version"), f"bristle {VERSION}")

    def test_of_the_headers(self):
        header = (BUILD / "generated/engine/bristle/version.h").read_text()
        self.assertIn(f'version = "{VERSION}"', header)
        self.assertEqual(".".join(re.findall(r"#define BRISTLE_VERSION_\w+ (\d+)", header)), VERSION)

    def test_of_the_python_package(self):
        import bristle
        self.assertEqual(bristle.__version__, VERSION)

    def test_of_what_pip_installs(self):
        self.assertEqual(said(sys.executable, "setup.py", "--version", cwd=SOURCES).split()[-1], VERSION)

    def test_of_what_pkg_config_finds(self):
        for name in ("bristle", "bristle-io", "bristle-live"):
            text = (BUILD / f"packaging/{name}.pc").read_text()
            self.assertEqual(re.findall(r"^Version: (.*)$", text, re.MULTILINE), [VERSION], name)

    def test_of_what_cmake_finds(self):
        text = (BUILD / "packaging/bristle-config-version.cmake").read_text()
        self.assertIn(f'set(PACKAGE_VERSION "{VERSION}")', text)

    def test_of_the_debian_packages(self):
        text = (BUILD / "CPackConfig.cmake").read_text()
        self.assertIn(f'set(CPACK_PACKAGE_VERSION "{VERSION}")', text)

    def test_is_not_written_again(self):
        self.assertNotIn('"version"', (SOURCES / "web/package.json").read_text())
        self.assertNotRegex((SOURCES / "pyproject.toml").read_text(), r"(?m)^version\b")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
