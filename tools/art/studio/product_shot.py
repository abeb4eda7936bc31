"""A product shot: the tool and its shadow on a transparent background."""
import time

import bpy
import numpy as np

from .camera import fit
from .denoise import denoise
from .light import floor, studio_lights
from .resting_poses import points_of, rest_on_floor, shift, turn
from .render import pixels, premultiplied, save, setup
from .settings import DRAFT, FILE, NAME, SAMPLES, WIDTH
from .shadow import enlarge, shadow_of

WARM = np.array([34, 27, 22]) / 255


def clear():
    for ob in list(bpy.data.objects):
        bpy.data.objects.remove(ob)


def center_objects(objects, degrees, tilt):
    rest_on_floor(objects, tilt)
    turn(objects, degrees)
    p = points_of(objects)
    c = (p.min(0) + p.max(0)) / 2
    shift(objects, -c[0], -c[1])
    return points_of(objects)


def composite(tool, dark):
    """Composites the premultiplied tool over a warm shadow, as straight RGBA."""
    dark = dark[..., None]
    alpha = tool[..., 3:] + dark * (1 - tool[..., 3:])
    color = tool[..., :3] + WARM * dark * (1 - tool[..., 3:])
    return np.concatenate([color / np.maximum(alpha, 1e-4), alpha], 2)


def render_product(objects, turn=0, tilt=True, azimuth=0, elevation=48, lens=100, margin=0.07, room=0.05, aspect=4 / 3,
          key=1.0, sheen=-0.9, back=1.0, front=0.0, shade=0.85, exposure=0.0):
    start = time.time()
    p = center_objects(objects, turn, tilt)
    S, H = float(np.linalg.norm(p[:, :2], axis=1).max()), float(p[:, 2].max())
    ground = floor(60 * S)
    studio_lights(S, H, elevation, sheen, back, key, front)
    fit(p, azimuth, elevation, lens, aspect, margin, room)
    setup(WIDTH, aspect, exposure)
    made = time.time()
    if DRAFT:
        return save(pixels(SAMPLES, 7), FILE)
    halves = [premultiplied(pixels(SAMPLES // 2, seed)) for seed in (7, 8)]
    lit = time.time()
    tool = denoise(*halves)
    cleaned = time.time()
    dark = shadow_of(objects, ground, WIDTH, aspect, shade)
    save(composite(tool, enlarge(dark, tool.shape[:2])), FILE)
    times = [b - a for a, b in zip((start, made, lit, cleaned), (made, lit, cleaned, time.time()))]
    print(f"PICTURE {NAME} {WIDTH} px {SAMPLES} spp: set {times[0]:.0f} s, render {times[1]:.0f} s, clean {times[2]:.0f} s, shadow {times[3]:.0f} s")
