"""How the ops of affine are lowered: maps, accesses, loops and branches.

Here: the rules of the affine dialect.
Not here: maps of structured ops, whose loops are in `structured`.
"""
