#!/usr/bin/python3
"""Draws docs/figures/operator: how the teeth follow a line, a trench to a profile, a way over the site.

Reads what docs/figures/operator.cpp prints:

    operator.py TABLES.txt
"""
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

OUT = Path(__file__).resolve().parent / "operator"


def tables(path):
    rows = {}
    for line in Path(path).read_text().splitlines():
        name, *numbers = line.split()
        rows.setdefault(name, []).append([float(n) for n in numbers])
    return {name: np.array(table) for name, table in rows.items()}


def draw_line(table):
    figure, (path, error) = plt.subplots(1, 2, figsize=(9, 3.6), constrained_layout=True)
    path.plot(table[:, 1], table[:, 2])
    path.set(xlabel="reach, m", ylabel="height above the turntable, m", title="Teeth, 0.6 m/s", aspect="equal")
    error.plot(table[:, 0], 100 * table[:, 3])
    error.set(xlabel="time, s", ylabel="cm", title="Off the point they follow")
    figure.savefig(OUT / "line.png", dpi=100)


def draw_trench(table):
    figure, axes = plt.subplots(figsize=(9, 2.6), constrained_layout=True)
    axes.plot(table[:, 0], table[:, 1], label="ground")
    inside = (table[:, 0] >= 4.2) & (table[:, 0] <= 7.2)
    axes.plot(table[inside, 0], table[inside, 2], "--", label="profile")
    axes.set(xlabel="from the swing's axis, m", ylabel="m", aspect="equal")
    axes.legend()
    figure.savefig(OUT / "trench.png", dpi=100)


def draw_drive(tables_):
    site, route, driven = tables_["map"], tables_["route"], tables_["driven"]
    xs, ys = np.unique(site[:, 0]), np.unique(site[:, 1])
    figure, axes = plt.subplots(figsize=(7, 6.4), constrained_layout=True)
    picture = axes.imshow(np.minimum(site[:, 2].reshape(len(ys), len(xs)), 4), origin="lower", cmap="Greys_r",
                          extent=[xs[0], xs[-1], ys[0], ys[-1]])
    figure.colorbar(picture, label="m to what is in the way", shrink=0.7)
    forwards = route[:, 2] > 0
    axes.plot(route[forwards, 0], route[forwards, 1], ".", ms=3, label="route of the rear axle, forwards")
    axes.plot(route[~forwards, 0], route[~forwards, 1], ".", ms=3, label="backwards")
    axes.plot(driven[:, 0], driven[:, 1], "r", lw=1, label="driven, swing's axis")
    axes.set(xlabel="m", ylabel="m", xlim=(xs[0], xs[-1]), ylim=(ys[0], ys[-1]))
    axes.legend(loc="lower right", fontsize=8)
    figure.savefig(OUT / "drive.png", dpi=90)


def main():
    OUT.mkdir(exist_ok=True)
    found = tables(sys.argv[1])
    draw_line(found["line"])
    draw_trench(found["trench"])
    draw_drive(found)


if __name__ == "__main__":
    main()
