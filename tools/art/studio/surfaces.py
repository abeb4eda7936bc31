"""Wood, rubber, plastics and paint."""
import math

from .colors import BLACK, EMBER, INK, linear, shade
from .nodes import Nodes


def figure(n, light, dark, pore, rings):
    """Growth rings around an axis outside the piece, so that a cut along x shows cathedral grain: color, height, fiber."""
    w = n.noise(1.0, 2, 0.5, n.stretch(0.10, 0.5, 0.5))
    x, y, z = n.xyz()
    dy = n.add(n.add(y, 2.2), n.mul(n.math("SUBTRACT", w, 0.5), 1.3))
    dz = n.add(n.add(z, 3.0), n.mul(x, 0.035))
    ring = n.math("FRACT", n.mul(n.math("SQRT", n.add(n.mul(dy, dy), n.mul(dz, dz))), rings))
    late = n.mul(n.math("POWER", ring, 2.2), n.remap(ring, 0.93, 1.0, 1.0, 0.0))
    fiber = n.noise(5, 4, 0.6, n.stretch(0.25, 9, 9))
    pores = n.remap(n.noise(9, 2, 0.5, n.stretch(0.35, 11, 11)), 0.60, 0.70, 0.0, 1.0)
    pores = n.mul(pores, n.remap(ring, 0.0, 0.5, 1.0, 0.15))
    tone = n.add(n.mul(late, 0.95), n.mul(n.math("SUBTRACT", fiber, 0.45), 0.6), True)
    c = n.blend(n.mul(pores, 0.55), n.blend(tone, linear(light), linear(dark)), linear(pore))
    return c, n.math("SUBTRACT", n.mul(fiber, 0.5), pores), fiber


def wood(light="#d9b47a", dark="#a06c33", pore="#6f4a26", rings=3.6, dip=None, gloss=0.25):
    """Varnished wood, enameled beyond x = dip."""
    n = Nodes("wood")
    c, h, fiber = figure(n, light, dark, pore, rings)
    r, bump = n.remap(fiber, 0.3, 0.7, 0.36, 0.5), 0.16
    if dip is not None:
        m = n.remap(n.xyz()[0], dip - 0.015, dip + 0.015, 0.0, 1.0)
        c, r = n.blend(m, c, EMBER), n.blend(m, r, (0.24, 0.24, 0.24, 1))
        bump = n.math("SUBTRACT", 0.16, n.mul(m, 0.13))
    return n.set(Base_Color=c, Roughness=r, Normal=n.bump(h, bump, 0.02), Specular=0.45, Clearcoat=gloss,
                 Clearcoat_Roughness=0.18)


def scars(n, at):
    """Cuts and dents from work, with undamaged areas between them."""
    where = n.remap(n.noise(0.07, 2, 0.5, at), 0.42, 0.56, 0.0, 1.0)
    marks = 0.0
    for degrees, scale, thin in ((24, 1.3, 0.008), (-52, 0.9, 0.006), (78, 1.1, 0.007), (3, 1.6, 0.005)):
        line = n("Mapping", Vector=at, Rotation=(0, 0, math.radians(degrees)), Scale=(0.05, 1, 1)).outputs[0]
        off = n.math("ABSOLUTE", n.math("SUBTRACT", n.noise(scale, 0, 0.5, line), 0.5))
        marks = n.add(marks, n.remap(off, 0.0, thin, 1.0, 0.0), True)
    dents = n.remap(n.noise(0.9, 1, 0.5, at), 0.70, 0.76, 0.0, 1.0)
    return n.mul(marks, where), dents


def benchtop(light, dark, pore, rings, cup=None):
    """A used bench top: oiled, cut and stained. The marks continue across boards."""
    n = Nodes("benchtop")
    at = n("NewGeometry").outputs["Position"]
    c, h, fiber = figure(n, light, dark, pore, rings)
    cuts, dents = scars(n, at)
    oil = n.remap(n.noise(0.05, 3, 0.55, at), 0.45, 0.68, 0.0, 0.6)
    if cup:
        x, y, _ = n("SeparateXYZ", Vector=at).outputs
        dx, dy = n.math("SUBTRACT", x, cup[0]), n.math("SUBTRACT", y, cup[1])
        off = n.math("ABSOLUTE", n.math("SUBTRACT", n.math("SQRT", n.add(n.mul(dx, dx), n.mul(dy, dy))), 3.9))
        oil = n.add(oil, n.mul(n.remap(off, 0.05, 0.3, 0.55, 0.0), n.remap(n.noise(0.5, 3, 0.6, at), 0.4, 0.6, 0.1, 1.0)), True)
    c = n.blend(oil, c, linear(pore))
    c = n.blend(n.mul(n.add(cuts, n.mul(dents, 0.6), True), 0.7), c, shade(linear(pore), 0.5))
    r = n.add(n.remap(fiber, 0.3, 0.7, 0.42, 0.58), n.remap(n.noise(0.12, 2, 0.5, at), 0.35, 0.65, -0.1, 0.12))
    height = n.math("SUBTRACT", h, n.add(n.mul(cuts, 2.0), n.mul(dents, 1.5)))
    return n.set(Base_Color=c, Roughness=r, Normal=n.bump(height, 0.3, 0.03), Specular=0.4)


