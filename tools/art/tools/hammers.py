"""Hammers: black forgings, their working ends ground."""
import numpy as np

from studio.colors import BLACK, EMBER, PAPER, linear
from studio.distance_fields import *
from studio.lettering import printed
from studio.mesh import loft, solid
from studio.metals import chrome, forged
from studio.surfaces import ink, plastic, rubber, wood

LYING_POSE = dict(turn=-30, elevation=46)
CLAW_RADIUS, CLAW_LENGTH = 7.6, 7.6
HANDLE_WIDTHS = [(0, 1.02), (1.6, 1.06), (4.5, 1.0), (9, 1.02), (16, 1.30), (21, 1.46), (25, 1.40), (28.5, 1.36), (31.2, 1.62), (32.0, 1.66), (33.2, 1.5)]
HANDLE_THICKNESSES = [(0, 0.80), (1.6, 0.84), (4.5, 0.80), (9, 0.84), (16, 1.02), (21, 1.14), (25, 1.08), (28.5, 1.04), (31.2, 1.18), (32.0, 1.2), (33.2, 1.08)]
HANDLE_LENGTH = 33.4


def ash_grip(x, a):
    e = (np.sqrt(np.clip(1 - ((x - (HANDLE_LENGTH - 0.55)) / 0.55).clip(0, 1) ** 2, 0, 1)) * 0.42 + 0.58) * (x < HANDLE_LENGTH - 1e-6)
    e = e * np.minimum(1, 0.93 + np.sqrt(np.clip(x / 0.12, 0, 1)) * 0.07) * (x > 1e-6)
    c, s = np.cos(a), np.sin(a)
    k = (np.abs(c) ** 2.35 + np.abs(s) ** 2.35) ** (-1 / 2.35) * e
    bow = 0.10 * np.sin((x - 6) / 26 * PI) * ramp(x, 4, 12)
    return curve(x, HANDLE_WIDTHS) * k * c + bow, curve(x, HANDLE_THICKNESSES) * k * s


def ash_handle(start):
    handle = loft(HANDLE_LENGTH, ash_grip, wood(dip=27.3))
    for v in handle.data.vertices:
        v.co.x += start
    return [handle, printed("FORGELINE", 1.3, ink(linear("#3a2416"), 0.7), (18.5 + start, 0.1, 0), handle)]


def ground(low, high):
    """Bright beyond low and high along y, with a grinder's wavering edge."""
    def mask(n):
        _, y, _ = n.xyz()
        y = n.add(y, n.mul(n.math("SUBTRACT", n.noise(1.5, 3), 0.5), 0.25))
        return n.add(n.remap(y, low, low - 0.1, 0.0, 1.0), n.remap(y, high, high + 0.15, 0.0, 1.0), True)
    return mask


def peen_head(x, y, z):
    """The handle runs along +x; the face points to -y, the peen to +y."""
    a, b = y, -x
    across = curve(a, [(-5.6, 1.32), (-4.4, 1.34), (-3.4, 1.2), (-1.7, 1.22), (-0.9, 1.42), (1.0, 1.42), (1.8, 1.3), (5.3, 0.3), (5.6, 0.22)])
    high = curve(a, [(-5.6, 1.32), (-4.4, 1.34), (-3.4, 1.2), (-1.7, 1.2), (-0.9, 1.36), (1.0, 1.36), (1.9, 1.25), (3, 1.26), (5.6, 1.34)])
    corner = lerp(0.80, 0.93, ramp(np.abs(a), 3.0, 1.0)) + 0.14 * ramp(a, 2.0, 4.5)
    d = intersect(np.abs(b) - across, np.abs(z) - high, 0.10)
    d = intersect(d, (np.abs(b) + np.abs(z)) * 0.7071 - (across + high) * 0.7071 * corner, 0.12)
    dome = -(a + 5.25) + 0.03 * (b * b + z * z)
    return intersect(intersect(d, dome, 0.14), a - 5.3, 0.35) * 0.9


