"""Runs a scene or a world and keeps what was asked for."""

from __future__ import annotations

import csv
import html
import io
import math
from pathlib import Path
from typing import Callable, Sequence

import numpy as np

from bristle._bristle import InputError, Quantity, Scene, World, quantities as quantities_of

MOST_ROWS = 4000


class Result:
    """Numbers over time: result.time, result["crank.position.x"], result["crank.position"]."""

    def __init__(self, world: World, quantities: Sequence[Quantity], rows: np.ndarray) -> None:
        """Rows of time and one column for each quantity."""
        self._world = world
        self._columns = {q.name: i + 1 for i, q in enumerate(quantities)}
        self._units = {q.name: q.unit for q in quantities}
        self._rows = rows

    @property
    def world(self) -> World:
        """The world at the end."""
        return self._world

    @property
    def time(self) -> np.ndarray:
        """Of every row, s."""
        return self._rows[:, 0]

    @property
    def names(self) -> tuple[str, ...]:
        """Of the columns."""
        return tuple(self._columns)

    @property
    def units(self) -> dict[str, str]:
        """Of the columns, by name."""
        return dict(self._units)

    def __getitem__(self, name: str) -> np.ndarray:
        """The column of this name; of a vector all its columns, side by side."""
        if name in self._columns:
            return self._rows[:, self._columns[name]]
        parts = [i for known, i in self._columns.items() if known.startswith(name + ".")]
        if not parts:
            raise KeyError(f"{name!r} was not recorded; there is {', '.join(self._columns) or 'nothing'}")
        return self._rows[:, parts]

    def __contains__(self, name: str) -> bool:
        """Whether result[name] gives something."""
        return any(known == name or known.startswith(name + ".") for known in self._columns)

    def __len__(self) -> int:
        """Number of rows."""
        return len(self._rows)

    def __repr__(self) -> str:
        """Size and columns."""
        return f"Result({len(self)} rows: time, {', '.join(self._columns)})"

    def to_csv(self, file: str | Path | None = None) -> str:
        """The table as text, one row a time, units in the header; also written to the file if one is given."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["time [s]"] + [f"{n} [{u}]" if u else n for n, u in self._units.items()])
        writer.writerows([repr(float(value)) for value in row] for row in self._rows)
        if file is not None:
            Path(file).write_text(out.getvalue(), encoding="utf-8")
        return out.getvalue()

    def to_frame(self):
        """The table as a pandas DataFrame: columns by name, rows by time. Needs pandas."""
        try:
            import pandas
        except ImportError as error:
            raise InputError("to_frame needs pandas (Debian: apt install python3-pandas)") from error
        frame = pandas.DataFrame(self._rows[:, 1:], columns=list(self._columns), index=pandas.Index(self.time, name="time"))
        frame.attrs["units"] = self.units
        return frame

    def _repr_html_(self) -> str:
        """For notebooks: as a table, where pandas is there."""
        try:
            frame = self.to_frame()
        except InputError:
            return f"<pre>{html.escape(repr(self))}</pre>"
        return frame.rename(columns=lambda n: f"{n} [{self._units[n]}]" if self._units[n] else n).to_html(max_rows=10)

    def plot(self, *names: str, x: str = "time", file: str | Path | None = None):
        """Curves over time, or over another column; returns the matplotlib figure, and saves it if a file is given.

        Without names, all columns; one axis for each unit.
        """
        import matplotlib

        if file is not None:
            matplotlib.use("Agg", force=False)
        from matplotlib import pyplot

        columns = [c for name in (names or self.names) for c in self._matching(name)]
        units = list(dict.fromkeys(self._units[c] for c in columns))
        figure, axes = pyplot.subplots(
            len(units), 1, sharex=True, squeeze=False, figsize=(7, 1 + 2.2 * len(units)), layout="constrained"
        )
        across = self.time if x == "time" else self[x]
        for axis, unit in zip(axes[:, 0], units):
            for column in columns:
                if self._units[column] == unit:
                    axis.plot(across, self[column], label=column)
            axis.set_ylabel(unit)
            axis.legend(loc="best", fontsize="small")
            axis.grid(alpha=0.3)
        axes[-1, 0].set_xlabel("time [s]" if x == "time" else f"{x} [{self._units[x]}]")
        if file is not None:
            figure.savefig(file, dpi=120)
            pyplot.close(figure)
        return figure

    def _matching(self, name: str) -> list[str]:
        found = [c for c in self._columns if c == name or c.startswith(name + ".")]
        if not found:
            self[name]
        return found


def simulate(
    what: Scene | World,
    duration: float | None = None,
    quantities: Sequence[str] | None = None,
    every: float | None = None,
    each_step: Callable[[World], None] | None = None,
) -> Result:
    """Runs a scene, or a world from where it is, for a duration (s) and records quantities every so often (s).

    A scene knows its duration, its quantities and how often; of a world they must be given, but for every: at most
    4,000 rows. each_step(world) is called after every step, for controllers. If the run fails, or Ctrl-C ends it, the
    error has what was recorded up to there as its `result`.
    """
    world = what.world() if isinstance(what, Scene) else what
    if isinstance(what, Scene):
        duration = what.duration if duration is None else duration
        quantities = what.quantities if quantities is None else quantities
        every = what.output_step or None if every is None else every
    if duration is None:
        raise InputError("simulate: give the duration of a world's simulation")
    if not (math.isfinite(duration) and duration >= 0):
        raise InputError(f"simulate: the duration is {duration}; it must not be negative")
    step = world.settings.step
    if every is None:
        every = max(1, math.ceil(duration / step / MOST_ROWS)) * step
    if not every > 0:
        raise InputError(f"simulate: every is {every}; it must be positive")

    model = world.model
    asked = {q.name: q for name in quantities or () for q in quantities_of(model, name)}
    columns = list(asked.values())
    start = world.time
    rows = []
    count = max(1, round(duration / every))
    try:
        for k in range(count + 1):
            world.advance_to(start + min(k * every, duration), each_step)
            rows.append([world.time] + [q.read(world) for q in columns])
    except BaseException as error:
        error.result = Result(world, columns, np.array(rows).reshape(len(rows), len(columns) + 1))
        raise
    return Result(world, columns, np.array(rows))
