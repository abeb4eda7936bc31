"""Cordless drill, standing on its battery."""
import numpy as np

from studio.colors import BLACK, EMBER, INK, PAPER, linear
from studio.distance_fields import *
from studio.hardware import screws
from studio.lettering import letters, printed
from studio.mesh import solid
from studio.metals import chrome, steel
from studio.outline import polygon, smooth
from studio.resting_poses import shift, turn
from studio.surfaces import ink, matt, plastic, rubber

AXIS = 18.2
BODY = [(-7.6, 2.2), (-7.2, 2.75), (-6.2, 3.0), (-2, 3.05), (3.5, 3.0), (4.8, 2.85), (5.4, 2.6)]
BACK = smooth([(-4.6, 15.4), (-3.6, 10.0), (-4.4, 5.4), (-5.2, 4.4), (-4.2, 3.6), (1.4, 3.6), (2.4, 4.4), (0.8, 5.6), (0.5, 9.0), (1.1, 12.6), (2.8, 15.6), (2.0, 17.6), (-3.6, 17.6)])
HANDLE_RUBBER = smooth([(-9, 14.6), (-4.2, 15.9), (-1.6, 15.5), (-0.6, 13.2), (-1.0, 9.4), (-0.4, 6.4), (-0.9, 5.5), (-9, 5.2)])
TAIL_RUBBER = smooth([(-9, 22), (-5.6, 22), (-5.0, 20.4), (-5.7, 18.2), (-5.2, 16.4), (-4.4, 14.6), (-9, 14)])
SCREWS = [(-5.2, 4.5), (1.7, 4.45), (-0.1, 12.0), (1.6, 16.0), (-3.8, 16.5), (2.7, 20.0)]
LUGS = [(2.55 * math.cos(a), AXIS + 2.55 * math.sin(a)) for a in map(math.radians, (40, 140, 220, 320))]


def casing(x, y, z):
    motor = turned(x, hyp(y, (z - AXIS) * 0.96), BODY, 0.35)
    handle = extrude(polygon(x, z, BACK), y, 1.85, 1.25)
    foot = box(x, y, z, (-6.0, -2.9, 3.9), (3.6, 2.9, 5.5), 0.7)
    d = join(join(motor, handle, 1.3), foot, 1.2)
    for u, v in LUGS:
        d = join(d, rod(x, hyp(y - u, z - v), 1.5, 5.0, 0.62, 0.12), 0.35)
    return d


def front_y(u, v):
    """The y of the casing's front surface at (u, v)."""
    t = np.linspace(-4, 0, 400)
    return t[np.argmax(casing(np.full(400, u), t, np.full(400, v)) < 0)]


def housing(x, y, z):
    whole = casing(x, y, z)
    d = cut(whole, np.maximum(np.abs(y) - 0.04, -whole - 0.1), 0.03)
    cheek = rect(x + 0.8, z - AXIS - 0.05, 3.7, 1.2, 0.5)
    d = cut(d, np.maximum(np.maximum(cheek, -whole - 0.09), y), 0.05)
    for u, v in SCREWS:
        d = cut(d, np.maximum(disc(x - u, z - v, 0.5), np.maximum(-whole - 0.55, y)), 0.06)
    for i in range(5):
        slot = rect(x + 6.6 - i * 0.5, z - AXIS - 0.2, 0.14, 1.3 - 0.1 * i, 0.13)
        d = cut(d, np.maximum(slot, 2.2 - np.abs(y)), 0.04)
    return cut(d, box(x, y, z, (-2.6, -1.0, AXIS + 2.85), (1.9, 1.0, AXIS + 4), 0.3), 0.08)


def soft_grip(x, y, z):
    """Rubber molded over the grip and the tail, with rows of small pads for the fingers."""
    d = casing(x, y, z)
    p, q = (x + z) * PI / 0.46, (x - z) * PI / 0.46
    pads = 0.07 * ramp(np.cos(p) * np.cos(q), 0.1, 0.5)
    field = ramp(polygon(x, z, HANDLE_RUBBER), -0.45, -0.6) * ramp(z, 6.6, 6.9) * ramp(z, 14.2, 13.9) * ramp(np.abs(y), 0.8, 1.1)
    rear = intersect(polygon(x, z, TAIL_RUBBER), x + 4.6, 0.1)
    where = np.minimum(intersect(polygon(x, z, HANDLE_RUBBER), z - 15.9, 0.1), rear)
    d = d - 0.07 - pads * field
    for i in range(3):
        d = cut(d, np.maximum(rect(x + 6.7 - i * 0.5, z - AXIS - 0.2, 0.14, 1.3 - 0.1 * i, 0.13), 2.2 - np.abs(y)), 0.04)
    d = cut(d, np.maximum(disc(x + 5.2, z - 4.5, 0.5), y), 0.06)
    return intersect(d, where, 0.12)