def cross_peen_hammer():
    head = solid(peen_head, (-1.9, -5.6, -1.7), (1.9, 5.6, 1.7), forged(ground(-4.2, 3.4)), 0.05)
    return [head, *ash_handle(-1.75)], LYING_POSE


def claw_head(x, y, z):
    a, b = y, -x
    rr = hyp(b, z)
    face = intersect(rod(a + 4.55, rr, -1.05, 0.75, 1.48, 0.16), -(a + 5.62) + 0.03 * rr * rr, 0.1)
    neck = np.maximum(rr * 0.55 + 0.45 * np.maximum(ngon(b, z, 0, 8, PI / 8), 0) - 1.10, np.abs(a + 2.2) - 2.6)
    d = join(join(face, neck, 0.55), block(a - 0.15, b + 0.12, z, 1.55, 1.42, 1.38, 0.34), 0.9)
    pa, pb = a - 0.7, b - 0.45 + CLAW_RADIUS
    rad, s = hyp(pa, pb), CLAW_RADIUS * np.arctan2(pa, pb)
    t = np.clip(s / CLAW_LENGTH, 0, 1)
    thick = np.minimum(0.80 * (1 - t) ** 1.15 + 0.09, 0.03 + 0.22 * np.maximum(CLAW_LENGTH - s, 0))
    wide = 1.22 + 0.34 * ramp(s, 0.3, 3.4) - 0.30 * ramp(s, 4.0, CLAW_LENGTH)
    ends = intersect(s - CLAW_LENGTH + 0.35 * (np.abs(z) - 0.85) ** 2, -s - 0.8, 0.1)
    d = join(d, intersect(intersect(np.abs(rad - CLAW_RADIUS) - thick, np.abs(z) - wide, 0.16), ends, 0.14), 0.8)
    far = np.maximum(s - 2.3, 0)
    slot = intersect(np.abs(z) - 0.06 - 0.088 * far - 0.003 * far**2 + 0.11 * (rad - CLAW_RADIUS - thick * 0.2), 2.3 - s, 0.25)
    return cut(d, slot, 0.12)


def shaft(x, y, z):
    oval = hyp(y, z * 1.12)
    collar = rod(x, oval, 0.8, 2.3, 1.12, 0.12)
    return join(rod(x, oval, -1.3, 20.5, 0.9, 0.06), collar, 0.4)


GRIP = [(18.6, 1.12), (19.2, 1.3), (21, 1.28), (24, 1.48), (27.5, 1.62), (30.5, 1.46), (32.2, 1.66), (33.1, 1.78), (33.7, 1.62)]


def grip(x, y, z):
    d = turned(x, hyp(y - 0.12 * np.sin((x - 19) / 5), z * 1.2), GRIP, 0.35)
    ribs = 0.05 * np.cos(2 * PI * x / 0.55) * ramp(x, 21.5, 22) * ramp(x, 30.4, 29.9) * ramp(np.abs(y), 0.72, 0.95)
    return d + ribs


def ember_end(x, y, z):
    d = grip(x, y, z) - 0.015
    lane = intersect(rect(x - 26.0, y, 3.6, 0.62, 0.6), 0.2 - z, 0.05)
    return intersect(d, np.minimum(intersect(32.3 - x, x - 35, 0.05), lane), 0.03)


def claw_hammer():
    ember = plastic(EMBER, 0.34)
    end = solid(ember_end, (21.5, -2.1, -1.9), (34.2, 2.1, 1.9), ember, 0.05)
    return [
        solid(claw_head, (-2.2, -6.0, -1.9), (4.4, 8.2, 1.9), forged(ground(-3.62, 2.75)), 0.06),
        solid(shaft, (-1.5, -1.3, -1.3), (20.8, 1.3, 1.3), chrome((0.1, 0.18)), 0.06),
        solid(grip, (18.3, -2.1, -1.9), (34.2, 2.1, 1.9), rubber(BLACK), 0.05),
        end,
        printed("FORGELINE", 0.95, ink(PAPER, 0.4), (26.0, 0, 0), end),
    ], LYING_POSE
