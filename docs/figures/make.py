#!/usr/bin/python3
"""Draws the pictures of docs/ from the command's own output (Debian: python3-matplotlib).

    docs/figures/make.py build/release/bristle

Those of contact also come from the programs beside this file, which are compiled against the libraries
of the same build.
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
from matplotlib.collections import PolyCollection

matplotlib.rcParams.update({"svg.hashsalt": "bristle", "font.size": 10, "axes.grid": True,
                            "grid.alpha": 0.3, "figure.constrained_layout.use": True})
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BRISTLE = sys.argv[1] if len(sys.argv) > 1 else "build/release/bristle"


def call(*arguments):
    out = subprocess.run([BRISTLE, *arguments], check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in out.splitlines()]


def run(scene, *arguments):
    with tempfile.TemporaryDirectory() as folder:
        summary = call("run", scene, "--json", "--out", folder, *arguments)[0]
        rows = pathlib.Path(summary["csv"]).read_text().splitlines()
    names = rows[0].split(",")
    values = [[float(x) for x in row.split(",")] for row in rows[1:]]
    return {name: [row[i] for row in values] for i, name in enumerate(names)}


def save(figure, name):
    figure.savefig(HERE / name, metadata={"Date": None})
    plt.close(figure)


def entities():
    figure, axes = plt.subplots(1, 3, figsize=(11, 3.9), gridspec_kw={"width_ratios": [1, 1.35, 1.1]})
    bars, arm, text = axes
    for entity in call("info", "four-bar", "--json")[0]["entity_list"]:
        x, _, z = entity["value"]
        bars.plot(x, z, "o", color="C0", ms=9)
        bars.annotate("\n".join(entity["bodies"]), (x, z), xytext=(0, 9), textcoords="offset points", ha="center", fontsize=8)
    bars.plot([0, 0, 1, 1], [0, 1, 1, 0], color="0.6", lw=2, zorder=0)
    bars.plot([0, 1], [0, 0], "s", color="0.4", ms=9)
    bars.annotate("constant", (0, 0), xytext=(0, -18), textcoords="offset points", ha="center", fontsize=8)
    bars.annotate("constant", (1, 0), xytext=(0, -18), textcoords="offset points", ha="center", fontsize=8)
    bars.set(title="four-bar: 2 entities", xlim=(-0.5, 1.5), ylim=(-0.35, 1.5))

    info = call("info", "machine", "--json")[0]
    lines = [[(0.8, 1.9), (4.336, 5.436)], [(4.336, 5.436), (5.836, 2.837)], [(1.4, 1.5), (2.6, 3.4)],
             [(2.285, 3.951), (3.986, 6.042)], [(4.932, 5.203), (6.236, 2.937)]]
    for (x0, z0), (x1, z1) in lines:
        arm.plot([x0, x1], [z0, z1], color="0.7", lw=2.5, zorder=0)
    arm.plot([5.336, 5.336, 6.336, 6.336], [2.837, 1.837, 1.837, 2.837], color="0.7", lw=2.5, zorder=0)
    legend, number = ["Points, shared by"], 0
    for entity in info["entity_list"]:
        x, _, z = entity["value"]
        if entity["kind"] == "point":
            number += 1
            arm.plot(x, z, "o", color="C0", ms=9)
            arm.annotate(str(number), (x, z), xytext=(7, 5), textcoords="offset points", fontsize=9, weight="bold")
            legend.append(f"  {number}  " + ", ".join(entity["bodies"]))
    arm.set(title=f"excavator arm: {len(info['entity_list'])} entities", xlim=(0, 7.5), ylim=(0.8, 7))
    groups = {}
    for entity in info["entity_list"]:
        if entity["kind"] == "vector":
            name = ", ".join(entity["bodies"])
            groups[name] = groups.get(name, 0) + 1
    legend += ["", "Unit vectors, shared by"] + [f"  {count}  {name}" for name, count in sorted(groups.items())]
    text.axis("off")
    text.text(0, 0.98, "\n".join(legend), va="top", fontsize=8, transform=text.transAxes)
    for axis in (bars, arm):
        axis.set_aspect("equal", "datalim")
        axis.set_xlabel("x (m)")
        axis.set_ylabel("z (m)")
    save(figure, "entities.svg")


def convergence():
    figure, axis = plt.subplots(figsize=(5.5, 4))
    exact = {"pendulum": (0.986291751132, -0.165010853126), "double-pendulum": (-1.44481884994, -1.32179446138),
             "four-bar": (-0.260712675184, -0.965416439159)}
    point = {"pendulum": "mass", "double-pendulum": "second", "four-bar": "B0"}
    steps = [4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4]
    for scene, (x, z) in exact.items():
        errors = []
        for h in steps:
            data = run(scene, "--time", "1", "--step", str(h))
            errors.append(((data[f"{point[scene]} x (m)"][-1] - x) ** 2 + (data[f"{point[scene]} z (m)"][-1] - z) ** 2) ** 0.5)
        axis.loglog([1e3 * h for h in steps], errors, "o-", label=scene)
    axis.loglog([0.25, 4], [3e-7, 3e-7 * 256], "k--", lw=1, label="second order")
    axis.set_xticks([0.25, 0.5, 1, 2, 4], ["0.25", "0.5", "1", "2", "4"])
    axis.minorticks_off()
    axis.set_xlabel("step (ms)")
    axis.set_ylabel("position error at 1 s (m)")
    axis.legend()
    save(figure, "convergence.svg")


def elements():
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.2))
    data = run("machine")
    for name in data:
        if name.startswith("effort"):
            axes[0].plot(data["time (s)"], [1e-3 * v for v in data[name]], label=name[10:].split(" - ")[0])
    axes[0].set_ylabel("cylinder force (kN)")
    axes[0].legend(fontsize=8)
    data = run("four-bar")
    axes[1].plot(data["time (s)"], data["reaction of joint 0 (N)"])
    axes[1].set_ylabel("reaction of a four-bar's pin (N)")
    for axis in axes:
        axis.set_xlabel("time (s)")
    save(figure, "efforts.svg")


# ---- Contact --------------------------------------------------------------------------------------


def output_of(program, *arguments):
    """Lines that docs/figures/PROGRAM.cpp prints."""
    built = pathlib.Path(BRISTLE).resolve().parent
    libraries = [built / "scenes/libbristle_scenes.a", built / "engine/libbristle_engine.a"]
    with tempfile.TemporaryDirectory() as folder:
        binary = pathlib.Path(folder) / program
        subprocess.run(["c++", "-std=c++20", "-O2", "-march=x86-64-v3", "-ffp-contract=off", f"-I{ROOT}",
                        f"-I{ROOT}/engine", f"-I{ROOT}/engine/include", str(HERE / f"{program}.cpp"),
                        *map(str, libraries), "-lfmt", "-lamd", "-o", str(binary)], check=True)
        out = subprocess.run([binary, *arguments], check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in out.splitlines()]


def revolved(profile, turns=18, start=0.0, angle=2 * math.pi):
    """Quadrangles of a surface around z; the profile is a list of (radius, z), outside on its right."""
    at = [(math.cos(start + angle * i / turns), math.sin(start + angle * i / turns)) for i in range(turns + 1)]
    faces = []
    for (r0, z0), (r1, z1) in zip(profile, profile[1:]):
        for (c0, s0), (c1, s1) in zip(at, at[1:]):
            faces.append([(r0 * c0, r0 * s0, z0), (r0 * c1, r0 * s1, z0), (r1 * c1, r1 * s1, z1), (r1 * c0, r1 * s0, z1)])
    return faces


def arc(radius, first, last, z=0.0, pieces=5):
    """(radius, z) of a part of a circle about the axis, by latitude."""
    at = [first + (last - first) * i / pieces for i in range(pieces + 1)]
    return [(radius * math.cos(a), z + radius * math.sin(a)) for a in at]


def disc(center, u, v, radius, pieces=16):
    at = [2 * math.pi * i / pieces for i in range(pieces)]
    return [tuple(center[k] + radius * (math.cos(a) * u[k] + math.sin(a) * v[k]) for k in range(3)) for a in at]


def faces_of(shape):
    """Polygons of a shape in its own frame, counter-clockwise seen from outside."""
    kind, (r, l), (x, y, z) = shape["kind"], shape["sizes"], shape["size"]
    quarter = math.pi / 2
    if kind == "sphere":
        return revolved(arc(r, -quarter, quarter, pieces=10))
    if kind == "capsule":
        return revolved(arc(r, -quarter, 0, -l / 2) + arc(r, 0, quarter, l / 2))
    if kind == "cylinder":
        x, y = (1, 0, 0), (0, 1, 0)
        return revolved([(r, -l / 2), (r, l / 2)], 24) + [disc((0, 0, l / 2), x, y, r, 24),
                                                          disc((0, 0, -l / 2), y, x, r, 24)]
    if kind in ("torus", "half torus"):
        around = [(r + l * math.cos(a), l * math.sin(a)) for a in (math.pi * i / 6 for i in range(13))]
        if kind == "torus":
            return revolved(around, 32)
        ends = [disc((r, 0, 0), (1, 0, 0), (0, 0, 1), l, 12), disc((-r, 0, 0), (1, 0, 0), (0, 0, 1), l, 12)]
        return revolved(around, 16, 0, math.pi) + ends
    if kind == "box":
        faces = []
        for axis in range(3):
            u, v = (axis + 1) % 3, (axis + 2) % 3
            for side in (-1, 1):
                face = []
                for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                    corner = [0, 0, 0]
                    corner[axis], corner[u], corner[v] = side, a * side, b
                    face.append((corner[0] * x / 2, corner[1] * y / 2, corner[2] * z / 2))
                faces.append(face)
        return faces
    if kind == "plane":
        return [[(-1.6, -1.3, 0), (1.6, -1.3, 0), (1.6, 1.3, 0), (-1.6, 1.3, 0)]]
    if kind == "compound":
        return [moved(face, part) for part in shape["parts"] for face in faces_of(part)]
    return shape["faces"]


def moved(points, shape):
    c, p = shape["columns"], shape["position"]
    return [tuple(p[k] + sum(c[j][k] * q[j] for j in range(3)) for k in range(3)) for q in points]


class View:
    """Parallel projection; `across` and `up` are the directions of the paper."""

    def __init__(self, azimuth=-65, elevation=20):
        a, e = math.radians(azimuth), math.radians(elevation)
        self.toward = (math.cos(e) * math.cos(a), math.cos(e) * math.sin(a), math.sin(e))
        self.across = (-math.sin(a), math.cos(a), 0)
        self.up = (-math.sin(e) * math.cos(a), -math.sin(e) * math.sin(a), math.cos(e))

    def flat(self, p):
        return dot(p, self.across), dot(p, self.up)


def dot(a, b):
    return sum(i * j for i, j in zip(a, b))


def normal_of(face):
    """Newell's, which does not mind double corners."""
    n = [0.0, 0.0, 0.0]
    for p, q in zip(face, face[1:] + face[:1]):
        for k in range(3):
            n[k] += (p[(k + 1) % 3] - q[(k + 1) % 3]) * (p[(k + 2) % 3] + q[(k + 2) % 3])
    size = math.sqrt(dot(n, n))
    return [c / size for c in n] if size > 1e-12 else None


