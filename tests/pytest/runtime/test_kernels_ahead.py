"""Kernels that are made together, before a program calls them."""

import ctypes
from collections.abc import Sequence

import numpy as np
import pytest

from xdsl_bufferization.runtime.heap import ProcessHeap
from xdsl_bufferization.runtime.llvm import compile_image
from xdsl_bufferization.runtime.object_code import (
    LinkedKernel,
    ObjectCode,
    load_object,
)
from xdsl_bufferization.runtime.saved_code import code_of, record_of
from xdsl_bufferization.runtime.xsmm import (
    KernelsAhead,
    kernel_address,
    kernel_image,
    requested_kernels,
)
from xdsl_bufferization.support import abi

INVOKE = abi.XSMM_UNARY_INVOKE


def unary(kind: str, columns: int) -> tuple[int, ...]:
    """The description of a kernel on three rows."""
    return (abi.XSMM_UNARY_KINDS[kind], 1, 3, columns, columns, columns, 0)


def made(descriptions: Sequence[tuple[int, ...]]) -> None:
    ahead = KernelsAhead()
    for description in descriptions:
        ahead.add(INVOKE, description)
    ahead.making()()


def relu_of(address: int, columns: int) -> list[float]:
    numbers = np.arange(3 * columns, dtype=np.float32) - columns
    result = np.zeros_like(numbers)
    words = [array.__array_interface__["data"][0] for array in (numbers, result)]
    ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64)(address)(*words)
    return result.tolist()


def test_kernels_share_an_image_and_work() -> None:
    descriptions = [unary("relu", 1001), unary("relu", 1002), unary("tanh", 1003)]
    made(descriptions)
    first, second, interpreted = (kernel_image(INVOKE, each) for each in descriptions)
    assert first and second and interpreted is None
    assert first.image is second.image and first.symbol != second.symbol
    for columns in (1001, 1002):
        address = kernel_address(INVOKE, unary("relu", columns))
        expected = [0.0] * (columns + 1) + list(range(1, 2 * columns))
        assert relu_of(address, columns) == expected
    served = {
        each.description: each.served_by for each in requested_kernels("generated")
    }
    assert [served[each] for each in descriptions] == ["generated"] * 2 + ["numpy"]


def test_a_kernel_is_made_once() -> None:
    made([unary("relu", 1011)])
    before = kernel_address(INVOKE, unary("relu", 1011))
    made([unary("relu", 1011), unary("relu", 1012)])
    assert kernel_address(INVOKE, unary("relu", 1011)) == before


def test_no_kernel_is_made_for_a_description_of_none() -> None:
    with pytest.raises(KeyError):
        KernelsAhead().add(INVOKE, (77, 1, 1, 1, 1, 1, 0))


def test_a_saved_program_has_a_shared_image_once() -> None:
    descriptions = [unary("relu", 1021), unary("relu", 1022)]
    made(descriptions)
    kernels = [
        LinkedKernel(f"k{at}", INVOKE, description)
        for at, description in enumerate(descriptions)
    ]
    program = "declare void @k0(ptr, ptr)\ndeclare void @k1(ptr, ptr)\n"
    image = compile_image(program + "define void @f() { ret void }")
    code = ObjectCode(image, (), ("k0", "k1"), kernels=kernels)
    record = record_of(code, {})
    assert len(record.pieces) == 2
    found, _ = code_of(record)
    assert len({id(each.image) for each in found.kernels}) == 1
    assert len(load_object(found, ProcessHeap()).kernels) == 1
