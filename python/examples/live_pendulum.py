#!/usr/bin/env python3
"""A model in ten lines: written as a scene file, recorded, and live in the browser until Ctrl-C.

PYTHONPATH=build/release/python python3 python/examples/live_pendulum.py [--out FOLDER]
"""

import argparse
from pathlib import Path

import bristle

parser = argparse.ArgumentParser()
parser.add_argument("--out", type=Path, default=Path("."))
parser.add_argument("--quick", action="store_true", help="shows nothing")
options = parser.parse_args()

model = bristle.Model()
arm = model.add(bristle.Body.rod(1.0, 2.0).named("arm"))
pin = model.add(bristle.Revolute(a=model.ground(), b=arm, at=[0, 0, 0], axis=[0, 1, 0], name="pin"))
model.add(bristle.Drive(joint=pin, target=bristle.function("0.5*sin(2*pi*0.25*t)"), name="motor"))
ball = model.add(bristle.Body.sphere(0.1, 1.0).named("ball").at([1, 0, -0.3]))
model.add(bristle.Spherical(a=arm, b=ball, at=[1, 0, 0], name="hook"))
settings = bristle.AugmentedLagrangian(step=2e-3)

model.save(options.out / "live-pendulum.yaml", settings, title="Live pendulum", duration=5)
file = options.out / "live-pendulum.mcap"
file.unlink(missing_ok=True)
recording = bristle.record(model, file, until=5, settings=settings, title="Live pendulum")

world = bristle.read_scene(options.out / "live-pendulum.yaml").world()
world.advance_to(5)
print(f"model {recording.hash:016x}, its scene file {world.hash():016x}")
assert recording.hash == world.hash()

if not options.quick:
    view = bristle.show(model, settings, title="Live pendulum")
    print(f"Open {view.address}; Ctrl-C ends it.")
    view.wait()
