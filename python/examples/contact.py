#!/usr/bin/env python3
"""A ball bounces as its restitution says, and a block on a belt sticks and slips.

PYTHONPATH=build/release/python python3 python/examples/contact.py [--out FOLDER]
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
parser.add_argument("--quick", action="store_true", help="shorter")
options = parser.parse_args()
GRAVITY, RESTITUTION, DROP = 9.81, 0.8, 1.0
STATIC, KINETIC, STIFFNESS, BELT = 0.6, 0.3, 30.0, 0.1  # N/m, m/s


def bouncing_ball():
    model = bristle.Model()
    rubber = model.add(bristle.Material(name="rubber"))
    # Stiff enough that the bounce is short, and a step short enough to follow it.
    model.add(bristle.ContactPair(rubber, rubber, bristle.ContactLaw(stiffness=1e7, restitution=RESTITUTION)))
    model.add(bristle.Shape(body=model.ground(), geometry=bristle.Plane(), material=rubber))
    ball = model.add(bristle.Body.sphere(0.05, 0.1).at([0, 0, DROP + 0.05]).named("ball"))
    model.add(bristle.Shape(body=ball, geometry=bristle.Sphere(0.05), material=rubber))
    world = bristle.World(model, bristle.AugmentedLagrangian(step=2e-5))
    result = bristle.simulate(world, duration=1.2 if options.quick else 3.0, quantities=["ball.position"], every=1e-3)
    return result.time, result["ball.position.z"] - 0.05


def tops(count):
    """When and how high the ball turns, if bounces take no time."""
    fall = np.sqrt(2 * DROP / GRAVITY)
    n = np.arange(1, count + 1)
    times = fall + 2 * fall * np.cumsum(RESTITUTION**n) - fall * RESTITUTION**n
    return times, DROP * RESTITUTION ** (2 * n)


def stick_slip():
    """A block on a belt, held by a spring: it rides along, slips back, and rides along again."""
    model = bristle.Model()
    dry = model.add(bristle.Material(name="dry", static_friction=STATIC, kinetic_friction=KINETIC))
    belt = model.add(bristle.Body.box([20, 1, 0.1], 100.0).at([0, 0, -0.05]).named("belt"))
    model.add(bristle.Shape(body=belt, geometry=bristle.Box([20, 1, 0.1]), material=dry))
    slide = model.add(bristle.Prismatic(a=model.ground(), b=belt, at=[0, 0, 0], axis=[1, 0, 0]))
    speed = bristle.Drive.Control.speed
    model.add(bristle.Drive(joint=slide, control=speed, target=lambda t: BELT))
    block = model.add(bristle.Body.box([0.2, 0.2, 0.1], 1.0).at([0, 0, 0.05]).named("block"))
    model.add(bristle.Shape(body=block, geometry=bristle.Box([0.2, 0.2, 0.1]), material=dry))
    model.add(bristle.Spring(a=model.ground(), b=block, at_a=[-1, 0, 0.05], at_b=[0, 0, 0.05], stiffness=STIFFNESS,
                             free_length=1.0, name="spring"))
    world = bristle.World(model, bristle.AugmentedLagrangian(step=1e-3))
    result = bristle.simulate(world, duration=2.5 if options.quick else 6.0, quantities=["spring.tension"], every=5e-3)
    return result.time, result["spring.tension"]


time, height = bouncing_ball()
top_times, top_heights = tops(10)
shown = top_times < time[-1]
figure, (upper, lower) = pyplot.subplots(2, 1, figsize=(7, 6), layout="constrained")
upper.plot(time, height, label="simulated")
upper.plot(top_times[shown], top_heights[shown], "k_", markersize=14, label="theory of the tops")
upper.set(title=f"A ball of restitution {RESTITUTION}", xlabel="time [s]", ylabel="height [m]")
upper.legend()
slip_time, tension = stick_slip()
lower.plot(slip_time, tension)
for friction, text in ((STATIC, "static"), (KINETIC, "kinetic")):
    lower.axhline(friction * GRAVITY, color="0.6", linestyle="--")
    lower.annotate(f"{text} friction", (0, friction * GRAVITY), ha="left", va="bottom", color="0.4")
lower.set(title="A block on a belt, held by a spring", xlabel="time [s]", ylabel="tension [N]")
figure.savefig(options.out / "contact.png", dpi=110)

first = height[abs(time - top_times[0]) < 0.05].max()
# The block of 1 kg slips with the speed of the belt, and swings on about where the spring holds kinetic friction.
swing = ((STATIC - KINETIC) * GRAVITY) ** 2 + BELT**2 * STIFFNESS
largest = KINETIC * GRAVITY + swing**0.5
print(f"first bounce {first:.4f} m, theory {top_heights[0]:.4f} m; "
      f"largest tension {tension.max():.3f} N, theory {largest:.3f} N")
assert abs(first / top_heights[0] - 1) < 0.01
assert abs(tension.max() / largest - 1) < 0.04  # friction falls over the stick speed, not at once
