"""Models, worlds and scenes in the browser and in a file."""

from __future__ import annotations

import sys
import webbrowser
from os import PathLike
from pathlib import Path

from bristle._bristle import AugmentedLagrangian, InputError, Model, Recording, Scene, SimulationError, View, World


def world_of(what: Model | World | Scene, settings) -> World:
    """The world itself, or a new one."""
    if isinstance(what, Model):
        return World(what, AugmentedLagrangian() if settings is None else settings)
    if settings is not None:
        raise InputError("settings belong to a model: a world and a scene have theirs")
    return what.world() if isinstance(what, Scene) else what


def show(
    what: Model | World | Scene,
    settings=None,
    title: str = "",
    port: int | None = None,
    address: str = "127.0.0.1",
    paused: bool = False,
    record: str | PathLike | None = None,
) -> View:
    """Serves the page of the viewer from this process: the View has its address, and a notebook shows it.

    A model is simulated with these settings; a world goes on from where it is, as a copy. See World.show.
    """
    title = title or (what.title or what.name if isinstance(what, Scene) else "")
    return world_of(what, settings).show(title, port, address, paused, record)


def _is_notebook() -> bool:
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return shell is not None and hasattr(shell, "kernel")


def view(
    what: Model | World | Scene,
    settings=None,
    title: str = "",
    port: int | None = None,
    paused: bool = False,
    browser: bool = True,
) -> View:
    """Shows it in the browser, and waits: the last line of a script. Ctrl-C ends it, and so does stop().

    In a notebook it does not wait: the page is shown below the cell. Without a browser to open, the address is printed.
    See show.
    """
    shown = show(what, settings, title, port, paused=paused)
    if _is_notebook():
        return shown
    try:
        print(f"{shown.address}\nCtrl-C ends it.", flush=True)
        if browser:
            webbrowser.open(shown.address)
        shown.wait()
    except KeyboardInterrupt:
        pass
    finally:
        shown.stop()
    return shown


def record(
    what: Model | World | Scene,
    file: str | PathLike,
    until: float | None = None,
    settings=None,
    title: str = "",
) -> Recording:
    """Computes a model, a scene or a world until that time (s) and records it to a new file. See World.record.

    Of a scene the time is its duration, if none is given. If the run fails, the file has it up to there, and the error's
    `file` is its path.
    """
    if until is None:
        if not isinstance(what, Scene):
            raise InputError("record: until which time (s)? give `until`")
        until = what.duration
    title = title or (what.title or what.name if isinstance(what, Scene) else "")
    world = world_of(what, settings)  # if it cannot begin, there is no file
    try:
        return world.record(file, until, title)
    except SimulationError as error:
        error.file = Path(file)
        if hasattr(error, "add_note"):  # from Python 3.11 on
            error.add_note(f"what it did up to there is recorded in {file}")
        raise
