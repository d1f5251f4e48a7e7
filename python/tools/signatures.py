"""What the package offers, read off the package itself: for the stubs and the reference page."""

import inspect
import re
from dataclasses import dataclass, field
from pathlib import Path

import bristle

ROOT = Path(__file__).resolve().parent.parent
# What a value may be where it is passed, and what it is where it is returned.
PASSED = {"Vec3": "Vector", "Quat": "Vector", "Mat3": "Matrix", "Points": "Matrix", "Triangles": "Matrix",
          "Array": "Vector"}
RETURNED = dict.fromkeys(PASSED, "Array")
FUNCTIONS = {
    "TimeFunction": "Callable[[float], float]",
    "ForceLaw": "Callable[[float, float], float]",
    "ForceFunction": "Callable[[Kinematics, ForceSink], None]",
}
# pybind11 knows these only as objects.
CALLBACKS = {"each_step": "Callable[[World], None] | None", "edit": "Callable[[Model], None]"}
UNIONS = {
    "Geometry": ["Sphere", "Box", "Capsule", "Cylinder", "Plane", "Torus", "ConvexPolyhedron", "HeightField", "Mesh",
                 "Compound"],
    "Settings": ["AugmentedLagrangian", "Baumgarte", "Penalty", "IndependentCoordinates", "Impulse"],
}


@dataclass
class Function:
    name: str
    parameters: list  # of (name, type, default); the name may start with stars
    returns: str
    about: str = ""
    is_static: bool = False

    def text(self, stub):
        """The line of a stub, or of the reference."""
        parts = []
        for name, kind, default in self.parameters:
            part = name if not (stub and kind) else f"{name}: {passed(kind)}"
            if default:
                part += (" = ..." if kind else "=...") if stub else f"={default}"
            parts.append(part)
        arrow = f" -> {returned(self.returns)}" if self.returns and (stub or self.returns != "None") else ""
        return f"{self.name}({', '.join(parts)}){arrow}"


@dataclass
class Property:
    name: str
    kind: str
    about: str
    is_writable: bool


@dataclass
class Class:
    name: str
    base: str
    about: str
    fields: tuple = ()  # of a record: (name, type, default, about)
    is_constructible: bool = True
    values: list = field(default_factory=list)  # of an enumeration: (name, about)
    properties: list = field(default_factory=list)
    functions: list = field(default_factory=list)
    inner: list = field(default_factory=list)


def _replace(text, table):
    for name, better in table.items():
        text = re.sub(rf"(?<![\w.\[]){name}(?![\w.])|(?<=\[){name}(?![\w.])", better, text)
    return text


def passed(kind):
    kind = re.sub(r"\blist\[", "Sequence[", kind)
    return _replace(_replace(kind, PASSED), FUNCTIONS)


def returned(kind):
    kind = re.sub(r"^Sequence\[(.*)\]$", r"tuple[\1, ...]", kind)
    return _replace(kind, RETURNED)


def _plain(kind):
    """A type of pybind11's signatures in the words of the stubs."""
    kind = kind.strip().replace("bristle._bristle.", "").replace("bristle.", "").replace("numpy.ndarray", "Array")
    kind = re.sub(r"Optional\[(.*)\]$", r"\1 | None", kind)
    kind = re.sub(r"Union\[(.*)\]$", lambda m: m[1].replace(", ", " | "), kind)
    kind = re.sub(r"\b(List|Dict|Tuple)\[", lambda m: m[1].lower() + "[", kind)
    kind = kind.replace("os.PathLike", "str | PathLike[str]").replace("pathlib.Path", "Path")
    for name, members in UNIONS.items():
        kind = kind.replace(" | ".join(members), name)
    return kind


