#!/usr/bin/env python3
"""What a chain of rods and springs does without stepping it: its sag, its modes, what can move.

A cantilever of twenty rigid pieces with springs between them stands for a beam; the theory is that of the beam.

PYTHONPATH=build/release/python python3 python/examples/analyses.py [--out FOLDER]
"""

import argparse
from pathlib import Path

import bristle
import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot

parser = argparse.ArgumentParser()
parser.add_argument("--out", type=Path, default=Path("."))
parser.add_argument("--quick", action="store_true", help="ten pieces instead of twenty")
options = parser.parse_args()

LENGTH, MASS, STIFFNESS = 2.0, 4.0, 1500.0  # m, kg, E I in N m²
COUNT = 10 if options.quick else 20
piece = LENGTH / COUNT


def cantilever():
    """Half a piece is clamped, so that every joint stands for the bending of one piece."""
    model = bristle.Model()
    before, bodies = model.ground(), []
    for k in range(COUNT):
        start, end = [(k + 0.5) * piece, 0, 0], [min((k + 1.5) * piece, LENGTH), 0, 0]
        share = MASS * (end[0] - start[0]) / LENGTH
        body = model.add(bristle.Body.rod(start, end, share).named(f"piece {k}"))
        hinge = model.add(bristle.Revolute(a=before, b=body, at=start, axis=[0, 1, 0], name=f"hinge {k}"))
        model.add(bristle.JointSpring(joint=hinge, stiffness=STIFFNESS / piece))
        bodies.append(body)
        before = body
    return model, bodies


model, bodies = cantilever()
world = bristle.World(model)
print(bristle.explain(bristle.mobility(world), world).splitlines()[0])

weight = MASS / LENGTH * 9.81
rest = bristle.find_equilibrium(world)
xs = np.array([0] + [world.pose(b).position[0] for b in bodies])
zs = np.array([0] + [world.pose(b).position[2] for b in bodies])
beam = -weight * xs**2 * (xs**2 - 4 * LENGTH * xs + 6 * LENGTH**2) / (24 * STIFFNESS)

model.gravity = [0, 0, 0]
straight = bristle.World(model)
found = [mode.frequency for mode in bristle.modes(straight)[:3]]
theory = np.array([1.8751, 4.6941, 7.8548]) ** 2 / (2 * np.pi) * np.sqrt(STIFFNESS / (MASS / LENGTH)) / LENGTH**2

figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4), layout="constrained")
left.plot(xs, 1000 * beam, label="beam")
left.plot(xs, 1000 * zs, "o", markersize=4, label="chain at rest")
left.set(title="Sag under its weight", xlabel="x [m]", ylabel="z [mm]")
left.legend()
for k, mode in enumerate(bristle.modes(straight)[:3]):
    shape = mode.shape[1:, 2]  # vertical velocity of every piece's start
    right.plot((np.arange(COUNT) + 0.5) * piece, shape / abs(shape).max() * np.sign(shape[-1]),
               "o-", markersize=3, label=f"{found[k]:.2f} Hz (beam {theory[k]:.2f} Hz)")
right.set(title="Modes", xlabel="x [m]", ylabel="shape")
right.legend(loc="lower left")
figure.savefig(options.out / "analyses.png", dpi=110)

print(f"rest is {'stable' if rest.is_stable else 'unstable'}, tip {1000 * zs[-1]:.2f} mm, beam there {1000 * beam[-1]:.2f} mm")
print("modes:", ", ".join(f"{f:.3f} Hz (beam {t:.3f})" for f, t in zip(found, theory)))
assert rest.is_stable and abs(zs[-1] / beam[-1] - 1) < 0.02
assert abs(np.array(found) / theory - 1).max() < 0.03
