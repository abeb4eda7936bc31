"""Closed outlines drawn by hand: points, straight or rounded, as distance fields of x and y."""
import numpy as np


def polygon(x, y, points):
    """Exact signed distance to a closed polygon."""
    p = np.asarray(points, float)
    x, y = np.broadcast_arrays(np.asarray(x, float), np.asarray(y, float))
    best, inside = np.full(x.shape, 1e9), np.zeros(x.shape, bool)
    for (ax, ay), (bx, by) in zip(p, np.roll(p, -1, 0)):
        ex, ey, wx, wy = bx - ax, by - ay, x - ax, y - ay
        t = np.clip((wx * ex + wy * ey) / max(ex * ex + ey * ey, 1e-12), 0, 1)
        best = np.minimum(best, (wx - ex * t) ** 2 + (wy - ey * t) ** 2)
        if ey:
            side = wx < wy * ex / ey
            inside ^= ((ay > y) != (by > y)) & side
    return np.where(inside, -1, 1) * np.sqrt(best)


def smooth(points, steps=5):
    """The closed smooth curve through the points. A point given three times is a corner."""
    p = np.asarray(points, float)
    out = []
    for i in range(len(p)):
        a, b, c, d = (p[(i + k - 1) % len(p)] for k in range(4))
        if np.allclose(b, c):
            continue
        n1 = 0 if np.allclose(a, b) else (c - a) / 2
        n2 = 0 if np.allclose(c, d) else (d - b) / 2
        for t in np.arange(steps) / steps:
            h = (2 * t**3 - 3 * t**2 + 1, t**3 - 2 * t**2 + t, 3 * t**2 - 2 * t**3, t**3 - t**2)
            out.append(h[0] * b + h[1] * n1 + h[2] * c + h[3] * n2)
    return np.array(out)


def ribbon(x, y, points, widths=None):
    """Distance to a bent strip: the nearest of the capsules through the points, with a width at each."""
    best = None
    widths = widths or [0.0] * len(points)
    for (ax, ay), (bx, by), wa, wb in zip(points, points[1:], widths, widths[1:]):
        ex, ey = bx - ax, by - ay
        t = np.clip(((x - ax) * ex + (y - ay) * ey) / (ex * ex + ey * ey), 0, 1)
        d = np.hypot(x - ax - ex * t, y - ay - ey * t) - (wa + (wb - wa) * t)
        best = d if best is None else np.minimum(best, d)
    return best


def path(points, steps=8):
    """An open smooth path through the points."""
    p = np.asarray(points, float)
    out = []
    for i in range(len(p) - 1):
        a, b, c, d = p[max(i - 1, 0)], p[i], p[i + 1], p[min(i + 2, len(p) - 1)]
        for t in np.arange(steps) / steps:
            h = (2 * t**3 - 3 * t**2 + 1, t**3 - 2 * t**2 + t, 3 * t**2 - 2 * t**3, t**3 - t**2)
            out.append(h[0] * b + h[1] * (c - a) / 2 + h[2] * c + h[3] * (d - b) / 2)
    return np.array(out + [p[-1]])


def tube(x, y, z, points, widths, squash=1.0):
    """A round bar along a bent path in the plane z = 0, its radius given at each point."""
    best = None
    for (ax, ay), (bx, by), wa, wb in zip(points, points[1:], widths, widths[1:]):
        ex, ey = bx - ax, by - ay
        t = np.clip(((x - ax) * ex + (y - ay) * ey) / (ex * ex + ey * ey), 0, 1)
        d = np.sqrt((x - ax - ex * t) ** 2 + (y - ay - ey * t) ** 2 + (z * squash) ** 2) - (wa + (wb - wa) * t)
        best = d if best is None else np.minimum(best, d)
    return best


def bent(points, steps=6):
    """Interpolates (x, y, width) at a few points to a smooth path and its widths."""
    p = path(points, steps)
    return [tuple(v[:2]) for v in p], [float(v[2]) for v in p]
