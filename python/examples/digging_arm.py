#!/usr/bin/env python3
"""The machine of scenes/machine.yaml, its cylinders driven by commands: a digging motion, step by step.

PYTHONPATH=build/release/python python3 python/examples/digging_arm.py [--out FOLDER]
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
parser.add_argument("--quick", action="store_true", help="only the first two moves")
options = parser.parse_args()

scene = bristle.read_scene(Path(__file__).parents[2] / "scenes" / "machine.yaml")
model = scene.model
# The scene's cylinders follow functions of time; these wait for commands.
cylinders = {}
for part in ("boom", "stick", "bucket"):
    name = f"{part}_cylinder - {part}_rod"
    model.remove(model.drive(name))
    speed = bristle.Drive.Control.speed
    cylinders[part] = model.add(bristle.Drive(joint=model.joint(name), control=speed, max_effort=4e5, name=part))
world = bristle.World(model, scene.solver)
bucket = model.body("bucket")

# Until when (s), and how fast each cylinder goes (m/s).
MOVES = (
    (2.0, dict(boom=-0.15, stick=-0.05, bucket=0.0)),
    (4.0, dict(boom=0.0, stick=0.15, bucket=0.1)),
    (6.0, dict(boom=0.2, stick=0.05, bucket=0.02)),
    (8.0, dict(boom=0.0, stick=-0.15, bucket=-0.12)),
)
history = []
levers = dict.fromkeys(cylinders, 0.0)  # where the operator holds them, m/s


def operate(world):
    """Valves follow the levers with a time constant of 0.1 s, so that nothing jumps."""
    for part, drive in cylinders.items():
        valves[part] += (levers[part] - valves[part]) * step / 0.1
        world.command(drive, valves[part])
    history.append([world.time, *world.pose(bucket).position, *(world.effort(c) for c in cylinders.values())])


valves, step = dict(levers), world.settings.step
for until, speeds in MOVES[: 2 if options.quick else None]:
    levers.update(speeds)
    world.advance_to(until, each_step=operate)
history = np.array(history)

figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4), layout="constrained")
left.plot(history[:, 1], history[:, 3])
left.plot(history[0, 1], history[0, 3], "ko", markersize=4)
left.set(title="Way of the bucket", xlabel="x [m]", ylabel="z [m]", aspect="equal")
for k, part in enumerate(cylinders):
    right.plot(history[:, 0], history[:, 4 + k] / 1000, label=part)
right.set(title="Forces of the cylinders", xlabel="time [s]", ylabel="kN")
right.legend()
figure.savefig(options.out / "digging_arm.png", dpi=110)

error = world.constraint_error().position
print(f"{len(history)} steps, bucket at {world.pose(bucket).position.round(3)}, loops open {error:.1e}")
assert error < 1e-7
