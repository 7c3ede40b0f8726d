"""Bufferization of the check dialect: a check reads what it checks.

check.expect_almost_eq(%a, %b, %t) : tensor<4xf32>, tensor<4xf32>, f32
check.expect_almost_eq(%0, %1, %t) : memref<4xf32>, memref<4xf32>, f32
"""

from xdsl.ir import Operation

from xdsl_bufferization.dialects.check import ExpectAlmostEqOp, ExpectSaneOp

from ...interfaces.bufferizable import BufferizableOpInterface
from .read_only import ResultlessOpBufferization

MODELS: dict[type[Operation], BufferizableOpInterface] = {
    ExpectAlmostEqOp: ResultlessOpBufferization(),
    ExpectSaneOp: ResultlessOpBufferization(),
}
