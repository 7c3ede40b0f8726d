"""In which memory space a buffer is that nothing else tells the memory space of.

tensor<4xf32>       memref<4xf32>
tensor<4xf32, 3>    memref<4xf32>
                    memref<4xf32, 3> with use-encoding-for-memory-space
"""

from xdsl.dialects.builtin import IntegerAttr, NoneAttr, TensorType
from xdsl.ir import Attribute, Operation
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.text.types import is_memory_space
from xdsl_bufferization.support.errors import fail_at, op_name

from .options import BufferizationOptions

_DEFAULT = NoneAttr()


def as_memory_space(attribute: Attribute | None, op: Operation) -> Attribute:
    """An attribute as memref types have it: 0 is the same as none.

    Stops at `op`, whose attribute it is, if it is none that they may have.
    """
    if attribute is None or isinstance(attribute, NoneAttr):
        return _DEFAULT
    if isa(attribute, IntegerAttr) and attribute.value.data == 0:
        return _DEFAULT
    if not is_memory_space(attribute):
        fail_at(
            op,
            f"{attribute} cannot be a memory space; use an integer, a string, a "
            "dictionary or an attribute of another dialect",
        )
    return attribute


def default_memory_space(
    tensor: Attribute, op: Operation, options: BufferizationOptions
) -> Attribute:
    """The memory space for a tensor of `op`, of the type `tensor`.

    Stops at `op` if the options want it to be told by something else.
    """
    if options.must_infer_memory_space:
        fail_at(
            op,
            f"could not infer memory space of a tensor of '{op_name(op)}'; allocate it "
            "by a bufferization.alloc_tensor with a memory_space, or unset "
            "must-infer-memory-space",
        )
    if options.use_encoding_for_memory_space and isa(tensor, TensorType):
        return as_memory_space(tensor.encoding, op)
    return _DEFAULT
