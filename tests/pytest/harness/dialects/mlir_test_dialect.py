"""A stand-in for ops of MLIR's test dialect, which its tests of buffers use.

    test.buffer_based in(%0: memref<2xf32>) out(%1: memref<2xf32>)
    test.copy(%0, %1) : (memref<2xf32>, memref<2xf32>)

Any other op of that dialect is unknown, and is read in the generic format.
"""

from xdsl.dialects.builtin import MemRefType, TensorType, UnrankedMemRefType
from xdsl.ir import Dialect
from xdsl.irdl import (
    AnyOf,
    BaseAttr,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    region_def,
    result_def,
    traits_def,
)
from xdsl.traits import IsTerminator, Pure

_BUFFER = AnyOf((BaseAttr(MemRefType), BaseAttr(UnrankedMemRefType)))


@irdl_op_definition
class BufferBasedOp(IRDLOperation):
    """Reads one buffer and writes another one."""

    name = "test.buffer_based"
    input = operand_def(_BUFFER)
    output = operand_def(_BUFFER)
    assembly_format = (
        "`in` `(` $input `:` type($input) `)` `out` `(` $output `:` type($output) `)` "
        "attr-dict"
    )


@irdl_op_definition
class RegionBufferBasedOp(IRDLOperation):
    """Reads one buffer and writes another one, with a region."""

    name = "test.region_buffer_based"
    input = operand_def(_BUFFER)
    output = operand_def(_BUFFER)
    body = region_def()
    assembly_format = (
        "`in` `(` $input `:` type($input) `)` `out` `(` $output `:` type($output) `)` "
        "$body attr-dict"
    )


@irdl_op_definition
class RegionYieldOp(IRDLOperation):
    """Ends a region."""

    name = "test.region_yield"
    result = operand_def()
    assembly_format = "$result `:` type($result) attr-dict"
    traits = traits_def(IsTerminator(), Pure())


@irdl_op_definition
class CopyOp(IRDLOperation):
    """Copies a buffer."""

    name = "test.copy"
    source = operand_def(_BUFFER)
    target = operand_def(_BUFFER)
    assembly_format = (
        "`(` $source `,` $target `)` `:` `(` type($source) `,` type($target) `)` "
        "attr-dict"
    )


@irdl_op_definition
class TensorBasedOp(IRDLOperation):
    """Makes a tensor of another one."""

    name = "test.tensor_based"
    input = operand_def(TensorType)
    result = result_def(TensorType)
    assembly_format = (
        "`in` `(` $input `:` type($input) `)` `->` type($result) attr-dict"
    )


TEST = Dialect(
    "test",
    [BufferBasedOp, RegionBufferBasedOp, RegionYieldOp, CopyOp, TensorBasedOp],
    [],
)
