"""What the ops between tensors and buffers accept."""

from xdsl.dialects.builtin import (
    AnyTensorTypeConstr,
    AnyUnrankedMemRefTypeConstr,
    AnyUnrankedTensorTypeConstr,
    MemRefType,
)

BUFFER = MemRefType.constr() | AnyUnrankedMemRefTypeConstr
TENSOR = AnyTensorTypeConstr | AnyUnrankedTensorTypeConstr
