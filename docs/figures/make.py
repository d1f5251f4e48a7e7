#!/usr/bin/python3
"""Draws the pictures of docs/ from the command's own output (Debian: python3-matplotlib).

    docs/figures/make.py build/release/bristle
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

matplotlib.rcParams.update({"svg.hashsalt": "bristle", "font.size": 10, "axes.grid": True,
                            "grid.alpha": 0.3, "figure.constrained_layout.use": True})
HERE = pathlib.Path(__file__).parent
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


def four_bars_energy():
    figure, axis = plt.subplots(figsize=(7, 3))
    for h in (1e-3, 5e-3):
        data = run("four-bars-40", "--step", str(h))
        axis.plot(data["time (s)"], data["energy error (J)"], lw=1, label=f"h = {1e3 * h:g} ms")
    axis.set_xlabel("time (s)")
    axis.set_ylabel("energy error (J), of 620 J")
    axis.legend()
    save(figure, "four_bars_energy.svg")


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


entities()
convergence()
four_bars_energy()
elements()
