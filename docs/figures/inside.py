#!/usr/bin/python3
"""Draws docs/figures/inside: what solids share, from what `bristle export --format vtk` writes (Debian: python3-vtk9,
xvfb).

    xvfb-run -a docs/figures/inside.py build/release/bristle
"""
import pathlib
import subprocess
import sys
import tempfile

import vtk

ROOT = pathlib.Path(__file__).resolve().parents[2]
OUT = ROOT / "docs" / "figures" / "inside"
BRISTLE = sys.argv[1] if len(sys.argv) > 1 else "build/release/bristle"
BODIES = [(0.60, 0.64, 0.70), (0.24, 0.49, 0.75), (0.90, 0.54, 0.24)]
SIDES = [(0.95, 0.66, 0.0), (0.30, 0.65, 0.42)]

# Of a scene: when, from where (a direction), how near (1: all that is shared fills the picture), and how long the longest
# arrow is, of that.
PICTURES = {
    "rolling-cylinder-mesh": {"file": ROOT / "scenes" / "rolling-cylinder-mesh.yaml", "time": 0.2, "from": (0.5, -1, 0.35), "near": 0.9, "arrow": 0.4},
    "peg": {"file": OUT / "peg.yaml", "time": 0.001, "from": (0.3, -1, 0.3), "near": 0.7, "arrow": 0.5},
}


def coloured(name, colours):
    table = vtk.vtkLookupTable()
    table.SetNumberOfTableValues(len(colours))
    table.SetTableRange(0, len(colours) - 1)
    for i, colour in enumerate(colours):
        table.SetTableValue(i, *colour, 1)
    return name, table


def actor(source, colour, opacity=1.0, width=1.0, wires=False):
    """Of a colour, or coloured by an array of the cells."""
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputConnection(source.GetOutputPort())
    shown = vtk.vtkActor()
    shown.SetMapper(mapper)
    looks = shown.GetProperty()
    if isinstance(colour[1], vtk.vtkLookupTable):
        mapper.SetScalarModeToUseCellFieldData()
        mapper.SelectColorArray(colour[0])
        mapper.SetLookupTable(colour[1])
        mapper.UseLookupTableScalarRangeOn()
    else:
        mapper.ScalarVisibilityOff()
        looks.SetColor(*colour)
    looks.SetOpacity(opacity)
    looks.SetLineWidth(width)
    if wires:
        looks.SetRepresentationToWireframe()
        looks.LightingOff()
    return shown


def arrows(points, length):
    """Of the forces, the longest as long as said."""
    points.Update()
    forces = points.GetOutput().GetPointData().GetArray("force_on_a")
    largest = max([sum(f * f for f in forces.GetTuple3(i)) ** 0.5 for i in range(forces.GetNumberOfTuples())], default=0)
    arrow = vtk.vtkArrowSource()
    arrow.SetShaftRadius(0.025)
    arrow.SetTipRadius(0.07)
    arrow.SetTipLength(0.25)
    arrow.SetTipResolution(24)
    glyphs = vtk.vtkGlyph3D()
    glyphs.SetInputConnection(points.GetOutputPort())
    glyphs.SetSourceConnection(arrow.GetOutputPort())
    glyphs.SetInputArrayToProcess(1, 0, 0, 0, "force_on_a")
    glyphs.SetVectorModeToUseVector()
    glyphs.SetScaleModeToScaleByVector()
    glyphs.SetScaleFactor(length / largest if largest > 0 else 0)
    return glyphs


def draw(folder, name, frame, looking_from, nearness, arrow, file):
    def layer(which):
        reader = vtk.vtkXMLPolyDataReader()
        reader.SetFileName(str(folder / name / f"{which}-{frame:06}.vtp"))
        reader.Update()
        return reader

    scene = vtk.vtkRenderer()
    scene.SetBackground(1, 1, 1)
    scene.UseFXAAOn()
    shared = layer("shared_volumes")
    low_high = shared.GetOutput().GetBounds()
    size = max(low_high[2 * k + 1] - low_high[2 * k] for k in range(3))
    edges = vtk.vtkFeatureEdges()
    bodies = layer("bodies")
    edges.SetInputConnection(bodies.GetOutputPort())
    edges.SetFeatureAngle(25)
    edges.ColoringOff()
    scene.AddActor(actor(bodies, coloured("body", BODIES), opacity=0.18))
    scene.AddActor(actor(edges, (0.35, 0.4, 0.45), opacity=0.5))
    scene.AddActor(actor(shared, coloured("side", SIDES)))
    scene.AddActor(actor(layer("colliding_triangles"), (0.2, 0.2, 0.2), wires=True, opacity=0.6))
    scene.AddActor(actor(layer("contours"), (0.85, 0.1, 0.1), width=3))
    patches = layer("patches")
    scene.AddActor(actor(arrows(patches if patches.GetOutput().GetNumberOfPoints() else layer("contacts"), arrow * size), (0.84, 0.14, 0.56)))

    camera = scene.GetActiveCamera()
    middle = [(low_high[2 * k] + low_high[2 * k + 1]) / 2 for k in range(3)]
    camera.SetFocalPoint(*middle)
    camera.SetPosition(*(m + d for m, d in zip(middle, looking_from)))
    camera.SetViewUp(0, 0, 1)
    scene.ResetCamera(*low_high)
    camera.Zoom(nearness)
    scene.ResetCameraClippingRange()
    window = vtk.vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetSize(900, 560)
    window.SetAlphaBitPlanes(1)
    window.SetMultiSamples(0)
    scene.UseDepthPeelingOn()
    scene.SetMaximumNumberOfPeels(12)
    window.AddRenderer(scene)
    window.Render()
    picture = vtk.vtkWindowToImageFilter()
    picture.SetInput(window)
    writer = vtk.vtkPNGWriter()
    writer.SetInputConnection(picture.GetOutputPort())
    writer.SetFileName(str(file))
    writer.Write()


def main():
    OUT.mkdir(exist_ok=True)
    for name, how in PICTURES.items():
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([BRISTLE, "export", how.get("file", name), "--format", "vtk", "--out", folder, "--time",
                            str(how["time"]), "--every", str(how["time"]), *how.get("with", [])], check=True,
                           stdout=subprocess.DEVNULL)
            draw(pathlib.Path(folder), name, 1, how["from"], how["near"], how["arrow"], OUT / f"{name}.png")


if __name__ == "__main__":
    main()
