#!/usr/bin/env python3
"""A study over a parameter on all cores: the period of a pendulum grows with its amplitude.

PYTHONPATH=build/release/python python3 python/examples/parameter_study.py [--out FOLDER]
"""

import argparse
import math
from multiprocessing import Pool
from pathlib import Path

import bristle
import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot

LENGTH = 1.0  # m


def period(amplitude):
    """Of a point mass on a massless bar that is let go at this angle (rad) from below."""
    model = bristle.Model()
    start = LENGTH * np.array([math.sin(amplitude), 0, -math.cos(amplitude)])
    mass = model.add(bristle.Body.point(1.0).at(start))
    model.add(bristle.Distance(a=model.ground(), b=mass, at_a=[0, 0, 0], at_b=start))
    model.add(bristle.PointOnPlane(a=model.ground(), b=mass, at=start, normal=[0, 1, 0]))
    world = bristle.World(model, bristle.AugmentedLagrangian(step=2e-3))
    crossings, before = [], world.pose(mass).position[0]
    while len(crossings) < 3:
        world.step()
        now = world.pose(mass).position[0]
        if before * now < 0:  # linear between the two steps
            crossings.append(world.time - 2e-3 * now / (now - before))
        before = now
    return crossings[2] - crossings[0]


def theory(amplitude):
    """By the arithmetic-geometric mean."""
    a, b = 1.0, math.cos(amplitude / 2)
    while abs(a - b) > 1e-15:
        a, b = (a + b) / 2, math.sqrt(a * b)
    return 2 * math.pi * math.sqrt(LENGTH / 9.81) / a


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path, default=Path("."))
    parser.add_argument("--quick", action="store_true", help="five amplitudes instead of forty")
    options = parser.parse_args()

    amplitudes = np.radians(np.linspace(5, 175, 5 if options.quick else 40))
    with Pool() as workers:
        periods = np.array(workers.map(period, amplitudes))
    expected = np.array([theory(a) for a in amplitudes])

    figure, axis = pyplot.subplots(figsize=(6, 4), layout="constrained")
    axis.plot(np.degrees(amplitudes), expected, label="elliptic integral")
    axis.plot(np.degrees(amplitudes), periods, "o", markersize=4, label="simulated")
    axis.set(xlabel="amplitude [°]", ylabel="period [s]", title="Pendulum of 1 m")
    axis.legend()
    figure.savefig(options.out / "parameter_study.png", dpi=110)

    error = abs(periods / expected - 1).max()
    print(f"{len(amplitudes)} amplitudes, largest error {error:.1e}")
    assert error < 1e-4
