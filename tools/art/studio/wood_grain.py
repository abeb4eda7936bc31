"""A board seen close up: bent, unevenly spaced grain with open pores."""
from .colors import linear
from .nodes import Nodes
from .surfaces import scars


def grain(n):
    """Returns a function of coordinates outward from the center of the trunk and along it. The center is beside the board."""
    x, y, z = n.xyz()
    bend = n.math("SUBTRACT", n.noise(1, 2, 0.45, n.stretch(0.045, 0.09, 0.09)), 0.5)
    across = n.add(n.add(y, 7.0), n.mul(bend, 3.0))
    deep = n.add(n.mul(x, 0.02), n.add(z, 2.0))
    out = n.math("SQRT", n.add(n.mul(across, across), n.mul(deep, deep)))

    def along(fine, long):
        return n("CombineXYZ", X=n.mul(out, fine), Y=n.mul(x, long)).outputs[0]
    return along


def figure(n, light, dark, pore):
    """Color, fiber and height. Each board has its own color."""
    along, own = grain(n), n("ObjectInfo").outputs["Random"]
    rings = n.noise(1, 6, 0.78, along(2.2, 0.015))
    line = n.math("ABSOLUTE", n.math("SUBTRACT", n.noise(1, 4, 0.7, along(1.3, 0.012)), 0.5))
    streak = n.noise(1, 2, 0.5, along(0.4, 0.012))
    fiber = n.noise(1, 2, 0.6, along(18, 0.22))
    pores = n.remap(n.noise(1, 0, 0.5, along(17, 0.55)), 0.62, 0.68, 0.0, 1.0)
    pores = n.mul(pores, n.remap(rings, 0.42, 0.52, 0.1, 1.0))
    tone = n.add(n.remap(rings, 0.38, 0.62, 0.0, 0.8), n.remap(fiber, 0.3, 0.7, -0.2, 0.25))
    tone = n.add(tone, n.remap(streak, 0.38, 0.62, -0.22, 0.3))
    tone = n.add(tone, n.remap(line, 0.0, 0.03, 0.45, 0.0), True)
    c = n.blend(n.mul(own, 0.5), n.blend(tone, linear(light), linear(dark)), linear(dark))
    return n.blend(n.mul(pores, 0.9), c, linear(pore)), fiber, n.math("SUBTRACT", n.mul(fiber, 0.4), pores)


def oiled(light, dark, pore):
    """Hardwood that is planed, oiled and used."""
    n = Nodes("oiled")
    c, fiber, height = figure(n, light, dark, pore)
    at = n("NewGeometry").outputs["Position"]
    cuts, dents = scars(n, n("Mapping", Vector=at, Scale=(0.4, 0.4, 0.4)).outputs[0])
    c = n.blend(n.mul(n.add(cuts, n.mul(dents, 0.4), True), 0.6), c, linear(pore))
    r = n.add(n.remap(fiber, 0.3, 0.7, 0.36, 0.46), n.remap(n.noise(0.15, 3, 0.5, at), 0.35, 0.65, -0.06, 0.08))
    height = n.math("SUBTRACT", height, n.mul(cuts, 1.5))
    return n.set(Base_Color=c, Roughness=r, Specular=0.35, Normal=n.bump(height, 0.25, 0.02))


def sawn(light, dark, pore):
    """Rough-sawn softwood."""
    n = Nodes("sawn")
    c, fiber, height = figure(n, light, dark, pore)
    return n.set(Base_Color=c, Roughness=n.remap(fiber, 0.3, 0.7, 0.55, 0.75), Specular=0.2, Normal=n.bump(height, 0.3, 0.03))