def draw_shape(axis, shapes, view):
    """Shapes with their colours, the far polygons first."""
    light, visible = (0.3, -0.5, 0.81), []
    for shape, color, alpha, is_sheet in shapes:
        for face in faces_of(shape):
            face = moved(face, shape)
            n = normal_of(face)
            if n is None or (dot(n, view.toward) <= 0 and not is_sheet):
                continue
            shade = 0.62 + 0.38 * max(0.0, dot(n, light))
            depth = -1e9 if is_sheet else sum(dot(p, view.toward) for p in face) / len(face)
            visible.append((depth, [view.flat(p) for p in face], [shade * c for c in color] + [alpha], shape["kind"]))
    visible.sort(key=lambda v: v[0])
    flat = ("box", "convex", "mesh", "height field", "plane")
    axis.add_collection(PolyCollection([v[1] for v in visible], facecolors=[v[2] for v in visible],
                                       edgecolors=[(0, 0, 0, 0.45 if v[3] in flat else 0.1) for v in visible],
                                       linewidths=0.4, joinstyle="round"))


BLUE, GREY = (0.55, 0.72, 0.92), (0.86, 0.84, 0.8)


def draw_picture(axis, picture, view):
    is_sheet = picture["below"]["kind"] in ("plane", "height field")
    shapes = [(picture["below"], GREY, 1, is_sheet)]
    if "above" in picture:
        # The inside of a compound is not to be seen through it.
        shapes.append((picture["above"], BLUE, 1 if picture["above"]["kind"] == "compound" else 0.6, False))
    draw_shape(axis, shapes, view)
    for contact in picture["contacts"]:
        p, n = contact["point"], contact["normal"]
        x, y = view.flat(p)
        u, v = view.flat([p[k] + 0.5 * n[k] for k in range(3)])
        axis.annotate("", (u, v), (x, y), arrowprops={"arrowstyle": "-|>", "color": "C3", "lw": 1.4,
                                                      "shrinkA": 0, "shrinkB": 0})
        axis.plot(x, y, "o", color="C3", ms=4, mec="white", mew=0.5, zorder=5)
    count = len(picture["contacts"])
    title = picture["name"] + (f"\n{count} point{'s' if count > 1 else ''}" if count else "")
    axis.set_title(title, fontsize=9)
    axis.set_aspect("equal")
    axis.autoscale_view()
    axis.axis("off")


