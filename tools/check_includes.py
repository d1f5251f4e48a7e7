#!/usr/bin/env python3
"""Checks that includes follow the order of the rooms: one direction, no back edges.

tools/check_includes.py [ROOT]

  ROOM/include/bristle/     the standard library and <bristle/...> only
  engine/FOLDER/            its own folder, the folders before it in ENGINE_ORDER, <bristle/...>
  scenes/, io/, live/, ...  the engine, themselves and the rooms before them in ROOM_ORDER;
                            inside a room of SUB_ROOM_ORDER, what comes before them there
  tests/, python/           anything
"""

import re
import sys
from pathlib import Path

ENGINE_ORDER = (
    "base",
    "math",
    "geometry",
    "model",
    "mechanics",
    "assembly",
    "state",
    "collision",
    "contact",
    "deform",
    "lagrange",
    "impulse",
    "step",
    "analysis",
)
ROOM_ORDER = (
    "scenes",
    "machines",
    "io",
    "console",
    "live",
    "classroom",
    "report",
    "bench",
    "validation",
    "cli",
)
# "" stands for the files of the room that are in no sub-room.
SUB_ROOM_ORDER = {
    "live": ("clock", "wire", "picture", "devices", "show", "record", "hub", "server", "embed"),
    "cli": ("", "commands", "main.cpp"),
}
DOORS = ("tests", "python")
OUTSIDE = ROOM_ORDER + DOORS
SUFFIXES = {".h", ".hpp", ".inl", ".cpp", ".cc"}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.MULTILINE)
STANDARD = re.compile(r"[a-z0-9_]+")
# Comments and raw strings can hold text that looks like an include; ordinary strings are matched
# only so that a comment sign inside one is not taken for a comment.
NOT_CODE = re.compile(
    r'R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"'
    r"|//[^\n]*|/\*.*?\*/"
    r'|(?P<keep>"(?:\\.|[^"\\\n])*"|<[^<>\s]*>|\'(?:\\.|[^\'\\\n])\')',
    re.DOTALL,
)


def includes(text):
    """(line, bracket, name) of every include directive."""

    def blank(match):
        return match[0] if match["keep"] else "\n" * match[0].count("\n")

    code = NOT_CODE.sub(blank, text)
    for match in INCLUDE.finditer(code):
        yield code.count("\n", 0, match.start()) + 1, match[1], match[2]


def written_wrongly(bracket, name):
    """Complaint about the spelling of an include, the same in every room below the doors."""
    first = name.split("/")[0]
    if ".." in name.split("/"):
        return f'"{name}" climbs out of its folder; write it relative to engine/, or to the root'
    if first == "bristle" and bracket == '"':
        return f'"{name}" is a public header; write <{name}>'
    if first == "engine" and "/" in name:
        inner = name.removeprefix("engine/").removeprefix("include/")
        wanted = f"<{inner}>" if inner.startswith("bristle/") else f'"{inner}"'
        return f"{name} names the engine folder; write {wanted}"
    if bracket == "<" and "/" in name and first in ENGINE_ORDER + OUTSIDE:
        return f'<{name}> is a project header; write "{name}"'
    if bracket == '"' and "/" not in name:
        return f'"{name}" has no folder; write it as "FOLDER/{name}", or <{name}> for a library'
    return None


def check_public(bracket, name):
    if bracket == "<" and (name.startswith("bristle/") or STANDARD.fullmatch(name)):
        return None
    wrong = written_wrongly(bracket, name) if name.startswith(("bristle/", "engine/")) else None
    return wrong or (
        f"a public header includes {name}; use only the standard library and <bristle/...>, "
        "and keep the rest behind a forward declaration"
    )


def check_engine(folder, bracket, name):
    first = name.split("/")[0]
    if "/" in name and first in OUTSIDE:
        return f"engine/ knows nothing of {first}/; pass the data in, or move this file to {first}/"
    if wrong := written_wrongly(bracket, name):
        return wrong
    if bracket == "<":
        return None
    if first not in ENGINE_ORDER:
        return f'"{name}" is in no folder of engine/; the folders are {", ".join(ENGINE_ORDER)}'
    if ENGINE_ORDER.index(first) > ENGINE_ORDER.index(folder):
        return (
            f"{folder}/ may not include {first}/, which comes after it; "
            f"move the code to {first}/ or later, or what it needs to {folder}/ or earlier"
        )
    return None


def sub_room(parts):
    """The place of a file of a room in its SUB_ROOM_ORDER, or None if it has none there."""
    order = SUB_ROOM_ORDER[parts[0]]
    place = parts[1] if parts[1] in order or len(parts) > 2 else ""
    return place if place in order else None


def check_room(parts, bracket, name):
    room, first = parts[0], name.split("/")[0]
    later = ROOM_ORDER[ROOM_ORDER.index(room) + 1 :] + DOORS
    if "/" in name and first in later:
        return f"{room}/ may not include {first}/, which is built on it; move the code to {first}/"
    if wrong := written_wrongly(bracket, name):
        return wrong
    if first == room and room in SUB_ROOM_ORDER:
        order, here, there = SUB_ROOM_ORDER[room], sub_room(parts), sub_room(tuple(name.split("/")))
        if there is None:
            return f'"{name}" is in no sub-room of {room}/'
        if order.index(there) > order.index(here):
            return (
                f"{'/'.join((room, here)).rstrip('/')}/ may not include {room}/{there}, which comes "
                f"after it; move the code to {room}/{there} or later"
            )
    return None


def rule_for(parts):
    """The check that applies to a file given by its path parts, or a complaint about its place."""
    if parts[1:3] == ("include", "bristle") and len(parts) > 3:
        return check_public
    if parts[0] == "engine":
        if len(parts) > 2 and parts[1] in ENGINE_ORDER:
            return lambda bracket, name: check_engine(parts[1], bracket, name)
        return (
            "this place is not in the order of engine/; move the file, or give its folder "
            "a place in ENGINE_ORDER of tools/check_includes.py"
        )
    if parts[0] in ROOM_ORDER:
        if parts[0] in SUB_ROOM_ORDER and sub_room(parts) is None:
            return (
                f"this place is not in the order of {parts[0]}/; move the file, or give its folder "
                "a place in SUB_ROOM_ORDER of tools/check_includes.py"
            )
        return lambda bracket, name: check_room(parts, bracket, name)
    return None


def violations(root):
    """Every violation below root as (file, line, complaint), in order."""
    found = []
    for room in ("engine",) + ROOM_ORDER:
        for path in sorted((root / room).rglob("*")):
            if path.suffix not in SUFFIXES or not path.is_file():
                continue
            file = path.relative_to(root)
            rule = rule_for(file.parts)
            if isinstance(rule, str):
                found.append((file, 1, rule))
                continue
            for line, bracket, name in includes(path.read_text(encoding="utf-8")):
                if complaint := rule(bracket, name):
                    found.append((file, line, complaint))
    return found


def main(arguments):
    if len(arguments) > 1 or arguments[:1] in (["-h"], ["--help"]):
        print(__doc__, file=sys.stderr)
        return 2
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    if not (root / "engine").is_dir():
        print(f"check_includes: {root} has no engine/", file=sys.stderr)
        return 2
    found = violations(root)
    for file, line, complaint in found:
        print(f"{file}:{line}: {complaint}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
