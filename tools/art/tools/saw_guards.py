"""Parts around a circular saw blade: the fixed guard, the swinging guard, and the base plate."""
from studio.distance_fields import *
from studio.hardware import screws

HUB = 9.9  # height of the arbor; the blade turns in the plane y = 0, the motor is behind it
TEETH = 24
RIBS = [math.radians(v) for v in (2, 13, 24, 35)]
LUGS = [(5.5 * math.cos(a), HUB + 5.5 * math.sin(a)) for a in map(math.radians, (16, 160))]
FEET = [(9.5 * math.cos(a), HUB + 9.5 * math.sin(a)) for a in map(math.radians, (8, 172))]


def polar(x, z):
    return hyp(x, z - HUB), np.arctan2(z - HUB, x)


def sector(x, z, mid, half):
    """Negative within this many degrees of a direction. Approximately a length."""
    r, a = polar(x, z)
    off = np.abs((a - math.radians(mid) + PI) % (2 * PI) - PI)
    return (off - math.radians(half)) * r


def blade(x, y, z):
    r, a = polar(x, z)
    step = (a / (2 * PI) * TEETH) % 1
    rim = np.interp(step, [0, 0.06, 0.18, 0.72, 0.76, 0.86, 1], [8.45, 8.5, 8.85, 9.48, 8.55, 8.38, 8.45])
    d = np.maximum((r - rim) * 0.6, np.abs(y) - 0.09)
    for turn in range(4):
        u, v = spin(x, z, 36 + 90 * turn, 0, HUB)
        d = cut(d, np.minimum(rect(u - 8.2, v, 0.7, 0.05), disc(u - 7.5, v, 0.17)), 0.01)
    return d


def tips(x, y, z):
    r, a = polar(x, z)
    step = (a / (2 * PI) * TEETH) % 1
    return np.maximum(np.maximum(np.abs(r - 9.05) - 0.47, np.abs(y) - 0.14), (np.abs(step - 0.66) - 0.07) * 2.2)


def arrow(x, z):
    """The cast arrow for the rotation of the blade."""
    r, _ = polar(x, z)
    shaft = np.maximum(np.abs(r - 7.3) - 0.16, sector(x, z, 138, 6.5))
    u, v = spin(x, z, 146, 0, HUB)
    return np.minimum(shaft, np.maximum(np.abs(u - 7.3) - 0.6 * (0.75 - v), -v - 0.35))


def face(x, z):
    """The height of the guard's side above its floor."""
    r, _ = polar(x, z)
    floor = np.maximum(np.abs(r - 7.25) - 2.0, np.minimum(sector(x, z, 18, 28), sector(x, z, 174, 46)))
    high = 0.28 * ramp(floor, -0.16, 0.08)
    for a in RIBS:
        along, off = x * math.cos(a) + (z - HUB) * math.sin(a), np.abs((z - HUB) * math.cos(a) - x * math.sin(a))
        high = np.maximum(high, 0.32 * ramp(off, 0.36, 0.16) * ramp(np.abs(along - 7.25), 2.1, 1.8))
    high = np.maximum(high, 0.24 * ramp(arrow(x, z), 0.06, -0.06))
    return high + 0.2 * ramp(np.abs(r - 10.3), 0.52, 0.28) + 0.16 * ramp(np.abs(r - 4.6), 0.55, 0.4)


def upper_guard(x, y, z):
    r, _ = polar(x, z)
    drum = intersect(r - 10.7, np.abs(y - 0.1) - 1.5 - face(x, z) * (y < 0), 0.16)
    drum = intersect(drum, -np.maximum(r - 10.2, np.abs(y - 0.1) - 1.2), 0.02)
    d = intersect(drum, HUB - 2.6 - z + 0.10 * x, 0.12)
    for u, w in LUGS + FEET:
        d = join(d, rod(-y, hyp(x - u, z - w), 0.9, 1.86, 0.72, 0.08), 0.25)
    d = np.maximum(d, -np.maximum(r - 4.15, y + 1.0))
    port = rod(-x, hyp(y - 1.7, z - HUB - 5.0), 4.0, 13.4, 1.9, 0.1)
    port = join(port, rod(-x, hyp(y - 1.7, z - HUB - 5.0), 12.6, 13.2, 2.15, 0.1), 0.15)
    d = join(d, intersect(port, 10.3 - r, 0.1), 0.5)
    d = cut(d, np.maximum(hyp(y - 1.7, z - HUB - 5.0) - 1.6, x + 7), 0.05)
    return join(d, box(x, y, z, (6.5, 1.3, 2.6), (12.0, 4.6, HUB - 1.0), 0.5), 0.7)


def guard_screws(x, y, z):
    return screws(x, z, -y, [(u, w, 1.82) for u, w in LUGS + FEET], 0.46)


def name_plate(x, y, z):
    r, _ = polar(x, z)
    d = intersect(np.abs(r - 7.35) - 1.5, sector(x, z, 88, 36), 0.3)
    return extrude(d, -y - 1.7, 0.07, 0.03)