def _split(text):
    """At the commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "[(<") - (c in "])>")
        if c == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [p.strip() for p in parts + [text[start:]] if p.strip()]


def _parse(signature, about):
    head, _, returns = signature.rpartition(" -> ")
    name, _, inside = head.partition("(")
    parameters = []
    for part in _split(inside[:-1]):
        declared, _, default = part.partition(" = ")
        title, _, kind = declared.partition(": ")
        if title.startswith("*"):
            kind = "Any" if title == "**kwargs" else ""
        if title == "self":
            kind = ""
        kind = CALLBACKS.get(title, kind)
        default = re.sub(r"<(\w+\.\w+): \d+>", r"\1", default).replace("inf", "unlimited")
        default = re.sub(r"array\((.*)\)", r"\1", default)
        default = re.sub(r"^(\w+)\(step=.*\)$", r"\1()", default)
        parameters.append((title, _plain(kind), default))
    return Function(name, parameters, _plain(returns), about.strip())


def compiled(function, name):
    """The overloads of a function of the compiled module."""
    doc = function.__doc__ or ""
    lines = doc.split("\n")
    if "Overloaded function." not in doc:
        return [_parse(lines[0], "\n".join(lines[1:]))] if lines[0].startswith(name + "(") else []
    out = []
    for chunk in re.split(r"\n(?=\d+\. )", doc)[1:]:
        first, _, about = chunk.partition("\n")
        out.append(_parse(first.split(". ", 1)[1], about))
    return out


def written(function, name):
    """A function of the Python part."""
    signature = inspect.signature(function)
    parameters = []
    for p in signature.parameters.values():
        stars = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        default = "" if p.default is p.empty else repr(p.default)
        parameters.append((stars + p.name, "" if p.annotation is p.empty else str(p.annotation), default))
    returns = "" if signature.return_annotation is signature.empty else str(signature.return_annotation)
    parameters = [(n, kind.replace("np.ndarray", "Array"), d) for n, kind, d in parameters]
    return [Function(name, parameters, returns.replace("np.ndarray", "Array"), inspect.getdoc(function) or "")]


def functions_of(function, name):
    return written(function, name) if inspect.isfunction(function) else compiled(function, name)


SHOWN_SPECIAL = {"__init__", "__mul__", "__call__", "__getitem__", "__contains__", "__len__", "__enter__", "__exit__"}


def class_of(cls):
    base = "" if cls.__base__ in (object,) or "pybind11" in cls.__base__.__name__ else cls.__base__.__name__
    fields = tuple(getattr(cls, "__fields__", ()))
    out = Class(cls.__name__, base, inspect.cleandoc(cls.__doc__ or ""), fields)
    members = getattr(cls, "__members__", None)
    if members is not None:
        about = {name: text for name, (_, text) in cls.__entries.items()} if hasattr(cls, "__entries") else {}
        out.about = out.about.split("\n")[0]
        out.values = [(name, about.get(name) or "") for name in members]
        return out
    titles = {f[0] for f in fields}
    out.is_constructible = not fields or cls.__init__ is not object.__init__ and "args" in (cls.__init__.__doc__ or "")
    for name, value in vars(cls).items():
        if name in titles:
            continue
        if inspect.isclass(value):
            out.inner.append(class_of(value))
        elif isinstance(value, property):
            doc = value.fget.__doc__ or ""
            if inspect.isfunction(value.fget):
                kind = str(inspect.signature(value.fget).return_annotation).replace("np.ndarray", "Array")
            else:
                kind = _plain(doc.split("\n")[0].rpartition(" -> ")[2])
            about = value.__doc__ or ""
            out.properties.append(Property(name, kind, inspect.cleandoc(about), value.fset is not None))
        elif callable(value) or isinstance(value, staticmethod):
            if name.startswith("_") and name not in SHOWN_SPECIAL or (name == "__init__" and hasattr(cls, "__fields__")):
                continue
            for f in functions_of(getattr(cls, name), name):
                f.is_static = isinstance(inspect.getattr_static(cls, name), staticmethod) or (
                    not inspect.isfunction(value) and (not f.parameters or f.parameters[0][0] != "self"))
                out.functions.append(f)
    return out


def everything():
    """(classes, functions, numbers) of the package, in the order of their definition."""
    classes, functions, numbers = [], [], []
    for name in bristle.__all__:
        value = getattr(bristle, name)
        if inspect.isclass(value):
            classes.append(class_of(value))
        elif callable(value):
            functions += functions_of(value, name)
        else:
            numbers.append(name)
    return classes, functions, numbers
