#!/usr/bin/python3
"""Draws docs/figures/excavator/range.svg: the working range as `bristle excavator report` has it in its page.

    docs/figures/machine_report.py [BRISTLE]
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
BRISTLE = sys.argv[1] if len(sys.argv) > 1 else HERE.parents[1] / "build" / "release" / "bristle"


def main():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([BRISTLE, "excavator", "report", "--quiet", "--out", folder], check=True)
        page = Path(folder, "excavator-machine.html").read_text(encoding="utf-8")
    drawing = re.search(r'<svg class="drawing".*?</svg>', page, re.DOTALL)[0]
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)[1]
    # The colours of day, and what is said of drawings and their words.
    colours = re.search(r":root \{(.*?)\}", style, re.DOTALL)[1].replace("color-scheme: light dark;", "")
    rules = [rule for rule in re.findall(r"^(?:\.drawing \.|svg text|\.grid).*?\}", style, re.MULTILINE)]
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" class="drawing" '
            f'style="background: white; font-family: sans-serif"')
    text = drawing.replace('<svg class="drawing"', head, 1)
    text = text.replace(">\n", f">\n<style>svg {{{colours}}}\n" + "\n".join(rules) + "</style>\n", 1)
    (HERE / "excavator" / "range.svg").write_text(text, encoding="utf-8")


main()
