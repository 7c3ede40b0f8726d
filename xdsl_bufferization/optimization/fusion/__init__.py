"""Ops of linalg on tensors that become one op: fewer tensors are written and read.

Here: chains of element-wise ops, and element-wise ops before reductions.
Not here: what becomes part of a kernel (`codegen/xsmm`), or of a loop over
tiles (`tiling`).
"""
