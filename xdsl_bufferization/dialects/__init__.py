"""MLIR's dialects, where xDSL lacks ops or defines them otherwise.

Here: ops, types and canonicalization patterns; a room or a file for each dialect.
Not here: what changes in xDSL itself (`upstream`), and MLIR's text (`mlir_text`).
"""