def beech(**kw):
    return wood("#d8a878", "#b98050", "#8a5a34", 5.0, **kw)


def walnut(**kw):
    return wood("#7a4a2a", "#4a2815", "#2a150a", 4.2, **kw)


def pine(**kw):
    return wood("#e0bf8c", "#c08a4c", "#a87840", 2.2, gloss=0.0, **kw)


def rubber(color=BLACK, rough=0.62):
    n = Nodes("rubber")
    a = n.noise(45, 2)
    return n.set(Base_Color=color, Roughness=n.remap(a, 0.3, 0.7, rough - 0.06, rough + 0.08), Specular=0.35,
                 Normal=n.bump(a, 0.22, 0.015))


def plastic(color=EMBER, rough=0.3):
    """Molded plastic: one even color, fine mold texture, slightly polished where it is handled."""
    n = Nodes("plastic")
    worn = n.mul(n.edges(0.55, 0.7), 0.25)
    spark = n.noise(52, 3, 0.6)
    return n.set(Base_Color=n.blend(worn, color, shade(color, 1.6)), Specular=0.5, Normal=n.bump(spark, 0.13, 0.012),
                 Roughness=n.math("SUBTRACT", n.remap(spark, 0.3, 0.7, rough - 0.02, rough + 0.05), n.mul(worn, 0.3)))


def coated(color=EMBER, rough=0.3):
    """Powder coat on a casting: even, with orange peel, worn through at the edges."""
    n = Nodes("coated")
    peel, worn = n.add(n.noise(9, 2), n.mul(n.noise(26, 2), 0.3)), n.mul(n.edges(0.58, 0.7), 0.4)
    return n.set(Base_Color=n.blend(worn, color, shade(color, 1.7)), Specular=0.5, Roughness=n.remap(n.noise(30, 2), 0.3, 0.7, rough - 0.02, rough + 0.03),
                 Clearcoat=0.35, Clearcoat_Roughness=0.14, Normal=n.bump(peel, 0.1, 0.04))


def enamel(color=EMBER, rough=0.26, cast=0.2, bright=None):
    """Baked enamel on a sand casting whose texture shows through. Ground to bare metal where bright(nodes) is 1."""
    n = Nodes("enamel")
    sand = n.add(n.noise(3.2, 4, 0.5), n.mul(n.noise(11, 3), 0.35))
    m = bright(n) if bright else 0.0
    keep = n.math("SUBTRACT", 1.0, m)
    chip = n.mul(n.edges(0.6, 0.72), keep)
    lines = n.noise(6, 4, 0.65, n.stretch(1.2, 22, 22))
    paint = n.blend(n.remap(n.noise(0.4, 2), 0.3, 0.7, 0, 0.06), color, shade(color, 0.72))
    paint = n.blend(n.mul(chip, 0.35), paint, shade(color, 1.5))
    r = n.blend(m, n.remap(n.noise(14, 3), 0.3, 0.7, rough - 0.02, rough + 0.05), n.remap(lines, 0.25, 0.75, 0.2, 0.36))
    return n.set(Base_Color=n.blend(m, paint, (0.46, 0.46, 0.47, 1)), Metallic=m, Roughness=r, Specular=0.5,
                 Clearcoat=n.mul(keep, 0.5), Clearcoat_Roughness=0.12, Normal=n.bump(sand, n.mul(keep, cast), 0.07))


def ink(color=INK, rough=0.5):
    return Nodes("ink").set(Base_Color=color, Roughness=rough, Specular=0.3)


def matt(color, rough=0.7, grit=0.0, scale=30):
    """Abrasives, cardboard, labels."""
    n = Nodes("matt")
    a = n.noise(scale, 3)
    return n.set(Base_Color=n.blend(a, shade(color, 0.8), color), Roughness=rough, Specular=0.25, Normal=n.bump(a, grit, 0.03))


def abrasive(color, grit=12):
    """Grains of one size in a baked bond, some of them glinting."""
    n = Nodes("abrasive")
    grain, fine = n("TexVoronoi", Vector=n.at, Scale=grit), n.noise(2.5 * grit, 2)
    own = n("SeparateXYZ", Vector=grain.outputs["Color"]).outputs[0]
    c = n.blend(own, shade(color, 0.45), shade(color, 1.35))
    height = n.add(n.mul(own, 0.7), n.mul(fine, 0.5))
    return n.set(Base_Color=c, Roughness=n.remap(own, 0.85, 1.0, 0.85, 0.35), Specular=0.4, Normal=n.bump(height, 0.7, 0.05))


def glass(color, rough=0.05):
    return Nodes("glass").set(Base_Color=color, Roughness=rough, Transmission=0.7, Specular=0.6)
