"""Ground from arrays, functions, images and surveys."""

from __future__ import annotations

import json
import math
import os
import tempfile
from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path

import numpy as np

from bristle._bristle import HeightField, InputError, parse_scene

IMAGES = (".png",)


def terrain(
    source: str | PathLike | Callable[[float, float], float] | Sequence[Sequence[float]],
    spacing: float | None = None,
    spacing_y: float | None = None,
    size_x: float | None = None,
    size_y: float | None = None,
    columns: int | None = None,
    rows: int | None = None,
    low: float | None = None,
    high: float | None = None,
    scale: float | None = None,
    start: tuple[float, float] | None = None,
) -> HeightField:
    """Ground of an array of heights, of a function, of a grey image or of the points of a survey.

    An array has a row of heights (m) for every y: heights[row, column]. A function gives the height above x and y, and is asked
    at columns times rows points. A file that ends with .png is an image, a pixel a point, black `low` and white `high` (m);
    any other one is a survey: a text of x, y and z, a point a line, in units of `scale` m, on a grid that begins at its
    smallest x and y, or at `start`. Points are `spacing` apart (m), along y `spacing_y` if that is given; or size_x and
    size_y say how far it is from the first to the last. As in scene files, with their messages (docs/scene.md).
    """
    grid = {"spacing": spacing, "spacing_y": spacing_y, "size_x": size_x, "size_y": size_y, "columns": columns, "rows": rows}
    if isinstance(source, (str, PathLike)):
        kind = "image" if Path(source).suffix.lower() in IMAGES else "survey"
        x, y = start if start is not None else (None, None)
        return _read({kind: os.path.abspath(source), "low": low, "high": high, "scale": scale, "start_x": x, "start_y": y} | grid)
    for name, value in (("low", low), ("high", high), ("scale", scale), ("start", start)):
        if value is not None:
            raise InputError(f"terrain: {name} is for files; heights are in m")
    if callable(source):
        if columns is None or rows is None:
            raise InputError("terrain: give columns and rows, at how many points the function is asked")
        x, y = _spacings(grid, columns, rows)
        heights = [source(column * x, row * y) for row in range(rows) for column in range(columns)]
        return _field(np.array(heights, dtype=float).reshape(rows, columns), x, y)
    heights = np.asarray(source, dtype=float)
    if heights.ndim != 2:
        raise InputError(f"terrain: the heights have {heights.ndim} dimensions; two are expected, rows and columns")
    if columns not in (None, heights.shape[1]) or rows not in (None, heights.shape[0]):
        raise InputError(f"terrain: the heights are {heights.shape[0]} rows of {heights.shape[1]}; leave columns and rows out")
    return _field(heights, *_spacings(grid, heights.shape[1], heights.shape[0]))


def terrain_of_points(
    points: Sequence[Sequence[float]],
    spacing: float | None = None,
    columns: int | None = None,
    rows: int | None = None,
    start: tuple[float, float] | None = None,
) -> HeightField:
    """Ground of scattered points, n x 3 (m): as `terrain` makes it of the file of a survey."""
    places = np.asarray(points, dtype=float)
    if places.ndim != 2 or places.shape[1] != 3:
        raise InputError(f"terrain_of_points: an array of shape {places.shape}; n x 3 is expected, x, y and z of each point")
    if not np.isfinite(places).all():
        row = np.argwhere(~np.isfinite(places))[0][0]
        raise InputError(f"terrain_of_points: point {row} is {places[row]}; finite numbers are expected")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "points.csv")
        # As many digits as a number has.
        file.write_text("".join(f"{x!r},{y!r},{z!r}\n" for x, y, z in places.tolist()))
        return terrain(file, spacing=spacing, columns=columns, rows=rows, start=start)


def _spacings(grid, columns, rows):
    """Along x and y, from what was given."""
    if columns < 2 or rows < 2:
        raise InputError(f"terrain: {rows} rows of {columns} points have no surface; two or more each way are expected")
    if (grid["spacing"] is None) == (grid["size_x"] is None):
        raise InputError("terrain: give spacing, or size_x, and not both")
    if grid["spacing_y"] is not None and grid["size_y"] is not None:
        raise InputError("terrain: give spacing_y, or size_y, and not both")
    x = grid["spacing"] if grid["spacing"] is not None else grid["size_x"] / (columns - 1)
    y = x
    if grid["spacing_y"] is not None:
        y = grid["spacing_y"]
    elif grid["size_y"] is not None:
        y = grid["size_y"] / (rows - 1)
    for name, value in (("spacing", x), ("spacing_y", y)):
        if not (math.isfinite(value) and value > 0):
            raise InputError(f"terrain: {name} is {value} m; a length is expected")
    return x, y


def _field(heights, spacing_x, spacing_y):
    if not np.isfinite(heights).all():
        row, column = np.argwhere(~np.isfinite(heights))[0]
        raise InputError(f"terrain: the height at column {column}, row {row} is {heights[row, column]}; finite ones are expected")
    return HeightField(columns=heights.shape[1], rows=heights.shape[0], heights=heights.ravel(),
                       spacing_x=spacing_x, spacing_y=spacing_y)


def _read(keys):
    """As a scene file reads it: the same surface, and the same messages."""
    words = []
    for name, value in keys.items():
        if name in ("image", "survey"):
            if "{" in value:
                raise InputError(f"terrain: {value}: a scene would take the brace in its name for an expression; rename it")
            words.append(f"{name}: {json.dumps(value, ensure_ascii=False)}")  # YAML has no pairs of surrogates
        elif value is not None:
            words.append(f"{name}: {int(value) if name in ('columns', 'rows') else float(value)!r}")
    text = ", ".join(words)
    scene = parse_scene(f"shapes: {{terrain: {{type: height_field, {text}}}}}")
    return scene.model.shapes[0].geometry
