#!/usr/bin/env python3
"""Makes the terrain of the scenes: scenes/terrain/hills.png, a grey image of 16 bits, and scenes/terrain/pit.csv, a survey.

They are made, not measured, so that everybody may copy them; the survey is scattered, as one with a staff would be.
"""
import math
import random
import struct
import zlib
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "scenes" / "terrain"


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def hills(columns=97, rows=97):
    """0 … 1: a valley along y between two ridges, with bumps; it falls towards y = 0."""
    def height(x, y):
        ridge = 0.5 - 0.5 * math.cos(2 * math.pi * (x - 0.12 * math.sin(3 * math.pi * y)))
        bumps = math.sin(23 * x + 2) * math.sin(19 * y) + 0.6 * math.sin(41 * x) * math.sin(37 * y + 1)
        return 0.72 * (1 - ridge) ** 1.5 + 0.2 * y + 0.02 * bumps

    values = [[height(c / (columns - 1), 1 - r / (rows - 1)) for c in range(columns)] for r in range(rows)]
    low, high = min(map(min, values)), max(map(max, values))
    return [[round(65535 * (v - low) / (high - low)) for v in row] for row in values]


def png(rows):
    """Each row as the difference from the one above, which packs best."""
    packed, above = b"", b"\0" * (2 * len(rows[0]))
    for row in rows:
        line = b"".join(struct.pack(">H", v) for v in row)
        packed += b"\2" + bytes((a - b) & 255 for a, b in zip(line, above))
        above = line
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 16, 0, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(packed, 9)) + chunk(b"IEND", b""))


def pit(points=420):
    """A round pit of 3 m with a ramp into it, in a field of 12 x 12 m."""
    chosen = random.Random(1)
    places = [(12 * i / 8, 12 * k / 8) for i in range(9) for k in (0, 8)] + [(12 * i / 8, 12 * k / 8) for i in (0, 8) for k in range(1, 8)]
    places += [(chosen.uniform(0, 12), chosen.uniform(0, 12)) for _ in range(points - len(places))]
    lines = ["x,y,z"]
    for x, y in places:
        from_middle = math.hypot(x - 6, y - 6)
        z = -1.2 / (1 + math.exp(4 * (from_middle - 2.6)))
        if x > 6 and abs(y - 6) < 0.9:  # the ramp
            z = max(z, -1.2 + 1.2 * min(1, (x - 7.5) / 3.5)) if x > 7.5 else z
        lines.append(f"{x:.3f},{y:.3f},{z + 0.03 * math.sin(1.7 * x) * math.cos(1.3 * y):.3f}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "hills.png").write_bytes(png(hills()))
    (FOLDER / "pit.csv").write_text(pit())
