"""Screws and power cords."""
from .colors import BLACK
from .distance_fields import *
from .mesh import sweep
from .outline import path
from .surfaces import rubber


def screw(u, v, w, r=0.4):
    """A pan head with a six-lobed socket, standing on w = 0 and facing along w."""
    rr, a = hyp(u, v), np.arctan2(v, u)
    head = intersect(rod(w, rr, -0.5, 0.6 * r, r, 0.1 * r), np.sqrt(rr**2 + (w + 1.3 * r) ** 2) - 1.85 * r, 0.03)
    return cut(head, np.maximum(rr - r * (0.44 + 0.08 * np.cos(6 * a)), 0.15 * r - w), 0.02)


def screws(u, v, w, at, r=0.4):
    """The same screw at each (u, v, w)."""
    return join_all(0.0, *(screw(u - p, v - q, w - s, r) for p, q, s in at))


def cord(points):
    """A rubber cord along the points that starts in a ribbed boot."""
    way = path(points, 40)
    along = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(way, axis=0), axis=1))])
    boot = np.interp(along, [0, 0.4, 4.6, 5.0, 5.05], [0.95, 0.98, 0.56, 0.52, 0.37])
    rings = np.where((along > 0.8) & (along < 4.6), 0.11 * (np.cos(2 * PI * along / 0.62) > 0.1), 0)
    return sweep(way, boot - rings, rubber(BLACK))
