"""Pliers: drop-forged halves, black with ground jaws, two-component grips."""
import numpy as np

from studio.colors import BLACK, EMBER, PAPER
from studio.distance_fields import *
from studio.lettering import printed
from studio.mesh import solid
from studio.metals import chrome, forged
from studio.outline import bent, polygon, ribbon, smooth, tube
from studio.surfaces import ink, plastic, rubber

LYING_POSE = dict(turn=28, elevation=52)
JAW = smooth([(-1.9, 0), (-1.9, 0), (-1.9, 0), (-1.75, 0.95), (-0.9, 1.5), (0.4, 1.55), (1.3, 1.42), (2.6, 1.18), (4.2, 0.8), (4.62, 0.66),
              (4.75, 0.5), (4.75, 0), (4.75, 0), (4.75, 0)])
HANDLE = [(-1.2, -0.55, 0.62), (-2.6, -1.05, 0.55), (-4.5, -1.75, 0.52), (-8.0, -2.35, 0.5), (-11.5, -2.05, 0.5), (-12.6, -1.75, 0.45)]
GRIP = [(-3.6, -1.42, 0.66), (-4.2, -1.66, 0.78), (-6.0, -2.12, 0.80), (-8.5, -2.38, 0.88), (-11.0, -2.2, 0.86), (-13.0, -1.75, 0.72), (-13.6, -1.6, 0.6)]


def jaws(x, y, z):
    up = polygon(x, np.abs(y), JAW)
    high = 0.56 - 0.16 * ramp(x, 1.2, 4.6)
    d = extrude(up, z, high, 0.10)
    serrated = teeth(x, 0.14, 0.05) * ramp(x, 3.2, 3.25)
    pipe = hyp((x - 2.35) / 1.9, y) - 0.36 + teeth(x, 0.2, 0.06)
    d = cut(d, np.maximum(np.abs(y) - 0.025 - serrated, 1.3 - x), 0.02)
    d = cut(d, pipe, 0.03)
    ring = np.abs(hyp(x, y) - 1.32) - 0.03
    return cut(d, intersect(np.maximum(ring, 0.5 - np.abs(z)), np.where(x * y > 0, -1.0, 1.0) * np.minimum(np.abs(x), np.abs(y)), 0.01), 0.03)


def tangs(x, y, z):
    pts, w = bent(HANDLE)
    return extrude(ribbon(x, np.abs(y) * -1, pts, w), z, 0.45, 0.14)


def rivet(x, y, z):
    r = hyp(x, y)
    d = extrude(disc(x, y, 0.62), z, 0.63, 0.09)
    return cut(d, np.maximum(np.abs(r - 0.4) - 0.02, 0.6 - np.abs(z)), 0.02)


def grips(points, out, thin):
    pts, w = bent(points)
    shifted = [(a, b + out) for a, b in pts]

    def field(x, y, z):
        y = -np.abs(y)
        d = tube(x, y, z, pts, w, 1.25)
        return d if not out else intersect(d - thin, tube(x, y, z, shifted, [v * 1.05 for v in w], 0.8), 0.08)
    return field


def bright(n):
    x, y, _ = n.xyz()
    x = n.add(x, n.mul(n.math("SUBTRACT", n.noise(1.5, 3), 0.5), 0.3))
    return n.remap(x, -1.6, -1.45, 0.0, 1.0)


def combination_pliers():
    metal = forged(bright, grain=(1.5, 22, 22))
    soft = solid(grips(GRIP, -0.42, 0.035), (-14.6, -4, -1.2), (-2.6, 4, 1.2), rubber(BLACK), 0.06)
    core = solid(grips(GRIP, 0, 0), (-14.6, -4, -1.2), (-2.6, 4, 1.2), plastic(EMBER, 0.32), 0.06)
    return [
        solid(jaws, (-2.1, -1.8, -0.7), (5, 1.8, 0.7), metal, 0.04),
        solid(tangs, (-13.3, -3.2, -0.6), (-0.4, 3.2, 0.6), metal, 0.05),
        solid(rivet, (-0.8, -0.8, -0.7), (0.8, 0.8, 0.7), chrome((0.12, 0.2)), 0.03),
        core, soft,
        printed("FORGELINE", 0.62, ink(PAPER, 0.4), (-8.3, 2.28, 0), soft, turn=(0, 0, math.radians(-3))),
    ], LYING_POSE


JAW_DEGREES = 40
UPPER = smooth([(-1.9, 0.5), (-0.7, 0.35), (0.2, 0.55), (1.3, 0.75), (2.4, 0.5), (2.9, 0.14), (2.9, 0.14), (2.9, 0.14), (5.1, 0.10), (5.1, 0.10),
                (5.1, 0.10), (5.25, 0.45), (4.9, 0.95), (3.2, 1.62), (1.0, 2.0), (-1.0, 1.9), (-2.2, 1.3)])
LOWER = smooth([(-2.4, -1.2), (-0.9, -0.5), (0.2, -0.55), (1.3, -0.75), (2.4, -0.5), (2.9, -0.14), (2.9, -0.14), (2.9, -0.14), (5.1, -0.10),
                (5.1, -0.10), (5.1, -0.10), (5.3, -0.55), (4.9, -1.25), (3.2, -2.1), (1.0, -2.75), (-1.2, -2.9), (-2.6, -2.4)])
