"""Programs that other tests have, several in one: ops of numbers, of vector, of memref.

Case("addi i8 i8", "func.func @f(...) ...", arguments), and some more
    -> func.func @p7(...) { func.call @f_7_0(...), func.call @f_7_1(...), ... }

Their forms differ in ops and types. Each is in a function of its own, so that a pass
meets many of them at once. Buffers that a function writes are compared as results are.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final

import numpy as np

from harness.cases.forms import (
    affine,
    control,
    counts,
    memory,
    numbers,
    optional,
    stablehlo,
    tensors,
    vectors,
)
from harness.cases.forms.form import Form as Case
from harness.matrix.around import Arguments, Program
from harness.matrix.form import ELEMENTS, Form
from harness.programs.random_tm_tensor import OPS as TM_TENSOR_OPS
from harness.programs.random_tm_tensor import random_tm_tensor_program
from xdsl_bufferization.bufferization.context import get_context

_SIGNATURE: Final = re.compile(
    r"func\.func @(?:f|main)\((.*?)\)\s*(?:->\s*(.*?))?\s*\{\n", re.DOTALL
)
_ARGUMENT: Final = re.compile(r"%\w+:\s*([^%]+?)(?:,\s*(?=%)|\s*$)", re.DOTALL)
_TYPE: Final = re.compile(r"[a-z0-9]+(?:<(?:[^<>]|<[^<>]*>)*>)?")
_SHAPED: Final = re.compile(r"(?:tensor|memref)<(?:[0-9?]+x)*([a-z0-9<>]+?)(?:,.*)?>")
_SYMBOL: Final = re.compile(r"@(\w+)")
_OP: Final = re.compile(r"\b[a-z_]+\.[a-z_0-9.]+\b")
_SEEDS: Final = 3


@dataclass(frozen=True)
class GivenFamily:
    """A family of programs that have arguments already."""

    name: str
    cases: Callable[[], Sequence[Case]]
    most: int
    """As many programs as there are, or more."""

    together: int
    """How many cases a program has."""

    def programs(self) -> Iterator[Program]:
        """Programs of several cases each, which are far from each other in the list."""
        cases = [case for case in self.cases() if _reason(case) is None]
        count = -(-len(cases) // self.together)
        assert count <= self.most
        for number in range(count):
            yield _Joined(number).of(cases[number::count])

    def left_out(self) -> set[str]:
        """Why there are cases that no program has."""
        return {reason for case in self.cases() if (reason := _reason(case))}


@cache
def _is_op(name: str) -> bool:
    """Whether a word of a text is the name of an op, not of an attribute."""
    return get_context().get_optional_op(name) is not None


def _reason(case: Case) -> str | None:
    inputs, outputs = _types(case)
    for type_ in (*inputs, *outputs):
        if _element(type_) not in ELEMENTS:
            return f"arguments of {_element(type_)} have no array"
    return None


def _types(case: Case) -> tuple[list[str], list[str]]:
    """The types of the arguments and of the results of a case."""
    found = _SIGNATURE.search(case.text)
    assert found is not None, case.name
    results = (found[2] or "").strip().removeprefix("(").removesuffix(")")
    return _ARGUMENT.findall(found[1]), _TYPE.findall(results)


def _element(type_: str) -> str:
    """The element type: `complex<f32>` of `tensor<2x?xcomplex<f32>>`."""
    inside = _SHAPED.fullmatch(type_)
    return inside[1] if inside else type_


@dataclass
class _Joined:
    """One program of several, while it is written."""

    number: int
    helpers: list[str] = field(default_factory=list[str])
    lines: list[str] = field(default_factory=list[str])
    parameters: list[str] = field(default_factory=list[str])
    types: list[str] = field(default_factory=list[str])
    returned: list[str] = field(default_factory=list[str])

    def of(self, cases: Sequence[Case]) -> Program:
        """A function that calls the function of each case."""
        for case in cases:
            self._call(case)
        written = {op for case in cases for op in _OP.findall(case.text)}
        ops = {op for op in written if _is_op(op)}
        name = "; ".join(case.name for case in cases)
        return Program(
            self.number,
            Form(", ".join(sorted(ops)), (), (), "", {"forms": name}),
            self._text(),
            (),
            tuple(map(_element, self.types)),
            Arguments(
                tuple(np.asarray(each) for case in cases for each in case.arguments),
                tuple(map(_element, self.parameters)),
                tuple(
                    at
                    for at, type_ in enumerate(self.parameters)
                    if type_.startswith("memref")
                ),
            ),
            max(case.tolerance for case in cases),
        )

    def _call(self, case: Case) -> None:
        inputs, outputs = _types(case)
        ending = f"_{self.number}_{len(self.helpers)}"
        self.helpers.append(_SYMBOL.sub(rf"@\1{ending}", case.text))
        first = len(self.parameters)
        self.parameters += inputs
        names = ", ".join(f"%a{first + at}" for at in range(len(inputs)))
        name = "main" if "@main(" in case.text else "f"
        call = (
            f"func.call @{name}{ending}({names}) : ({', '.join(inputs)}) -> "
            f"({', '.join(outputs)})"
        )
        result = f"%r{len(self.helpers)}"
        self.lines.append(f"{result}:{len(outputs)} = {call}" if outputs else call)
        self.types += outputs
        self.returned += [f"{result}#{at}" for at in range(len(outputs))]

    def _text(self) -> str:
        arguments = ", ".join(
            f"%a{at}: {each}" for at, each in enumerate(self.parameters)
        )
        types = ", ".join(self.types)
        last = f"func.return {', '.join(self.returned)} : {types}"
        lines = "\n".join((*self.lines, last if types else "func.return"))
        return (
            f"{''.join(self.helpers)}\nfunc.func @p{self.number}({arguments}) -> "
            f"({types}) {{\n{lines}\n}}\n"
        )


def _tm_tensor() -> list[Case]:
    cases: list[Case] = []
    for op in TM_TENSOR_OPS:
        for seed in range(_SEEDS):
            program = random_tm_tensor_program(seed, op)
            tolerance = 0.0 if program.is_exact else 1e-4
            name = f"{op} {seed}"
            cases.append(Case(name, program.text, program.arguments, tolerance))
    return cases


FAMILIES: Final = (
    GivenFamily("numbers", numbers.forms, most=54, together=16),
    GivenFamily("control", control.forms, most=12, together=4),
    GivenFamily("counts", counts.forms, most=18, together=8),
    GivenFamily("memory", memory.forms, most=18, together=8),
    GivenFamily("affine", affine.forms, most=12, together=9),
    GivenFamily("optional parts", optional.forms, most=12, together=6),
    GivenFamily("stablehlo: parts", stablehlo.forms, most=6, together=5),
    GivenFamily("tensor forms", tensors.forms, most=18, together=7),
    GivenFamily("vectors", vectors.forms, most=24, together=6),
    GivenFamily("tm_tensor", _tm_tensor, most=12, together=3),
)
