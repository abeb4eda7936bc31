"""Cycles settings without its denoiser, and renders as arrays."""
import os
import tempfile

import bpy
import numpy as np


def setup(width, aspect, exposure=0.0, look="Medium High Contrast"):
    sc = bpy.context.scene
    sc.render.engine = "CYCLES"
    cy = sc.cycles
    cy.device, cy.use_denoising = "CPU", False
    cy.use_adaptive_sampling, cy.adaptive_threshold, cy.adaptive_min_samples = True, 0.04, 32
    cy.max_bounces, cy.diffuse_bounces, cy.glossy_bounces, cy.transmission_bounces = 6, 3, 4, 3
    cy.caustics_reflective = cy.caustics_refractive = False
    cy.blur_glossy, cy.sample_clamp_indirect, cy.filter_width = 0.5, 3.0, 1.3
    sc.render.film_transparent = True
    sc.render.use_persistent_data = True
    sc.render.resolution_x, sc.render.resolution_y = width, round(width / aspect)
    sc.view_settings.view_transform, sc.view_settings.look = "Filmic", look
    sc.view_settings.exposure = exposure
    return sc


def pixels(samples, seed, kind="PNG", mode="RGBA"):
    """Renders the picture once. The rows go from the bottom up."""
    sc = bpy.context.scene
    sc.cycles.samples, sc.cycles.seed = samples, seed
    sc.render.image_settings.file_format, sc.render.image_settings.color_mode = kind, mode
    with tempfile.TemporaryDirectory() as folder:
        sc.render.filepath = os.path.join(folder, "a." + ("png" if kind == "PNG" else "exr"))
        bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(sc.render.filepath)
        px = np.empty(image.size[0] * image.size[1] * 4, np.float32)
        image.pixels.foreach_get(px)
        px = px.reshape(image.size[1], image.size[0], 4)
        bpy.data.images.remove(image)
    return px


def premultiplied(px):
    return np.concatenate([px[..., :3] * px[..., 3:], px[..., 3:]], 2)


def save(px, path):
    """Saves straight RGBA whose rows go from the bottom up."""
    image = bpy.data.images.new("out", px.shape[1], px.shape[0], alpha=True)
    image.pixels.foreach_set(np.clip(px, 0, 1).astype(np.float32).ravel())
    image.filepath_raw, image.file_format = path, "PNG"
    image.save()