UPPER_ARM = [(1.6, 1.7, 1.0), (0.2, 0.4, 1.2), (-1.4, -0.7, 0.95), (-3.4, -1.45, 0.62), (-7.0, -2.1, 0.55), (-14.0, -2.5, 0.5), (-17.6, -2.3, 0.45)]
LOWER_ARM = [(3.0, -1.1, 1.25), (1.2, -0.25, 1.25), (-0.6, 0.55, 1.15), (-2.6, 1.3, 0.75), (-5.2, 1.9, 0.58), (-12.0, 2.5, 0.5), (-17.6, 2.3, 0.45)]
UPPER_ARM_GRIP = [(-6.0, -1.98, 0.66), (-7.0, -2.15, 0.78), (-11.0, -2.55, 0.82), (-15.5, -2.6, 0.86), (-18.0, -2.3, 0.8), (-18.7, -2.2, 0.6)]
LOWER_ARM_GRIP = [(-6.0, 2.05, 0.66), (-7.0, 2.2, 0.78), (-11.0, 2.6, 0.82), (-15.5, 2.6, 0.86), (-18.0, 2.3, 0.8), (-18.7, 2.2, 0.6)]


def toothed(d, u, v, z, high):
    bite = teeth(u, 0.22, 0.09)
    d = d + np.where((np.abs(v) < 1.0) & (u > 0), bite * ramp(np.abs(v), 1.0, 0.7), 0)
    return extrude(d, z, high, 0.09)


def upper_arm(x, y, z):
    u, v = spin(x, y, JAW_DEGREES, 1.9, 0.5)
    pts, w = bent(UPPER_ARM)
    jaw = toothed(polygon(u, v, UPPER), u, v, z, 0.52 - 0.12 * ramp(u, 2, 5))
    arm = extrude(ribbon(x, y, pts, w), z, 0.62 - 0.16 * ramp(x, -1.4, -3.2), 0.16)
    arm = cut(arm, np.maximum(intersect(x - 3.3, -x - 1.6, 0.1) - 9 * (z > 2), np.abs(z) - 0.44), 0.02)
    return join(jaw, arm, 0.3)


def slots(x, y):
    d = 9.0
    for i in range(6):
        d = join(d, disc(x - 2.5 + i * 0.52, y + 0.88 - i * 0.235, 0.34), 0.05)
    return d


def lower_arm(x, y, z):
    u, v = spin(x, y, JAW_DEGREES, 1.9, 0.5)
    pts, w = bent(LOWER_ARM)
    jaw = toothed(polygon(u, v, LOWER), u, v, z, 0.52 - 0.12 * ramp(u, 2, 5))
    arm = extrude(ribbon(x, y, pts, w), z, 0.42 + 0.04 * ramp(x, -1.4, -3.2), 0.12)
    return cut(join(jaw, arm, 0.3), slots(x, y), 0.04)


def pump_rivet(x, y, z):
    u, v = x - 0.45, y - 0.05
    d = extrude(disc(u, v, 0.55), z, 0.70, 0.10)
    return cut(d, np.maximum(disc(u, v, 0.22), 0.6 - np.abs(z)), 0.03)


def sleeve(points, out):
    pts, w = bent(points)

    def field(x, y, z):
        return tube(x, y - out, z, pts, [v * (1.0 if not out else 1.03) for v in w], 1.22 if not out else 0.8)
    return field


def pump_grips(points, side):
    whole = sleeve(points, 0)
    outer = sleeve(points, side * 0.40)
    box_ = ((-19.6, min(side * 1.0, side * 4), -1.2), (-5.0, max(side * 1.0, side * 4), 1.2))
    core = solid(whole, *box_, plastic(EMBER, 0.32), 0.06)
    return [core, solid(lambda x, y, z: intersect(whole(x, y, z) - 0.035, outer(x, y, z), 0.08), *box_, rubber(BLACK), 0.06)]


def water_pump_pliers():
    metal = forged(lambda n: n.remap(n.xyz()[0], -2.4, -2.2, 0.0, 1.0), grain=(1.5, 22, 22))
    top_grip, bottom_grip = pump_grips(LOWER_ARM_GRIP, 1), pump_grips(UPPER_ARM_GRIP, -1)
    return [
        solid(upper_arm, (-18.3, -3.4, -0.8), (7.2, 6.4, 0.8), metal, 0.055),
        solid(lower_arm, (-18.3, -3.4, -0.7), (8.2, 6.4, 0.7), metal, 0.055),
        solid(pump_rivet, (-0.3, -0.8, -0.8), (1.2, 0.8, 0.8), chrome((0.12, 0.2)), 0.04),
        *top_grip, *bottom_grip,
        printed("FORGELINE", 0.7, ink(PAPER, 0.4), (-12.2, 2.75, 0), top_grip[1], turn=(0, 0, 0)),
    ], dict(turn=20, elevation=52)
