"""Pictures and videos of models, worlds and scenes, drawn without a browser or a graphics card."""

from __future__ import annotations

import base64
import math
import shutil
import struct
import subprocess
import tempfile
import zlib
from os import PathLike
from pathlib import Path
from typing import Callable, Sequence

import numpy as np

from bristle._bristle import InputError, Model, Scene, World, _Painter, _png
from bristle._show import world_of

DIRECTIONS = {
    "front": (0, -1, 0),
    "back": (0, 1, 0),
    "left": (-1, 0, 0),
    "right": (1, 0, 0),
    "top": (0, 0, 1),
    "aslant": (0.62, -0.72, 0.42),
}
# What the program ffmpeg makes of frames, by the ending of the file.
CODECS = {
    ".mp4": ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "20", "-movflags", "+faststart"],
    ".webm": ["-c:v", "libvpx-vp9", "-pix_fmt", "yuv420p", "-crf", "30", "-b:v", "0", "-deadline", "realtime"],
    ".gif": ["-vf", "split[a][b];[a]palettegen[p];[b][p]paletteuse"],
}
ANIMATED = (".png", ".apng")


class Picture:
    """A picture; a notebook shows it where it is the last line of a cell."""

    def __init__(self, array: np.ndarray) -> None:
        """Rows from above, of pixels of red, green and blue, 0 … 255."""
        self.array = array

    def save(self, file: str | PathLike) -> None:
        """As a PNG file."""
        if Path(file).suffix.lower() != ".png":
            raise InputError(f"{file}: pictures are written as .png")
        Path(file).write_bytes(self._repr_png_())

    def _repr_png_(self) -> bytes:
        return _png(self.array)

    def __repr__(self) -> str:
        """Its size."""
        return f"Picture({self.array.shape[1]} × {self.array.shape[0]})"


