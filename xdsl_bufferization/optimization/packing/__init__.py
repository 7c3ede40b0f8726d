"""Passes that cut tensors into tiles which lie in memory one after the other.

Here: packing of products and convolutions, moving packs, lowering packs to loops.
Not here: loops over the tiles (`tiling`).
"""
