"""How each op is computed tile by tile, a file for each dialect.

Here: the iterations of structured ops, and the tiles of their operands and results.
Not here: the loops over tiles (`transforms/tpp/tiling`).
"""
