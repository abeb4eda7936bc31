"""Denoises two half-sampled renders with non-local means: the weights of one half filter the other."""
import numpy as np

TILE, REACH = 96, 4


def box3(a):
    p = np.pad(a, ((1, 1), (1, 1)), "edge")
    p = p[:-2] + p[1:-1] + p[2:]
    return (p[:, :-2] + p[:, 1:-1] + p[:, 2:]) / 9


def blur(a, sigma):
    k = np.exp(-0.5 * (np.arange(-int(3 * sigma) - 1, int(3 * sigma) + 2) / sigma) ** 2)
    k /= k.sum()
    for axis in (0, 1):
        pad = [(len(k) // 2,) * 2 if i == axis else (0, 0) for i in (0, 1)]
        a = np.apply_along_axis(np.convolve, axis, np.pad(a, pad, "edge"), k, "valid")
    return a


def filter_tile(guide, var, values, k):
    """Filters one tile. The input includes a border of REACH pixels, the output does not."""
    h, w = (n - 2 * REACH for n in guide.shape[:2])
    inner = (slice(REACH, REACH + h), slice(REACH, REACH + w))
    g0, v0 = guide[inner], var[inner]
    total, mass = np.zeros((h, w, 4), np.float32), np.zeros((h, w, 1), np.float32)
    for dy in range(2 * REACH + 1):
        for dx in range(2 * REACH + 1):
            there = (slice(dy, dy + h), slice(dx, dx + w))
            g, v = guide[there], var[there]
            far = ((g0 - g) ** 2 - (v0 + np.minimum(v, v0))) / (1e-5 + k * k * (v0 + v))
            weight = np.exp(-np.maximum(box3(far.mean(2)), 0))[..., None]
            total += weight * values[there]
            mass += weight
    return total / mass


def denoise(a, b, k=0.6):
    """a and b are premultiplied RGBA of the same picture with different noise. Empty tiles stay empty."""
    var = np.stack([box3(box3(c)) for c in np.moveaxis((a - b) ** 2 / 2, 2, 0)], 2) + 1e-7
    pad = ((REACH, REACH), (REACH, REACH), (0, 0))
    a, b, var = (np.pad(v, pad, "reflect").astype(np.float32) for v in (a, b, var))
    out = np.zeros_like(a)
    for y in range(0, a.shape[0] - 2 * REACH, TILE):
        for x in range(0, a.shape[1] - 2 * REACH, TILE):
            t = (slice(y, y + TILE + 2 * REACH), slice(x, x + TILE + 2 * REACH))
            if a[t][..., 3].any():
                made = (filter_tile(a[t], var[t], b[t], k) + filter_tile(b[t], var[t], a[t], k)) / 2
                out[y:y + made.shape[0], x:x + made.shape[1]] = made
    return out[:a.shape[0] - 2 * REACH, :a.shape[1] - 2 * REACH]
