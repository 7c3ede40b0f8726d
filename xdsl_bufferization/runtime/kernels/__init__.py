"""Machine code of kernels for the calls of the xsmm dialect, for this processor.

Here: products and element-wise kernels, written as LLVM IR.
Not here: which op becomes which kernel (`codegen/xsmm`).
"""
