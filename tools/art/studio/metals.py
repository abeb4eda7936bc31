"""Metal materials: forged, ground and plated surfaces."""
from .colors import shade
from .nodes import Nodes

BRIGHT = (0.66, 0.66, 0.67, 1)
CHROME = (0.70, 0.71, 0.73, 1)


def steel(tint=BRIGHT, rough=(0.16, 0.3), grain=(1, 40, 40), lines=0.1):
    """Ground or brushed: noise stretched along the grain drives roughness and bump."""
    n = Nodes("steel")
    g = n.noise(6, 4, 0.65, n.stretch(*grain))
    r = n.add(n.remap(g, 0.25, 0.75, *rough), n.remap(n.noise(0.5, 3), 0.3, 0.7, -0.03, 0.04))
    return n.set(Base_Color=tint, Metallic=1.0, Roughness=r, Normal=n.bump(g, lines, 0.02))


def ground(tint=BRIGHT, across=(0, 1, 0), rough=(0.2, 0.34)):
    """Surface-ground: the grinding lines spread reflections, so no flat face is a uniform gray."""
    n = Nodes("ground")
    scale = [1.0 if a else 0.02 for a in across]
    coarse, fine = n.noise(7, 3, 0.8, n.stretch(*scale)), n.noise(28, 3, 0.7, n.stretch(*scale))
    lines = n.add(n.mul(coarse, 0.5), n.mul(fine, 0.5))
    way = n("VectorTransform", dict(vector_type="VECTOR", convert_from="OBJECT", convert_to="WORLD"), Vector=across)
    return n.set(Base_Color=n.blend(n.remap(lines, 0.35, 0.65, 0.0, 1.0), shade(tint, 0.6), tint), Metallic=1.0,
                 Roughness=n.remap(lines, 0.35, 0.65, *rough), Anisotropic=0.75, Tangent=way.outputs[0],
                 Normal=n.bump(lines, 0.12, 0.02))


def faced(tint=BRIGHT, center=(0, 0, 0), rough=(0.2, 0.32)):
    """Turned or ground around an axis along y: fine rings whose reflections look like the spokes of a fan."""
    n = Nodes("faced")
    x, _, z = n.xyz()
    dx, dz = n.math("SUBTRACT", x, center[0]), n.math("SUBTRACT", z, center[2])
    out = n.math("SQRT", n.add(n.mul(dx, dx), n.mul(dz, dz)))
    ring = n("CombineXYZ", X=out, Y=n.mul(n.math("ARCTAN2", dz, dx), 0.4)).outputs[0]
    lines = n.add(n.mul(n.noise(6, 3, 0.7, ring), 0.5), n.mul(n.noise(26, 2, 0.7, ring), 0.5))
    way = n("CombineXYZ", X=dx, Z=dz).outputs[0]
    world = n("VectorTransform", dict(vector_type="VECTOR", convert_from="OBJECT", convert_to="WORLD"), Vector=way)
    return n.set(Base_Color=n.blend(n.remap(lines, 0.35, 0.65, 0.0, 1.0), shade(tint, 0.75), tint), Metallic=1.0,
                 Roughness=n.remap(lines, 0.35, 0.65, *rough), Anisotropic=0.7, Tangent=world.outputs[0],
                 Normal=n.bump(lines, 0.08, 0.02))


def cast(tint=(0.5, 0.505, 0.51, 1), rough=(0.36, 0.5)):
    """A blasted die casting: even, finely textured, bright at worn edges."""
    n = Nodes("cast")
    skin = n.add(n.noise(38, 2), n.mul(n.noise(7, 3), 0.25))
    rubbed = n.mul(n.edges(0.56, 0.68), 0.5)
    return n.set(Base_Color=n.blend(rubbed, tint, BRIGHT), Metallic=0.9, Normal=n.bump(skin, 0.22, 0.02),
                 Roughness=n.remap(n.noise(24, 2), 0.3, 0.7, *rough))


def chrome(rough=(0.09, 0.15), peen=0.02, matt=None):
    """Satin chrome with faint tumbling marks; matt(nodes) is 1 where a stamping's floor is blasted."""
    n = Nodes("chrome")
    r = n.add(n.remap(n.noise(9, 4), 0.3, 0.7, *rough), n.remap(n.noise(0.6, 2), 0.3, 0.7, -0.01, 0.02))
    color, normal = CHROME, n.bump(n.noise(7, 3), peen, 0.03)
    if matt:
        k = matt(n)
        color, r = n.blend(k, CHROME, (0.30, 0.30, 0.31, 1)), n.add(r, n.mul(k, 0.26))
        normal = n.bump(n.noise(22, 3), n.add(n.mul(k, 0.12), 0.006), 0.03)
    return n.set(Base_Color=color, Metallic=1.0, Roughness=r, Normal=normal)


def oxide(base=(0.045, 0.045, 0.05, 1), rough=(0.34, 0.48), skin=0.16):
    """Black oxide over a forged skin, worn to steel at the edges."""
    n = Nodes("oxide")
    small, worn = n.noise(16, 4), n.edges(0.56, 0.68)
    height = n.add(n.noise(2.2, 4), n.mul(small, 0.4))
    return n.set(Base_Color=n.blend(n.mul(worn, 0.6), base, (0.4, 0.4, 0.41, 1)), Metallic=0.85,
                 Roughness=n.remap(small, 0.3, 0.7, *rough), Normal=n.bump(height, skin, 0.06))


def forged(bright, black=(0.035, 0.036, 0.04, 1), grain=(22, 1.5, 22)):
    """Black forging with ground working ends, where bright(nodes) is 1."""
    n = Nodes("forged")
    mask, small = bright(n), n.noise(14, 4)
    lines = n.noise(6, 4, 0.65, n.stretch(*grain))
    height = n.add(n.noise(2.0, 4), n.mul(small, 0.5))
    skin = n.bump(height, n.mul(n.math("SUBTRACT", 1.0, mask), 0.2), 0.06)
    dark = n.blend(n.mul(n.edges(0.56, 0.68), 0.5), black, (0.3, 0.3, 0.31, 1))
    r = n.blend(mask, n.remap(small, 0.3, 0.7, 0.30, 0.42), n.remap(lines, 0.25, 0.75, 0.17, 0.32))
    return n.set(Base_Color=n.blend(mask, dark, BRIGHT), Metallic=1.0, Roughness=r,
                 Normal=n.bump(lines, n.mul(mask, 0.06), 0.02, skin))


def iron(low=(0.07, 0.07, 0.072, 1), high=(0.13, 0.125, 0.12, 1)):
    n = Nodes("iron")
    sand = n.add(n.noise(4, 5, 0.6), n.mul(n.noise(18, 4), 0.5))
    return n.set(Base_Color=n.blend(n.noise(1.3, 4), low, high), Metallic=0.8,
                 Roughness=n.remap(sand, 0.4, 1.1, 0.42, 0.62), Normal=n.bump(sand, 0.4, 0.08))


def brass(rough=(0.18, 0.3)):
    n = Nodes("brass")
    g = n.noise(8, 4)
    return n.set(Base_Color=(0.72, 0.47, 0.17, 1), Metallic=1.0, Roughness=n.remap(g, 0.3, 0.7, *rough))


def aluminum(tint=(0.78, 0.785, 0.79, 1), rough=(0.28, 0.4), grain=(1, 30, 30)):
    return steel(tint, rough, grain, 0.06)
