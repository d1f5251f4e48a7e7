#!/usr/bin/env python3
"""A four-bar linkage of one's own: the curve of a coupler point, and what the pins carry.

PYTHONPATH=build/release/python python3 python/examples/four_bar.py [--out FOLDER]
"""

import argparse
from pathlib import Path

import bristle
import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot

parser = argparse.ArgumentParser()
parser.add_argument("--out", type=Path, default=Path("."))
parser.add_argument("--quick", action="store_true", help="one turn instead of three")
options = parser.parse_args()

# Joints are where the bodies start: A and D on the ground, B and C between the bars.
A, B, C, D = [0, 0, 0], [0, 0, 0.4], [1.2, 0, 0.9], [1.0, 0, 0]
AXIS = [0, 1, 0]

model = bristle.Model()
ground = model.ground()
crank = model.add(bristle.Body.rod(A, B, 1.0).named("crank"))
coupler = model.add(bristle.Body.rod(B, C, 2.0).named("coupler"))
rocker = model.add(bristle.Body.rod(D, C, 1.5).named("rocker"))
motor_pin = model.add(bristle.Revolute(a=ground, b=crank, at=A, axis=AXIS, name="A"))
model.add(bristle.Revolute(a=crank, b=coupler, at=B, axis=AXIS, name="B"))
model.add(bristle.Revolute(a=coupler, b=rocker, at=C, axis=AXIS, name="C"))
model.add(bristle.Revolute(a=rocker, b=ground, at=D, axis=AXIS, name="D"))
speed = bristle.Drive.Control.speed
model.add(bristle.Drive(joint=motor_pin, control=speed, target=lambda t: 6.0 * min(t / 0.5, 1.0), name="motor"))

world = bristle.World(model, bristle.AugmentedLagrangian(step=1e-3))
result = bristle.simulate(
    world,
    duration=1.3 if options.quick else 3.5,
    quantities=["coupler.point(0.6, 0, 0.3)", "A.reaction.force", "D.reaction.force", "motor.effort"],
    every=2e-3,
)

figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4), layout="constrained")
curve = result["coupler.point(0.6, 0, 0.3)"]
left.plot(curve[:, 0], curve[:, 2])
for bar in ((A, B), (B, C), (D, C)):
    left.plot([p[0] for p in bar], [p[2] for p in bar], "o-", color="0.7")
left.set(title="Curve of a coupler point", xlabel="x [m]", ylabel="z [m]", aspect="equal")
right.plot(result.time, (result["A.reaction.force"] ** 2).sum(axis=1) ** 0.5, label="pin A")
right.plot(result.time, (result["D.reaction.force"] ** 2).sum(axis=1) ** 0.5, label="pin D")
right.set(title="What the pins carry", xlabel="time [s]", ylabel="N")
right.legend()
figure.savefig(options.out / "four_bar.png", dpi=110)

error = world.constraint_error().position
print(f"{len(result)} rows, largest torque of the motor {abs(result['motor.effort']).max():.1f} N m, loop open {error:.1e}")
assert error < 1e-9
