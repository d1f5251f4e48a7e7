#!/usr/bin/env python3
"""Makes docs/gallery.md: every scene that comes with Bristle, with its picture and parameters.

    /usr/bin/python3 docs/figures/gallery.py build/release/bristle

The pictures are those of the viewer's gallery: `npm run pictures` in web/ takes them. Look at them before you
commit them.
"""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def ask(*command):
    answer = subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True)
    return [json.loads(line) for line in answer.stdout.splitlines()]


def main():
    bristle = Path(sys.argv[1]).resolve()
    lines = [
        "# Scenes that come with Bristle",
        "",
        "`bristle view NAME` shows one in the browser, `bristle run NAME` simulates it and writes its report;",
        "`--set parameter=value` changes it; the files are in [`scenes`](../scenes). Made by `docs/figures/gallery.py`, from the",
        "pictures of the viewer's own gallery.",
    ]
    for scene in ask(bristle, "scenes", "--json"):
        name = scene["scene"]
        info = ask(bristle, "info", name, "--json")[0]
        picture = ROOT / "web" / "public" / "gallery" / f"{name}.webp"
        if not picture.exists():
            sys.exit(f"gallery.py: no picture of {name}; take it with: cd web && npm run pictures {name}")
        lines += ["", f"## {name}", "", f"{info['title']}.", ""]
        shown = [p for p in info.get("parameter_list", []) if p.get("about")]
        for p in shown:
            unit = f" {p['unit']}" if p.get("unit") else ""
            lines.append(f"- `{p['name']}` = {p['value']:g}{unit}: {p['about']}")
        if shown:
            lines.append("")
        lines.append(f"![{info['title']}](../web/public/gallery/{name}.webp)")
    (ROOT / "docs" / "gallery.md").write_text("\n".join(lines) + "\n")


main()
