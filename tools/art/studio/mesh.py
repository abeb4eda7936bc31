"""Meshes of distance fields: surface nets whose vertices are moved onto the surface, with normals from the gradient."""
import bpy
import numpy as np

from .settings import DRAFT, FINE

CORNERS = [(i, j, k) for i in (0, 1) for j in (0, 1) for k in (0, 1)]


def mesh_object(verts, quads, normals, material):
    mesh = bpy.data.meshes.new("part")
    n = len(quads)
    mesh.vertices.add(len(verts))
    mesh.vertices.foreach_set("co", np.asarray(verts, np.float32).ravel())
    mesh.loops.add(4 * n)
    mesh.loops.foreach_set("vertex_index", np.asarray(quads, np.int32).ravel())
    mesh.polygons.add(n)
    mesh.polygons.foreach_set("loop_start", np.arange(0, 4 * n, 4, dtype=np.int32))
    mesh.polygons.foreach_set("loop_total", np.full(n, 4, np.int32))
    mesh.polygons.foreach_set("use_smooth", np.ones(n, bool))
    mesh.update(calc_edges=True)
    if normals is not None:
        mesh.use_auto_smooth = True
        mesh.normals_split_custom_set_from_vertices(np.asarray(normals, np.float32))
    mesh.materials.append(material)
    ob = bpy.data.objects.new("part", mesh)
    bpy.context.collection.objects.link(ob)
    return ob


def sample(f, axes):
    """Samples the field on the grid, one slab at a time. The axes broadcast, so terms of x and y are computed only once."""
    v = np.empty([len(a) for a in axes], np.float32)
    for i in range(0, len(axes[0]), 32):
        v[i:i + 32] = f(axes[0][i:i + 32, None, None], axes[1][None, :, None], axes[2][None, None, :])
    return v


def crossings(v, cell):
    """The mean of the points where the surface crosses the edges of each cell, in units of cells."""
    total, hits = np.zeros((len(cell), 3)), np.zeros(len(cell))
    for c in CORNERS:
        for axis in (a for a in range(3) if not c[a]):
            d = list(c)
            d[axis] = 1
            a, b = v[tuple((cell + c).T)], v[tuple((cell + d).T)]
            cross = (a < 0) != (b < 0)
            t = np.where(cross, a / np.where(cross, a - b, 1), 0)
            total += (np.array(c, float)[None] + t[:, None] * (np.array(d) - c)[None]) * cross[:, None]
            hits += cross
    return cell + total / hits[:, None]


def quads_of(s, index):
    """A quad for each grid edge that crosses the surface."""
    out = []
    for axis in range(3):
        o = [i for i in range(3) if i != axis]
        lo, hi = [slice(1, n - 1) for n in s.shape], [slice(1, n - 1) for n in s.shape]
        lo[axis], hi[axis] = slice(0, -1), slice(1, None)
        a, b = s[tuple(lo)], s[tuple(hi)]
        for e, flip in ((np.argwhere(a & ~b), False), (np.argwhere(~a & b), True)):
            e[:, o] += 1
            ring = []
            for du, dv in ((0, 0), (-1, 0), (-1, -1), (0, -1)):
                q = e.copy()
                q[:, o[0]] += du
                q[:, o[1]] += dv
                ring.append(index[tuple(q.T)])
            ring = np.stack(ring, 1)
            out.append(ring[:, ::-1] if flip != (axis == 1) else ring)
    return np.concatenate(out)


TETRA = np.array([(1, -1, -1), (-1, -1, 1), (-1, 1, -1), (1, 1, 1)])


def slope(f, p, e):
    return sum(k * f(*(p + k * e).T)[:, None] for k in TETRA) / (4 * e)


def solid(f, lo, hi, material, step=0.05):
    """The mesh of f(x, y, z) < 0, which must lie inside the box lo..hi."""
    step *= 0.8 if FINE else 1.5 if DRAFT else 1.0
    axes = [np.arange(a - 2 * step, b + 3 * step, step) for a, b in zip(lo, hi)]
    v = sample(f, axes)
    s = v < 0
    if any(s.take(i, axis).any() for axis in range(3) for i in (0, -1)):
        raise ValueError(f"A part extends beyond its box {lo} {hi}: enlarge the box.")
    inner = tuple(n - 1 for n in s.shape)
    count = sum(s[i:inner[0] + i, j:inner[1] + j, k:inner[2] + k].astype(np.int8) for i, j, k in CORNERS)
    cell = np.argwhere((count > 0) & (count < 8))
    index = np.full(inner, -1, np.int32)
    index[tuple(cell.T)] = np.arange(len(cell))
    p = crossings(v, cell) * step + np.array([a[0] for a in axes])
    start, g = p, slope(f, p, step * 0.2)
    g /= np.maximum((g * g).sum(1), 0.05)[:, None]
    for _ in range(2):
        p = start + np.clip(p - f(*p.T)[:, None] * g - start, -step, step)
    g = slope(f, p, step * 0.45)
    g /= np.linalg.norm(g, axis=1, keepdims=True) + 1e-9
    return mesh_object(p, quads_of(s, index), g, material)


def skin(points, material):
    """The surface through rings of points."""
    i = np.arange(points.shape[0] * points.shape[1]).reshape(points.shape[:2])
    j = np.roll(i, -1, 1)
    quads = np.stack([i[:-1], j[:-1], j[1:], i[1:]], -1).reshape(-1, 4)
    return mesh_object(points.reshape(-1, 3), quads, None, material)


def loft(length, section, material, rings=400, around=160):
    """A skin along x from 0: section(x, angle) gives (y, z) and shrinks to a point at both ends."""
    x = (1 - np.cos(np.linspace(0, np.pi, rings))) / 2 * length
    X, A = np.meshgrid(x, np.linspace(0, 2 * np.pi, around, endpoint=False), indexing="ij")
    Y, Z = section(X, A)
    return skin(np.stack([X, Y, Z], -1), material)


def sweep(points, radii, material, around=32):
    """A round cord through points in space, with a radius at each."""
    p, r = np.asarray(points, float), np.asarray(radii, float)
    way = np.gradient(p, axis=0)
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    side = [np.cross(way[0], (0.3, 0.5, 0.8))]
    for w in way:
        v = side[-1] - w * (side[-1] @ w)
        side.append(v / np.linalg.norm(v))
    u = np.array(side[1:])[:, None]
    v, a = np.cross(way, u[:, 0])[:, None], np.linspace(0, 2 * np.pi, around, endpoint=False)[None, :, None]
    return skin(p[:, None] + (u * np.cos(a) + v * np.sin(a)) * r[:, None, None], material)
