"""`linalg.copy` as an insertion into all of its destination."""

from xdsl.dialects.linalg import ops
from xdsl.ir import Operation

from ...interfaces.subset import SubsetOpInterface
from .insertion import WholeInsertion

MODELS: dict[type[Operation], SubsetOpInterface] = {ops.CopyOp: WholeInsertion()}
