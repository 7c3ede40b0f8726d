"""Programs with packs and unpacks: relayouts, element-wise ops, convolutions, models.

Here: random programs, and what they compute.
Not here: other programs on tensors (`tpp_programs`, `random_kernels`).
"""
