"""Passes that bring structured ops to the forms that later stages know.

Here: names for generic ops, fills, bias, softmax in parts.
Not here: packs (`packing`) and loops (`tiling`).
"""
