"""How each op is computed tile by tile: the ops of linalg, and reshapes.

Here: the iterations of structured ops, and the tiles of their operands and results.
Not here: the loops over tiles (`optimization/tiling`).
"""
