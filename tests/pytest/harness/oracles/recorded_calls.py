"""Calls of programs that the reference has evaluated, with what came out.

program = Recorder(text)
program["f"](x)           ->  program.calls[0].outputs
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from xdsl.dialects.builtin import MemRefType, ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.utils.hints import isa

from xdsl_bufferization import parse
from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.reference.values import Value, dtype_of, is_bf16
from xdsl_bufferization.runtime.processors.processor import this_processor


@dataclass
class Call:
    """One call, as the reference has evaluated it."""

    program: str
    function: str
    types: Sequence[Attribute]
    arguments: list[Value]
    """Copies from before the call."""
    result_types: Sequence[Attribute]
    outputs: list[Value]
    """The results, then what arguments hold that are buffers."""
    name: str = ""

    @property
    def output_types(self) -> list[Attribute]:
        """The types of the outputs."""
        buffers = [type_ for type_ in self.types if isa(type_, MemRefType)]
        return [*self.result_types, *buffers]


@dataclass
class Recorder:
    """A program whose functions the reference evaluates, and that keeps the calls."""

    text: str
    name: str = ""
    calls: list[Call] = field(default_factory=list[Call])

    def __post_init__(self) -> None:
        self.module: ModuleOp = parse(self.text)

    def __getitem__(self, function: str) -> Any:
        """A function, which is called as one that is compiled."""
        op = next(
            each
            for each in self.module.ops
            if isinstance(each, FuncOp) and each.sym_name.data == function
        )

        def call(*arguments: Any) -> Any:
            results = [each[()] for each in self.evaluate(op, arguments)]
            return results[0] if len(results) == 1 else tuple(results)

        return call

    def evaluate(self, op: FuncOp, arguments: Sequence[Any]) -> list[Value]:
        """Evaluate a call of a function, and keep a record."""
        types = op.function_type.inputs.data
        pairs = zip(types, arguments, strict=True)
        given = [_as_array(type_, each, op) for type_, each in pairs]
        before = [_copy(each) for each in given]
        results = evaluate(self.module, op.sym_name.data, given)
        buffers: list[Value] = [
            each
            for type_, each in zip(types, given, strict=True)
            if isinstance(type_, MemRefType)
        ]
        call = Call(
            self.text,
            op.sym_name.data,
            types,
            before,
            op.function_type.outputs.data,
            [np.array(each) for each in (*results, *buffers)],
            self.name,
        )
        self.calls.append(call)
        return results


def _copy(array: Value) -> Value:
    """A copy with the same strides, also negative ones."""
    copy = np.copy(array, order="K")
    if copy.strides != array.strides and array.size:
        low, high = np.lib.array_utils.byte_bounds(array)
        memory = np.zeros((high - low) // array.itemsize, array.dtype)
        first = (array.__array_interface__["data"][0] - low) // array.itemsize
        copy = np.lib.stride_tricks.as_strided(
            memory[first:], array.shape, array.strides
        )
        copy[...] = array
    return copy


def _as_array(type_: Attribute, value: Any, op: FuncOp) -> Value:
    array = np.asarray(value)
    if isinstance(type_, MemRefType | TensorType):
        return array
    return array.astype(dtype_of(type_, op))


# Comparing.


def differences(call: Call, theirs: Sequence[Value], tolerance: float) -> list[str]:
    """Where the two outputs are further apart than the tolerance, in words."""
    found: list[str] = []
    outputs = zip(call.output_types, call.outputs, theirs, strict=True)
    for at, (type_, ours, other) in enumerate(outputs):
        is_close = _close(ours, other, tolerance)
        if is_bf16(type_) and _rounds_to_zero():
            is_close |= _is_zero_of(ours, other)
        for index in np.argwhere(~is_close)[:3]:
            place = tuple(index)
            where = [*map(int, index)]
            found.append(f"output {at}{where}: {ours[place]} for {other[place]}")
    return found


def _close(ours: Value, theirs: Value, tolerance: float) -> Value:
    """Whether elements are as good as equal: one NaN is as another, -0 is not 0."""
    if ours.dtype.kind not in "fc":
        return np.asarray(ours == theirs)
    same = _same(np.real(ours), np.real(theirs))
    same &= _same(np.imag(ours), np.imag(theirs))
    if not tolerance:
        return np.asarray(same)
    wide = np.complex128 if ours.dtype.kind == "c" else np.float64
    with np.errstate(all="ignore"):
        error = np.abs(ours.astype(wide) - theirs.astype(wide))
        scale = np.abs(theirs.astype(wide))
        return np.asarray(same | (error <= tolerance * (scale + tolerance)))


@cache
def _rounds_to_zero() -> bool:
    """Whether MLIR's code makes 0 of subnormal numbers that become bfloat16.

    VCVTNEPS2BF16, of AVX512-BF16, takes subnormal numbers to be 0. Processors without
    it follow IEEE 754, and so does the reference.
    """
    return "avx512bf16" in this_processor().has


def _is_zero_of(ours: Value, theirs: Value) -> Value:
    """Where the other number is the zero that a subnormal number becomes."""
    wide = ours.astype(np.float64)
    is_small = np.abs(wide) < float(np.finfo(np.float32).smallest_normal)
    is_zero = (theirs == 0) & (np.signbit(ours) == np.signbit(theirs))
    return np.asarray(is_small & is_zero)


def _same(ours: Any, theirs: Any) -> Value:
    equal = (ours == theirs) & (np.signbit(ours) == np.signbit(theirs))
    return np.asarray(equal | (np.isnan(ours) & np.isnan(theirs)))