class Video:
    """Pictures one after the other; a notebook plays them where it is the last line of a cell."""

    def __init__(self, frames: Sequence[np.ndarray], fps: float) -> None:
        """Arrays as a Picture's, so many a second."""
        self.frames = list(frames)
        self.fps = fps

    def save(self, file: str | PathLike) -> None:
        """By its ending: .mp4, .webm or .gif, for which the program ffmpeg is needed, or .png, an animated one."""
        ending = Path(file).suffix.lower()
        if not self.frames:
            raise InputError("a video needs a frame")
        if ending in ANIMATED:
            Path(file).write_bytes(self._animated_png())
        elif ending in CODECS:
            self._encode(Path(file), CODECS[ending])
        else:
            raise InputError(f"{file}: videos are written as {', '.join(CODECS)} or {', '.join(ANIMATED)}")

    def _encode(self, file: Path, codec: list[str]) -> None:
        program = shutil.which("ffmpeg")
        if program is None:
            raise InputError(f"{file}: this needs the program ffmpeg (Debian: apt install ffmpeg); .png needs nothing")
        # Of most codecs sides must be even.
        frames = [f[: f.shape[0] // 2 * 2, : f.shape[1] // 2 * 2] for f in self.frames]
        height, width = frames[0].shape[:2]
        command = [program, "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}",
                   "-r", f"{self.fps:g}", "-i", "-", *codec, str(file)]
        done = subprocess.run(command, input=b"".join(f.tobytes() for f in frames), capture_output=True)
        if done.returncode != 0:
            raise RuntimeError(f"{file}: ffmpeg says: {done.stderr.decode(errors='replace').strip()}")

    def _animated_png(self) -> bytes:
        def chunk(kind: bytes, data: bytes) -> bytes:
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

        height, width = self.frames[0].shape[:2]
        milliseconds = max(1, round(1000 / self.fps))
        out = [b"\x89PNG\r\n\x1a\n", chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
               chunk(b"acTL", struct.pack(">II", len(self.frames), 0))]
        number = 0
        for i, frame in enumerate(self.frames):
            out.append(chunk(b"fcTL", struct.pack(">IIIIIHHBB", number, width, height, 0, 0, milliseconds, 1000, 0, 0)))
            number += 1
            pixels = _pixels_of(_png(frame))
            if i == 0:
                out.append(chunk(b"IDAT", pixels))
            else:
                out.append(chunk(b"fdAT", struct.pack(">I", number) + pixels))
                number += 1
        return b"".join(out) + chunk(b"IEND", b"")

    def _repr_html_(self) -> str:
        if not self.frames:
            return "<p>a video without frames</p>"
        if shutil.which("ffmpeg") is None:
            data = base64.b64encode(self._animated_png()).decode()
            return f'<img alt="video" src="data:image/png;base64,{data}">'
        with tempfile.TemporaryDirectory() as folder:
            self.save(Path(folder) / "video.mp4")
            data = base64.b64encode((Path(folder) / "video.mp4").read_bytes()).decode()
        width = self.frames[0].shape[1]
        return f'<video controls autoplay loop muted width="{width}" src="data:video/mp4;base64,{data}"></video>'

    def __len__(self) -> int:
        """Number of frames."""
        return len(self.frames)

    def __repr__(self) -> str:
        """Length and size."""
        size = f", {self.frames[0].shape[1]} × {self.frames[0].shape[0]}" if self.frames else ""
        return f"Video({len(self)} frames, {len(self) / self.fps:.3g} s{size})"


def _pixels_of(png: bytes) -> bytes:
    """What is in the one IDAT of a PNG of ours: behind the signature and the header."""
    at = 8 + 25
    (length,) = struct.unpack(">I", png[at : at + 4])
    return png[at + 8 : at + 8 + length]


def _direction(view: str | Sequence[float] | None) -> Sequence[float]:
    if view is None:
        return (0, 0, 0)
    if not isinstance(view, str):
        return view
    if view not in DIRECTIONS:
        raise InputError(f"view is {view!r}; expected {', '.join(DIRECTIONS)}, or a direction to look from, (x, y, z)")
    return DIRECTIONS[view]


def render(
    what: Model | World | Scene,
    file: str | PathLike | None = None,
    until: float | None = None,
    settings=None,
    size: tuple[int, int] = (960, 540),
    view: str | Sequence[float] | None = None,
    distance: float = 0.0,
    fps: float = 30.0,
    speed: float = 1.0,
    each_step: Callable[[World], None] | None = None,
) -> Picture | Video:
    """Draws it as it is now or, with a time `until` (s) to go to, as a video; also into a file, if one is given.

    A world is advanced by a video. Of a scene whose file is a video's the time is its duration. size: width and height
    in pixels. view: front, back, left, right, top or aslant, or a direction (x, y, z) to look from; all of the motion is
    in the picture, unless distance (m) says how far from its middle one stands. speed: simulated seconds a second. If the
    run fails, the error has what was drawn as its `video`, and the file has it, too.
    """
    world = world_of(what, settings)
    ending = Path(file).suffix.lower() if file is not None else ""
    if until is None and isinstance(what, Scene) and ending in CODECS:
        until = what.duration
    painter = _Painter(world, int(size[0]), int(size[1]), _direction(view), distance)
    if until is None:
        painter.take_ground(painter.ground_of(world))
        picture = Picture(painter.paint(world.poses))
        if file is not None:
            picture.save(file)
        return picture
    for name, value in (("until", until), ("fps", fps), ("speed", speed)):
        if not (math.isfinite(value) and (name == "until" or value > 0)):
            raise InputError(f"render: {name} is {value}")
    return _film(world, painter, until, fps, speed, each_step, file)


def _film(world, painter, until, fps, speed, each_step, file) -> Video:
    """First the motion, then the pictures: the camera has to see all of it."""
    start = world.time
    places = [(world.poses.copy(), painter.ground_of(world))]
    failure = None
    try:
        for k in range(1, max(1, round((until - start) * fps / speed)) + 1):
            world.advance_to(min(start + k * speed / fps, until), each_step)
            places.append((world.poses.copy(), painter.ground_of(world)))
    except Exception as error:
        failure = error
    for poses, _ in places:
        painter.keep_in_picture(poses)
    frames = []
    for poses, ground in places:
        painter.take_ground(ground)
        frames.append(painter.paint(poses))
    video = Video(frames, fps)
    if file is not None:
        video.save(file)
    if failure is not None:
        failure.video = video
        raise failure
    return video
