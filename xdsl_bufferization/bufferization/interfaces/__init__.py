"""What an op is asked: MLIR's op interfaces as Python classes, with safe answers.

Here: questions about bufferization, regions, branches, slices, tiles and ownership.
Not here: the answers of one op (`models`).
"""
