"""The include-order check finds every kind of back edge and leaves good trees alone."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "tools" / "check_includes.py"


class CheckIncludes(unittest.TestCase):
    def check(self, files):
        """Runs the script over a tree of {path: text}; gives (exit code, output lines)."""
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "engine").mkdir()
            for name, text in files.items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            result = subprocess.run(
                [sys.executable, str(SCRIPT), str(root)], capture_output=True, text=True
            )
            self.assertEqual(result.stderr, "")
            return result.returncode, result.stdout.splitlines()

    def assert_good(self, files):
        self.assertEqual(self.check(files), (0, []))

    def assert_bad(self, path, text, line, *words):
        code, output = self.check({path: text})
        self.assertEqual(code, 1, output)
        self.assertEqual(len(output), 1, output)
        self.assertTrue(output[0].startswith(f"{path}:{line}: "), output[0])
        for word in words:
            self.assertIn(word, output[0])

    def test_good_tree(self):
        self.assert_good(
            {
                "engine/include/bristle/model.h": "#include <bristle/body.h>\n#include <vector>\n",
                "engine/base/ids.h": "#include <cstdint>\n",
                "engine/math/block_ldlt.h": '#include "base/ids.h"\n#include <Eigen/Core>\n',
                "engine/math/block_ldlt.cpp": '#include "math/block_ldlt.h"\n#include <amd.h>\n',
                "engine/collision/far/tree.cpp": '#include "collision/far/tree.h"\n',
                "engine/step/world.cpp": "#include <bristle/world.h>\n"
                '#include "lagrange/solver.h"\n#include "base/ids.h"\n',
                "io/scene.cpp": '#include "io/scene.h"\n#include "model/body.h"\n',
                "live/server/server.cpp": '#include "io/recording.h"\n#include "live/hub/hub.h"\n',
                "machines/excavator/arm.cpp": '#include "machines/parts/tyre.h"\n',
                "cli/prepare.cpp": '#include "cli/prepare.h"\n',
                "cli/commands/run.cpp": '#include "cli/prepare.h"\n#include "report/report.h"\n',
                "cli/main.cpp": '#include "cli/commands/run.h"\n#include "cli/prepare.h"\n'
                '#include "scenes/four_bar.h"\n#include "step/world.h"\n',
                "tests/math/block_ldlt_test.cpp": '#include "../other.h"\n#include "cli/x.h"\n',
            }
        )

    def test_empty_tree(self):
        self.assert_good({})

    def test_every_later_folder_is_refused(self):
        folders = (
            "base math geometry model state collision contact deform lagrange impulse step"
        ).split()
        pairs = [(folder, other) for folder in folders for other in folders]
        files = {f"engine/{a}/{b}.cpp": f'#include "{b}/x.h"\n' for a, b in pairs}
        refused = {f"engine/{a}/{b}.cpp" for a, b in pairs if folders.index(b) > folders.index(a)}
        code, output = self.check(files)
        self.assertEqual(code, 1)
        self.assertEqual({line.split(":")[0] for line in output}, refused)
        self.assertEqual(len(output), len(refused))

    def test_line_is_that_of_the_include(self):
        text = '#include "base/ids.h"\n\n#include <vector>\n  #  include "step/world.h"\n'
        self.assert_bad("engine/math/a.h", text, 4, "math/ may not include step/")

    def test_every_violation_is_listed(self):
        code, output = self.check(
            {
                "engine/base/a.cpp": '#include "math/a.h"\n#include "model/b.h"\n',
                "engine/model/b.cpp": '#include "io/c.h"\n',
            }
        )
        self.assertEqual(code, 1)
        self.assertEqual(
            [line.split(": ")[0] for line in output],
            ["engine/base/a.cpp:1", "engine/base/a.cpp:2", "engine/model/b.cpp:1"],
        )

    def test_engine_knows_no_other_room(self):
        rooms = "scenes io console live machines classroom report bench validation cli python tests"
        for room in rooms.split():
            for include in (f'"{room}/a.h"', f"<{room}/a.h>"):
                with self.subTest(include=include):
                    text = f"#include {include}\n"
                    self.assert_bad("engine/step/a.cpp", text, 1, f"knows nothing of {room}/")

    def test_public_headers_are_self_contained(self):
        header = "engine/include/bristle/model.h"
        for include in ("<Eigen/Core>", "<fmt/core.h>", "<math.h>", '"model/body.h"', '"body.h"'):
            with self.subTest(include=include):
                self.assert_bad(header, f"#include {include}\n", 1, "public header")
        self.assert_bad(header, '#include "bristle/body.h"\n', 1, "write <bristle/body.h>")

    def test_spelling(self):
        file = "engine/math/a.cpp"
        self.assert_bad(file, '#include "a.h"\n', 1, "has no folder")
        self.assert_bad(file, '#include "../base/ids.h"\n', 1, "climbs out")
        self.assert_bad(file, '#include "engine/base/ids.h"\n', 1, 'write "base/ids.h"')
        self.assert_bad(file, '#include "bristle/model.h"\n', 1, "write <bristle/model.h>")
        self.assert_bad(file, "#include <base/ids.h>\n", 1, 'write "base/ids.h"')
        self.assert_bad(file, '#include "maths/a.h"\n', 1, "is in no folder of engine/")

    def test_place_of_a_file(self):
        self.assert_bad("engine/util/a.h", "#include <vector>\n", 1, "not in the order")
        self.assert_bad("engine/a.h", "", 1, "not in the order")
        self.assert_bad("engine/include/a.h", "", 1, "not in the order")

    def test_rooms_above_the_engine(self):
        self.assert_bad("io/a.cpp", '#include "live/b.h"\n', 1, "io/ may not include live/")
        self.assert_bad("io/a.cpp", '#include "cli/b.h"\n', 1, "io/ may not include cli/")
        self.assert_bad("machines/parts/a.cpp", '#include "io/b.h"\n', 1, "machines/ may not include")
        self.assert_bad("bench/a.cpp", '#include "cli/b.h"\n', 1, "bench/ may not include cli/")
        self.assert_bad("scenes/a.cpp", '#include "bench/b.h"\n', 1, "scenes/ may not include")

    def test_sub_rooms(self):
        self.assert_bad(
            "live/wire/a.h", '#include "live/hub/b.h"\n', 1, "live/wire/ may not include live/hub"
        )
        self.assert_bad("live/hub/a.h", '#include "live/b.h"\n', 1, "in no sub-room of live/")
        self.assert_bad("live/a.h", "", 1, "not in the order of live/")
        self.assert_bad("live/other/a.h", "", 1, "not in the order of live/")
        self.assert_bad(
            "cli/a.h", '#include "cli/commands/b.h"\n', 1, "cli/ may not include cli/commands"
        )

    def test_comments_and_strings_are_no_includes(self):
        self.assert_good(
            {
                "engine/base/a.cpp": '// #include "step/a.h"\n'
                '/*\n#include "step/b.h"\n*/\n'
                'auto text = R"(\n#include "step/c.h"\n)";\n'
            }
        )

    def test_comment_signs_inside_strings_hide_nothing(self):
        text = 'auto a = "/*";\n#include "step/b.h"\nauto c = "*/"; char d = \'"\';\n'
        self.assert_bad("engine/base/a.cpp", text, 2, "base/ may not include step/")

    def test_other_files_are_ignored(self):
        self.assert_good({"engine/base/README.md": '#include "step/a.h"\n'})

    def test_bad_usage(self):
        result = subprocess.run(
            [sys.executable, str(SCRIPT), "/nowhere/at/all"], capture_output=True, text=True
        )
        self.assertEqual(result.returncode, 2)
        self.assertIn("has no engine/", result.stderr)


if __name__ == "__main__":
    unittest.main()
