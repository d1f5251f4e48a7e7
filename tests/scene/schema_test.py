"""schema_test.py SCHEMA SCENES: the schema takes every scene there is, and refuses what is malformed."""

import json
import sys
import unittest
from pathlib import Path

import jsonschema
import yaml

SCHEMA = json.loads(Path(sys.argv[1]).read_text())
SCENES = sorted([*Path(sys.argv[2]).glob("*.yaml"), *Path(sys.argv[2]).glob("parts/*.yaml")])

GOOD = [
    "title: Nothing",
    "bodies: {a: {mass: 1, inertia: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}}",
    "bodies: {'a {i}': {for: {i: [1, n]}, type: rod, length: 5 mm, mass: 1}}",
    "parameters: {n: 3, m: {value: 2*n, unit: kg}}",
    "joints: {A: {type: revolute, b: a, on_b: [0, 0, 0], axis_on_b: -x}}",
    "forces: {f: {type: force, body: a, force: [sin(t), 0, -2*vz]}}",
    "drives: {d: {joint: A, target: {table: [[0, 0], [1, 2]]}, max_effort: unlimited}}",
    "planar: true",
    "planar: -z",
    "bodies: {a: {type: polygon, points: [[0, 0], [1, 0], [0, 1]], area_density: 8}}",
    "solver: penalty",
    "solver: {step: 5 ms}",
    "no_contact: [[a, b], {for: {i: 3}, pair: ['a {i}', b]}]",
    "include: [a.yaml, {file: b.yaml, prefix: 'left ', set: {length: 2}}]",
]
BAD = [
    "bodys: {}",
    "bodies: [1]",
    "bodies: {a: {type: sphere, radus: 1, mass: 1}}",
    "bodies: {a: {type: spere, radius: 1, mass: 1}}",
    "bodies: {a: {type: sphere, radius: 1}}",
    "bodies: {a: {type: sphere, radius: 1, mass: 1, density: 1}}",
    "bodies: {a: {type: sphere, radius: -1, mass: 1}}",
    "bodies: {a: {type: point, mass: 1, position: [0, 0]}}",
    "bodies: {a: {type: rod, from: [0, 0, 0], mass: 1}}",
    "bodies: {a: {position: [0, 0, 0]}}",
    "materials: {a: {restitution: 1.5}}",
    "shapes: {a: {radius: 1}}",
    "joints: {A: {type: revolute, b: a, axis: w, at: [0, 0, 0]}}",
    "joints: {A: {type: spherical, b: a}}",
    "drives: {d: {joint: A, control: sped}}",
    "forces: {s: {type: spring, b: a, at_a: [0, 0, 0], at_b: [0, 0, 1], law: x, stiffness: 1}}",
    "solver: lagrange",
    "solver: {type: baumgarte, newmark_beta: 0.25}",
    "solver: {type: impulse, threads: 0}",
    "solver: {type: impulse, direct: always}",
    "planar: up",
    "bodies: {a: {type: polygon, points: [[0, 0], [1, 0]], mass: 1}}",
    "bodies: {a: {type: circle, radius: 1, mass: 1, area_density: 8}}",
    "gravity: 9.81",
    "duration: [1]",
    "outputs: {plots: [{title: Nothing}]}",
]


class Schema(unittest.TestCase):
    validator = jsonschema.Draft202012Validator(SCHEMA)

    def mistakes(self, text):
        return [error.message for error in self.validator.iter_errors(yaml.safe_load(text))]

    def test_is_a_schema(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)

    def test_takes_the_scenes(self):
        self.assertTrue(SCENES)
        for scene in SCENES:
            with self.subTest(scene=scene.name):
                self.assertEqual(self.mistakes(scene.read_text()), [])

    def test_takes_good_ones(self):
        for text in GOOD:
            with self.subTest(text):
                self.assertEqual(self.mistakes(text), [])

    def test_refuses_malformed_ones(self):
        for text in BAD:
            with self.subTest(text):
                self.assertNotEqual(self.mistakes(text), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
