"""Machines: levers by name, what their parts tell, the excavator."""

import unittest
from pathlib import Path

import numpy as np

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


class Ground(unittest.TestCase):
    def test_is_dug_and_changed(self):
        world = bristle.read_scene(SCENES / "loader.yaml").world()
        model = world.model
        gravel = model.shape("gravel")
        before = world.heights(gravel)
        self.assertEqual(before.shape, (101, 101))
        load = bristle.quantities(model, "earth.bucket.mass")[0]
        total = bristle.quantities(model, "earth.total")[0]
        all_before = total.read(world)
        world.command(model.force("travel"), "pedal", 0.5)
        world.advance_to(5)
        self.assertGreater(load.read(world), 500)
        self.assertLess((world.heights(gravel) - before).min(), -0.3)
        self.assertAlmostEqual(total.read(world) / all_before, 1, places=12)
        # And from outside: a hill of 1 m by 2 m at column 3, row 4.
        world.set_heights(gravel, np.full((20, 10), 0.5), column=3, row=4)
        np.testing.assert_array_equal(world.heights(gravel)[4:24, 3:13], 0.5)

    def test_mistakes_are_told(self):
        world = bristle.read_scene(SCENES / "loader.yaml").world()
        gravel = world.model.shape("gravel")
        for shape, heights, expected in (
            (gravel, [1, 2], "1 dimensions"),
            (gravel, np.zeros((200, 3)), "from column 0, row 0 of a field of 101 x 101"),
            (gravel, [[np.nan]], "not finite"),
            (world.model.shape("ground"), [[0]], "height field"),
        ):
            with self.subTest(expected), self.assertRaisesRegex(bristle.InputError, expected):
                world.set_heights(shape, heights)


main()
