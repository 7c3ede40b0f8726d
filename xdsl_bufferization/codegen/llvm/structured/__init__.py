"""How the ops of linalg and tm_tensor on buffers become loops.

Here: structured ops, `linalg.softmax`, and tm_tensor by way of loops of scf.
Not here: kernels of libraries, which `codegen/xsmm` makes of the same ops.
"""
