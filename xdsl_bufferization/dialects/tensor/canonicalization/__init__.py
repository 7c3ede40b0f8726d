"""Canonicalization patterns of the tensor dialect, by op.

Here: patterns that fold casts, sizes, slices, reshapes, pads and elements.
Not here: the ops, which are in the files of the room around this one.
"""
