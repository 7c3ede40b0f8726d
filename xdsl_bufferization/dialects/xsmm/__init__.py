"""The xsmm dialect: kernels of a tensor processing library, and calls of them.

    %0 = xsmm.gemm.dispatch [32, 32, 32, 32, 32, 32] flags = (beta_0) data_type = f32
    xsmm.gemm(data_type = f32, %0, %a, %b, %c)
        : (i64, memref<32x32xf32>, memref<32x32xf32>, memref<32x32xf32>) -> ()

`dispatch.py` holds the requests for kernels, `invoke.py` their calls, `attributes.py`
kinds, flags and data types with the numbers that the runtime knows them by.

Source: the `xsmm` dialect of tpp-mlir, https://arxiv.org/abs/2404.15204
"""

from .dispatch import (
    BinaryDispatchOp,
    BrgemmDispatchOp,
    FusedBrgemmDispatchOp,
    GemmDispatchOp,
    UnaryDispatchOp,
    WindowDispatchOp,
)
from .invoke import BinaryOp, BrgemmOp, FusedBrgemmOp, GemmOp, UnaryOp, WindowOp

__all__ = [
    "MODULES",
    "BinaryDispatchOp",
    "BinaryOp",
    "BrgemmDispatchOp",
    "BrgemmOp",
    "FusedBrgemmDispatchOp",
    "FusedBrgemmOp",
    "GemmDispatchOp",
    "GemmOp",
    "UnaryDispatchOp",
    "UnaryOp",
    "WindowDispatchOp",
    "WindowOp",
]

MODULES = ("attributes", "dispatch", "invoke")
"""Where the ops are."""
