"""The loops that ops of tm_tensor on buffers become, a file for each op.

Here: loops of scf, memref and arith, and the builder that writes them (`builder.py`).
Not here: the pass (`tm_tensor_to_loops.py`), and the rules of `lower-to-llvm`.
"""
