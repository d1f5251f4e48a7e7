#!/usr/bin/python3
"""Writes the closed meshes of the scenes with conforming parts: scenes/meshes/*.obj.

    tools/make_meshes.py [folder]

Lengths in millimetres. Every mesh is made of rings and strips, so that it is closed by construction.
"""
import math
import pathlib
import sys


class Mesh:
    def __init__(self):
        self.vertices, self.faces = [], []

    def add(self, x, y, z):
        self.vertices.append((x, y, z))
        return len(self.vertices) - 1

    def triangle(self, a, b, c):
        self.faces.append((a, b, c))

    def quad(self, a, b, c, d):
        self.triangle(a, b, c)
        self.triangle(a, c, d)

    def volume(self):
        total = 0
        for a, b, c in self.faces:
            (ax, ay, az), (bx, by, bz), (cx, cy, cz) = (self.vertices[i] for i in (a, b, c))
            total += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
        return total / 6

    def check(self, name):
        edges = {}
        for a, b, c in self.faces:
            for e in ((a, b), (b, c), (c, a)):
                assert e not in edges, f"{name}: edge {e} twice"
                edges[e] = True
        assert all((b, a) in edges for a, b in edges), f"{name}: not closed"
        assert self.volume() > 0, f"{name}: inside out"

    def write(self, path, about):
        self.check(path.name)
        with open(path, "w") as f:
            f.write(f"# {about}; millimetres\n")
            for v in self.vertices:
                f.write("v {:.9g} {:.9g} {:.9g}\n".format(*v))
            for t in self.faces:
                f.write("f {} {} {}\n".format(*(i + 1 for i in t)))
        print(f"{path}: {len(self.faces)} triangles, {self.volume():.6g} mm3")


def gear_profile(teeth, module, pressure_angle, backlash, flank_points):
    """Counter-clockwise points of an involute gear; the first tooth is centred on +x."""
    pitch = module * teeth / 2
    base = pitch * math.cos(pressure_angle)
    tip, root = pitch + module, pitch - 1.25 * module
    involute = lambda a: math.tan(a) - a
    # Half the tooth's angle at the pitch circle, less its share of the backlash.
    half = math.pi / (2 * teeth) - backlash / (2 * pitch)
    start = max(base, root)

    def angle(r):  # of the flank, from the tooth's middle
        return half + involute(pressure_angle) - involute(math.acos(min(1, base / r)))

    radii = [start + (tip - start) * i / (flank_points - 1) for i in range(flank_points)]
    points = []
    for k in range(teeth):
        middle = 2 * math.pi * k / teeth
        # Down to the root with a little slope, for strength.
        foot = angle(start) + 0.2 * (math.pi / teeth - angle(start))
        tooth = [(root, -foot)] if root < start else []
        tooth += [(r, -angle(r)) for r in radii] + [(r, angle(r)) for r in reversed(radii)]
        tooth += [(root, foot)] if root < start else []
        points += [(r * math.cos(middle + a), r * math.sin(middle + a)) for r, a in tooth]
    return points


def strip(m, outer, inner, up):
    """Triangles between two rings of vertices round z, which need not have as many; both start near the same angle."""
    angle = lambda i: math.atan2(m.vertices[i][1], m.vertices[i][0])

    def angles(ring):
        out = [angle(ring[0])]
        for i in ring[1:] + ring[:1]:
            out.append(out[-1] + (angle(i) - out[-1] + math.pi) % (2 * math.pi) - math.pi)
        return out

    a, b = angles(outer), angles(inner)
    i = j = 0
    while i < len(outer) or j < len(inner):
        o, p = outer[i % len(outer)], inner[j % len(inner)]
        if j == len(inner) or (i < len(outer) and a[i + 1] <= b[j + 1]):
            i += 1
            corners = (o, outer[i % len(outer)], p)
        else:
            j += 1
            corners = (o, inner[j % len(inner)], p)
        m.triangle(*corners) if up else m.triangle(*reversed(corners))


def gear(profile, width, rim, bore, spokes):
    """A profile between z = ±width/2, with a bore. A circle under the teeth, with a corner below each of the profile's, keeps
    triangles short and within."""
    m = Mesh()
    under = [(rim * x / math.hypot(x, y), rim * y / math.hypot(x, y)) for x, y in profile]
    rings = [profile, under, circle(0.9 * rim, spokes), circle(bore, spokes)]
    low = [[m.add(x, y, -width / 2) for x, y in ring] for ring in rings]
    high = [[m.add(x, y, width / 2) for x, y in ring] for ring in rings]
    for k in range(3):
        strip(m, low[k], low[k + 1], False)
        strip(m, high[k], high[k + 1], True)
    for ring, outward in ((0, True), (3, False)):
        n = len(rings[ring])
        for i in range(n):
            j = (i + 1) % n
            a, b, c, d = low[ring][i], low[ring][j], high[ring][j], high[ring][i]
            m.quad(a, b, c, d) if outward else m.quad(a, d, c, b)
    return m


def circle(radius, sides):
    return [(radius * math.cos(2 * math.pi * i / sides), radius * math.sin(2 * math.pi * i / sides))
            for i in range(sides)]


def closed(m, first, rings, last):
    """Strips from ring to ring, and fans from the first ring to a point and from the last one to another."""
    sides = len(rings[0])
    for i in range(sides):
        j = (i + 1) % sides
        m.triangle(first, rings[0][j], rings[0][i])
        for lower, upper in zip(rings, rings[1:]):
            m.quad(lower[i], lower[j], upper[j], upper[i])
        m.triangle(rings[-1][i], rings[-1][j], last)
    return m


