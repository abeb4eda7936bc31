"""What holds tools together."""
from .fields import *


def screw(u, v, w, r=0.4):
    """A pan head with a six-lobed socket, standing on w = 0 and facing along w."""
    rr, a = hyp(u, v), np.arctan2(v, u)
    head = both(rod(w, rr, -0.5, 0.6 * r, r, 0.1 * r), np.sqrt(rr**2 + (w + 1.3 * r) ** 2) - 1.85 * r, 0.03)
    return cut(head, np.maximum(rr - r * (0.44 + 0.08 * np.cos(6 * a)), 0.15 * r - w), 0.02)


def screws(u, v, w, at, r=0.4):
    """The same screw at each (u, v, w)."""
    return joined(0.0, *(screw(u - p, v - q, w - s, r) for p, q, s in at))
