"""From tensors to buffers that are freed: what this package is for.

    linalg.fill outs(%t : tensor<4xf32>)   ->   linalg.fill outs(%m : memref<4xf32>)

Here: the interfaces of ops and their models, the analyses, and the passes: one-shot and
one dialect at a time, deallocation, placement, fewer copies, and proofs. They need xDSL
and `dialects` alone.
Not here: faster tensors (`optimization`), and code for buffers (`codegen`).
"""
