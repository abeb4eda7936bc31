"""Hex keys: nested by size in a clip, long arms with ball ends."""
import numpy as np

from studio.colors import EMBER, PAPER
from studio.distance_fields import *
from studio.lettering import letters
from studio.mesh import solid
from studio.metals import chrome
from studio.surfaces import ink, plastic

# KEYS: the width across flats, and the lengths of both arms. LANES: the height of each long arm in the clip.
KEYS = [(1.0, 22.4, 5.0), (0.8, 20.8, 4.4), (0.6, 18.6, 3.8), (0.5, 16.5, 3.3), (0.4, 14.4, 2.9), (0.3, 12.6, 2.4), (0.25, 11.2, 2.1),
        (0.2, 10.0, 1.8), (0.15, 9.0, 1.5)]
SIZE_LABELS = ["10", "8", "6", "5", "4", "3", "2.5", "2", "1.5"]
LANES = [3.2, 2.05, 1.08, 0.28, -0.40, -0.97, -1.45, -1.88, -2.25]
CLIP = -7.2


def corner_x(i):
    return 9.4 - i * 0.98 - 0.6 * (1 - KEYS[i][0])


def key(i):
    d, long, short = KEYS[i]
    cx, cy, r = corner_x(i), LANES[i], d * 1.1 + 0.1

    def field(x, y, z):
        u, v = x - cx + r, y - cy + r
        q = np.minimum(np.maximum(u, v), 0) + hyp(np.maximum(u, 0), np.maximum(v, 0)) - r
        hexa = ngon(q, z, d / 2, 6, PI / 6)
        tip = x - (cx - long)
        ball = hyp(tip - d * 0.42, hyp(y - cy, z)) - d * 0.60
        neck = hyp(y - cy, z) - d * lerp(0.36, 0.7, ramp(tip, d * 0.9, d * 1.9))
        end = np.where(tip < d * 2, np.minimum(intersect(ball, -tip + 0.0, 0.01), np.maximum(neck, d * 0.6 - tip)), -1.0)
        keep = np.maximum(-(x - (cx - long)), -(y - (cy - short)))
        return intersect(np.maximum(hexa, end), keep, d * 0.08)
    return field


def clip(x, y, z):
    slant = 0.0 * y
    d = rect(x - CLIP - slant, y - 0.55, 1.15, 3.55, 0.4)
    body = extrude(d, z - 0.0, 0.82, 0.16)
    for (a, _, _), lane in zip(KEYS, LANES):
        body = cut(body, hyp(y - lane, z) - a / 2 - 0.0, 0.01)
    return body


def hex_key_set():
    metal = chrome((0.12, 0.2), 0.02)
    parts = []
    for i, (d, long, short) in enumerate(KEYS):
        x, y, m = corner_x(i), LANES[i], d
        parts.append(solid(key(i), (x - long - 0.1, y - short - 0.1, -m), (x + m, y + m, m), metal, max(0.022, 0.045 * d + 0.012)))
    parts.append(solid(clip, (CLIP - 1.6, -3.4, -1), (CLIP + 1.6, 4.4, 1), plastic(EMBER, 0.34), 0.05))
    white = ink(PAPER, 0.4)
    for label, lane, (d, _, _) in zip(SIZE_LABELS, LANES, KEYS):
        parts.append(letters(label, 0.3 + 0.28 * d, white, (CLIP + 0.62, lane, 0.82), depth=0.006, bevel=0))
    parts.append(letters("FORGELINE", 0.95, white, (CLIP - 0.42, 0.6, 0.82), (0, 0, math.radians(90)), depth=0.006, bevel=0))
    return parts, dict(turn=20, elevation=54, tilt=False)