def picture_sheet(pictures, names, columns, file, views={}):
    rows = (len(names) + columns - 1) // columns
    figure, axes = plt.subplots(rows, columns, figsize=(2.5 * columns, 2.3 * rows), squeeze=False)
    for axis in axes.flat:
        axis.axis("off")
    for axis, name in zip(axes.flat, names):
        draw_picture(axis, pictures[name], View(*views.get(name, ())))
    save(figure, file)


def shapes_and_contacts():
    pictures = {p["name"]: p for p in output_of("touching")}
    names = list(pictures)
    flat_view = {"links of a chain": (-60, 35), "torus lying": (-65, 35), "ball in a ring": (-65, 30),
                 "Torus": (-65, 35), "Torus, Arc::half": (-65, 35), "Compound: chain_link": (-65, 35),
                 "HeightField": (-65, 35), "box on a height field": (-65, 30), "sphere on a box's edge": (-75, 15)}
    picture_sheet(pictures, names[:8], 4, "contacts_round.svg", flat_view)
    picture_sheet(pictures, names[8:16], 4, "contacts_flat.svg", flat_view)
    picture_sheet(pictures, names[16:20], 4, "contacts_torus.svg", flat_view)
    picture_sheet(pictures, names[20:], 4, "shapes.svg", flat_view)


