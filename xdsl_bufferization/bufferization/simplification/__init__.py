"""What passes of xDSL do, done in fewer steps and with the same results.

Here: canonicalization and common subexpressions, for our pipelines and tools.
Not here: what an op is simplified to. Its traits say that (`dialects`).
"""
