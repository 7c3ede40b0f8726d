"""`tm_tensor.yield`: what a region of an op of tm_tensor computes.

tm_tensor.yield %sum : f32

One value for the ops that have regions, all of which compute one.
"""

from xdsl.dialects.utils import AbstractYieldOperation
from xdsl.ir import Attribute
from xdsl.irdl import irdl_op_definition, traits_def
from xdsl.traits import IsTerminator, Pure, ReturnLike


@irdl_op_definition
class YieldOp(AbstractYieldOperation[Attribute]):
    """The end of a region, with what it computes."""

    name = "tm_tensor.yield"

    traits = traits_def(IsTerminator(), Pure(), ReturnLike())