def restitution_and_bristle():
    figure, axes = plt.subplots(1, 3, figsize=(12, 3.6))
    rows = output_of("laws", "restitution")
    axes[0].plot([0, 1], [0, 1], color="0.7", lw=1)
    for color, law in enumerate(dict.fromkeys(r["law"] for r in rows)):
        for damping, style in (("exact", "o"), ("published", "-")):
            points = [r for r in rows if r["law"] == law and r["damping"] == damping]
            axes[0].plot([r["asked"] for r in points], [r["returned"] for r in points], style, ms=6 - 1.5 * color,
                         color=f"C{color}", label=f"{law}, {damping}")
    axes[0].set(xlabel="restitution asked for", ylabel="returned", title="damping, exact and as published")
    axes[0].legend(fontsize=7)
    rows = output_of("laws", "bristle")
    speed = [r for r in rows if r["plot"] == "speed"]
    axes[1].plot([r["x"] for r in speed], [r["y"] for r in speed], color="C0", label="$|F_t|/F_n$")
    axes[1].plot([r["x"] for r in speed], [0.15 * math.exp(-r["x"] ** 2) for r in speed], "--", color="0.5", lw=1,
                 label="$\\kappa\\,\\mu_s$")
    for mu, name in ((0.15, "$\\mu_s$"), (0.1, "$\\mu_d$")):
        axes[1].axhline(mu, color="0.7", lw=0.8)
        axes[1].annotate(name, (2.85, mu), xytext=(0, 3), textcoords="offset points", fontsize=9)
    axes[1].set(xlabel="slip speed / $v_{stick}$", ylabel="friction / normal force", ylim=(0, 0.18),
                title="sliding, bristle at its limit")
    axes[1].legend(fontsize=8, loc="lower right")
    for share, style in ((1, "-"), (0.5, "--")):
        way = [r for r in rows if r["plot"] == "way" and r["share"] == share]
        axes[2].plot([r["x"] for r in way], [r["y"] for r in way], style, lw=1.2, label=f"$\\eta$ = {share:g}")
    axes[2].set(xlabel="way of a slow pull (µm)", ylabel="friction / normal force", title="there, back, and on")
    axes[2].legend(fontsize=8)
    save(figure, "contact_laws.svg")


