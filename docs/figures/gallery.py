#!/usr/bin/env python3
"""Makes docs/gallery.md: every scene that comes with Bristle, with its picture and parameters.

    /usr/bin/python3 docs/figures/gallery.py build/release/bristle

Needs Debian's chromium and python3-pil. Look at the pictures before you commit them.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

DOCS = Path(__file__).resolve().parent.parent
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --virtual-time-budget=3000 --window-size=1100,760"
).split()


def picture(page, to, scratch):
    """The card with the motion, cut out of the report."""
    shot = scratch / "shot.png"
    subprocess.run(
        ["chromium", *FLAGS, f"--user-data-dir={scratch / 'profile'}", f"--screenshot={shot}", page.as_uri()],
        check=True,
        capture_output=True,
    )
    image = Image.open(shot).convert("RGB")
    # Rows of the card's column that are not the page's background.
    background = image.getpixel((5, 5))
    rows = [y for y in range(100, image.height) if image.getpixel((345, y)) != background]
    top = rows[0]
    bottom = next((y for y in range(top, image.height) if image.getpixel((345, y)) == background), image.height)
    card = image.crop((24, top, 664, bottom - 46))  # without the player's buttons
    card.resize((480, card.height * 480 // card.width), Image.LANCZOS).quantize(32).save(to, optimize=True)


def main():
    bristle = Path(sys.argv[1]).resolve()
    folder = DOCS / "figures" / "gallery"
    folder.mkdir(exist_ok=True)
    lines = [
        "# Scenes that come with Bristle",
        "",
        "`bristle run NAME` simulates one and writes its report; `--set parameter=value` changes it; the files are in",
        "[`scenes`](../scenes). Made by `docs/figures/gallery.py`.",
    ]
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        listed = subprocess.run([bristle, "scenes", "--json"], check=True, capture_output=True, text=True)
        for line in listed.stdout.splitlines():
            name = json.loads(line)["scene"]
            subprocess.run([bristle, "run", name, "--quiet", "--out", scratch], check=True, capture_output=True)
            info = subprocess.run([bristle, "info", name, "--json"], check=True, capture_output=True, text=True)
            info = json.loads(info.stdout)
            picture(scratch / f"{name}.html", folder / f"{name}.png", scratch)
            lines += ["", f"## {name}", "", f"{info['title']}.", ""]
            shown = [p for p in info.get("parameter_list", []) if p.get("about")]
            for p in shown:
                unit = f" {p['unit']}" if p.get("unit") else ""
                about = f": {p['about']}"
                lines.append(f"- `{p['name']}` = {p['value']:g}{unit}{about}")
            if shown:
                lines.append("")
            lines.append(f"![{info['title']}](figures/gallery/{name}.png)")
    (DOCS / "gallery.md").write_text("\n".join(lines) + "\n")


main()
