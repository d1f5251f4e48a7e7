"""Small files that stand for much, or lie about what follows: read or refused, soon, in little memory, with few words."""
import base64
import json
import os
import random
import resource
import struct
import time

from harness import HELD, NIGHTLY, attack, refused
from plain_words import obeyed

BODY = "bodies:\n  b: {type: box, size: [1, 1, 1], mass: 1}\n"
MANY = 300_000
SECONDS, MEMORY, WORDS = 20, 1 << 30, 30_000


def checked(stage, file, *arguments):
    """That `bristle check` ends like that."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    began = time.monotonic()
    done = stage.call("check", file, *arguments, text=False, preexec_fn=limit, timeout=100)
    said = done.stdout + done.stderr
    assert done.returncode in (0, 2), f"exit code {done.returncode}: {said[-300:]}"
    assert len(said) < WORDS, f"{len(said)} bytes are said"
    assert not obeyed(said.decode()), f"it says what a terminal obeys: {said[:300]}"
    assert time.monotonic() - began < 60
    return HELD if done.returncode == 0 else said.decode().splitlines()[0][:160]


SCENES = {
    "lists in lists": "a: " + "[" * MANY,
    "maps in maps": "a: " + "{a: " * MANY,
    "bullets in bullets": "- " * MANY,
    "keys that are keys": "? " * MANY,
    "indented ever deeper": "".join(" " * i + "a:\n" for i in range(3000)),
    "anchors on anchors": "a: " + "&a " * MANY + "x",
    "as many anchors": "a: [" + ",".join(f"&a{i} x" for i in range(MANY)) + "]\n",
    "tags on tags": "a: " + "!!x " * MANY,
    "quotes": '"' * MANY,
    "as many documents": "---\n" * MANY,
    "as many directives": "%TAG ! x\n" * MANY + "---\na: 1",
    "as many keys that nobody knows": "{" + ",".join(f"k{i}: 1" for i in range(MANY)) + "}",
    "the same key": "a: 1\n" * MANY,
    "a key of 3 MB": "x" * 3_000_000 + ": 1",
    "lines of nothing": "\n" * 5_000_000,
    "aliases of aliases": "a0: &a0 [x, x]\n" + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 6)}]\n" for i in range(1, 40)),
    "merges of merges": "a0: &a0 {" + ",".join(f"k{i}: 1" for i in range(1000)) + "}\nb: {<<: [" + ",".join(["*a0"] * 9000) + "]}\n",
    "an alias of itself": "a: &a [*a]\n",
    "brackets": 'parameters: {a: "' + "(" * 4000 + "1" + ")" * 4000 + '"}\n' + BODY,
    "signs": 'parameters: {a: "' + "-" * 9000 + '1"}\n' + BODY,
    "powers of powers": 'parameters: {a: "' + "2^" * 900 + '2"}\n' + BODY,
    "units of units": 'parameters: {a: "1 ' + "m^9*" * 2000 + 'm"}\n' + BODY,
    "doubled again and again": "parameters: {" + ", ".join(f'p{i}: "p{i - 1} + p{i - 1}"' if i else "p0: 1" for i in range(3000)) + "}\n" + BODY,
    "parameters of each other": "parameters: {a: b, b: a}\n" + BODY,
    "numbers that are none": 'parameters: {a: "1e400", b: "0x", c: "1..2", d: "1/0", e: "0/0", f: "sqrt(-1)", g: "nan"}\n' + BODY,
    "loops in loops": "bodies:\n  \"b{i}{j}{k}\": {for: {i: 1000, j: 1000, k: 1000}, type: sphere, radius: 1, mass: 1}\n",
    "in UTF-16": BODY.encode("utf-16"),
    "with a zero": b"bodies: \0",
}


@attack("files: bombs", NIGHTLY, cases=SCENES)
def scenes_of(stage, which):
    return checked(stage, stage.write("a.yaml", SCENES[which]))


def thousands_of_one(stage):
    stage.write("part.yaml", "parameters: {" + ",".join(f"p{i}: 1" for i in range(20000)) + "}\n")
    return "include:\n" + "".join(f"  - {{file: part.yaml, prefix: p{i}}}\n" for i in range(3000)) + BODY


def two_in_each(stage):
    for i in range(14):
        stage.write(f"part{i}.yaml", f"include: [{{file: part{i + 1}.yaml, prefix: a}}, {{file: part{i + 1}.yaml, prefix: b}}]\n" if i < 13 else BODY)
    return "include: [part0.yaml]\n"


def a_circle(stage):
    stage.write("part.yaml", "include: [a.yaml]\n" + BODY)
    return "include: [./part.yaml]\n"


def a_chain(stage):
    for i in range(200):
        stage.write(f"part{i}.yaml", f"include: [part{i + 1}.yaml]\n")
    return "include: [part0.yaml]\n" + BODY


@attack("files: bombs", cases=[thousands_of_one, two_in_each, a_circle, a_chain])
def includes_of(stage, write):
    return checked(stage, stage.write("a.yaml", write(stage)))


# ---- Meshes -----------------------------------------------------------------------------------------------------------------

CUBE = [tuple(tuple(corner >> i & 1 for i in range(3)) for corner in t) for t in (
    (0, 2, 3), (0, 3, 1), (4, 5, 7), (4, 7, 6), (0, 1, 5), (0, 5, 4), (2, 6, 7), (2, 7, 3), (0, 4, 6), (0, 6, 2), (1, 3, 7), (1, 7, 5))]


def stl(triangles, count=None, scale=1.0):
    head = b" " * 80 + struct.pack("<I", len(triangles) if count is None else count)
    return head + b"".join(struct.pack("<12fH", 0, 0, 0, *(scale * x for corner in t for x in corner), 0) for t in triangles)


def somewhere(count, seed=18):
    chance = random.Random(seed)
    return [tuple(tuple(chance.uniform(-1, 1) for _ in range(3)) for _ in range(3)) for _ in range(count)]


TETRAHEDRON = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"


def gltf(positions=((0, 0, 0), (1, 0, 0), (0, 1, 0)), corners=(0, 1, 2), **changed):
    places = b"".join(struct.pack("<3f", *p) for p in positions)
    data = places + b"".join(struct.pack("<I", i) for i in corners)
    document = {
        "asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "buffers": [{"byteLength": len(data), "uri": "data:;base64," + base64.b64encode(data).decode()}],
        "bufferViews": [{"buffer": 0, "byteLength": len(places)}, {"buffer": 0, "byteOffset": len(places), "byteLength": 4 * len(corners)}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": len(positions), "type": "VEC3"},
                      {"bufferView": 1, "componentType": 5125, "count": len(corners), "type": "SCALAR"}]}
    for where, value in changed.items():
        name, *path = where.split("_")
        if path:
            document[name][int(path[0])][path[1]] = value
        else:
            document[name] = value
    return json.dumps(document, ensure_ascii=False)


def repeated(nodes, primitives):
    """A surface of 100,000 triangles, so often."""
    chance = random.Random(7)
    places = [tuple(chance.random() for _ in range(3)) for _ in range(3000)]
    corners = [chance.randrange(3000) for _ in range(300_000)]
    return gltf(places, corners, meshes=[{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}] * primitives}],
                nodes=[{"mesh": 0}] * nodes, scenes=[{"nodes": list(range(nodes))}])


LIES = [-1, 0, 4, 2**31, 2**53, 2**63, 2**64 - 1, 1e300, 1.5]
MESHES = {
    **{f"{count} triangles announced.stl": stl(CUBE, count) for count in (0, 11, 13, 2**31, 2**32 - 1)},
    "infinite.stl": stl(CUBE, scale=float("inf")),
    "at the end of the numbers.stl": stl(CUBE, scale=3e38),
    "at the other end.stl": stl(CUBE, scale=1e-45),
    "the same 20,000 times.stl": stl(CUBE * 1700),
    "anywhere.stl": stl(somewhere(20_000)),
    "around one edge.stl": stl([((0, 0, 0), (0, 0, 1), t[0]) for t in somewhere(20_000)]),
    "around one point.stl": stl([((0, 0, 0), *t[:2]) for t in somewhere(20_000)]),
    "text that never comes to an end.stl": b"solid x\n" + b"facet normal 0 0 0\nouter loop\n" * 10_000,
    "a name of 5 MB.stl": b"solid " + b"x" * 5_000_000,
    "a vertex that is none.obj": TETRAHEDRON + b"f -5 1 2\n",
    "a vertex beyond all.obj": TETRAHEDRON + b"f 99999999999999999999 1 2\n",
    "the least number.obj": TETRAHEDRON + b"f -9223372036854775808 1 2\n",
    "a face of a million corners.obj": TETRAHEDRON + b"f " + b"1 2 3 " * 350_000 + b"\n",
    "a number of a million digits.obj": b"v " + b"9" * 1_000_000 + b" 0 0\n",
    "a word of 5 MB.obj": b"x" * 5_000_000,
    **{f"{lie} elements.gltf": gltf(accessors_0_count=lie) for lie in LIES},
    **{f"from byte {lie}.gltf": gltf(accessors_0_byteOffset=lie) for lie in LIES},
    **{f"{lie} bytes apart.gltf": gltf(bufferViews_0_byteStride=lie) for lie in LIES},
    **{f"{lie} bytes in view.gltf": gltf(bufferViews_0_byteLength=lie) for lie in LIES},
    **{f"corner {lie}.gltf": gltf(corners=(0, 1, lie)) for lie in (3, 2**32 - 1)},
    "a text of 3 MB that does not end.gltf": '{"asset":"' + "a" * 3_000_000 + "\x01",
    "lists in lists.gltf": '{"asset":' + "[" * 1_000_000,
    "lists in lists to the end.gltf": '{"asset":' + "[" * 1_000_000 + "]" * 1_000_000 + "}",
    "nodes below nodes.gltf": gltf(nodes=[{"children": [i + 1]} for i in range(100_000)] + [{}]),
    "a node below itself.gltf": gltf(nodes=[{"children": [0]}]),
    "a version that terminals obey.gltf": gltf(asset={"version": "\x1b[31m\u009b31m"}),
    "an extension that terminals obey.gltf": gltf(extensionsRequired=["\x1b]0;x\x07\u009b31m\u202e"]),
    "what is obeyed in what is no JSON.gltf": "\x1b]0;x\x07\u009b{",
    "letters cut in the middle.gltf": gltf(asset={"version": "123456789012345678é€"}),
    "a chunk longer than all.glb": b"glTF" + struct.pack("<4I", 2, 20, 2**32 - 1, 0x4E4F534A),
    "a file longer than all.glb": b"glTF" + struct.pack("<4I", 2, 2**32 - 1, 0, 0x4E4F534A),
    "a million chunks of nothing.glb": b"glTF" + struct.pack("<4I", 2, 20, 0, 0x4E4F534A) + bytes(8_000_000),
    "100,000 triangles, 300 times.gltf": repeated(300, 1),
    "100,000 triangles, 300 times in one mesh.gltf": repeated(1, 300),
}


QUICK = ["100,000 triangles, 300 times in one mesh.gltf", "a text of 3 MB that does not end.gltf", "an extension that terminals obey.gltf"]


@attack("files: meshes", cases=QUICK)
@attack("files: meshes", NIGHTLY, cases=[name for name in MESHES if name not in QUICK])
def a_mesh_with(stage, which):
    name = "part." + which.rsplit(".", 1)[1]
    stage.write(name, MESHES[which])
    scene = stage.write("a.yaml", f"bodies: {{b: {{type: mesh, file: {name}, mass: 1}}}}\nshapes: {{b: {{type: mesh, body: b, file: {name}}}}}\n")
    checked(stage, scene, "--json")
    return checked(stage, scene)


# ---- Names of files ---------------------------------------------------------------------------------------------------------

@attack("files: names", cases=[("check",), ("check", "--json"), ("info",), ("info", "--json"), ("run",), ("run", "--json"), ("export", "--format", "scene", "--out", "-")])
def a_file_whose_name_is_obeyed(stage, command):
    """As one from somewhere, named by `*`."""
    name = b"b\x1b[31m\xc2\x9b31m\xff.yaml"
    with open(os.path.join(os.fsencode(stage.folder), name), "wb") as file:
        file.write(BODY.encode())
    done = stage.call(command[0], os.fsdecode(name), *command[1:], text=False)
    said = (done.stdout + done.stderr).decode()
    assert done.returncode == 0, said
    assert not obeyed(said), said
    return HELD


@attack("files: numbers", NIGHTLY, cases=["nan", "inf", "-1", "0", "1e400", "", "1 s"])
def speeds_that_are_none(stage, speed):
    scene = stage.write("a.yaml", BODY)
    return refused(stage.call("record", scene, "--time", "0.01", "--speed", speed, "--out", "a.mcap"), "--speed")
