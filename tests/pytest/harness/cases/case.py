"""What a case is: a program on buffers and a check of what it computes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from xdsl_bufferization.runtime.engine import CompiledModule

Array = np.ndarray[Any, Any]
Check = Callable[[CompiledModule], None]
Unary = Callable[[Any], Any]
Binary = Callable[[Any, Any], Any]
Reference = Unary | Binary | Callable[[Any, Any, Any], Any]

DTYPES: dict[str, Any] = {
    "i1": np.bool_,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "index": np.int64,
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
    "complex<f32>": np.complex64,
    "complex<f64>": np.complex128,
}


@dataclass(frozen=True)
class Case:
    """A program and a check of what its functions compute."""

    name: str
    program: str
    check: Check


class Cases(list[Case]):
    """The cases of one dialect."""

    def of(self, program: str) -> Callable[[Check], Check]:
        """Add a case: `@cases.of(program)` above its check."""

        def register(check: Check) -> Check:
            self.append(Case(check.__name__, program, check))
            return check

        return register


@dataclass(frozen=True)
class Elementwise:
    """An op on numbers, tried on arrays of operands."""

    op: str
    """The op on %x0, %x1, ...; its result is %r."""

    operands: tuple[str, ...]
    result: str
    reference: Reference
    """What it computes, for Python's or NumPy's numbers."""

    inputs: tuple[tuple[Any, ...], ...]
    """Operands to try."""

    tolerance: float = 0.0

    @property
    def name(self) -> str:
        """The name of the function that applies the op."""
        return "".join(c if c.isalnum() else "_" for c in self.op)

    def function(self) -> str:
        """A function that applies the op to arrays."""
        parameters = ", ".join(
            f"%a{number}: memref<?x{type}>" for number, type in enumerate(self.operands)
        )
        loads = "\n".join(
            f"    %x{number} = memref.load %a{number}[%i] : memref<?x{type}>"
            for number, type in enumerate(self.operands)
        )
        return f"""
func.func @{self.name}({parameters}, %out: memref<?x{self.result}>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %out, %c0 : memref<?x{self.result}>
  scf.for %i = %c0 to %n step %c1 {{
{loads}
    %r = {self.op}
    memref.store %r, %out[%i] : memref<?x{self.result}>
  }}
  func.return
}}
"""

    def check(self, program: CompiledModule) -> None:
        """Compare what the function computes with the reference."""
        columns = [
            np.array([each[number] for each in self.inputs], DTYPES[type])
            for number, type in enumerate(self.operands)
        ]
        out = np.zeros(len(self.inputs), DTYPES[self.result])
        program[self.name](*columns, out)
        with np.errstate(all="ignore"):
            reference: Callable[..., Any] = self.reference
            expected = np.array(
                [reference(*row) for row in zip(*columns, strict=True)]
            ).astype(DTYPES[self.result])
        if self.tolerance:
            np.testing.assert_allclose(out, expected, rtol=self.tolerance, atol=1e-12)
        else:
            np.testing.assert_array_equal(out, expected)


def elementwise_case(name: str, ops: list[Elementwise]) -> Case:
    """A case of several ops on numbers, in one program."""

    def check(program: CompiledModule) -> None:
        for op in ops:
            op.check(program)

    return Case(name, "".join(op.function() for op in ops), check)
