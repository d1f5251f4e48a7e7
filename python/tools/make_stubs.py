#!/usr/bin/env python3
"""Writes bristle/__init__.pyi from the compiled package.

PYTHONPATH=build/release/python python3 python/tools/make_stubs.py [--check]
"""

import sys

import signatures as s

HEAD = '''# Made by python/tools/make_stubs.py from the package itself.
from os import PathLike
from pathlib import Path
from typing import Any, Callable, Sequence, Union, overload

from numpy.typing import NDArray

Array = NDArray[Any]
Vector = Union[Sequence[float], Array]
Matrix = Union[Sequence[Sequence[float]], Array]

__version__: str
'''


def function_lines(functions, indent):
    counts = {}
    for f in functions:
        counts[f.name] = counts.get(f.name, 0) + 1
    for f in functions:
        if counts[f.name] > 1:
            yield indent + "@overload"
        if f.is_static:
            yield indent + "@staticmethod"
        yield f"{indent}def {f.text(stub=True)}: ..."


def attribute_lines(name, kind, is_writable, indent):
    """Arrays go in as any sequence and come out as arrays."""
    is_function = any(f in kind for f in s.FUNCTIONS)
    if is_writable and (is_function or s.passed(kind) == s.returned(kind)):
        yield f"{indent}{name}: {s.passed(kind)}"
        return
    yield f"{indent}@property"
    yield f"{indent}def {name}(self) -> {s.returned(kind)}: ..."
    if is_writable:
        yield f"{indent}@{name}.setter"
        yield f"{indent}def {name}(self, value: {s.passed(kind)}) -> None: ..."


def class_lines(c, indent=""):
    yield f"{indent}class {c.name}{f'({c.base})' if c.base else ''}:"
    inner = indent + "    "
    if not (c.values or c.fields or c.properties or c.functions or c.inner):
        yield inner + "..."
    for name, _ in c.values:
        yield f"{inner}{name}: {c.name}"
    if c.values:
        yield f"{inner}__members__: dict[str, Any]"
        yield f"{inner}name: str"
        yield f"{inner}value: int"
    for part in c.inner:
        yield from class_lines(part, inner)
    if c.fields and c.is_constructible:
        arguments = "".join(
            f", {name}: {s.passed(kind)}{' = ...' if default else ''}" for name, kind, default, _ in c.fields)
        yield f"{inner}def __init__(self{arguments}) -> None: ..."
    for name, kind, _, _ in c.fields:
        yield from attribute_lines(name, kind, c.is_constructible, inner)
    for p in c.properties:
        yield from attribute_lines(p.name, p.kind, p.is_writable, inner)
    yield from function_lines(c.functions, inner)


def stub_text():
    classes, functions, numbers = s.everything()
    lines = [HEAD]
    lines += [f"{name}: float" for name in numbers]
    for c in classes:
        lines += ["", *class_lines(c)]
    lines += [""]
    lines += [f"{name} = Union[{', '.join(members)}]" for name, members in s.UNIONS.items()]
    lines += ["", *function_lines(functions, "")]
    return "\n".join(lines) + "\n"


def main(arguments):
    file = s.ROOT / "bristle" / "__init__.pyi"
    text = stub_text()
    if arguments == ["--check"]:
        if file.read_text(encoding="utf-8") == text:
            return 0
        print("bristle/__init__.pyi is not up to date: run python/tools/make_stubs.py", file=sys.stderr)
        return 1
    file.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
