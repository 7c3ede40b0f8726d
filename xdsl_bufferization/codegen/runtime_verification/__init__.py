"""What programs are checked for while they run.

Here: what the ops of each dialect demand of their operands, and the pass that has these
demands checked. Not here: what becomes of a check that fails (`codegen/llvm`,
`runtime`), and proofs without running a program (`bufferization/verification`).
"""