def block_with_hole(half, height, radius, chamfer, depth, sides):
    """A square block, top at z = 0, with a blind hole from the top that opens with a chamfer."""
    m = Mesh()
    ring = circle(1, sides)
    square = []
    for x, y in ring:
        s = half / max(abs(x), abs(y))
        square.append((x * s, y * s))

    def loop(points, z):
        return [m.add(x, y, z) for x, y in points]

    scale = lambda r: [(x * r, y * r) for x, y in ring]
    rings = [loop(square, -height), loop(square, 0), loop(scale(radius + chamfer), 0), loop(scale(radius), -chamfer),
             loop(scale(radius), -depth)]
    bottom, floor = m.add(0, 0, -height), m.add(0, 0, -depth)
    return closed(m, bottom, rings, floor)


def peg(radius, length, chamfer, sides):
    """Along z, from 0 to length, chamfered at the lower end."""
    m = Mesh()
    loop = lambda r, z: [m.add(x, y, z) for x, y in circle(r, sides)]
    rings = [loop(radius - chamfer, 0), loop(radius, chamfer), loop(radius, length)]
    bottom, top = m.add(0, 0, 0), m.add(0, 0, length)
    return closed(m, bottom, rings, top)


def thread_profile(root, crest, pitch, play):
    """(radius, height) along one pitch: a flat at the root, a flank, a flat at the crest; the flank back is the next row.
    With play, the hollow form of a nut round a bolt without."""
    narrow, wide = pitch / 16 - play / 2, pitch / 16 + play / 2
    return [(root + play, -narrow), (root + play, narrow), (crest + play, pitch / 2 - wide), (crest + play, pitch / 2 + wide)]


def threaded(profile, pitch, turns, sides, m, outward):
    """The threaded surface from row 0 to the last, and its two border loops (from the seam round to it)."""
    n = len(profile)
    rows = []
    last = n * turns
    for j in range(last + n + 1):
        r, z = profile[j % n]
        z += pitch * (j // n)
        rows.append((r, z))
    # Vertex (j, i) for row j ≤ last and i < sides; (j, sides) is (j + n, 0), which for the last rows is new.
    grid = [[m.add(r * math.cos(2 * math.pi * i / sides), r * math.sin(2 * math.pi * i / sides), z + pitch * i / sides)
             for i in range(sides)] for r, z in rows[:last + 1]]
    seam = {j: m.add(rows[j][0], 0, rows[j][1]) for j in range(last + 1, last + n + 1)}
    at = lambda j, i: grid[j][i] if i < sides else (grid[j + n][0] if j + n <= last else seam[j + n])
    for j in range(last):
        for i in range(sides):
            a, b, c, d = at(j, i), at(j, i + 1), at(j + 1, i + 1), at(j + 1, i)
            if outward:
                m.quad(a, b, c, d)
            else:
                m.quad(a, d, c, b)
    # Borders: along row 0 from i = 0 to sides (which is row n at 0), then down the seam; likewise above.
    low = [at(0, i) for i in range(sides + 1)] + [at(j, 0) for j in range(n - 1, 0, -1)]
    high = [at(last, i) for i in range(sides + 1)] + [at(j, sides) for j in range(last - 1, last - n, -1)]
    return low, high


def bolt(root, crest, pitch, turns, sides):
    profile = thread_profile(root, crest, pitch, 0)
    m = Mesh()
    low, high = threaded(profile, pitch, turns, sides, m, True)
    bottom, top = m.add(0, 0, pitch / 2), m.add(0, 0, pitch * (turns + 0.5))
    for i in range(len(low)):
        j = (i + 1) % len(low)
        m.triangle(bottom, low[j], low[i])
        m.triangle(top, high[i], high[j])
    return m


def nut(root, crest, pitch, turns, sides, outer, play):
    """Its ends follow the helix, like a spring washer's, so that inside and outside have the same rows."""
    profile = thread_profile(root, crest, pitch, play)
    m = Mesh()
    low, high = threaded(profile, pitch, turns, sides, m, False)
    outer_low, outer_high = threaded([(outer, z) for _, z in profile], pitch, turns, sides, m, True)
    for i in range(len(low)):
        j = (i + 1) % len(low)
        m.quad(low[i], low[j], outer_low[j], outer_low[i])
        m.quad(high[j], high[i], outer_high[i], outer_high[j])
    return m


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1] / "scenes/meshes"
    folder.mkdir(parents=True, exist_ok=True)
    angle = math.radians(20)
    for teeth, width in ((20, 34), (30, 30)):
        gear(gear_profile(teeth, 10, angle, 0.2, 12), width, 4.2 * teeth, 25, 2 * teeth).write(
            folder / f"gear-{teeth}.obj", f"involute gear, {teeth} teeth, module 10, pressure angle 20 degrees, backlash 0.2")
    block_with_hole(30, 60, 10, 2, 45, 64).write(folder / "block-with-hole.obj", "block 60 x 60 x 60 with a hole of radius 10")
    peg(9.9, 60, 1, 64).write(folder / "peg.obj", "peg of radius 9.9 and length 60")
    bolt(8, 10, 4, 8, 48).write(folder / "bolt.obj", "threaded rod, root 8, crest 10, pitch 4, 8 turns")
    nut(8, 10, 4, 3, 48, 16, 0.1).write(folder / "nut.obj", "round nut for bolt.obj, 3 turns, play 0.1")


if __name__ == "__main__":
    main()
