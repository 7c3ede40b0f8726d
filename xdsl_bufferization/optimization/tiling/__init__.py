"""Passes that compute structured ops tile by tile, and fuse their neighbours.

Here: tiling, fusion, loops around small products, loops that can be left out.
Not here: what computes one tile (`codegen/xsmm`).
"""
