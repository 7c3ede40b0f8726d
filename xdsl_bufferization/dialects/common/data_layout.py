"""What a module says of the layout of data, as attributes of dlti.

module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i64>} { ... }

index_bits(op)  ->  32      // of an op in this module
"""

from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.dialects.dlti import DataLayoutSpecAttr
from xdsl.ir import Operation
from xdsl.utils.hints import isa

_SPEC = "dlti.dl_spec"


def index_bits(op: Operation) -> int | None:
    """How many bits an `index` has by the nearest op around that says so."""
    around: Operation | None = op
    while around is not None:
        spec = around.attributes.get(_SPEC)
        if isinstance(spec, DataLayoutSpecAttr):
            for entry in spec.entries:
                if entry.key == IndexType() and isa(entry.value, IntegerAttr):
                    return entry.value.value.data
        around = around.parent_op()
    return None
