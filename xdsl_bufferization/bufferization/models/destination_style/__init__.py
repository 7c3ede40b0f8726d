"""Which operands of an op are destinations of its results, a file for each dialect.

Here: linalg, tensor, tm_tensor and vector.
Not here: how such ops are bufferized (`bufferizable`).
"""
