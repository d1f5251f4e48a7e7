#!/usr/bin/python3
"""Draws docs/figures/excavator: what the excavator does (spec G4).

    PYTHONPATH=build/release/python /usr/bin/python3 docs/figures/excavator.py
"""
from pathlib import Path

import bristle

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "docs" / "figures" / "excavator"
SIZE = (900, 520)

# On a slope gravity leans, and the ground is drawn level.
SCENE = """
gravity: [0, {across}, {down}]
include:
  - {{file: parts/excavator.yaml, set: {{{set}}}}}
  - parts/excavator-looks.yaml
materials: {{ground: {{restitution: 0, static_friction: 0.6, kinetic_friction: 0.6}}}}
contact_pairs:
  - {{a: steel, b: ground, stiffness: 4e7, restitution: 0, static_friction: 0.6, kinetic_friction: 0.6}}
  - {{a: rim, b: ground, stiffness: 2e7, restitution: 0, static_friction: 0.6, kinetic_friction: 0.6}}
{more}
solver: {{step: 5 ms}}
"""
GROUND = "shapes: {ground: {type: plane, material: ground}}"


class Machine:
    def __init__(self, settings="x0: 0", more=GROUND, across=0.0, down=-9.81):
        text = SCENE.format(set=settings, more=more, across=across, down=down)
        file = ROOT / "scenes" / "drawn.yaml"
        file.write_text(text)
        try:
            self.scene = bristle.read_scene(file)
        finally:
            file.unlink()
        self.world = self.scene.world()

    def lever(self, name, value):
        force, _, lever = name.partition(".")
        self.world.command(self.world.model.force(force), lever, value)

    def run(self, seconds):
        self.world.advance_to(self.world.time + seconds)

    def picture(self, name, view, distance):
        bristle.render(self.world, OUT / f"{name}.png", size=SIZE, view=view, distance=distance)


def on_supports():
    m = Machine()
    m.lever("oil.blade", 1)
    m.lever("oil.outriggers", 1)
    m.run(9)
    m.picture("supports", (2.2, 3, 0.7), 13)


def deep():
    m = Machine("boom_angle: -0.3, stick_angle: -0.6, bucket_angle: -0.6, height: 0", "joints: {held: {type: fixed, b: undercarriage, on_b: [0, 0, 0]}}")
    m.lever("oil.swing", 0.5)
    m.run(4)
    m.lever("oil.swing", 0)
    m.lever("oil.boom", -1)
    m.run(5)
    m.picture("depth", (3, 1, 0.2), 22)


def tipped():
    import math

    angle = math.radians(12)
    more = GROUND + """
bodies: {load: {mass: 1500, inertia: [200, 200, 200], position: [7, 0, 6]}}
joints: {heap: {type: fixed, a: bucket, b: load, on_a: [0.75, 0, 0.4], on_b: [0, 0, 0]}}"""
    m = Machine("boom_angle: 0.95, stick_angle: -1.1, bucket_angle: -1.2", more, 9.81 * math.sin(angle), -9.81 * math.cos(angle))
    m.lever("travel.parking_brake", 1)
    m.lever("axle lock.lever", 1)
    m.lever("oil.swing", 0.25)
    m.run(14)
    m.lever("oil.swing", 0)
    m.run(10)
    m.picture("tipped", (3, 1.2, 0.7), 17)


if __name__ == "__main__":
    OUT.mkdir(exist_ok=True)
    on_supports()
    deep()
    tipped()
