"""The reference against a second witness: the same calls by mlir-opt 22.

The two share nothing but the text of the programs. MLIR's ops become loops by
`convert-linalg-to-loops`. What comes out is compared bit by bit. Functions of the C
library may differ by a few units of the last place.

`PYTHONPATH=tests/pytest python tests/pytest/oracle/test_reference_witness.py` compares
everything, and prints how many forms there are, which differ, and which MLIR refuses.
"""

import re
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest
from harness.cases import complex_numbers, memory
from harness.cases.forms import all_forms
from harness.oracles.recorded_calls import Call, Recorder, differences
from harness.oracles.witness import NotRunError, run_in_mlir

pytestmark = pytest.mark.oracle

PARTS = 24
"""So many modules hold all forms."""

CASE_TOLERANCE = 2e-5
"""MLIR computes functions of complex numbers in the type of their parts."""

CASES = (*complex_numbers.CASES, *memory.CASES)
"""Cases of lowered ops that are no forms: their checks make calls that are recorded."""


class Reason(NamedTuple):
    """Why something of a form is left out."""

    names: str
    """The forms, as a regular expression."""

    reason: str


REFUSED = (
    Reason("(isinf|isnormal) .*", "no pass lowers these ops"),
    Reason("clampf .*", "lowered by math-expand-ops alone, which exchanges the bounds"),
    Reason(r"index\.ceildivs .*", "adds to the dividend, and divides -2**63 by -1"),
    Reason(r"vector\.scan .*", "no pass lowers the op"),
    Reason(r"vector\.contract max.*", "no pass lowers a contraction but for sums"),
    Reason(r"vector\.insert .*", "mlir-opt crashes on an element of an inner row"),
    Reason(r"vector\.transfer_read of a column .*", "no pass lowers the permutation"),
    Reason("bits_of_complex_numbers: .*", "no pass lowers complex.bitcast"),
    Reason("atomics: .*", "no pass lowers each kind of memref.atomic_rmw"),
    Reason("affine_parallel_without_dimensions: .*", "scf.parallel has dimensions"),
    Reason("conditions_on_shapes: .*", "a witness cannot cross a function"),
    Reason("linalg_on_buffers: .*", "the script makes tensors of a softmax of buffers"),
    Reason(r"linalg\.softmax .*", "the script makes tensors of a softmax of buffers"),
    Reason(
        r"memref\.generic_atomic_rmw .*", "makes a cmpxchg of floats, and refuses it"
    ),
    Reason(r"memref\.atomic_rmw mul.*", "no pass lowers each kind"),
    Reason(r"memref\.realloc( {.*})?: .*", "copies as much as the old buffer had"),
    Reason(r"memref\.reshape to \*: .*", "makes a reinterpret_cast to any rank"),
    Reason(r"affine\.parallel \(\) .*", "scf.parallel has dimensions"),
    Reason(r"affine\.vector_load .* 2x8: .*", "no pass lowers vectors of rank 2"),
    Reason(r"scf\.(for|while) of 2, .*", "a loop may not exchange its buffers"),
    Reason(r"cf\.switch of [12] with [12] .*", "a block gets tensors and buffers"),
    Reason(r"shape\.assuming .*", "the region gets several blocks"),
    Reason(r"pack and unpack \[.*", "no pass lowers tiles of open sizes"),
    Reason(
        "buffers of rank 0 and 1: .*", "an atomic op may not yield a number outside"
    ),
    Reason("extract and insert at open places: .*", "no pass lowers the ops"),
    Reason("mask with a passthru: .*", "no pass lowers the op"),
    Reason("mask that yields what is around it: .*", "mlir-opt does not end"),
    Reason(
        r"ml_program\.global: .*", "no pass of the script lowers globals of tensors"
    ),
    Reason("checks that hold: .*", "MLIR does not have the dialect"),
)
"""Forms that MLIR 22 does not lower; nobody but the reference can run them."""

_ZEROS = r"(output 0\[\d+\]: {} for {}(; )?)+"

WRONG_IN_MLIR = (
    Reason("truncf to bf16 f64: .*", "rounds to f32 first, and so twice"),
    Reason(f"maximumf .*: {_ZEROS.format('0.0', '-0.0')}", "-0.0 is the smaller one"),
    Reason(f"minimumf .*: {_ZEROS.format('-0.0', '0.0')}", "-0.0 is the smaller one"),
    Reason("expm1 f16: .*", "computes exp(x) - 1, which loses digits near 0"),
    Reason(
        "generic .* to diagonal, (input|index): .*",
        "does not copy the output, of which only the diagonal is overwritten; "
        "reference/test_points.py has the numbers",
    ),
    Reason(
        "body with slices, parallel: .*|generate with tensors: .*",
        "overwrites a tensor in place that the next point reads; "
        "reference/test_points.py has the numbers",
    ),
    Reason(
        "generic_atomic: .*",
        "gives the old value, and the documentation says the new one",
    ),
    Reason("map with its init .*", "takes an output that the body reads for unread"),
)
"""Forms that MLIR 22 computes otherwise, and why the reference is right."""


