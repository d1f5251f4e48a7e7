"""Files that come from others: what they name, how large they are, what is in their names."""
import json
import os

from harness import HELD, NIGHTLY, attack, goes_on, operator, refused

SECRET = "the secret of this machine"
SCENE = """
bodies:
  part: {{type: box, size: [1, 1, 1], mass: 1}}
shapes:
  part: {{type: mesh, body: part, file: {mesh}}}
"""


def triangle(buffers):
    """A glTF with one triangle, in the first buffer."""
    import base64
    import struct
    data = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)
    own = {"uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode(), "byteLength": 36}
    return json.dumps({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}], "buffers": [own, *buffers]})


WAYS = ["absolute", "../secret.txt", "%2e%2e/secret.txt", "a/../../secret.txt", "..%2fsecret.txt", "link.bin"]


def scene_folder(stage, way):
    secret = stage.write("secret.txt", SECRET)
    uri = str(secret) if way == "absolute" else way
    (stage.folder / "scene/a").mkdir(parents=True)
    (stage.folder / "scene/link.bin").symlink_to(secret)
    return uri


@attack("files: their folder", cases=WAYS)
def an_unused_buffer_of_a_mesh_names_a_file_outside(stage, way):
    uri = scene_folder(stage, way)
    stage.write("scene/part.gltf", triangle([{"uri": uri, "byteLength": 5}]))
    scene = stage.write("scene/scene.yaml", SCENE.format(mesh="part.gltf"))
    stage.call("record", scene, "--out", "a.mcap", "--time", "0.1")
    recording = stage.folder / "a.mcap"
    assert not recording.exists() or SECRET.encode() not in recording.read_bytes()
    return HELD


@attack("files: their folder", cases=WAYS[:3])
def a_page_asks_for_a_recording_of_such_a_scene(stage, way):
    uri = scene_folder(stage, way)
    stage.write("scene/part.gltf", triangle([{"uri": uri, "byteLength": 5}]))
    view = stage.view(stage.write("scene/scene.yaml", SCENE.format(mesh="part.gltf")))
    with operator(view) as client:
        client.ask("record", on=True)
        goes_on(client)
        client.ask("record", on=False)
    view.end()
    for recording in (stage.folder / "out").glob("*"):
        assert SECRET.encode() not in recording.read_bytes()
    return HELD


@attack("files: their folder", cases=WAYS)
def a_used_buffer_of_a_mesh_names_a_file_outside(stage, way):
    uri = scene_folder(stage, way)
    document = json.loads(triangle([]))
    document["buffers"][0] = {"uri": uri, "byteLength": 36}
    stage.write("secret.txt", SECRET * 4)
    stage.write("scene/part.gltf", json.dumps(document))
    return refused(stage.call("check", stage.write("scene/scene.yaml", SCENE.format(mesh="part.gltf"))),
                   "expected a file beside this one")


PLAIN = "bodies:\n  rod: {type: rod, from: [0, 0, 0], to: [1, 0, 0], mass: 1}\n"


@attack("files: their folder", cases=["absolute", "../part.yaml", "a/../../part.yaml", "link.yaml"])
def a_scene_includes_a_file_outside(stage, way):
    part = stage.write("part.yaml", PLAIN)
    (stage.folder / "scene/a").mkdir(parents=True)
    (stage.folder / "scene/link.yaml").symlink_to(part)
    scene = stage.write("scene/scene.yaml", f"include: [{part if way == 'absolute' else way}]\n")
    said = refused(stage.call("check", scene), "outside the scene's folder", "--allow")
    assert stage.call("check", scene, "--allow", stage.folder).returncode == 0
    return said


@attack("files: their folder", cases=["absolute", "../part.yaml", "up and up"])
def the_scene_of_a_received_recording_names_local_files(stage, way):
    # Made by one who could name it; replayed where the file is another's.
    part = stage.write("part.yaml", PLAIN)
    named = {"absolute": str(part), "../part.yaml": "../part.yaml",
             "up and up": "/".join([".."] * 12) + str(part)}[way]
    scene = stage.write("scene/scene.yaml", f"include: [{named}]\nduration: 0.1\n")
    made = stage.call("record", scene, "--out", "a.mcap", "--allow", stage.folder)
    assert made.returncode == 0, made.stderr
    part.write_text(PLAIN + f"# {SECRET}\n" + "materials: {local: {friction: 0.5}}\n")
    done = stage.call("export", "a.mcap", "--format", "scene", "--out", "-")
    assert "local" not in done.stdout + done.stderr, "it was read from this machine"
    return HELD


# ---- What is no file, or too much of one -----------------------------------------------------------------------------

@attack("files: reading", cases=["pipe", "device", "folder", "gone", "endless link"])
def an_included_file_is_none(stage, kind):
    other = stage.folder / "other.yaml"
    if kind == "pipe":
        os.mkfifo(other)
    elif kind == "device":
        other.symlink_to("/dev/zero")
    elif kind == "folder":
        other.mkdir()
    elif kind == "endless link":
        other.symlink_to(other)
    return refused(stage.call("check", stage.write("scene.yaml", "include: [other.yaml]\n"), timeout=10))


def limited(megabytes):
    import resource
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))


@attack("files: reading", cases=["scene.yaml", "a.mcap", "part.stl"])
def a_file_of_5_gb(stage, name):
    huge = stage.folder / name
    with huge.open("wb") as file:
        file.truncate(5 << 30)
    if name == "part.stl":
        scene = stage.write("scene.yaml", SCENE.format(mesh=name))
        return refused(stage.call("check", scene, timeout=20, preexec_fn=limited(1000)))
    command = "info" if name == "a.mcap" else "check"
    return refused(stage.call(command, huge, timeout=20, preexec_fn=limited(1000)))


@attack("files: names", cases=["\x1b]0;owned\x07", "\x1b[2J", "\u009b31m", "\u202egnorw"])
def terminal_escapes_in_a_title_or_name(stage, text):
    quoted = json.dumps(text)
    scene = stage.write("scene.yaml", f"title: {quoted}\nbodies:\n  {quoted}: {{type: box, size: [1, 1, 1], mass: 1}}\n"
                        "duration: 0.1\n")
    for command in (("run", scene), ("check", scene), ("info", scene), ("info", scene, "--quantities"),
                    ("record", scene, "--out", "a.mcap"), ("info", "a.mcap")):
        done = stage.call(*command)
        assert text[0] not in done.stdout + done.stderr, (command, done.stdout[:200])
    return HELD


@attack("files: names", cases=["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1"])
def spreadsheet_formulas_in_names(stage, text):
    name = json.dumps(text)
    scene = stage.write("scene.yaml", f"bodies:\n  {name}: {{type: box, size: [1, 1, 1], mass: 1}}\nduration: 0.1\n")
    stage.call("run", scene, "--out", "out")
    stage.call("record", scene, "--out", "a.mcap")
    stage.call("export", "a.mcap")
    tables = [*stage.folder.glob("*.csv"), *stage.folder.glob("out/*.csv")]
    for table in tables:
        for cell in table.read_text().splitlines()[0].split(","):
            assert cell.strip('"')[:1] not in "=+-@\t", cell
    assert tables or text == "\t=1"
    return HELD
