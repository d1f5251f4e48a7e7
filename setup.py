"""Builds the Python package by CMake, for `pip install .`; pyproject.toml says the rest."""

import os
import re
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent


class BuildByCMake(build_ext):
    """The package is what CMake installs: the module, and inside it the command with its scenes and its page."""

    def run(self):
        build = Path(self.build_temp).resolve()
        package = Path(self.get_ext_fullpath("bristle._bristle")).resolve().parent
        self._cmake("-S", ROOT, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DBRISTLE_TESTS=OFF",
                    "-DBRISTLE_PYTHON_FOLDER=.", f"-DPython3_EXECUTABLE={sys.executable}")
        self._cmake("--build", build, "--target", "bristle_python", "bristle", "web", "bristle_completions",
                    "--parallel", os.cpu_count() or 1)
        self._cmake("--install", build, "--strip", "--component", "python", "--prefix", package.parent)
        self._cmake("--install", build, "--strip", "--component", "command", "--prefix", package)

    def _cmake(self, *arguments):
        subprocess.run(["cmake", *map(str, arguments)], check=True)


setup(
    version=re.search(r"^project\(bristle VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)[1],
    ext_modules=[Extension("bristle._bristle", [])],
    cmdclass={"build_ext": BuildByCMake},
)
