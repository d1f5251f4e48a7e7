#!/usr/bin/env python3
"""Checks that functions and files of the engine fit in a head.

tools/check_sizes.py [ROOT]

  a function      at most 80 lines
  a file          at most 500 lines, or a first comment with the words "Long because" that says why
Relies on the layout that clang-format gives: a body ends with a brace as far in as its signature begins,
and is all further in.
"""

import re
import sys
from pathlib import Path

MOST_LINES, MOST_IN_FILE = 80, 500
NOT_A_FUNCTION = re.compile(
    r"^\s*(namespace|class|struct|enum|union|extern|if|for|while|switch|else|do|try|catch|case|default|return|using)\b"
    r"|^\s*(public|private|protected)\b|^\s*[#}/]"
)


def functions(lines):
    """(first line, name, count) of every function, in order; lines count from 1."""
    start = None
    for number, line in enumerate(lines):
        if not line.strip() or line.lstrip().startswith("//"):
            start = None
            continue
        if start is None or lines[start].rstrip().endswith((";", "}", "{", ":")):
            start = number
        first = lines[start]
        depth = len(first) - len(first.lstrip())
        if not line.rstrip().endswith("{") or depth not in (0, 4) or NOT_A_FUNCTION.match(first):
            if line.rstrip().endswith(("{", ";", "}", ":")):
                start = None
            continue
        signature = " ".join(l.strip() for l in lines[start : number + 1])
        start_line, start = start, None
        named = re.search(r"([\w~:]+(?:operator\W+)?)\s*\(", signature)
        if not named or "=" in signature.split("(")[0] or re.search(r"\]\s*[({]", signature):
            continue
        close = " " * depth + "}"
        for end in range(number + 1, len(lines)):
            if not re.match(rf" {{0,{depth}}}[^ #]", lines[end]):
                continue
            # What ends otherwise is a call with a lambda.
            if lines[end].rstrip() in (close, close + ";"):
                yield start_line + 1, named[1], end - start_line + 1
            break


def complaints(root):
    for path in sorted((root / "engine").rglob("*")):
        if path.suffix not in (".h", ".cpp", ".inl"):
            continue
        lines = path.read_text(encoding="utf-8").split("\n")
        file = path.relative_to(root)
        head = []
        for line in lines:
            if not line.startswith("//"):
                break
            head.append(line)
        if len(lines) - 1 > MOST_IN_FILE and not any("Long because" in line for line in head):
            yield f"{file}:1: {len(lines) - 1} lines; split it by subject, or say at its top why it is long"
        for number, name, count in functions(lines):
            if count > MOST_LINES:
                yield f"{file}:{number}: {name} has {count} lines; {MOST_LINES} fit in a head"


def main(arguments):
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    if not (root / "engine").is_dir():
        print(f"{root} has no engine/", file=sys.stderr)
        return 2
    found = list(complaints(root))
    print("\n".join(found) if found else "check_sizes: good")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
