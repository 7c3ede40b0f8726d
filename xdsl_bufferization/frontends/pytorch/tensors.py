"""Tensors of PyTorch as arrays over the same memory, and back.

    array_of(parameter)         an array, also of a parameter that requires a gradient
    tensor_of(array, uint8)     a tensor over the array's memory, with PyTorch's dtype

MLIR's integers have no sign, and NumPy has no bfloat16: the bits are exchanged.
"""

from typing import Any, cast

import numpy as np

from xdsl_bufferization.runtime.descriptor import Array
from xdsl_bufferization.runtime.errors import EngineError

from .frameworks import torch
from .lowering import first_line


def array_of(tensor: Any) -> Array:
    """The elements of a tensor in row-major order, copied only if they are not.

    Raises `EngineError` for a tensor whose elements are not in memory one by one.
    """
    try:
        return _array_of(tensor)
    except (RuntimeError, TypeError) as error:  # What PyTorch raises here.
        raise EngineError(
            f"compiled code cannot read a tensor of the layout {tensor.layout} on the "
            f"device {tensor.device}: {first_line(str(error))}"
        ) from error


def _array_of(tensor: Any) -> Array:
    if tensor.requires_grad:
        tensor = tensor.detach()
    if _is_plain(tensor):
        return tensor.numpy()
    plain = tensor.resolve_conj().resolve_neg().contiguous()
    if plain.dtype is torch().bfloat16:
        return plain.view(torch().int16).numpy().view(np.uint16)
    return plain.numpy()


def _is_plain(tensor: Any) -> bool:
    """Whether NumPy takes a tensor as it is. A step of training passes hundreds."""
    return (
        tensor.is_contiguous()
        and tensor.dtype is not torch().bfloat16
        and not tensor.is_neg()
        and not tensor.is_conj()
    )


def tensor_of(result: object, dtype: object) -> object:
    """A tensor of a type over the memory of an array; a number as Python has it."""
    if not isinstance(result, np.ndarray):
        return cast(Any, result).item() if isinstance(result, np.generic) else result
    array = cast(Array, result)
    if not array.flags.writeable:
        array = array.copy()  # PyTorch has no read-only tensors.
    if dtype is torch().bfloat16:
        return torch().from_numpy(array.view(np.int16)).view(torch().bfloat16)
    tensor = torch().from_numpy(array)
    return tensor if tensor.dtype is dtype else tensor.view(dtype)
