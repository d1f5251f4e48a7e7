#!/usr/bin/env python3
"""A controller in Python balances an inverted pendulum on a cart, and takes a push.

PYTHONPATH=build/release/python python3 python/examples/controller.py [--out FOLDER]
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
parser.add_argument("--quick", action="store_true", help="without the push")
options = parser.parse_args()

model = bristle.Model()
ground = model.ground()
cart = model.add(bristle.Body.box([0.4, 0.2, 0.1], 2.0).named("cart"))
tilt = 0.2  # rad, at the start
tip = [np.sin(tilt), 0, np.cos(tilt)]
pole = model.add(bristle.Body.rod([0, 0, 0], tip, 0.5).named("pole"))
rail = model.add(bristle.Prismatic(a=ground, b=cart, at=[0, 0, 0], axis=[1, 0, 0], name="rail"))
hinge = model.add(bristle.Revolute(a=cart, b=pole, at=[0, 0, 0], axis=[0, 1, 0], name="hinge"))
motor = model.add(bristle.Motor(joint=rail, name="motor"))


def push(now, out):
    """A gust against the upper half of the pole, from 4.0 to 4.2 s."""
    if 4.0 <= now.time <= 4.2:
        out.add_force(pole, [3.0, 0, 0], now.pose(pole) * [0.75, 0, 0])


model.add(bristle.UserForce(apply=push, name="gust"))
world = bristle.World(model, bristle.AugmentedLagrangian(step=2e-3))

integral = 0.0
history = []


def control(world):
    """PID on the angle; a slow PD on the cart's place leans the pole towards the middle."""
    global integral
    angle, rate = tilt + world.coordinate(hinge), world.coordinate_rate(hinge)
    place, speed = world.coordinate(rail), world.coordinate_rate(rail)
    wanted = -0.06 * place - 0.10 * speed
    error = angle - wanted
    integral += error * 2e-3
    force = float(np.clip(90.0 * error + 20.0 * integral + 16.0 * rate, -60, 60))
    world.command(motor, force)
    history.append((world.time, angle, place, force))


world.advance_to(2.5 if options.quick else 9.0, each_step=control)
time, angle, place, force = np.array(history).T

figure, axes = pyplot.subplots(3, 1, sharex=True, figsize=(7, 6), layout="constrained")
axes[0].plot(time, np.degrees(angle))
axes[0].set_ylabel("tilt [°]")
axes[1].plot(time, place)
axes[1].set_ylabel("cart [m]")
axes[2].plot(time, force)
axes[2].set(ylabel="force [N]", xlabel="time [s]")
for axis in axes:
    axis.grid(alpha=0.3)
    axis.axvspan(4.0, 4.2, color="0.85")
figure.savefig(options.out / "controller.png", dpi=110)

print(f"tilt at the end {np.degrees(angle[-1]):.3f}°, cart {place[-1]:.3f} m from the middle")
assert abs(angle[-1]) < 0.05
