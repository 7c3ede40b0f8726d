"""Bufferization of the perf dialect: a sink reads its operand.

perf.sink(%t) : tensor<4xf32>
perf.sink(%0) : memref<4xf32>

`perf.bench` has no model: `convert-perf-to-loops` comes before bufferization.
"""

from xdsl.ir import Operation

from xdsl_bufferization.dialects.perf import SinkOp

from ...interfaces.bufferizable import BufferizableOpInterface
from .read_only import ResultlessOpBufferization

MODELS: dict[type[Operation], BufferizableOpInterface] = {
    SinkOp: ResultlessOpBufferization(),
}
