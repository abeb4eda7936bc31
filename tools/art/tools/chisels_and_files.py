"""Chisels and files: a blade, a ferrule, a handle."""
import numpy as np

from studio.colors import BLACK, EMBER, INK, PAPER, linear
from studio.distance_fields import *
from studio.lettering import letters, printed
from studio.mesh import solid
from studio.metals import chrome, steel
from studio.nodes import Nodes
from studio.surfaces import beech, ink, plastic, rubber, wood

HANDLE = [(-13.2, 1.32), (-12.6, 1.38), (-11.8, 1.42), (-9.0, 1.58), (-6.0, 1.52), (-3.0, 1.26), (-1.2, 1.12), (-0.2, 1.1)]


def handle(x, y, z):
    round_ = hyp(y, z)
    oct_ = np.maximum(ngon(y, z, 0, 8, PI / 8), 0)
    d = lerp(round_, oct_ * 1.02, 0.75 * ramp(x, -12, -10.5) * ramp(x, -1.6, -3.5)) - curve(x, HANDLE)
    return intersect(d, np.abs(x + 6.7) - 6.5, 0.25)


def hoop(x, y, z):
    rr = hyp(y, z)
    return intersect(rod(x, rr, -12.9, -11.9, 1.50, 0.08), 1.2 - rr, 0.05)


def ferrule(x, y, z):
    return turned(x, hyp(y, z), [(-1.3, 1.22), (-1.1, 1.24), (0.1, 1.12), (0.3, 1.04)], 0.08)


def blade(x, y, z):
    """The flat back lies below; the edge is at +x."""
    wide = 0.62 + 0.63 * ramp(x, 1.2, 3.6)
    thick = lerp(0.62, 0.30, np.clip((x - 2) / 10, 0, 1))
    shank = np.maximum(hyp(y, z) - curve(x, [(0, 0.72), (1.0, 0.62), (2.2, 0.56), (3.5, 0.5)]), np.abs(x - 1.5) - 2.0)
    top = z - thick + 0.3
    body = np.maximum(np.maximum(np.abs(y) - wide, -z - 0.30), np.maximum(x - 13.6, 1.4 - x))
    side = (np.abs(y) - wide + 0.42 + (z + 0.14) * 0.9) * 0.74
    body = intersect(body, intersect(top, side, 0.02), 0.02)
    edge = (x - 13.6) * math.sin(math.radians(25)) + (z + 0.30) * math.cos(math.radians(25))
    body = intersect(body, edge, 0.006)
    bolster = turned(x, hyp(y, z), [(0.2, 1.02), (0.5, 1.06), (0.75, 0.8)], 0.08)
    return join(join(shank, body, 0.5), bolster, 0.12)


def bench_chisel(bright=None, name_turn=0):
    """`name_turn` turns the name around the grip, so that a low camera sees it."""
    low = math.radians(name_turn)
    grip = solid(handle, (-13.4, -1.8, -1.8), (0, 1.8, 1.8), beech(gloss=0.45), 0.05)
    bright = bright or steel((0.64, 0.64, 0.65, 1), (0.14, 0.26), (18, 1.5, 18), 0.06)
    return [
        grip,
        solid(hoop, (-13.1, -1.7, -1.7), (-11.6, 1.7, 1.7), steel((0.5, 0.5, 0.51, 1), (0.2, 0.32), (20, 2, 2)), 0.04),
        solid(ferrule, (-1.5, -1.5, -1.5), (0.6, 1.5, 1.5), steel((0.55, 0.55, 0.56, 1), (0.18, 0.3), (20, 2, 2)), 0.04),
        solid(blade, (-0.8, -1.5, -1.3), (13.9, 1.5, 1.3), bright, 0.035),
        printed("FORGELINE", 0.95, ink(linear("#3a2416"), 0.7), (-6.4, 0, 0), grip,
                turn=(low, 0, 0), along=(0, math.sin(low), -math.cos(low))),
        letters("25", 0.62, ink(INK, 0.5), (3.6, 0, 0.285), (0, math.radians(1.8), 0), depth=0.004, bevel=0),
    ], dict(turn=30, elevation=46)


def filed():
    """Second-cut file teeth: two crossing rows of cuts in gray steel with slightly brighter crests."""
    n = Nodes("file")
    x, y, _ = n.xyz()

    def row(angle, pitch):
        c, s = math.cos(angle), math.sin(angle)
        return n.math("FRACT", n.mul(n.add(n.mul(x, c), n.mul(y, s)), 1 / pitch))
    cuts = n.mul(row(math.radians(28), 0.105), row(math.radians(-42), 0.13))
    bare = n.remap(x, 10.9, 11.2, 1.0, 0.0)
    return n.set(Base_Color=n.blend(cuts, (0.26, 0.26, 0.27, 1), (0.62, 0.62, 0.63, 1)), Metallic=1.0,
                 Roughness=n.remap(cuts, 0, 1, 0.42, 0.24), Normal=n.bump(cuts, n.mul(bare, 0.9), 0.09))


def file_blade(x, y, z):
    """Round above, flat below, tapering to the point at -x; the heel runs into the tang."""
    wide = curve(x, [(-13.2, 0.46), (-10, 0.9), (-5, 1.2), (0, 1.3), (11, 1.3), (12.2, 1.15), (13.2, 0.4), (14, 0.35)])
    high = 0.50 * wide / 1.3
    arc = (hyp(y, (z + 0.22) * wide / (high + 0.22)) - wide) * 0.55
    d = intersect(arc, -z - 0.22, 0.03)
    return intersect(d, intersect(x - 14, -x - 13.2, 0.02), 0.05)


GRIP = [(12.4, 0.9), (12.7, 1.15), (13.4, 1.22), (14.4, 1.12), (16.5, 1.42), (19.5, 1.6), (22.2, 1.46), (23.6, 1.5), (24.6, 1.36), (25, 1.0)]


def file_grip(x, y, z):
    d = turned(x, hyp(y, z * 1.12), GRIP, 0.25)
    return d + 0.045 * np.cos(2 * PI * x / 0.5) * ramp(x, 15.4, 15.8) * ramp(x, 22.3, 21.9) * ramp(np.abs(y), 0.7, 1.0)


def file_ember(x, y, z):
    d = file_grip(x, y, z) - 0.014
    lane = intersect(rect(x - 19.0, y, 2.9, 0.56, 0.54), 0.2 - z, 0.02)
    return intersect(d, np.minimum(np.minimum(lane, 23.5 - x), x - 13.3), 0.02)


def half_round_file():
    ember = solid(file_ember, (12.1, -1.9, -1.8), (25.3, 1.9, 1.8), plastic(EMBER, 0.32), 0.045)
    return [
        solid(file_blade, (-13.5, -1.5, -0.4), (14.2, 1.5, 0.8), filed(), 0.045),
        solid(file_grip, (12.1, -1.9, -1.8), (25.3, 1.9, 1.8), rubber(BLACK), 0.05),
        ember,
        printed("FORGELINE", 0.85, ink(PAPER, 0.4), (19.0, 0, 0), ember, turn=(0, 0, 0)),
    ], dict(turn=-30, elevation=48)
