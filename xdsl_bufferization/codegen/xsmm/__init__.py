"""Passes that compute tiles by calls of kernels: the xsmm dialect.

Here: which kernel computes which op, fusing calls, calls as functions of the runtime.
Not here: the machine code of kernels, which is in `runtime/kernels`.
"""
