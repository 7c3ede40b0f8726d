"""What callers pass and get: NumPy arrays, tensors of other packages, and numbers.

    x: a NumPy array               f(x)   ->   NumPy arrays
    x: a PyTorch tensor            f(x)   ->   PyTorch tensors over the results' memory
    x: anything with __dlpack__    f(x)   ->   NumPy arrays

PyTorch is never imported: a caller who has one of its tensors has imported it.
"""

import sys
from collections.abc import Container
from typing import Any, Final, cast

import numpy as np

from xdsl_bufferization.runtime.descriptor import Array, as_array
from xdsl_bufferization.runtime.errors import MismatchError
from xdsl_bufferization.support import abi

_TORCH: Final = "torch"


def passed(value: object, signature: abi.ValueSignature) -> object:
    """`value` as a compiled function takes it.

    An array that is not in row-major order is copied, unless the function is to write
    into the memory of the caller. Raises `MismatchError`.
    """
    if type(value) is np.ndarray:
        array = cast(Array, value)
    elif isinstance(value, np.ndarray):
        array = as_array(cast(Array, value))
    elif hasattr(value, "__dlpack__"):
        array = as_array_of_any(value)
    else:
        return value
    if isinstance(signature, abi.ScalarSignature):
        return array[()] if array.ndim == 0 else array
    flags = array.flags
    if (flags.c_contiguous and flags.aligned) or _is_buffer(signature):
        return array
    return np.array(array, order="C")


def _is_buffer(signature: abi.MemRefSignature) -> bool:
    """Whether the argument was a buffer in the program, and may be written."""
    return not signature.is_value


def is_torch(value: object) -> bool:
    """Whether a value is a tensor of PyTorch."""
    kind = type(value)
    if kind is np.ndarray or kind.__module__ == "builtins":
        return False
    torch: Any = sys.modules.get(_TORCH)
    return torch is not None and isinstance(value, torch.Tensor)


def as_plain_arrays(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Tensors of PyTorch as arrays, in a third of the time that DLPack takes.

    Others stay as they are. If PyTorch makes no array of a tensor, all do: DLPack says
    what is wrong.
    """
    torch: Any = sys.modules[_TORCH]
    tensor = torch.Tensor
    try:
        # A subclass may do anything here.
        return tuple([x.numpy() if type(x) is tensor else x for x in values])
    except (RuntimeError, TypeError):
        return values


def as_array_of_any(value: Any) -> Array:
    """An array, or anything with `__dlpack__`, as an array over the same memory.

    The elements of PyTorch's bfloat16 are their bits. Raises `MismatchError`.
    """
    if not is_torch(value):
        return as_array(value)
    torch: Any = sys.modules[_TORCH]
    if value.dtype is not torch.bfloat16:
        return as_array(as_plain_arrays((value,))[0])
    if value.requires_grad:
        raise MismatchError("the tensor requires a gradient; pass tensor.detach()")
    # NumPy imports no bfloat16 through DLPack: its bits travel as integers.
    return as_array(value.view(torch.int16)).view(np.uint16)


def as_torch(result: object, signature: abi.ValueSignature) -> object:
    """A result as a tensor of PyTorch over the same memory; numbers stay numbers."""
    if isinstance(signature, abi.ScalarSignature):
        return result
    torch: Any = sys.modules[_TORCH]
    array = cast(Array, result)
    if not array.flags.writeable:
        array = array.copy()  # PyTorch has no read-only tensors.
    if signature.element == "bf16":
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(array)


def as_unsigned(results: Any, unsigned: Container[int]) -> Any:
    """The results of a call, in which some integers have no sign; memory is shared."""
    if not isinstance(results, tuple):
        return _without_sign(results)
    return tuple(
        _without_sign(result) if number in unsigned else result
        for number, result in enumerate(cast("tuple[object, ...]", results))
    )


def _without_sign(result: object) -> object:
    array = cast(Array, result)
    return array.view(f"u{array.dtype.name}")
