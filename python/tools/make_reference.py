#!/usr/bin/env python3
"""Writes docs/python-reference.md from the compiled package.

PYTHONPATH=build/release/python python3 python/tools/make_reference.py [--check]
"""

import sys

import signatures as s

HEAD = """# Reference of the Python package

Made by `python/tools/make_reference.py` from the package's own docstrings; [python.md](python.md) is the guide. SI units,
z up. A `Vec3` is anything with three numbers, a `Quat` with four (w, x, y, z), a `Mat3` three by three; they come back
as NumPy arrays. What starts with an id (`BodyId`, `JointId` …) is named by what `Model.add` returned.
"""
SECTIONS = (
    ("Bodies", "Body Pose Twist Quat"),
    ("Joints", "Fixed Revolute Prismatic Cylindrical Spherical Universal Planar PointOnLine PointOnPlane Distance Screw "
     "Gear RackAndPinion TurnGauge SwingGauge SlideGauge JointType Joint"),
    ("What acts on a joint", "Drive Limit Coordinate"),
    ("Forces", "Spring JointSpring Bushing Motor UserForce Kinematics ForceSink ForceLaw TimeFunction ForceFunction "
     "function law table point_force"),
    ("Shapes and materials", "Sphere Box Capsule Cylinder Plane Torus ConvexPolyhedron HeightField TriangleMesh Mesh "
     "Compound CompoundPart chain_link mass_properties MassProperties terrain terrain_of_points check MeshReport load_mesh Material ContactLaw "
     "ContactPair Combine Shape NoContact"),
    ("Model", "Model BodyId JointId DriveId LimitId ForceId CoordinateId MaterialId ShapeId"),
    ("World", "World AugmentedLagrangian Integrator Projection Baumgarte Penalty IndependentCoordinates Impulse Reaction "
     "Energy Contact Patch ShapeHit ShapePoint ShapeDistance StepStatistics RoughPlace RoughWhy ConstraintError Entity Snapshot Change DriveMotion"),
    ("Analyses", "assembled start_changes StartChange find_equilibrium Equilibrium linearize Linearization modes Mode mobility Mobility explain"),
    ("Live and recorded", "view show View record Recording render Picture Video"),
    ("Scenes and results", "read_scene parse_scene scene_of Scene Parameter ScenePlot SceneError quantities quantity_names "
     "Quantity simulate Result"),
    ("Errors and numbers", "InputError SimulationError pi unlimited __version__"),
)


def about_of(c):
    """Without the signature and the table of a record."""
    if c.fields:
        parts = c.about.split("\n\n")
        return (parts[1] if c.is_constructible else parts[0]).split("\n    ")[0].strip()
    return c.about


def function_lines(functions, owner):
    """Overloads that say the same become one entry."""
    grouped = {}
    for f in functions:
        shown = s.Function(f.name, [p for p in f.parameters if p[0] != "self"], f.returns, f.about)
        title = shown.text(stub=False)
        grouped.setdefault((f.name, f.about), []).append(title)
    for (name, about), titles in grouped.items():
        unique = list(dict.fromkeys(titles))
        yield f"- `{'`, `'.join(owner + t for t in unique)}`  \n  {' '.join(about.split())}"


def class_lines(c, level="###", prefix=""):
    name = prefix + c.name
    if c.fields and c.is_constructible:
        signature = ", ".join(f"{f[0]}={f[2]}" if f[2] else f[0] for f in c.fields)
        yield f"{level} {name}\n"
        yield f"`{name}({signature})`\n"
    else:
        yield f"{level} {name}\n"
    yield about_of(c) + "\n"
    if c.fields:
        yield "| field | type | |\n| --- | --- | --- |"
        for title, kind, _, about in c.fields:
            kind = kind.replace("|", "\\|")
            yield f"| `{title}` | {kind} | {about.replace('|', chr(92) + '|')} |"
        yield ""
    for title, about in c.values:
        yield f"- `{name}.{title}` {about}".rstrip()
    for p in c.properties:
        yield f"- `.{p.name}`: {s.returned(p.kind)}  \n  {' '.join(p.about.split())}"
    yield from function_lines([f for f in c.functions if not (f.name == "__init__" and c.fields)], ".")
    yield ""
    for part in c.inner:
        yield from class_lines(part, level + "#", name + ".")


def page():
    classes, functions, numbers = s.everything()
    by_name = {c.name: c for c in classes}
    grouped = {}
    for f in functions:
        grouped.setdefault(f.name, []).append(f)
    left = set(by_name) | set(grouped) | set(numbers)
    lines = [HEAD]
    for title, names in SECTIONS:
        lines.append(f"## {title}\n")
        for name in names.split():
            if name not in left:
                raise SystemExit(f"make_reference: there is no {name}, or it is listed twice")
            left.discard(name)
            if name in by_name:
                lines += class_lines(by_name[name])
            elif name in grouped:
                lines += [f"### {name}\n", *function_lines(grouped[name], ""), ""]
            else:
                lines += [f"- `{name}` = {getattr(s.bristle, name)}", ""]
    if left:
        raise SystemExit(f"make_reference: put these into a section: {', '.join(sorted(left))}")
    text = "\n".join(lines)
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return text.rstrip() + "\n"


def main(arguments):
    file = s.ROOT.parent / "docs" / "python-reference.md"
    text = page()
    if arguments == ["--check"]:
        if file.is_file() and file.read_text(encoding="utf-8") == text:
            return 0
        print("docs/python-reference.md is not up to date: run python/tools/make_reference.py", file=sys.stderr)
        return 1
    file.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
