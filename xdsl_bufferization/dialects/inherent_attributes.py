"""What an op defines may be written in its attribute dictionary, as MLIR reads it.

    %0 = bufferization.to_tensor %m {restrict} : memref<4xf32> to tensor<4xf32>
    %0 = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>

xDSL 0.74 keeps the first `restrict` as an attribute that nobody knows, where a format
has another place for it.
"""

from functools import cache

from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation
from xdsl.parser import Parser


@cache
def amend_inherent_attributes() -> None:
    """Let parsers tell properties from attributes; once in a process."""
    parse_in_xdsl = Parser.parse_operation

    def parse_operation(self: Parser) -> Operation:
        op = parse_in_xdsl(self)
        if op.attributes and isinstance(op, IRDLOperation):
            defined = op.get_irdl_definition().properties
            for name in defined.keys() & op.attributes.keys():
                op.properties[name] = op.attributes.pop(name)
        return op

    Parser.parse_operation = parse_operation
