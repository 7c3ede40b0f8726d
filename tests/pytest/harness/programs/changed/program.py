"""A program of the repository, changed, with arguments and what it computes.

next(changed_programs(7)).expected      its results, each with a mask
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, Final
from unittest.mock import patch

import numpy as np
from fuzz.corpus import read_corpus
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import ParseError, VerifyException
from xdsl.utils.hints import isa

from harness.cases.case import DTYPES
from xdsl_bufferization import parse
from xdsl_bufferization.reference import values
from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.reference.machine import Machine
from xdsl_bufferization.support.errors import OperationError, fail_at

from .changes import change

_SIZES: Final = ((4,), (3,), (2, 3), (1,), (5,))
"""What sizes that are not known may be, in turns."""

_MOST_ELEMENTS: Final = 10_000

_CONTENTS: Final = ((np.nan, 0xA5), (0.0, 0), (-2.0, 3), (3e4, 0x55))
"""What memory may hold that was never written: numbers, and bytes of integers."""

_MOST_OPS: Final = 20_000
"""Of an evaluation. A changed condition may hold for ever."""

_COMPARISONS: Final = ("arith.cmpf", "arith.cmpi")

Result = tuple[NDArray[Any], NDArray[np.bool_]]
"""What is computed, and which elements depend on nothing that was never written."""

_Operands = tuple[NDArray[Any], NDArray[Any]]

_run_op: Final = Machine.run_op


@dataclass(frozen=True)
class ChangedProgram:
    """A program, one of its functions, and arguments for that."""

    text: str
    entry: str
    arguments: list[Any]
    expected: list[Result]


def changed_programs(seed: int) -> Iterator[ChangedProgram]:
    """Programs without end, of those that the reference can evaluate."""
    random = Random(seed)
    while True:
        try:
            program = _changed(random, random.choice(_texts()))
        except (OperationError, ParseError, VerifyException):
            continue  # What it computes is not defined, or it is no program.
        if program is not None:
            yield program


@cache
def _texts() -> list[str]:
    # Arguments with a layout of their own would need arrays with such strides.
    return [
        text
        for text in read_corpus().valid
        if "tensor<" in text and "bufferization.buffer_layout" not in text
    ]


def _changed(random: Random, text: str) -> ChangedProgram | None:
    module = parse(text)
    functions = [op for op in module.ops if isinstance(op, FuncOp)]
    functions = [each for each in functions if not each.is_declaration]
    if not functions:
        return None
    function = random.choice(functions)
    arguments = _arguments(random, function)
    if arguments is None:
        return None
    function.sym_visibility = None
    count = random.choice((1, 2, 3, 4, 6))
    others = [function, function, random.choice(functions)]
    changes = [change(random, random.choice(others)) for _ in range(count)]
    if not any(changes) or not _has_known_types(function):
        return None
    module.verify()
    text, name = str(module), function.sym_name.data
    expected = _expected(text, name, arguments)
    return ChangedProgram(text, name, arguments, expected) if expected else None


def _has_known_types(function: FuncOp) -> bool:
    return all(map(_element_of, function.function_type.outputs))


def _element_of(type_: Attribute) -> Any:
    """The type in NumPy; None if there is none."""
    if isa(type_, TensorType):
        type_ = type_.get_element_type()
    return DTYPES.get(str(type_))


def _arguments(random: Random, function: FuncOp) -> list[Any] | None:
    sizes = random.choice(_SIZES)
    rng = np.random.default_rng(random.randrange(1 << 30))
    arguments: list[Any] = []
    for type_ in function.function_type.inputs:
        element = _element_of(type_)
        if element is None:
            return None
        shape: list[int] = []
        if isinstance(type_, TensorType):
            shape = [
                size if size >= 0 else sizes[number % len(sizes)]
                for number, size in enumerate(type_.get_shape())
            ]
        if np.prod(shape, dtype=float) > _MOST_ELEMENTS:
            return None
        numbers = rng.integers(0, 5, shape)
        if np.dtype(element).kind == "f":
            numbers = (numbers - 2) / 4
        array = np.asarray(numbers).astype(element)
        arguments.append(array if isinstance(type_, TensorType) else array.item())
    return arguments


def _expected(text: str, entry: str, arguments: list[Any]) -> list[Result] | None:
    """The results; None if there is none, or shapes depend on what is undefined."""
    observed: list[list[_Operands]] = [[] for _ in _CONTENTS]
    runs = [
        _evaluated(text, entry, arguments, contents, compared)
        for contents, compared in zip(_CONTENTS, observed, strict=True)
    ]
    # A number that was never written may be equal to any other. So what depends on
    # one of those is compared as it is, and the other way round.
    unsure = _unsure(observed)
    runs.append(_evaluated(text, entry, arguments, _CONTENTS[0], [], unsure))
    found: list[Result] = []
    for alternatives in zip(*runs, strict=True):
        first, *others = alternatives
        if any(each.shape != first.shape for each in others):
            return None
        same = [_equal(first, each) for each in others]
        found.append((others[0], np.logical_and.reduce(same)))
    return found


def _evaluated(
    text: str,
    entry: str,
    arguments: list[Any],
    contents: tuple[float, int],
    compared: list[_Operands],
    reversed_: Sequence[NDArray[np.bool_]] = (),
) -> list[NDArray[Any]]:
    """The results where memory that was never written has some contents.

    What is compared is noted; results of a comparison are reversed where that is asked.
    """
    number, byte = contents
    numbers = {"f": number, "c": complex(number, number)}
    numbered = iter(range(_MOST_OPS))

    def run_op(machine: Machine, op: Operation, operands: list[Any]) -> Any:
        if next(numbered, None) is None:
            fail_at(op, "runs too long")
        results = _run_op(machine, op, operands)
        if op.name in _COMPARISONS:
            place = len(compared)
            compared.append((np.copy(operands[0]), np.copy(operands[1])))
            if place < len(reversed_) and reversed_[place].shape == results[0].shape:
                return [results[0] ^ reversed_[place]]
        return results

    with (
        patch.dict(f"{values.__name__}._NOT_A_NUMBER", numbers),
        patch.object(values, "POISON_BYTE", byte),
        patch.object(Machine, "run_op", run_op),
        np.errstate(all="ignore"),
    ):
        module: ModuleOp = parse(text)
        given = [np.copy(each) for each in arguments]
        return [*map(np.asarray, evaluate(module, entry, given))]


def _unsure(runs: Sequence[Sequence[_Operands]]) -> list[NDArray[np.bool_]]:
    """For each comparison, which of its elements compare what is undefined."""
    found: list[NDArray[np.bool_]] = []
    for alternatives in zip(*runs, strict=False):
        first, *others = alternatives
        is_unsure = np.zeros(np.broadcast_shapes(*map(np.shape, first)), np.bool_)
        for other in others:
            for one, its in zip(first, other, strict=True):
                if one.shape != its.shape:
                    return found  # Another branch was taken.
                is_unsure = is_unsure | ~_equal(one, its)
        found.append(is_unsure)
    return found


def _equal(one: NDArray[Any], other: NDArray[Any]) -> NDArray[np.bool_]:
    equal = one == other
    if one.dtype.kind in "fc":
        equal |= np.isnan(one) & np.isnan(other)
    return np.asarray(equal)
