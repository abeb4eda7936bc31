"""Wrenches: one forging each, chrome vanadium."""
import bpy
from mathutils import Matrix

from studio.distance_fields import *
from studio.lettering import letters
from studio.mesh import solid
from studio.metals import chrome, steel
from studio.outline import polygon, smooth

LYING_POSE = dict(turn=28, elevation=50, sheen=-0.6)


def ring_spanner(x, y, z):
    h = 0.27 + 0.17 * ramp(x, 6.2, 8.6) + 0.27 * ramp(x, -6.6, -8.4)
    r = 0.20 - 0.11 * ramp(x, 6.6, 8.4) + 0.06 * ramp(x, -6.8, -8.4)
    s = np.maximum(-x - 6.4, 0)
    z = z - 0.24 * s * s / (s + 1.2)
    shank = rect(x, y, 9.0, lerp(0.60, 0.76, np.clip((x + 8) / 16, 0, 1)))
    u, v = spin(x, y, 15, 9.6)
    head = intersect(hyp((u + 0.15) * 0.95, v) - 1.93, u - 1.45, 0.3)
    d = join(join(shank, head, 1.5), disc(x + 9.6, y, 1.36), 1.1)
    body = extrude(d, z, h, r)
    body = cut(body, np.maximum(rect(x, y, 5.4, 0.43, 0.40), 0.205 - np.abs(z)), 0.07)
    slot = intersect(np.abs(v) - 0.86, -(u + 0.72), 0.75) - 0.6 * np.maximum(np.abs(z) - (h - 0.07), 0)
    body = cut(body, slot, 0.035)
    hole = np.minimum(ngon(x + 9.6, y, 0.86, 6), ngon(x + 9.6, y, 0.86, 6, PI / 6))
    return cut(body, hole - 1.0 * np.maximum(np.abs(z) - (h - 0.10), 0), 0.03)


def panel_floor(low, high, floor):
    """1 on the floor of the panel pressed into a shank from x = low to high."""
    def mask(n):
        x, y, z = n.xyz()
        inside = n.mul(n.remap(x, low, low + 0.1, 0.0, 1.0), n.remap(x, high - 0.1, high, 1.0, 0.0))
        return n.mul(inside, n.remap(z, floor + 0.01, floor + 0.025, 1.0, 0.0))
    return mask


def stamped(size, forging=None):
    """The wrench with its size on it. The same forging can carry another size."""
    plain = chrome((0.12, 0.18), 0.0)
    body = forging.copy() if forging else solid(ring_spanner, (-11.3, -2.2, -0.8), (11.5, 2.2, 1.8), chrome(matt=panel_floor(-5.4, 5.4, 0.205)), 0.05)
    if forging:
        body.matrix_world = Matrix.Identity(4)
        bpy.context.collection.objects.link(body)
    return [
        body,
        letters("FORGELINE", 0.72, plain, (-1.6, 0, 0.205), depth=0.045, bevel=0.012),
        letters(size, 0.74, plain, (4.3, 0, 0.205), depth=0.045, bevel=0.012),
    ]


def combination_wrench():
    return stamped("17"), LYING_POSE


HEAD_DEGREES = 15
HEAD = smooth([(-3.4, 0.75), (-1.6, 1.75), (0.4, 2.5), (2.2, 2.45), (3.4, 1.75), (3.62, 1.2), (3.55, 0.9), (3.55, 0.9), (3.55, 0.9),
               (0.6, 0.9), (0.6, 0.9), (0.6, 0.9), (0.6, -2.2), (0.6, -2.2), (0.6, -2.2), (-0.1, -2.45), (-1.5, -2.1), (-2.6, -1.35), (-3.6, -0.8)])
MOVING_JAW = smooth([(0.64, -0.55), (0.64, -0.55), (0.64, -0.55), (3.45, -0.55), (3.45, -0.55), (3.45, -0.55), (3.5, -1.0), (3.0, -1.6), (1.9, -2.4),
                (1.2, -2.85), (0.64, -2.9), (0.64, -2.9), (0.64, -2.9)])


def adjustable_body(x, y, z):
    u, v = spin(x, y, HEAD_DEGREES, 9.0, 0.2)
    grip = rect(x + 2.6, y, 9.3, lerp(1.12, 0.86, np.clip((x + 11) / 18, 0, 1)), 0.85)
    d = join(polygon(u, v, HEAD), grip, 1.4)
    high = 0.42 + 0.24 * ramp(x, 5.2, 7.6) - 0.10 * ramp(u, 1.4, 3.4)
    body = extrude(d, z, high, 0.13)
    panel = rect(x + 2.3, y, 7.2, lerp(0.66, 0.5, np.clip((x + 9) / 14, 0, 1)), 0.48)
    body = cut(body, np.maximum(panel, 0.30 - np.abs(z)), 0.08)
    body = cut(body, disc(x + 11.0, y, 0.48) - 0.8 * np.maximum(np.abs(z) - 0.34, 0), 0.04)
    body = cut(body, rect(u + 0.5, v + 1.0, 0.5, 0.62, 0.06), 0.05)
    return cut(body, np.maximum(rect(u - 0.2, v + 1.4, 0.28, 2.4, 0.05), np.abs(z) - 0.3), 0.03)


def moving_jaw(x, y, z):
    u, v = spin(x, y, HEAD_DEGREES, 9.0, 0.2)
    jaw = extrude(polygon(u, v, MOVING_JAW), z, 0.62 - 0.10 * ramp(u, 1.4, 3.4), 0.10)
    tongue = block(u - 0.2, v + 1.2, z, 0.22, 1.6, 0.26, 0.05)
    return join(jaw, tongue, 0.1)


def worm(x, y, z):
    u, v = spin(x, y, HEAD_DEGREES, 9.0, 0.2)
    rr = hyp(u + 0.5, z)
    thread = 0.05 * np.cos(2 * PI * (v / 0.2 + np.arctan2(z, u + 0.5) / (2 * PI)))
    d = intersect(rr - 0.50 - thread, np.abs(v + 1.0) - 0.55, 0.06)
    return join(d, intersect(rr - 0.12, np.abs(v + 1.0) - 0.62, 0.01), 0.01)


def adjustable_wrench():
    plain = chrome((0.12, 0.18), 0.0)
    return [
        solid(adjustable_body, (-12.3, -3.4, -0.9), (13.6, 4.2, 0.9), chrome(matt=panel_floor(-9.6, 5.0, 0.3)), 0.05),
        solid(moving_jaw, (8.2, -3.6, -0.9), (14, 1.6, 0.9), chrome((0.12, 0.2)), 0.05),
        solid(worm, (7.6, -2.2, -0.8), (10.2, 0.6, 0.8), steel((0.5, 0.5, 0.51, 1), (0.22, 0.34), (8, 8, 8)), 0.035),
        letters("FORGELINE", 0.92, plain, (-3.4, 0, 0.30), depth=0.05, bevel=0.012),
        letters("250", 0.8, plain, (2.6, 0, 0.30), depth=0.05, bevel=0.012),
    ], dict(turn=24, elevation=50, sheen=-0.6)
