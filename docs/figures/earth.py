#!/usr/bin/python3
"""Draws docs/figures/earth.png: what a bucket leaves in sand (above) and clay, lit from the left.

    docs/figures/earth.py PROGRAM      earth.cpp beside this file, compiled against the libraries of a build
"""
import math
import pathlib
import struct
import subprocess
import sys
import zlib

SCALE = 4  # pixels a point
SPACING = 0.05  # m


def shaded(columns, rows, heights):
    image = [[(0, 0, 0)] * (columns - 1) for _ in range(rows - 1)]
    for r in range(rows - 1):
        for c in range(columns - 1):
            h = heights[r * columns + c]
            x = (heights[r * columns + c + 1] - h) / SPACING
            y = (heights[(r + 1) * columns + c] - h) / SPACING
            light = max(0.0, (0.6 * x - 0.35 * y + 0.72) / math.sqrt(1 + x * x + y * y))
            low, high = max(0.0, -h), max(0.0, h)
            color = (205 - 90 * low + 30 * high, 170 - 90 * low + 20 * high, 120 - 60 * low)
            image[rows - 2 - r][c] = tuple(min(255, int(k * (0.25 + light))) for k in color)
    return [[pixel for pixel in row for _ in range(SCALE)] for row in image for _ in range(SCALE)]


def png(rows):
    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data
                + struct.pack(">I", zlib.crc32(kind + data)))
    raw = b"".join(b"\0" + bytes(k for pixel in row for k in pixel) for row in rows)
    return (b"\x89PNG\r\n\x1a\n"
            + chunk(b"IHDR", struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b""))


def main():
    lines = subprocess.run([sys.argv[1]], check=True, capture_output=True,
                           text=True).stdout.splitlines()
    picture = []
    for head, heights in zip(lines[::2], lines[1::2]):
        _, columns, rows = head.split()
        if picture:
            picture += [[(255, 255, 255)] * len(picture[0])] * 8
        picture += shaded(int(columns), int(rows), [float(h) for h in heights.split()])
    (pathlib.Path(__file__).resolve().parent / "earth.png").write_bytes(png(picture))


main()
