"""The command `bristle` of a package that pip installed: the program lies in it, with its scenes and its page."""

import os
import sys
from pathlib import Path


def main() -> None:
    """Becomes the program."""
    program = Path(__file__).parent / "bin" / "bristle"
    os.execv(program, ["bristle", *sys.argv[1:]])