def spreads(axis, rows, styles):
    """Medians with bars from the least to the most, over stiffness; styles: (name, label, colour, shift)."""
    for name, label, color, shift in styles:
        own = [r for r in rows if r["method"] == name]
        reach = [[r["median"] - r["least"] for r in own], [r["most"] - r["median"] for r in own]]
        axis.errorbar([shift * r["stiffness"] for r in own], [r["median"] for r in own], reach, fmt="o", color=color,
                      capsize=3, ms=5, lw=1.5, label=label)
    axis.set(xscale="log", xlabel="stiffness (N/m$^{1.5}$)")


def impact_energy():
    figure, (energy, speed) = plt.subplots(1, 2, figsize=(11, 3.8))
    spreads(energy, output_of("laws", "energy"),
            (("trapezoidal rule", "force at both ends of the step (trapezoidal rule)", "C1", 0.8),
             ("end of the step", "force at its end (β = ½, γ = 1)", "C2", 1.25), ("mean force", "Bristle", "C0", 1)))
    energy.axhline(1, color="0.5", lw=0.8)
    energy.set_yscale("symlog", linthresh=2)
    energy.set_yticks([0, 0.5, 1, 1.5, 2, 4, 8], ["0", "0.5", "1", "1.5", "2", "4", "8"])
    energy.set(ylim=(0, 25), ylabel="energy after / before", title="elastic impact, steps of 5 ms")
    energy.legend(fontsize=8, loc="upper left")
    styles = [(f"asked {e:g}", f"asked for {e:g}", f"C{i}", (0.8, 1, 1.25)[i]) for i, e in enumerate((0.8, 0.5, 0))]
    spreads(speed, output_of("laws", "long_steps"), styles)
    for i, e in enumerate((0.8, 0.5, 0)):
        speed.axhline(e, color=f"C{i}", lw=0.8, ls="--")
    speed.set(ylim=(-0.05, 1.25), ylabel="speed after / before", title="damped impact, steps of 5 ms")
    speed.legend(fontsize=8, loc="upper center", ncol=3)
    save(figure, "impact_energy.svg")


def bouncing_ball():
    figure, axis = plt.subplots(figsize=(7, 3))
    for h, style in ((1e-4, "-"), (1e-3, "--"), (5e-3, ":")):
        data = run("bouncing-ball", "--step", str(h))
        axis.plot(data["time (s)"], [z - 0.1 for z in data["ball z (m)"]], style, ms=2, lw=1.2, label=f"h = {1e3 * h:g} ms")
    axis.set(xlabel="time (s)", ylabel="gap under the ball (m)")
    axis.legend(loc="upper right")
    save(figure, "bouncing_ball.svg")


def exact_mass_spring(time):
    """K1 by half-cycles: elongation at a time."""
    friction, x, start = 0.02 * 9.81, 1.0, 0.0
    for k, end in ((1.0, 10.0), (10.0, math.inf)):
        half = math.pi / math.sqrt(k)
        while k * abs(x) > friction:
            middle = math.copysign(friction / k, x)
            if time < min(start + half, end):
                return middle + (x - middle) * math.cos(math.sqrt(k) * (time - start))
            start, x = start + half, 2 * middle - x
        if time < end:
            return x
        start = end
    return x


def ideal_stick_slip():
    """One cycle of K2 with Coulomb's law (elongation, speed): slips from μs g = k x, sticks again at belt speed."""
    g, k, belt, viscous, h = 10.0, 2.0, 0.05, 0.1, 1e-4
    x, v, path = 0.15 * g / k, belt, []
    while not path or v < belt:
        path.append((x, v))
        a = 0.1 * g + viscous * (belt - v) - k * x
        middle = v + 0.5 * h * a
        v += h * (0.1 * g + viscous * (belt - middle) - k * (x + 0.5 * h * v))
        x += h * middle
    return path + [(x, belt), path[0]]