def visible_screws(x, y, z):
    d = screws(x, z, -y, [(u, v, -front_y(u, v) - 0.42) for u, v in SCREWS], 0.34)
    return np.minimum(d, screws(y, z, x, [(u, v, 4.94) for u, v in LUGS], 0.4))


def torque_ring(x, y, z):
    rr, a = hyp(y, z - AXIS), np.arctan2(z - AXIS, y)
    d = turned(x, rr, [(5.15, 2.5), (5.5, 2.62), (6.5, 2.62), (6.8, 2.72), (7.9, 2.6), (8.25, 2.2)], 0.1)
    flutes = 0.13 * ramp(np.cos(22 * a), -0.2, 0.5) * ramp(x, 6.65, 6.9) * ramp(x, 8.0, 7.85)
    return cut(d + flutes, np.maximum(np.abs(x - 6.6) - 0.05, 2.5 - rr), 0.03)


def torque_numbers(material):
    out = []
    for i in range(12):
        ob = letters(str(2 * i + 1), 0.6, material, (6.05, 0, 2.625), (0, 0, -PI / 2), depth=0.004, bevel=0)
        out += shift(turn([ob], -12 + 17 * i, "X"), z=AXIS)
    return out


def chuck_sleeve(x, y, z):
    rr, a = hyp(y, z - AXIS), np.arctan2(z - AXIS, y)
    d = turned(x, rr, [(8.15, 1.95), (8.5, 2.12), (11.0, 2.12), (11.35, 1.95)], 0.1)
    d = d + 0.12 * ramp(np.cos(16 * a), 0.1, 0.75) * ramp(x, 8.8, 9.05) * ramp(x, 10.9, 10.65)
    return cut(d, np.maximum(np.abs(x - 8.65) - 0.04, 1.95 - rr), 0.02)


def chuck_nose(x, y, z):
    rr, a = hyp(y, z - AXIS), np.arctan2(z - AXIS, y)
    d = turned(x, rr, [(7.7, 1.7), (11.3, 1.8), (11.7, 1.78), (12.75, 1.3), (13.0, 1.1)], 0.06)
    for i in range(3):
        u, v = spin(y, z, 30 + 120 * i, 0, AXIS)
        d = cut(d, np.maximum(np.abs(v) - 0.09, np.maximum(11.9 - x, -u)), 0.02)
    return cut(d, np.maximum(rr - 0.62, 12.0 - x), 0.08)


def drill_bit(x, y, z):
    rr, a = hyp(y, z - AXIS), np.arctan2(z - AXIS, y)
    flute = np.abs(((a + x * 1.25) % PI) - PI / 2) - 0.62
    d = intersect(rod(x, rr, 12.0, 19.4, 0.42, 0.01), rr - (19.5 - x) * 1.5, 0.01)
    return cut(d, np.maximum(np.maximum(flute * 0.3, 0.14 - rr), 13.6 - x), 0.03)


def trigger(x, y, z):
    p = smooth([(0.2, 16.2), (3.3, 16.1), (3.5, 15.2), (2.75, 13.9), (2.35, 12.7), (2.0, 12.1), (0.4, 12.0)])
    d = extrude(polygon(x, z, p), y, 0.95, 0.35)
    return cut(d, np.maximum(np.abs(z - 14.6) - 0.03, 1.0 - x), 0.02)


def direction_switch(x, y, z):
    """The direction switch: a bar through the casing above the trigger."""
    bar = extrude(rect(x - 3.2, z - 16.55, 0.95, 0.36, 0.3), y, 2.75, 0.18)
    return bar + 0.05 * ramp(np.cos(2 * PI * x / 0.34), 0.0, 0.6) * ramp(np.abs(x - 3.2), 0.55, 0.4)


def gear_selector(x, y, z):
    d = box(x, y, z, (-1.9, -0.78, AXIS + 2.6), (0.4, 0.78, AXIS + 3.42), 0.2)
    return d + 0.07 * ramp(np.cos(2 * PI * x / 0.36), 0.0, 0.7) * ramp(z, AXIS + 3.2, AXIS + 3.3) * ramp(np.abs(x + 0.75), 0.85, 0.75)


def battery(x, y, z):
    low = box(x, y, z, (-6.6, -3.4, 0), (4.7, 3.4, 2.65), 0.5)
    d = join(low, box(x, y, z, (-6.2, -3.0, 1.6), (4.3, 3.0, 3.86), 0.4), 0.35)
    d = cut(d, np.maximum(np.abs(z - 1.95) - 0.04, -low - 0.09), 0.03)
    for i in range(4):
        d = cut(d, np.maximum(rect(x - 2.0 - i * 0.6, z - 1.15, 0.15, 0.42, 0.14), 3.28 - np.abs(y)), 0.03)
        d = cut(d, np.maximum(rect(y - 1.8 + i * 1.2, z - 1.0, 0.36, 0.5, 0.2), 4.55 - x), 0.03)
    return cut(d, np.maximum(rect(x + 2.85, z - 1.05, 3.15, 0.72, 0.15), 3.36 - np.abs(y)), 0.02)


