"""What `bristle export --format vtk` writes, read back by VTK itself and compared with the world.

    vtk_export_test.py path/to/bristle
"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

import numpy as np
import vtk
from vtk.util.numpy_support import vtk_to_numpy

import bristle

BRISTLE = os.path.abspath(sys.argv.pop(1))
SCENES = pathlib.Path(__file__).resolve().parents[2] / "scenes"
LAYERS = ("bodies", "contacts", "patches", "contours", "colliding_triangles", "clipped_triangles", "inner_triangles",
          "shared_volumes")


def call(*arguments):
    return subprocess.run([BRISTLE, *map(str, arguments)], capture_output=True, text=True, timeout=300)


def read_by(reader, file):
    """What a reader of VTK makes of a file; whatever it complains about is an error."""
    complaints = []
    reader.AddObserver("ErrorEvent", lambda *_: complaints.append("error"))
    reader.AddObserver("WarningEvent", lambda *_: complaints.append("warning"))
    reader.SetFileName(str(file))
    reader.Update()
    assert not complaints, f"{file}: {complaints}"
    return reader.GetOutput()


class Layer:
    """One .vtp file as NumPy arrays."""

    def __init__(self, file):
        self.data = read_by(vtk.vtkXMLPolyDataReader(), file)
        points = self.data.GetPoints()
        self.points = vtk_to_numpy(points.GetData()) if points else np.zeros((0, 3))
        self.of_points = self.arrays(self.data.GetPointData())
        self.of_cells = self.arrays(self.data.GetCellData())
        self.time = self.data.GetFieldData().GetArray("TimeValue").GetValue(0)

    @staticmethod
    def arrays(found):
        return {found.GetArrayName(i): vtk_to_numpy(found.GetArray(i)) for i in range(found.GetNumberOfArrays())}

    def unit(self, name):
        array = self.data.GetPointData().GetArray(name) or self.data.GetCellData().GetArray(name)
        return array.GetInformation().Get(vtk.vtkDataArray.UNITS_LABEL())

    def corners(self, cells):
        """Of these cells, each a row."""
        ends = vtk_to_numpy(cells.GetOffsetsArray())
        each = int(ends[1] - ends[0]) if len(ends) > 1 else 1
        return vtk_to_numpy(cells.GetConnectivityArray()).reshape(-1, each)

    @property
    def triangles(self):
        if not self.data.GetNumberOfPolys():
            return np.zeros((0, 3), dtype=int)
        return self.corners(self.data.GetPolys())

    @property
    def lines(self):
        if not self.data.GetNumberOfLines():
            return np.zeros((0, 2), dtype=int)
        return self.corners(self.data.GetLines())


def files_in(series):
    """(time, file) of everything a .pvd file lists."""
    root = xml.etree.ElementTree.parse(series).getroot()
    assert (root.tag, root.get("type")) == ("VTKFile", "Collection")
    return [(float(entry.get("timestep")), series.parent / entry.get("file")) for entry in root.iter("DataSet")]


def open_edges(layer):
    """How many edges of triangles have not exactly two of them."""
    edges = vtk.vtkFeatureEdges()
    edges.SetInputData(layer.data)
    edges.BoundaryEdgesOn()
    edges.NonManifoldEdgesOn()
    edges.FeatureEdgesOff()
    edges.ManifoldEdgesOff()
    edges.Update()
    return edges.GetOutput().GetNumberOfCells()


def moments(layer, cells):
    """Volume, centroid and inertia about it of what these triangles enclose: sums of tetrahedra."""
    corners = layer.points[layer.triangles[cells]]
    near = corners.reshape(-1, 3).mean(axis=0)
    a, b, c = np.moveaxis(corners - near, 1, 0)
    volumes = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6
    volume, sums = volumes.sum(), a + b + c
    centroid = np.einsum("i,ij->j", volumes, sums) / 4 / volume
    second = sum(np.einsum("i,ij,ik->jk", volumes, v, v) for v in (a, b, c, sums)) / 20
    second -= volume * np.outer(centroid, centroid)
    return volume, near + centroid, np.trace(second) * np.eye(3) - second


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def export(self, scene, *options):
        done = call("export", scene, "--format", "vtk", "--out", self.folder, *options)
        self.assertEqual(done.returncode, 0, done.stderr)

    def frames(self, name):
        """{layer: Layer} of every frame, with its time."""
        series = {layer: files_in(self.folder / f"{name}-{layer}.pvd") for layer in LAYERS}
        for i, (when, file) in enumerate(series["bodies"]):
            frame = {layer: Layer(series[layer][i][1]) for layer in LAYERS}
            for layer in LAYERS:
                self.assertEqual((series[layer][i][0], frame[layer].time), (when, when))
            yield when, frame

    def worlds(self, file, times):
        """The world of a scene at these times, computed by the Python package: the same bits."""
        scene = bristle.read_scene(file)
        world = scene.world()
        for when in times:
            while world.time < when - 1e-9:
                world.step()
            yield scene.model, world


class Files(InFolder):
    def test_all_layers_of_a_frame_are_blocks_with_their_names(self):
        self.export(SCENES / "falling-box.yaml", "--time", "1", "--every", "0.25")
        listed = files_in(self.folder / "falling-box.pvd")
        self.assertEqual([when for when, _ in listed], [0, 0.25, 0.5, 0.75, 1])
        blocks = read_by(vtk.vtkXMLMultiBlockDataReader(), listed[-1][1])
        names = [blocks.GetMetaData(i).Get(vtk.vtkCompositeDataSet.NAME()) for i in range(blocks.GetNumberOfBlocks())]
        self.assertEqual(tuple(names), LAYERS)
        self.assertGreater(blocks.GetBlock(0).GetNumberOfPolys(), 0)
        self.assertEqual(len(list(self.frames("falling-box"))), 5)

    def test_a_layer_with_nothing_in_it_has_its_arrays(self):
        self.export(SCENES / "falling-box.yaml", "--time", "0.01", "--every", "0.01")
        for _, frame in self.frames("falling-box"):
            self.assertEqual(len(frame["contacts"].points), 0)
            self.assertEqual(frame["contacts"].of_points["force_on_a"].shape, (0, 3))
            self.assertEqual(frame["shared_volumes"].of_cells["shared_volume"].shape, (0,))
            self.assertEqual(frame["contacts"].unit("force_on_a"), "N")

    def test_numbers_that_are_not_said_are_thirty_frames_a_second(self):
        self.export(SCENES / "falling-box.yaml", "--time", "1")
        times = [when for when, _ in files_in(self.folder / "falling-box.pvd")]
        self.assertLess(max(np.diff(times)), 1 / 30 + 1e-9)
        self.assertEqual((times[0], times[-1]), (0, 1))

    def test_a_recording_is_computed_again(self):
        recording = self.folder / "mine.mcap"
        self.assertEqual(call("record", SCENES / "falling-box.yaml", "--time", "1", "--out", recording).returncode, 0)
        done = call("export", recording, "--format", "vtk", "--every", "0.5")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.export(SCENES / "falling-box.yaml", "--time", "1", "--every", "0.5")
        recorded, simulated = list(self.frames("mine")), list(self.frames("falling-box"))
        self.assertEqual(len(recorded), 3)
        for (_, one), (_, other) in zip(recorded, simulated):
            for layer in LAYERS:
                np.testing.assert_array_equal(one[layer].points, other[layer].points)

    def listed_so_far(self, series):
        """Who reads a file while it is written may see half of its last line."""
        try:
            return len(files_in(series))
        except (FileNotFoundError, xml.etree.ElementTree.ParseError):
            return 0

    def test_ctrl_c_keeps_what_is_there(self):
        process = subprocess.Popen([BRISTLE, "export", str(SCENES / "falling-box.yaml"), "--format", "vtk", "--time", "1000",
                                    "--out", str(self.folder)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        series = self.folder / "falling-box.pvd"
        deadline = time.monotonic() + 60
        while self.listed_so_far(series) <= 3:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(60), 130)
        frames = list(self.frames("falling-box"))
        self.assertEqual(len(frames), len(files_in(series)))
        for _, file in files_in(series):
            self.assertEqual(read_by(vtk.vtkXMLMultiBlockDataReader(), file).GetNumberOfBlocks(), len(LAYERS))

    def test_mistakes_are_named(self):
        self.export(SCENES / "falling-box.yaml", "--time", "0.01")
        occupied = self.folder / "file"
        occupied.write_text("")
        scene = SCENES / "falling-box.yaml"
        for arguments, said in (((scene, "--out", self.folder), "is there already"),
                                ((scene, "--out", occupied / "below"), "cannot make the folder"),
                                ((scene, "--out", "-"), "--out is their folder"),
                                ((scene, "--quantities", "energy.total"), "columns of a table"),
                                (("no-such-scene",), "no-such-scene")):
            done = call("export", *arguments, "--format", "vtk")
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(said, done.stderr)
        recording = self.folder / "a.mcap"
        call("record", scene, "--time", "0.01", "--out", recording)
        done = call("export", recording, "--format", "vtk", "--step", "0.001")
        self.assertEqual(done.returncode, 2)
        self.assertIn("as it was", done.stderr)


class Numbers(InFolder):
    """Equal to the world's to the last bit, or to rounding where the exporter computes too."""

    def test_bodies_are_where_they_are(self):
        self.export(SCENES / "falling-box.yaml", "--every", "0.3")
        frames = list(self.frames("falling-box"))
        corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.25, 0.25) for z in (-0.25, 0.25)])
        for (_, frame), (model, world) in zip(frames, self.worlds(SCENES / "falling-box.yaml", [when for when, _ in frames])):
            layer, box = frame["bodies"], model.body("box")
            of_box = layer.of_cells["body"] == box.index
            used = np.unique(layer.triangles[of_box])
            pose, twist = world.pose(box), world.twist(box)
            expected = np.array([world.point(box, corner) for corner in corners])
            found = layer.points[used]
            away = np.linalg.norm(found[:, None] - expected[None], axis=2)
            self.assertLess(away.min(axis=1).max(), 1e-14)  # every corner of a triangle is one of the box …
            self.assertLess(away.min(axis=0).max(), 1e-14)  # … and the other way round
            velocity = twist.linear + np.cross(twist.angular, found - pose.position)
            np.testing.assert_allclose(layer.of_points["velocity"][used], velocity, rtol=0, atol=1e-13)
            self.assertTrue((layer.of_points["velocity"][np.unique(layer.triangles[~of_box])] == 0).all())

    def test_bodies_without_a_shape_are_sketched(self):
        self.export(SCENES / "four-bar.yaml", "--time", "0.5", "--every", "0.5")
        sizes = []
        for _, frame in self.frames("four-bar"):
            layer = frame["bodies"]
            self.assertEqual(set(layer.of_cells["shape"]), {-1})
            self.assertLessEqual({1, 2, 3}, set(layer.of_cells["body"]))
            first = layer.points[np.unique(layer.triangles[layer.of_cells["body"] == 1])]
            sizes.append(np.linalg.norm(first - first.mean(axis=0), axis=1).max())
        self.assertAlmostEqual(sizes[0], sizes[1], places=12)  # the same bar, elsewhere

    def test_contacts_are_those_of_the_world(self):
        touched = 0
        for name in ("falling-box", "box-stack"):
            self.export(SCENES / f"{name}.yaml", "--every", "0.5")
            frames = list(self.frames(name))
            for (_, frame), (_, world) in zip(frames, self.worlds(SCENES / f"{name}.yaml", [when for when, _ in frames])):
                table, layer = world.contact_table(), frame["contacts"]
                touched += len(table)
                np.testing.assert_array_equal(layer.points, table["point"].reshape(-1, 3))
                for array, column in (("normal_from_b_to_a", "normal"), ("force_on_a", "force"), ("torque_on_a", "torque"),
                                      ("depth", "depth"), ("slip_speed", "slip_speed"), ("slips", "slips"),
                                      ("body_a", "body_a"), ("body_b", "body_b"), ("shape_a", "a"), ("shape_b", "b")):
                    np.testing.assert_array_equal(layer.of_points[array], table[column], err_msg=array)
        self.assertGreater(touched, 20)


