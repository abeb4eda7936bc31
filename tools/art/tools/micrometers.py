"""Outside micrometer: a frame in crackle black, a satin barrel."""
import numpy as np

from studio.colors import PAPER
from studio.distance_fields import *
from studio.lettering import letters, printed
from studio.graduations import barrel_marks
from studio.mesh import solid
from studio.metals import chrome, steel
from studio.outline import bent, ribbon
from studio.surfaces import enamel, ink

BOW = [(-3.2, 0.1, 0.42), (-3.35, -0.9, 0.52), (-2.9, -2.2, 0.62), (-1.3, -3.3, 0.72), (0.8, -3.3, 0.72), (2.3, -2.3, 0.68), (2.9, -1.1, 0.72), (3.2, 0, 0.66)]
DARK = (0.03, 0.03, 0.033, 1)


def frame(x, y, z):
    pts, w = bent(BOW)
    web = extrude(ribbon(x, y, pts, w), z, 0.44, 0.14)
    inner = ribbon(x, y, pts, [v - 0.24 for v in w])
    web = cut(web, np.maximum(inner, 0.34 - np.abs(z)), 0.08)
    ends = np.minimum(rod(x, hyp(y, z), -3.75, -2.75, 0.50, 0.08), rod(x, hyp(y, z), 2.6, 4.1, 0.68, 0.1))
    return join(web, ends, 0.2)


def spindle(x, y, z):
    rr = hyp(y, z)
    anvil = rod(x, rr, -3.0, -2.1, 0.32, 0.02)
    return np.minimum(anvil, rod(x, rr, -0.85, 3.0, 0.32, 0.02))


def sleeve(x, y, z):
    return rod(x, hyp(y, z), 4.0, 8.5, 0.62, 0.03)


def thimble_radius(x):
    return np.interp(x, [6.3, 6.85, 20], [0.68, 0.86, 0.86])


def thimble(x, y, z):
    rr = hyp(y, z)
    d = intersect((rr - thimble_radius(x)) * 0.97, np.abs(x - 8.9) - 2.6, 0.03)
    return d + knurl(x, np.arctan2(z, y) * 0.86, 0.16, 0.035) * ramp(x, 8.9, 9.0) * ramp(x, 11.2, 11.1)


def ratchet_stop(x, y, z):
    rr = hyp(y, z)
    d = join(rod(x, rr, 11.4, 12.0, 0.44, 0.04), rod(x, rr, 12.0, 13.6, 0.52, 0.08), 0.02)
    return d + knurl(x, np.arctan2(z, y) * 0.52, 0.14, 0.03) * ramp(x, 12.15, 12.25) * ramp(x, 13.45, 13.35)


def spindle_lock(x, y, z):
    return join(rod(x, hyp(y, z), 3.05, 3.65, 0.80, 0.08) + 0.02 * np.cos(24 * np.arctan2(z, y)), block(x - 3.35, y - 0.7, z - 0.45, 0.2, 0.35, 0.2, 0.1), 0.1)


def graduations():
    up = PI / 2
    line = [(4.35, up - 0.012, 6.9, up + 0.012)]
    above = [(4.4 + i * 0.1, up, 4.416 + i * 0.1, up + (0.42 if i % 5 == 0 else 0.27)) for i in range(19)]
    below = [(4.45 + i * 0.1, up - 0.24, 4.466 + i * 0.1, up) for i in range(19)]
    ring = [(6.34, up + 2 * PI * i / 50 - 0.011, 6.34 + (0.44 if i % 5 == 0 else 0.28), up + 2 * PI * i / 50 + 0.011) for i in range(50)]
    return line + above + below, ring


def micrometer():
    satin = chrome((0.18, 0.27), 0.01)
    dark = ink(DARK, 0.5)
    lines, ring = graduations()
    barrel = solid(sleeve, (3.8, -0.9, -0.9), (8.7, 0.9, 0.9), satin, 0.03)
    body = solid(frame, (-4.2, -4.4, -0.9), (4.5, 1, 0.9), enamel((0.018, 0.018, 0.02, 1), 0.3, 0.55), 0.045)
    return [
        body, barrel,
        solid(spindle, (-3.2, -0.5, -0.5), (3.2, 0.5, 0.5), steel((0.66, 0.66, 0.67, 1), (0.08, 0.15), (20, 1, 1), 0.03), 0.03),
        solid(thimble, (6.1, -1.1, -1.1), (11.8, 1.1, 1.1), satin, 0.03),
        solid(ratchet_stop, (11.2, -0.8, -0.8), (13.8, 0.8, 0.8), satin, 0.03),
        solid(spindle_lock, (2.8, -1, -1), (3.9, 1.4, 1), steel((0.5, 0.5, 0.51, 1), (0.2, 0.3), (20, 2, 2)), 0.035),
        barrel_marks(lines, lambda x: 0.632, 0, 0, dark), barrel_marks(ring, lambda x: thimble_radius(x) + 0.004, 0, 0, dark),
        letters("FORGELINE", 0.58, ink(PAPER, 0.5), (-0.25, -3.36, 0.345), depth=0.004, bevel=0),
        letters("0–25 mm", 0.34, ink(PAPER, 0.5), (-2.85, -1.7, 0.345), (0, 0, math.radians(-62)), depth=0.004, bevel=0),
    ], dict(turn=22, elevation=52, tilt=False)