def rivets(x, y, z):
    ends = [(7.35 * math.cos(a), HUB + 7.35 * math.sin(a)) for a in map(math.radians, (56.5, 119.5))]
    return join_all(0.0, *(np.sqrt((x - u) ** 2 + (z - w) ** 2 + (y + 1.62) ** 2) - 0.28 for u, w in ends))


def lower_guard(x, y, z):
    r, _ = polar(x, z)
    bead = 0.1 * ramp(np.abs(r - 9.1), 0.32, 0.12)
    drum = intersect(r - 9.95, np.abs(y) - 0.85 - bead, 0.1)
    drum = intersect(drum, -np.maximum(r - 9.75, np.abs(y) - 0.65), 0.02)
    where = intersect(z - HUB + 0.9 + 0.35 * x, 0.35 - z, 0.1)
    d = intersect(drum, intersect(where, x + 0.6 - 0.3 * (z - 4), 0.3), 0.05)
    hub = rod(-y, r, 0.7, 1.0, 4.0, 0.1)
    return np.minimum(d, cut(hub, disc(x, z - HUB, 2.5), 0.05))


def lever(x, y, z):
    """The lever that lifts the lower guard."""
    u, v = spin(x, z, -73, 0, HUB)
    arm = np.maximum(rect(u - 6.4, v, 2.6, 0.42, 0.3), np.abs(y + 1.15) - 0.14)
    return join(arm, rod(-y, hyp(u - 8.2, v), 1.0, 2.9, 0.62, 0.2) + 0.03 * np.cos(2 * PI * y / 0.35), 0.1)


def base(x, y, z):
    plate = box(x, y, z, (-15.5, -4.2, 0), (15.5, 12.5, 0.34), 0.14)
    lip = box(np.abs(y - 4.15), x, z, (7.98, -15.3, 0), (8.35, 15.3, 0.95), 0.12)
    bead = np.maximum(capsule(x, y, -13.5, -2.5, 9.4, -2.5, 0.35), z - 0.5)
    d = join(join(plate, lip, 0.25), np.maximum(bead, -z), 0.25)
    d = cut(d, rect(x + 0.4, y, 11.2, 0.6, 0.4), 0.05)
    d = cut(d, np.minimum(capsule(x, y, 14.9, 0, 17, 0, 0.3), capsule(x, y, 14.9, 3.2, 17, 3.2, 0.3)), 0.06)
    return cut(d, np.minimum(disc(x - 6.5, y - 10, 0.5), disc(x + 6.5, y - 10, 0.5)), 0.06)


def bevel(x, y, z):
    """The bevel quadrant, with a slot along its arc."""
    r = hyp(y - 1.4, z - 0.9)
    d = np.maximum(np.abs(x - 12.6) - 0.2, intersect(intersect(r - 7.0, y - 5.4, 0.3), 0.2 - z, 0.2))
    d = intersect(d, 0.2 - y, 0.3)
    d = cut(d, np.maximum(np.abs(r - 5.1) - 0.42, 1.9 - z), 0.05)
    return join(d, box(x, y, z, (11.6, 0.4, 0.2), (14.2, 5.2, 0.62), 0.12), 0.25)


def depth_scale(x, y, z):
    """The depth bracket, which swings up from the base behind the guard."""
    r = hyp(x - 12, z - 4)
    d = extrude(intersect(np.abs(r - 24.2) - 0.95, np.abs(z - 6.9) - 6.6, 0.5), y - 2.6, 0.16, 0.05)
    d = cut(d, np.maximum(np.abs(r - 24.55) - 0.22, np.abs(z - 7.2) - 5.2), 0.03)
    return join(d, box(x, y, z, (-13.6, 1.6, 0.2), (-10.6, 3.6, 0.66), 0.12), 0.25)


def knobs(x, y, z):
    """Wing screw of the fence, wheel of the bevel, lever of the depth."""
    a = np.arctan2(z - 5.4, y - 3.4)
    wheel = rod(x, hyp(y - 3.4, z - 5.4), 12.9, 14.5, 1.15, 0.25) + 0.09 * np.cos(8 * a)
    clamp = box(x, y, z, (11.9, -3.9, 0.3), (13.5, -1.2, 1.15), 0.2)
    wing = join(rod(z, hyp(x - 12.7, y + 2.5), 1.0, 1.9, 0.5, 0.1), extrude(rect(y + 2.5, z - 2.1, 1.0, 0.5, 0.3), x - 12.7, 0.16, 0.1), 0.15)
    return join_all(0.0, wheel, clamp, wing)


def arbor(x, y, z):
    r, _ = polar(x, z)
    flange = cut(rod(-y, r, 0.0, 0.95, 2.3, 0.12), np.maximum(np.abs(r - 1.7) - 0.25, y + 0.82), 0.05)
    washer = rod(-y, r, 0.9, 1.15, 1.35, 0.06)
    bolt = intersect(extrude(ngon(x, z - HUB, 0.92, 6, 0.35), -y - 1.4, 0.4, 0.03), np.sqrt(r**2 + (y + 0.6) ** 2) - 1.42, 0.04)
    return join_all(0.02, flange, washer, cut(bolt, np.maximum(ngon(x, z - HUB, 0.42, 6, 0.35), 1.45 + y), 0.03))
