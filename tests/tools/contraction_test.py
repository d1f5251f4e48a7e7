#!/usr/bin/env python3
"""No products that the compiler joined to sums by itself: which ones it takes depends on what it has inlined, and the same scene would
have other bits in every build. -ffp-contract=off asks for that; GCC 12 makes alternating ones (vfmaddsub, vfmsubadd) all the same
where it makes vectors of scalars. No source of ours asks for those.

    contraction_test.py LIBRARY...
"""
import re
import subprocess
import sys

failed = False
for library in sys.argv[1:]:
    listing = subprocess.run(["objdump", "--disassemble", "--no-show-raw-insn", library], capture_output=True, text=True, check=True)
    function, instructions = "", 0
    for line in listing.stdout.splitlines():
        if match := re.match(r"[0-9a-f]+ <(.*)>:$", line):
            function = match[1]
        elif re.match(r"\s+[0-9a-f]+:", line):
            instructions += 1
            if re.search(r"\tvfm(addsub|subadd)", line):
                print(f"{library}: {function}:{line}")
                failed = True
    if instructions < 10_000:
        print(f"{library}: only {instructions} instructions: is it what the engine was compiled to?")
        failed = True
sys.exit(failed)
