"""Ground from arrays, functions, images and surveys."""

import math
import struct
import tempfile
import unittest
import zlib
from pathlib import Path

import bristle
import numpy as np
from support import main


def png(rows):
    """A grey image of 16 bits."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    packed = b"".join(b"\0" + b"".join(struct.pack(">H", v) for v in row) for row in rows)
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 16, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(packed)) + chunk(b"IEND", b"")


class Terrain(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_an_array_is_rows_of_heights(self):
        heights = np.arange(12.0).reshape(3, 4)
        field = bristle.terrain(heights, spacing=0.5, spacing_y=2)
        self.assertEqual((field.columns, field.rows, field.spacing_x, field.spacing_y), (4, 3, 0.5, 2))
        np.testing.assert_array_equal(np.reshape(field.heights, (3, 4)), heights)
        wide = bristle.terrain(heights, size_x=6, size_y=1)
        self.assertEqual((wide.spacing_x, wide.spacing_y), (2, 0.5))

    def test_a_function_is_asked_at_every_point(self):
        field = bristle.terrain(lambda x, y: math.sin(x) + 10 * y, spacing=0.25, columns=5, rows=3)
        expected = [[math.sin(0.25 * c) + 10 * 0.25 * r for c in range(5)] for r in range(3)]
        np.testing.assert_array_equal(np.reshape(field.heights, (3, 5)), expected)

    def test_a_ball_lies_on_it(self):
        model = bristle.Model()
        model.add(bristle.Shape(body=model.ground(), geometry=bristle.terrain(lambda x, y: 0.5 * abs(x - 2), spacing=0.1,
                                                                              columns=41, rows=21)))
        ball = model.add(bristle.Body.sphere(0.2, 1.0).at([2, 1, 0.6]))
        model.add(bristle.Shape(body=ball, geometry=bristle.Sphere(0.2)))
        world = bristle.World(model, bristle.AugmentedLagrangian(step=2e-3))
        world.advance_to(2)
        # In the groove between two slopes of 1/2: as high as a circle that touches both.
        self.assertAlmostEqual(world.pose(ball).position[2], 0.2 * math.hypot(1, 0.5), delta=2e-3)

    def test_an_image_is_heights_from_black_to_white(self):
        file = self.folder / "ramp.png"
        file.write_bytes(png([[0, 13107, 65535], [65535, 0, 0]]))
        field = bristle.terrain(file, size_x=4, low=-1, high=4)
        self.assertEqual((field.columns, field.rows, field.spacing_x, field.spacing_y), (3, 2, 2, 2))
        np.testing.assert_allclose(field.heights, [4, -1, -1, -1, 0, 4], atol=1e-12)

    def test_a_file_may_be_called_anything(self):
        file = self.folder / 'hügel "⛰🏔" 1.csv'
        file.write_text("0,0,1\n1,0,1\n0,1,1\n1,1,1\n")
        self.assertEqual(list(bristle.terrain(file, spacing=1).heights), [1, 1, 1, 1])

    def test_a_survey_of_a_plane_is_the_plane(self):
        chosen = np.random.default_rng(1)
        places = np.vstack([[[0, 0], [4, 0], [0, 3], [4, 3]], chosen.uniform((0, 0), (4, 3), (200, 2))])
        points = np.column_stack([places, 0.3 * places[:, 0] - 0.7 * places[:, 1] + 5])
        file = self.folder / "plane.csv"
        np.savetxt(file, 1000 * points, fmt="%.17g", delimiter=";", header="in mm")
        for field in (bristle.terrain(file, spacing=0.5, scale=1e-3), bristle.terrain_of_points(points, columns=9, rows=7)):
            self.assertEqual((field.columns, field.rows), (9, 7))
            y, x = np.mgrid[0:3.1:0.5, 0:4.1:0.5]
            np.testing.assert_allclose(np.reshape(field.heights, (7, 9)), 0.3 * x - 0.7 * y + 5, atol=1e-12)

    def test_mistakes_are_told(self):
        hole = np.zeros((3, 3))
        hole[1, 2] = math.nan
        bad = self.folder / "bad.csv"
        bad.write_text("0,0,1\n1,0,1\n0,1,n/a\n")
        for make, expected in ((lambda: bristle.terrain([1, 2, 3], spacing=1), "1 dimensions; two are expected"),
                               (lambda: bristle.terrain(np.zeros((3, 3))), "give spacing, or size_x"),
                               (lambda: bristle.terrain(np.zeros((3, 3)), spacing=-1), "spacing is -1 m"),
                               (lambda: bristle.terrain(np.zeros((3, 3)), spacing=1, spacing_y=1, size_y=2), "spacing_y, or size_y"),
                               (lambda: bristle.terrain(np.zeros((1, 3)), spacing=1), "have no surface"),
                               (lambda: bristle.terrain(hole, spacing=1), "column 2, row 1 is nan"),
                               (lambda: bristle.terrain(np.zeros((3, 3)), spacing=1, low=0), "low is for files"),
                               (lambda: bristle.terrain(lambda x, y: 0, spacing=1), "give columns and rows"),
                               (lambda: bristle.terrain(bad, spacing=1), "bad.csv:3: z is \"n/a\", expected a finite number"),
                               (lambda: bristle.terrain(self.folder / "no.png", spacing=1, low=0, high=1), "there is no file"),
                               (lambda: bristle.terrain_of_points([[1, 2]], spacing=1), "n x 3 is expected"),
                               (lambda: bristle.terrain_of_points([[1, 2, 3], [1, math.nan, 3]], spacing=1), "point 1 is [")):
            with self.subTest(expected), self.assertRaises(bristle.InputError) as caught:
                make()
            self.assertIn(expected, str(caught.exception))


if __name__ == "__main__":
    main()
