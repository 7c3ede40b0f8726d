"""How values enter, repeat and leave the regions of each op, a file for each dialect.

Here: the region ops of scf, affine, memref and shape.
Not here: branches between blocks (`branch`).
"""
