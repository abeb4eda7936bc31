"""Graduations: small flat marks on a plane or around a barrel."""
import numpy as np

from .mesh import mesh_object


def marks(rects, z, material):
    """Rectangles (x0, y0, x1, y1) lying at height z."""
    verts, quads = [], []
    for i, (a, b, c, d) in enumerate(rects):
        verts += [(a, b, z), (c, b, z), (c, d, z), (a, d, z)]
        quads.append([4 * i + k for k in range(4)])
    return mesh_object(np.array(verts), np.array(quads), None, material)


def ruler_ticks(x0, count, pitch, y, lengths, wide):
    """Ticks along x: lengths gives (every, length), the longest first."""
    out = []
    for i in range(count):
        long = next(length for every, length in lengths if i % every == 0)
        out.append((x0 + i * pitch - wide / 2, min(y, y + long), x0 + i * pitch + wide / 2, max(y, y + long)))
    return out


def barrel_marks(rects, radius, y0, z0, material):
    """Rectangles (x0, angle0, x1, angle1) on a barrel along x, whose radius is radius(x)."""
    verts, quads = [], []
    for i, (a, s, b, t) in enumerate(rects):
        for x, w in ((a, s), (b, s), (b, t), (a, t)):
            verts.append((x, y0 + radius(x) * np.cos(w), z0 + radius(x) * np.sin(w)))
        quads.append([4 * i + k for k in range(4)])
    return mesh_object(np.array(verts), np.array(quads), None, material)