def battery_label(x, y, z):
    return extrude(rect(x + 2.85, z - 1.05, 3.05, 0.64, 0.1), y + 3.36, 0.03, 0.01)


def battery_release(x, y, z):
    d = box(x, y, z, (1.3, -3.3, 2.75), (3.7, 3.3, 3.6), 0.2)
    return d + 0.06 * ramp(np.cos(2 * PI * x / 0.4), 0.0, 0.6) * ramp(np.abs(x - 2.5), 0.95, 0.85)


def charge_gauge(x, y, z):
    return join_all(0.0, *(extrude(disc(x - 2.0 - i * 0.6, z - 2.3, 0.14), y + 3.36, 0.06, 0.03) for i in range(4)))


def lamp_rim(x, y, z):
    return intersect(rod(x, hyp(y, z - 5.5), 2.0, 3.75, 0.62, 0.15), 5.1 - z, 0.1)


def lamp(x, y, z):
    return np.sqrt((x - 3.55) ** 2 + y**2 + (z - 5.5) ** 2) - 0.42


def cordless_drill(has_label=True):
    """Without its label, the battery can stand behind another tool that would cut the words off."""
    side, white = (math.radians(90), 0, 0), ink(PAPER, 0.4)
    black, top = plastic(BLACK, 0.4), AXIS + 4
    shell = solid(housing, (-8, -3.6, 3.4), (7, 3.6, AXIS + 3.8), plastic(EMBER, 0.34), 0.075)
    words = [
        solid(battery_label, (-6, -3.6, 0.3), (0.4, -3.2, 1.8), matt(linear("#c9c5bc"), 0.5), 0.04),
        letters("18 V", 1.0, ink(INK, 0.5), (-4.8, -3.4, 1.05), side, depth=0.004, bevel=0),
        letters("4.0 Ah  Li-Ion", 0.62, ink(EMBER, 0.5), (-2.0, -3.4, 1.05), side, depth=0.004, bevel=0),
    ] if has_label else []
    return [
        shell,
        *words,
        solid(soft_grip, (-8.2, -3.8, 3.4), (7, 3.8, AXIS + 3.8), rubber(BLACK), 0.07),
        solid(visible_screws, (-6, -3.6, 3.6), (5.8, 3.6, 21.4), steel((0.3, 0.3, 0.31, 1), (0.24, 0.34), (4, 4, 4)), 0.045),
        solid(torque_ring, (4.9, -3, AXIS - 3), (8.5, 3, AXIS + 3), black, 0.05),
        solid(chuck_sleeve, (7.9, -2.3, AXIS - 2.3), (11.6, 2.3, AXIS + 2.3), plastic(BLACK, 0.32), 0.045),
        solid(chuck_nose, (7.5, -2.3, AXIS - 2.3), (13.2, 2.3, AXIS + 2.3), steel((0.5, 0.5, 0.51, 1), (0.16, 0.26), (20, 2, 2)), 0.045),
        solid(drill_bit, (11.8, -0.6, AXIS - 0.6), (19.7, 0.6, AXIS + 0.6), chrome((0.12, 0.2)), 0.035),
        solid(trigger, (-0.4, -1.2, 11.6), (4.1, 1.2, 16.9), black, 0.05),
        solid(direction_switch, (2, -3, 16), (4.4, 3, 17.2), black, 0.045),
        solid(gear_selector, (-2.1, -1, AXIS + 2.4), (0.6, 1, top), black, 0.045),
        solid(battery, (-6.8, -3.6, -0.2), (4.9, 3.6, 4.1), plastic((0.02, 0.0205, 0.022, 1), 0.42), 0.07),
        solid(battery_release, (1.1, -3.5, 2.6), (3.9, 3.5, 3.8), plastic(EMBER, 0.34), 0.05),
        solid(charge_gauge, (1.7, -3.6, 2), (4.1, -3.2, 2.6), matt(linear("#58c46a"), 0.3), 0.025),
        solid(lamp_rim, (1.8, -0.8, 4.9), (3.9, 0.8, 6.3), black, 0.04),
        solid(lamp, (3, -0.5, 5), (4.1, 0.5, 6), matt((0.9, 0.9, 0.85, 1), 0.08), 0.03),
        *torque_numbers(white),
        printed("FORGELINE", 1.5, white, (-0.85, -4, AXIS + 0.05), shell, turn=side, along=(0, 1, 0)),
    ], dict(turn=-24, elevation=18, lens=90, tilt=False, room=0.08, back=0.5, front=0.7, shade=0.75)
