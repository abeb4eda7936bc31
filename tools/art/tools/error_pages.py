"""The pictures of error pages: a broken drill bit with fragments."""
import numpy as np

from studio.distance_fields import *
from studio.lettering import printed
from studio.mesh import solid
from studio.metals import steel
from studio.resting_poses import shift, turn
from studio.nodes import Nodes
from studio.surfaces import ink

RADIUS = 0.95


def twist(x, y, z, a, b):
    """Two helical flutes in a rod from a to b."""
    rr, w = hyp(y, z), np.arctan2(z, y) - x * 0.72
    web = np.abs((w % PI) - PI / 2)
    margin = 0.05 * ramp(web, 1.22, 1.3)
    body = intersect(rr - RADIUS + 0.05 - margin, rr - 0.26 - 0.72 * ramp(web, 0.35, 1.1), 0.05)
    return np.maximum(body * 0.7, np.abs(x - (a + b) / 2) - (b - a) / 2)


def break_face(y, z, seed):
    """Brittle fracture: a tilted, grained face."""
    return 0.35 * y + 0.18 * z + 0.10 * np.sin(5 * y + seed) * np.cos(4 * z) + 0.05 * np.sin(13 * z + 3 * y + seed)


def shank(x, y, z):
    plain = rod(x, hyp(y, z), -10.5, -4.6, RADIUS - 0.03, 0.08)
    d = join(plain, twist(x, y, z, -5.4, 4.0), 0.05)
    return np.maximum(d, (x - 2.4 - break_face(y, z, 0.0)) * 0.9)


def tip(x, y, z):
    d = twist(x, y, z, -1, 8.6)
    cone = (hyp(y, z) - 0.05 - (8.5 - x) * math.tan(math.radians(59))) * 0.6
    return np.maximum(intersect(d, cone, 0.02), (-x + 0.6 + break_face(y, z, 1.3)) * 0.9)


def fragments(x, y, z):
    d = 9.0
    for cx, cy, s in ((0.9, -1.6, 0.20), (1.9, -2.5, 0.13), (0.1, -2.3, 0.10), (2.6, -1.7, 0.16), (1.3, 0.9, 0.12), (3.2, -2.9, 0.08)):
        u, v = spin(x, y, cx * 140, cx, cy)
        d = np.minimum(d, box(u, v, z, (-s, -s * 0.6, 0), (s, s * 0.6, s), 0.02))
    return d


def blued(break_x):
    """Polished flutes with temper colors from straw to blue towards the break, and a gray grained fracture."""
    n = Nodes("hot")
    x, y, z = n.xyz()
    g = n.noise(6, 4, 0.65, n.stretch(1, 30, 30))
    near = n.remap(n.add(n.math("ABSOLUTE", n.math("SUBTRACT", x, break_x)), n.mul(n.noise(1.2, 3), 1.6)), 0.8, 4.6, 1.0, 0.0)
    straw = n.blend(n.remap(near, 0.0, 0.5, 0.0, 1.0), (0.60, 0.60, 0.61, 1), (0.62, 0.42, 0.20, 1))
    color = n.blend(n.remap(near, 0.5, 0.95, 0.0, 1.0), straw, (0.16, 0.18, 0.34, 1))
    return n.set(Base_Color=color, Metallic=1.0, Roughness=n.remap(g, 0.25, 0.75, 0.14, 0.28), Normal=n.bump(g, 0.06, 0.02))


def not_found():
    long = solid(shank, (-10.8, -1.2, -1.2), (4.4, 1.2, 1.2), blued(2.4), 0.035)
    short = solid(tip, (-0.6, -1.2, -1.2), (8.9, 1.2, 1.2), blued(0.6), 0.035)
    lean = math.radians(32)
    code = printed("404", 1.9, ink((0.02, 0.02, 0.022, 1), 0.5), (-7.7, 0, 0), long, (lean, 0, 0), (0, math.sin(lean), -math.cos(lean)))
    shift([long, code], -1.5, 0.4, RADIUS)
    shift(turn([short], -32), 2.0, -2.9, RADIUS)
    fragment_parts = solid(fragments, (-0.5, -3.4, -0.1), (3.8, 1.4, 0.5), steel((0.4, 0.4, 0.42, 1), (0.3, 0.5)), 0.03)
    return [long, code, short, fragment_parts], dict(turn=24, elevation=44, tilt=False, sheen=-0.6, room=0.05, back=0.8)
