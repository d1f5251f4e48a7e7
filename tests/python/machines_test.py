"""Machines: levers by name, what their parts tell, the excavator."""

import unittest
from pathlib import Path

import bristle
from support import main

SCENES = Path(__file__).resolve().parents[2] / "scenes"


class Excavator(unittest.TestCase):
    def setUp(self):
        self.world = bristle.read_scene(SCENES / "excavator.yaml").world()
        self.oil = self.world.model.force("oil")

    def test_its_levers_move_it(self):
        boom = self.world.model.joint("boom cylinder")
        self.world.advance_to(0.5)
        before = self.world.coordinate(boom)
        self.world.command(self.oil, "boom", 1)
        self.assertEqual(self.world.inputs(self.oil)["boom"], 1)
        self.assertEqual(self.world.inputs(self.oil)["throttle"], 1)
        self.world.advance_to(1)
        self.assertGreater(self.world.coordinate(boom), before + 0.05)
        read = self.world.readings(self.oil)
        self.assertGreater(read["boom.pressure_a"], 5e6)
        self.assertGreater(read["pump_flow"], 3e-3)
        self.assertGreater(read["engine_speed"], 150)

    def test_its_tyres_carry_it(self):
        self.world.advance_to(3)
        tyres = [f"{end} {side} tyre" for end in ("front", "rear") for side in ("left", "right")]
        load = sum(self.world.readings(self.world.model.force(name))["load"] for name in tyres)
        mass = sum(body.mass for body in self.world.model.bodies[1:])
        self.assertAlmostEqual(load / (9.81 * mass), 1, places=2)

    def test_mistakes_say_what_there_is(self):
        with self.assertRaisesRegex(bristle.InputError, "no input 'bom'; there are throttle, boom"):
            self.world.command(self.oil, "bom", 1)
        with self.assertRaisesRegex(bristle.InputError, "not of this model"):
            self.world.readings(bristle.ForceId(999))


main()
