"""Ops of torch-mlir's dialect tm_tensor, which is not part of MLIR.

torch-mlir writes them for what linalg has no op for: cumulative sums, scatters, sorts
and attention.

Here: the ops, a file each, and what all have in common (`common.py`).
Not here: the loops that they become (`codegen/tm_tensor`).

Source of all definitions: the file TMTensorOps.td of torch-mlir.
"""

MODULES = ("attention", "scan", "scatter", "sort", "topk", "yields")
"""Where the ops are."""
