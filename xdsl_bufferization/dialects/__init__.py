"""MLIR's dialects, where xDSL lacks ops or defines them otherwise.

Here: ops, types and canonicalization patterns, a folder or a file for each dialect.
`text` reads and prints MLIR's text, and `xdsl_patches` has what changes in xDSL itself.
Not here: what an op becomes on buffers (`bufferization/models`).
"""
