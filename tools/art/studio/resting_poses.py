"""Resting poses: how a tool lies on a surface, and where."""
import math

import bpy
import numpy as np
from mathutils import Matrix


def points_of(objects):
    out = []
    for ob in objects:
        a = np.empty(len(ob.data.vertices) * 3, np.float32)
        ob.data.vertices.foreach_get("co", a)
        a = a.reshape(-1, 3)
        a = a[:: max(1, len(a) // 20000)]
        m = np.array(ob.matrix_world)
        out.append(a @ m[:3, :3].T + m[:3, 3])
    return np.concatenate(out)


def move(objects, m):
    for ob in objects:
        ob.matrix_world = m @ ob.matrix_world
    bpy.context.view_layer.update()


def shift(objects, x=0.0, y=0.0, z=0.0):
    move(objects, Matrix.Translation((x, y, z)))
    return objects


def turn(objects, degrees, axis="Z"):
    move(objects, Matrix.Rotation(math.radians(degrees), 4, axis))
    return objects


def lower_hull(points):
    """The lower convex hull of 2D points given from left to right, or the upper one of points given from right to left."""
    h = []
    for p in points:
        while len(h) > 1 and (h[-1][0] - h[-2][0]) * (p[1] - h[-2][1]) - (h[-1][1] - h[-2][1]) * (p[0] - h[-2][0]) <= 0:
            h.pop()
        h.append(p)
    return h


def hull_tilt(a, z):
    """Angle of the lower hull's edge under the center, on which the object rests."""
    order = np.lexsort((z, a))
    h = lower_hull(zip(a[order], z[order]))
    mid = a.mean()
    for p, q in zip(h, h[1:]):
        if p[0] <= mid <= q[0]:
            return math.atan2(q[1] - p[1], q[0] - p[0])
    return 0.0


def rest_on_floor(objects, tilt=True):
    """Places the parts on z = 0 in their resting pose, centered."""
    bpy.context.view_layer.update()
    for _ in range(4 if tilt else 0):
        p = points_of(objects)
        move(objects, Matrix.Rotation(hull_tilt(p[:, 0], p[:, 2]), 4, "Y"))
        p = points_of(objects)
        move(objects, Matrix.Rotation(-hull_tilt(p[:, 1], p[:, 2]), 4, "X"))
    p = points_of(objects)
    c = (p.min(0) + p.max(0)) / 2
    return shift(objects, -c[0], -c[1], -float(p[:, 2].min()))
