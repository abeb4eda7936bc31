"""Assigns the pictures to families."""
import json
import os

with open(os.path.join(os.path.dirname(__file__), "../pictures.json"), encoding="utf-8") as file:
    FAMILY = {name: family for family, names in json.load(file).items() for name in names}