@dataclass(frozen=True)
class Outcome:
    """What came of some forms."""

    compared: int
    refused: list[str]
    different: list[str]

    def __add__(self, other: "Outcome") -> "Outcome":
        """Both together."""
        return Outcome(
            self.compared + other.compared,
            self.refused + other.refused,
            self.different + other.different,
        )


def is_explained(name: str, table: Sequence[Reason]) -> bool:
    """Whether a table has a form."""
    return any(re.fullmatch(each.names, name) for each in table)


def calls_of_forms(part: int) -> list[tuple[Call, float]]:
    """Calls of every `PARTS`th form, and how exact their results are."""
    found: list[tuple[Call, float]] = []
    for form in all_forms()[part::PARTS]:
        program = Recorder(form.text, form.name)
        program["f"](*form.arguments)
        found += [(call, form.tolerance) for call in program.calls]
    return found


def calls_of_cases() -> list[tuple[Call, float]]:
    """The calls that the checks of all cases make."""
    found: list[tuple[Call, float]] = []
    for case in CASES:
        program: Any = Recorder(case.program, case.name)
        # Buffers that are returned are copies here.
        with suppress(AssertionError):
            case.check(program)
        found += [(call, CASE_TOLERANCE) for call in program.calls]
    return found


def compare(calls: Sequence[tuple[Call, float]]) -> Outcome:
    """Make calls by MLIR, and compare what comes out."""
    outcomes = run_in_mlir([call for call, _ in calls])
    refused: list[str] = []
    different: list[str] = []
    for (call, tolerance), outcome in zip(calls, outcomes, strict=True):
        name = f"{call.name}: {call.function}"
        if isinstance(outcome, NotRunError):
            refused.append(f"{name}: {outcome}")
        elif found := differences(call, outcome, tolerance):
            different.append(f"{name}: {'; '.join(found)}")
    return Outcome(len(calls) - len(refused), refused, different)


def check(outcome: Outcome) -> None:
    """Nothing differs, and nothing is refused, but for what the tables explain."""
    sys.stdout.write(f"{outcome.compared} compared, {len(outcome.refused)} refused\n")
    assert outcome.compared
    assert [x for x in outcome.different if not is_explained(x, WRONG_IN_MLIR)] == []
    assert [x for x in outcome.refused if not is_explained(x, REFUSED)] == []


@pytest.mark.volume(sample=2)
@pytest.mark.parametrize("part", range(PARTS))
def test_forms(mlir_opt: Callable[..., str], part: int):
    check(compare(calls_of_forms(part)))


@pytest.mark.volume(sample=0)
@pytest.mark.parametrize("cases", ["all"])
def test_cases(mlir_opt: Callable[..., str], cases: str):
    check(compare(calls_of_cases()))


@pytest.mark.parametrize("wrong", ["addf", "subi", "insert"])
def test_a_fault_is_found(mlir_opt: Callable[..., str], wrong: str):
    """The comparison finds a result that is changed by the smallest amount."""
    names = {"addf": "addf f32 f32", "subi": "subi i8 i8", "insert": "insert i8"}
    (form,) = [each for each in all_forms() if each.name == names[wrong]]
    program = Recorder(form.text, form.name)
    program["f"](*form.arguments)
    (call,) = program.calls
    flat = call.outputs[0].reshape(-1)
    at = int(np.flatnonzero(np.isfinite(flat))[-1])
    flat[at] = np.nextafter(flat[at], 9) if wrong == "addf" else flat[at] ^ 1
    assert compare([(call, form.tolerance)]).different


def main() -> None:
    """Compare everything, and say what came of it."""
    total = compare(calls_of_cases())
    for part in range(PARTS):
        total += compare(calls_of_forms(part))
        sys.stdout.write(f"{total.compared} compared\n")
        sys.stdout.flush()
    for title, names, table in (
        ("different", total.different, WRONG_IN_MLIR),
        ("refused by MLIR", total.refused, REFUSED),
    ):
        rest = [name for name in names if not is_explained(name, table)]
        sys.stdout.write(f"{title}: {len(names)}, not explained: {len(rest)}\n")
        sys.stdout.writelines(f"  {name}\n" for name in rest)


if __name__ == "__main__":
    main()
