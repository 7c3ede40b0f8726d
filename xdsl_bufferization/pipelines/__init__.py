"""Which passes run one after the other, for each purpose.

Here: lists of passes, and functions that take a program from tensors to code.
Not here: the passes themselves (`bufferization`, `optimization`, `codegen`).
"""