# A peg that stands aslant in its hole, pressed into the wall above and below; and a prism that sits on both.
INSIDE = """
materials:
  steel: {{}}
bodies:
  peg: {{type: mesh, material: steel, file: {meshes}/peg.obj, scale: 1 mm, mass: 0.1, position: [0, 0, -0.03], rotation: {{axis: y, angle: 2 deg}}}}
  cap: {{type: mesh, material: steel, file: {meshes}/nut.obj, scale: 1 mm, mass: 0.1, position: [0, 0, 0.0295]}}
shapes:
  block: {{type: mesh, material: steel, file: {meshes}/block-with-hole.obj, scale: 1 mm}}
solver: {{step: 0.5 ms}}
duration: 0.01
"""


class Inside(InFolder):
    """The triangles of solids that share a volume."""

    def setUp(self):
        super().setUp()
        self.scene = self.folder / "inside.yaml"
        self.scene.write_text(INSIDE.format(meshes=SCENES / "meshes"))
        self.export(self.scene, "--every", "0.001", "--allow", SCENES)
        self.found = [frame for _, frame in self.frames("inside") if len(frame["shared_volumes"].triangles)]
        self.assertGreater(len(self.found), 3)

    def test_every_shared_volume_is_closed_and_as_large_as_it_says(self):
        several = 0
        for frame in self.found:
            layer = frame["shared_volumes"]
            self.assertEqual(open_edges(layer), 0)
            pairs = layer.of_cells["pair"]
            several += len(np.unique(pairs)) > 1
            for pair in np.unique(pairs):
                volume, _, _ = moments(layer, pairs == pair)
                reported = layer.of_cells["shared_volume"][pairs == pair]
                self.assertGreater(volume, 0)
                np.testing.assert_allclose(reported, volume, rtol=1e-9)
        self.assertGreater(several, 0)

    def test_clipped_and_inner_triangles_make_up_the_shared_volumes(self):
        def area(layer):
            corners = layer.points[layer.triangles]
            return np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1).sum() / 2

        for frame in self.found:
            whole, clipped, inner = (frame[name] for name in ("shared_volumes", "clipped_triangles", "inner_triangles"))
            self.assertEqual(len(clipped.triangles) + len(inner.triangles), len(whole.triangles))
            np.testing.assert_allclose(area(clipped) + area(inner), area(whole), rtol=1e-12)

    def test_pieces_lie_in_the_triangles_they_are_of(self):
        checked = 0
        for frame in self.found:
            colliding, clipped = frame["colliding_triangles"], frame["clipped_triangles"]

            def names(layer):
                return list(zip(*(layer.of_cells[key].tolist() for key in ("pair", "shape", "triangle"))))

            corners = {name: colliding.points[t] for name, t in zip(names(colliding), colliding.triangles)}
            self.assertEqual(len(corners), len(colliding.triangles))  # each is there once
            self.assertLessEqual(set(names(clipped)), set(corners))
            for name, triangle in zip(names(clipped), clipped.triangles):
                a, b, c = corners[name]
                size = max(np.linalg.norm(b - a), np.linalg.norm(c - a))
                frame_of = np.array([b - a, c - a, np.cross(b - a, c - a) / size]).T
                for point in clipped.points[triangle]:
                    u, v, height = np.linalg.solve(frame_of, point - a)
                    self.assertLess(max(-u, -v, u + v - 1, abs(height)), 1e-7)
                checked += 1
        self.assertGreater(checked, 50)


