"""What to compare with: mlir-opt, other tools, and slow, plain references of our own.

Here: how oracles are found and called, and how their answers become comparable.
Not here: the comparisons, which are tests (`oracle/`) or run in volume (`volume`).
"""
