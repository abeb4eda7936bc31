"""Distance fields: numpy arrays in, array out, negative inside. Lengths are centimeters."""
import math

import numpy as np

hyp = np.hypot
PI = math.pi


def lerp(a, b, t):
    return a + (b - a) * t


def ramp(x, a, b):
    """Smoothly from 0 at a to 1 at b; a may exceed b."""
    t = np.clip((x - a) / (b - a), 0, 1)
    return t * t * (3 - 2 * t)


def join(a, b, k=0.0):
    """Union with a fillet of about k."""
    if k <= 0:
        return np.minimum(a, b)
    h = np.maximum(k - np.abs(a - b), 0) / k
    return np.minimum(a, b) - h * h * k / 4


def join_all(k, *fields):
    d = fields[0]
    for f in fields[1:]:
        d = join(d, f, k)
    return d


def intersect(a, b, k=0.0):
    """Intersection with an edge rounded by about k."""
    return -join(-a, -b, k)


def cut(a, b, k=0.05):
    return intersect(a, -b, k)


def rect(x, y, w, h, r=0.0):
    qx, qy = np.abs(x) - (w - r), np.abs(y) - (h - r)
    return np.minimum(np.maximum(qx, qy), 0) + hyp(np.maximum(qx, 0), np.maximum(qy, 0)) - r


def disc(x, y, r):
    return hyp(x, y) - r


def ngon(x, y, r, n, turn=0.0):
    """Regular polygon of inner radius r."""
    s = 2 * PI / n
    a = np.abs((np.arctan2(y, x) + turn + s / 2) % s - s / 2)
    return hyp(x, y) * np.cos(a) - r


def capsule(x, y, ax, ay, bx, by, r):
    dx, dy = bx - ax, by - ay
    t = np.clip(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy), 0, 1)
    return hyp(x - ax - t * dx, y - ay - t * dy) - r


def extrude(d, z, h, r=0.0):
    """Extrudes an outline to |z| < h, with edges rounded by r."""
    a, b = d + r, np.abs(z) - h + r
    return np.minimum(np.maximum(a, b), 0) + hyp(np.maximum(a, 0), np.maximum(b, 0)) - r


def block(x, y, z, w, h, d, r=0.1):
    return extrude(rect(x, y, w, h, r), z, d, r)


def box(x, y, z, lo, hi, r=0.3):
    c, s = [(a + b) / 2 for a, b in zip(lo, hi)], [(b - a) / 2 for a, b in zip(lo, hi)]
    q = [np.abs(v - m) - (e - r) for v, m, e in zip((x, y, z), c, s)]
    out = np.sqrt(sum(np.maximum(v, 0) ** 2 for v in q))
    return out + np.minimum(np.maximum(np.maximum(q[0], q[1]), q[2]), 0) - r


def rod(x, rr, a, b, r, edge=0.1):
    """Turned cylinder from a to b along x; rr is the distance from its axis."""
    return rect(x - (a + b) / 2, rr, (b - a) / 2, r, edge)


def turned(x, rr, points, edge=0.05):
    """Turned profile: radius over x through the points, with square ends."""
    lo, hi = points[0][0], points[-1][0]
    return intersect(rr - curve(x, points), np.abs(x - (lo + hi) / 2) - (hi - lo) / 2, edge)


def curve(x, points):
    """Smooth profile through (x, value) points that never overshoots."""
    px, py = np.array(points, float).T
    h = np.diff(px)
    s = np.diff(py) / h
    m = np.zeros_like(px)
    for i in range(1, len(px) - 1):
        m[i] = 0 if s[i - 1] * s[i] <= 0 else 2 * s[i - 1] * s[i] / (s[i - 1] + s[i])
    x = np.clip(x, px[0], px[-1])
    i = np.clip(np.searchsorted(px, x) - 1, 0, len(h) - 1)
    t = (x - px[i]) / h[i]
    return ((2 * t**3 - 3 * t**2 + 1) * py[i] + (t**3 - 2 * t**2 + t) * h[i] * m[i]
            + (3 * t**2 - 2 * t**3) * py[i + 1] + (t**3 - t**2) * h[i] * m[i + 1])


def spin(x, y, degrees, cx=0.0, cy=0.0):
    """The point in the coordinates of a frame at (cx, cy) that is rotated by this many degrees."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return (x - cx) * c + (y - cy) * s, -(x - cx) * s + (y - cy) * c


def teeth(x, pitch, depth):
    """A triangle wave between 0 and depth."""
    return depth * np.abs(((x / pitch) % 1) * 2 - 1)


def knurl(a, b, pitch, depth):
    u, v = (a + b) / pitch, (a - b) / pitch
    return depth * np.maximum(np.abs(np.sin(u * PI)), np.abs(np.sin(v * PI)))
