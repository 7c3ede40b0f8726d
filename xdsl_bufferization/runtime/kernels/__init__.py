"""Kernels for the calls of the xsmm dialect, generated for the processor at hand."""
