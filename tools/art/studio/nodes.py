"""Shader nodes as calls: n("Type", {attribute: value}, Input=value or socket)."""
import bpy


class Nodes:
    def __init__(self, name):
        self.m = bpy.data.materials.new(name)
        self.m.use_nodes = True
        self.tree = self.m.node_tree
        self.bsdf = self.tree.nodes["Principled BSDF"]
        self.at = self("TexCoord").outputs["Object"]

    def __call__(self, kind, attrs=None, **inputs):
        node = self.tree.nodes.new("ShaderNode" + kind)
        for k, v in (attrs or {}).items():
            setattr(node, k, v)
        for k, v in inputs.items():
            self.put(node.inputs[int(k[1:]) if k[1:].isdigit() else k.replace("_", " ")], v)
        return node

    def put(self, socket, v):
        if isinstance(v, bpy.types.NodeSocket):
            self.tree.links.new(v, socket)
        else:
            socket.default_value = v

    def set(self, **inputs):
        for k, v in inputs.items():
            self.put(self.bsdf.inputs[k.replace("_", " ")], v)
        return self.m

    def math(self, op, a, b=0.0, clamp=False):
        return self("Math", dict(operation=op, use_clamp=clamp), i0=a, i1=b).outputs[0]

    def add(self, a, b, clamp=False):
        return self.math("ADD", a, b, clamp)

    def mul(self, a, b):
        return self.math("MULTIPLY", a, b)

    def stretch(self, sx, sy, sz):
        return self("Mapping", Vector=self.at, Scale=(sx, sy, sz)).outputs[0]

    def noise(self, scale, detail=3.0, rough=0.55, at=None):
        return self("TexNoise", Vector=at or self.at, Scale=scale, Detail=detail, Roughness=rough).outputs["Fac"]

    def remap(self, v, a, b, c, d):
        return self("MapRange", i0=v, i1=a, i2=b, i3=c, i4=d).outputs[0]

    def blend(self, fac, a, b):
        return self("MixRGB", Fac=fac, Color1=a, Color2=b).outputs[0]

    def bump(self, height, strength, distance, under=None):
        node = self("Bump", Strength=strength, Distance=distance, Height=height)
        if under is not None:
            self.put(node.inputs["Normal"], under)
        return node.outputs[0]

    def xyz(self):
        return self("SeparateXYZ", Vector=self.at).outputs

    def edges(self, lo=0.53, hi=0.6):
        """1 on convex edges, where use wears a finish off."""
        point = self("NewGeometry").outputs["Pointiness"]
        broken = self.add(point, self.mul(self.math("SUBTRACT", self.noise(5, 4), 0.5), 0.06))
        return self.remap(broken, lo, hi, 0.0, 1.0)
