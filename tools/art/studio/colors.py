"""The shop's colors in linear RGB."""


def linear(hexa):
    c = [int(hexa[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    return tuple(v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in c) + (1.0,)


def shade(color, k):
    return tuple(v * k for v in color[:3]) + (1.0,)


PAPER, INK, BLACK = linear("#f6f4ef"), linear("#16181b"), linear("#1d1f22")
EMBER = (0.40, 0.040, 0.0005, 1.0)  # almost no blue, or the view transform turns it salmon
