"""The passes of the TPP-MLIR pipeline: from structured ops to calls of fast kernels.

The rooms are the stages, in this order: `simplify`, `fusion`, `packing`, `tiling`,
`kernels`.
`common` is for all of them; `pipelines/default_tpp_passes.py` has the order of passes.
"""