def published_cases():
    figure, axes = plt.subplots(1, 2, figsize=(11, 3.6))
    data = run("mass-spring-friction")
    time = data["time (s)"]
    axes[0].plot(time, [exact_mass_spring(t) for t in time], color="0.6", lw=3, label="exact")
    axes[0].plot(time, [x - 1.5 for x in data["block x (m)"]], color="C0", lw=1, label="h = 10 ms")
    axes[0].set(xlabel="time (s)", ylabel="elongation (m)", title="K1: mass, spring, dry friction")
    axes[0].legend()
    data = run("stick-slip", "--time", "60")
    time, x = data["time (s)"], [x - 1.5 for x in data["block x (m)"]]
    speed = [(b - a) / (t1 - t0) for a, b, t0, t1 in zip(x, x[1:], time, time[1:])]
    ideal = ideal_stick_slip()
    axes[1].plot([p[0] for p in ideal], [p[1] for p in ideal], color="0.6", lw=3, label="ideal law, limit cycle")
    axes[1].plot(x[1:], speed, color="C0", lw=1, label="h = 1 ms, 60 s")
    axes[1].set(xlabel="elongation (m)", ylabel="speed (m/s)", title="K2: stick-slip on a belt")
    axes[1].legend()
    save(figure, "stick_slip.svg")


def formulations():
    figure, axes = plt.subplots(1, 3, figsize=(13, 3.8))
    for (kind, lines), color in zip(by_name(output_of("formulations", "order")).items(), ("C3", "C0", "C1", "C2")):
        axes[0].loglog([1e3 * l["step"] for l in lines], [l["error"] for l in lines], "o-", ms=4, color=color, label=kind)
    axes[0].loglog([0.625, 20], [2.5e-6, 2.5e-6 * 32**2], "k:", lw=1, label="second and fourth order")
    axes[0].loglog([0.625, 20], [4e-12, 4e-12 * 32**4], "k:", lw=1)
    axes[0].set(xlabel="step (ms)", ylabel="position error at 1 s (m)", title="double pendulum")
    axes[0].legend(fontsize=8)
    for (kind, lines), color in zip(by_name(output_of("formulations", "singular")).items(), ("C3", "C0", "C1", "C2")):
        axes[1].semilogy([l["time"] for l in lines], [max(l["velocity"], 1e-18) for l in lines], lw=1, color=color, label=kind)
    axes[1].set(xlabel="time (s)", ylabel="velocity constraints / speed", title="two four-bars, 4 ms, singular at 0.7, 1.2, 2.7 s")
    lines = output_of("formulations", "penalty")
    alpha = [l["penalty"] for l in lines]
    axes[2].loglog(alpha, [l["violation"] for l in lines], "o-", ms=4, color="0.4", label="violation / size")
    axes[2].loglog(alpha, [l["error"] for l in lines], "o-", ms=4, color="C1", label="position error at 1 s (m)")
    axes[2].set(xlabel="penalty over effective mass", title="penalty, double pendulum, 1 ms")
    axes[2].legend(fontsize=8)
    save(figure, "formulations.svg")


def by_name(lines, key="name"):
    groups = {}
    for line in lines:
        groups.setdefault(line[key], []).append(line)
    return groups


def contact_convergence():
    off = [l for l in call("validate", "truth", "--json") if l["quantity"].startswith("off at")]
    figure, axis = plt.subplots(figsize=(7.5, 4.6))
    for i, (name, lines) in enumerate(by_name(off, "case").items()):
        steps = [float(l["quantity"].split()[2]) for l in lines]
        axis.loglog(steps, [l["value"] for l in lines], "o-" if i < 6 else "s--", ms=4, lw=1, color=f"C{i % 10}", label=name)
    axis.loglog([0.25, 5], [1e-3, 2e-2], color="0.6", lw=3, zorder=0, label="order 1")
    axis.set(xlabel="step (ms)", ylabel="off from 0.0625 ms, at most (m)", xticks=[0.25, 0.5, 1, 2, 5],
             xticklabels=["0.25", "0.5", "1", "2", "5"])
    axis.legend(fontsize=7, loc="center left", bbox_to_anchor=(1, 0.5))
    save(figure, "contact_convergence.svg")


entities()
convergence()
contact_convergence()
formulations()
elements()
shapes_and_contacts()
restitution_and_bristle()
impact_energy()
bouncing_ball()
published_cases()