class Patches(InFolder):
    """Volumetric contact: the region, what is reported of it, and the force."""

    def frames_of(self, name, duration):
        self.export(SCENES / f"{name}.yaml", "--time", duration, "--every", duration / 10)
        found = [frame for _, frame in self.frames(name) if len(frame["patches"].points)]
        self.assertGreaterEqual(len(found), 9)
        return found

    def check(self, name, duration):
        for frame in self.frames_of(name, duration):
            shared, patches, contours = frame["shared_volumes"], frame["patches"], frame["contours"]
            self.assertEqual((len(patches.points), open_edges(shared)), (1, 0))
            volume, centroid, inertia = moments(shared, slice(None))
            reported = {array: values[0] for array, values in patches.of_points.items()}
            np.testing.assert_allclose(reported["volume"], volume, rtol=1e-9)
            np.testing.assert_allclose(shared.of_cells["shared_volume"], reported["volume"], rtol=1e-9)
            size = np.linalg.norm(np.ptp(shared.points, axis=0))
            np.testing.assert_allclose(patches.points[0], centroid, rtol=0, atol=1e-9 * size)
            np.testing.assert_allclose(reported["inertia"].reshape(3, 3), inertia, rtol=0, atol=1e-9 * np.trace(inertia))
            # The contour is closed and goes round the area, seen along the normal.
            ends = contours.points[contours.lines]
            self.assertLess(np.abs((ends[:, 1] - ends[:, 0]).sum(axis=0)).max(), 1e-12 * size)
            area = np.cross(ends[:, 0] - centroid, ends[:, 1] - centroid).sum(axis=0) / 2
            np.testing.assert_allclose(area @ reported["normal_from_b_to_a"], reported["area"], rtol=1e-9)
            # One contact is the patch; the pressure is its normal force over the area.
            np.testing.assert_array_equal(frame["contacts"].of_points["force_on_a"], patches.of_points["force_on_a"])
            np.testing.assert_allclose(reported["pressure"] * reported["area"],
                                       reported["force_on_a"] @ reported["normal_from_b_to_a"], rtol=1e-12)

    def test_block_on_a_slope(self):
        self.check("block-on-slope-mesh", 0.2)

    def test_spinning_disc(self):
        self.check("spinning-disk", 0.2)

    def test_rolling_cylinder(self):
        self.check("rolling-cylinder-mesh", 0.2)


if __name__ == "__main__":
    unittest.main()
