"""Stubs, docstrings and the reference page agree with the package."""

import ast
import inspect
import subprocess
import sys
import unittest
from pathlib import Path

import bristle
from support import main

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "python" / "tools"))

import signatures  # noqa: E402


def declared():
    """Of the stub: names of classes with their members, and functions with their parameters."""
    tree = ast.parse((ROOT / "python" / "bristle" / "__init__.pyi").read_text(encoding="utf-8"))
    return {node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}, tree


def parameters(node):
    names = [a.arg for a in node.args.posonlyargs + node.args.args + node.args.kwonlyargs]
    return [n for n in names if n != "self"]


class Stubs(unittest.TestCase):
    def test_they_are_what_the_script_writes(self):
        run = subprocess.run([sys.executable, ROOT / "python" / "tools" / "make_stubs.py", "--check"], capture_output=True,
                             text=True)
        self.assertEqual(run.stderr, "")

    def test_every_public_name_is_declared_and_exists(self):
        nodes, tree = declared()
        numbers = {n.target.id for n in tree.body if isinstance(n, ast.AnnAssign)}
        self.assertEqual(set(nodes) | numbers, set(bristle.__all__))

    def test_members_of_classes_agree(self):
        nodes, _ = declared()
        for name, node in nodes.items():
            if not isinstance(node, ast.ClassDef):
                continue
            cls = getattr(bristle, name)
            names = {n.name for n in node.body if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
            names |= {n.target.id for n in node.body if isinstance(n, ast.AnnAssign)}
            for member in names:
                self.assertTrue(hasattr(cls, member), f"{name}.{member} is declared but does not exist")
            public = {m for m in vars(cls) if not m.startswith("_")}
            self.assertLessEqual(public, names, name)

    def test_constructors_take_the_parameters_that_are_declared(self):
        nodes, _ = declared()
        for name, node in nodes.items():
            cls = getattr(bristle, name)
            fields = getattr(cls, "__fields__", None)
            made = [n for n in ast.walk(node) if isinstance(n, ast.FunctionDef) and n.name == "__init__"]
            if fields and made:
                self.assertEqual(parameters(made[0]), [f[0] for f in fields], name)
                with self.assertRaisesRegex(TypeError, "has no 'nonsense'"):
                    cls(nonsense=1)

    def test_functions_accept_their_parameters_by_name(self):
        """A call with every declared name must fail, if at all, for another reason than a name."""
        nodes, tree = declared()
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                function = getattr(bristle, node.name)
                if inspect.isfunction(function):
                    self.assertEqual(parameters(node), list(inspect.signature(function).parameters))
                else:
                    text = function.__doc__
                    for p in parameters(node):
                        self.assertIn(f"{p}: ", text, node.name)


class Docstrings(unittest.TestCase):
    def test_everything_public_has_one(self):
        missing = []

        def look(thing, path):
            if not (getattr(thing, "__doc__", None) or "").strip():
                missing.append(path)

        def inside(cls, path):
            look(cls, path)
            for name, member in vars(cls).items():
                # The number of an enumeration's value is pybind11's.
                if name.startswith("_") or (name == "value" and hasattr(cls, "__members__")):
                    continue
                if inspect.isclass(member):
                    inside(member, f"{path}.{name}")
                elif isinstance(member, property) or callable(member) or isinstance(member, staticmethod):
                    look(member.__func__ if isinstance(member, staticmethod) else member, f"{path}.{name}")

        for name in bristle.__all__:
            thing = getattr(bristle, name)
            if inspect.isclass(thing):
                inside(thing, name)
            elif callable(thing):
                look(thing, name)
        self.assertEqual(missing, [])

    def test_every_overload_says_something(self):
        classes, functions, _ = signatures.everything()
        silent = [f.name for f in functions if not f.about]
        for c in classes:
            silent += [f"{c.name}.{f.name}" for f in c.functions if not f.about]
            silent += [f"{c.name}.{p.name}" for p in c.properties if not p.about]
            silent += [f"{c.name}.{f[0]}" for f in c.fields if not f[3]]
        self.assertEqual(silent, [])

    def test_signatures_mention_no_cpp_types(self):
        text = (ROOT / "python" / "bristle" / "__init__.pyi").read_text(encoding="utf-8")
        self.assertNotIn("::", text)
        self.assertNotIn("_bristle", text)


class Reference(unittest.TestCase):
    def test_the_page_is_what_the_script_writes(self):
        run = subprocess.run([sys.executable, ROOT / "python" / "tools" / "make_reference.py", "--check"], capture_output=True,
                             text=True)
        self.assertEqual(run.stderr, "")


if __name__ == "__main__":
    main()
