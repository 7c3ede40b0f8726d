"""How the ops of linalg on buffers become loops.

Here: structured ops, and `linalg.softmax`.
Not here: kernels of libraries, which `transforms/tpp/kernels` makes of the same ops.
"""
