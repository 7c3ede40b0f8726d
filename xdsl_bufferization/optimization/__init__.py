"""Faster programs on tensors: the passes that run before there are buffers.

The rooms are the stages, in this order: `simplify`, `rerolling`, `fusion`, `packing`,
`tiling`. `common` is for all of them.
Not here: the order of passes (`pipelines/default_tpp_passes.py`), and the kernels that
tiles become calls of (`codegen/xsmm`).
"""
