"""What blocks must be like, for ops that no dialect of ours has."""

from collections.abc import Callable

import pytest
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.bufferization.analyses.tensor_facts.block_checks import (
    check_blocks,
)
from xdsl_bufferization.bufferization.interfaces.bufferizable import (
    BufferizableOpInterface,
)
from xdsl_bufferization.support.errors import OperationError

Parse = Callable[[str], ModuleOp]


def check(module: ModuleOp) -> None:
    regions = [r for op in module.walk() for r in op.regions if len(r.blocks) > 1]
    check_blocks(regions, (), lambda _: BufferizableOpInterface())


def test_an_op_must_support_several_blocks(parse: Parse) -> None:
    module = parse("""
"test.op"() ({
  %0 = "test.op"() : () -> tensor<4xf32>
  "test.termop"() [^end] : () -> ()
^end:
  "test.termop"() : () -> ()
}) : () -> ()
""")
    with pytest.raises(OperationError, match="at least one region has multiple blocks"):
        check(module)


def test_blocks_without_tensors_are_nobodys_concern(parse: Parse) -> None:
    check(
        parse("""
"test.op"() ({
  "test.termop"() [^end] : () -> ()
^end:
  "test.termop"() : () -> ()
}) : () -> ()
""")
    )
