#!/usr/bin/python3
"""Draws docs/figures/impulse: moments of the impulse solver's scenes, and how the stack of 20 stands (Debian:
python3-matplotlib).

    docs/figures/impulse_strips.py build/release/bristle

The moments are the lines of the report's animation; the stack is asked for its quantities.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
from matplotlib.collections import LineCollection

matplotlib.rcParams.update({"font.size": 9, "figure.constrained_layout.use": True})
ROOT = pathlib.Path(__file__).resolve().parents[2]
OUT = ROOT / "docs" / "figures" / "impulse"
BRISTLE = sys.argv[1] if len(sys.argv) > 1 else "build/release/bristle"

# Of a scene: seconds, and what of it is seen: x, z in m; the window goes with the body that it follows.
STRIPS = {
    "stack-of-20": {"times": [0, 0.5, 2, 10], "x": (-1.5, 1.5), "z": (-0.3, 10.5)},
    "truck": {"times": [0, 6, 9, 12], "x": (-1.5, 16.5), "z": (-1.6, 4.2), "follows": "tractor", "columns": 2},
    "ragdoll": {"times": [0, 0.4, 0.8, 1.1, 1.4, 2.8], "x": (-1, 5.4), "z": (-0.2, 4.7), "columns": 3},
    "seesaw": {"times": [0, 0.8, 1.1, 1.6, 2.4, 8], "x": (-5.5, 5.5), "z": (-0.2, 5.4), "columns": 3},
    "hydraulic-rig": {"times": [0, 1, 2.5, 6], "x": (-0.2, 7.9), "z": (-0.1, 2.5), "columns": 2},
}


def run(scene, *arguments):
    """Columns of the table, and the data of the report."""
    with tempfile.TemporaryDirectory() as folder:
        command = [BRISTLE, "run", scene, "--json", "--out", folder, *arguments]
        subprocess.run(command, check=True, capture_output=True, text=True)
        rows = next(pathlib.Path(folder).glob("*.csv")).read_text().splitlines()
        page = next(pathlib.Path(folder).glob("*.html")).read_text()
    names = [re.sub(r" \(.*", "", name) for name in rows[0].split(",")]
    values = [[float(x) for x in row.split(",")] for row in rows[1:]]
    table = {name: [row[i] for row in values] for i, name in enumerate(names)}
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    return table, json.loads(found.group(1))


def at(times, values, moment):
    return values[min(range(len(times)), key=lambda i: abs(times[i] - moment))]


def segments(frame):
    return [[frame[i : i + 2], frame[i + 2 : i + 4]] for i in range(0, len(frame), 4)]


def strip(scene, times, x, z, follows=None, columns=None):
    wanted = ["--quantities", f"{follows}.position"] if follows else []
    table, data = run(scene, "--time", str(max(times)), *wanted)
    instants, frames = data["frames"]["t"], data["frames"]["f"]
    first = segments(frames[0])
    moves = [any(abs(f[4 * i + k] - frames[0][4 * i + k]) > 1e-6 for f in frames for k in range(4)) for i in range(len(first))]
    columns = columns or len(times)
    rows = -(-len(times) // columns)
    width = 10 / columns
    height = width * (z[1] - z[0]) / (x[1] - x[0])
    size = (10, rows * (height + 0.3)) if height < 4 else (columns * 4 * (x[1] - x[0]) / (z[1] - z[0]) + 1, 4.3)
    figure, axes = plt.subplots(rows, columns, figsize=size, squeeze=False)
    for axis, moment in zip(axes.flat, times):
        lines = segments(at(instants, frames, moment))
        fixed = [line for line, m in zip(lines, moves) if not m]
        moving = [line for line, m in zip(lines, moves) if m]
        axis.add_collection(LineCollection(fixed, colors="0.6", linewidths=0.8))
        axis.add_collection(LineCollection(moving, colors="C0", linewidths=1.1))
        shift = 0
        if follows:
            way = table[f"{follows}.position.x"]
            shift = at(table["time"], way, moment) - way[0]
        axis.set(xlim=(x[0] + shift, x[1] + shift), ylim=z, aspect="equal", xticks=[], yticks=[], title=f"{moment:g} s")
        for side in axis.spines.values():
            side.set_color("0.85")
    for axis in axes.flat[len(times) :]:
        axis.set_visible(False)
    save(figure, f"{scene}.png")


def stack():
    """Kept awake: what sleeps proves nothing."""
    top = "box 19.position"
    scene = (ROOT / "scenes" / "stack-of-20.yaml").read_text()
    awake = scene.replace("solver: {type: impulse,", "solver: {type: impulse, sleep_after: unlimited,")
    assert awake != scene
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "awake.yaml"
        file.write_text(awake)
        table, _ = run(str(file), "--time", "60", "--quantities", top)
    figure, axis = plt.subplots(figsize=(8, 2.8))
    start = {k: table[f"{top}.{k}"][0] for k in "xz"}
    for k, label in (("x", "to the side"), ("z", "upwards, after the gaps of 1 mm have closed")):
        gone = 20e-3 if k == "z" else 0
        axis.plot(table["time"], [1e3 * (v - start[k] + gone) for v in table[f"{top}.{k}"]], label=label)
    axis.set(xlabel="time (s)", ylabel="top box (mm)", ylim=(-1, 1), title="stack of 20, 10 iterations, kept awake")
    axis.grid(alpha=0.3)
    axis.legend()
    save(figure, "stack_top.png")


def save(figure, name):
    figure.savefig(OUT / name, dpi=110, metadata={"Software": None})
    plt.close(figure)


OUT.mkdir(exist_ok=True)
for name, how in STRIPS.items():
    strip(name, **how)
stack()
