"""convert-elementwise-to-linalg takes the ops that mlir-opt takes, to the same text."""

from collections.abc import Callable

import pytest
from optimization.test_convert_elementwise_to_linalg import CASES, program_of

pytestmark = pytest.mark.oracle

PASS = "convert-elementwise-to-linalg"
TENSORS = """
func.func private @make({TYPES}) -> ({TYPES})
func.func @entry({PARAMETERS}) -> {RESULT} {{
  %s, %c, %f, %g, %i, %j = func.call @make({NAMES}) : ({TYPES}) -> ({TYPES})
  %0 = OP
  return %0 : {RESULT}
}}
"""
"""As the operands are no arguments, both write to the same ones."""

_NAMES = ("s", "c", "f", "g", "i", "j")
_TYPES = ("i1", "{i1}", "{f32}", "{f32}", "{i32}", "{i32}")


def text_of(op: str, shape: str) -> str:
    text = TENSORS.replace("{TYPES}", ", ".join(_TYPES))
    text = text.replace("{NAMES}", ", ".join(f"%{name}_in" for name in _NAMES))
    pairs = zip(_NAMES, _TYPES, strict=True)
    parameters = ", ".join(f"%{name}_in: {type_}" for name, type_ in pairs)
    return program_of(op, shape, text.replace("{PARAMETERS}", parameters))


@pytest.mark.parametrize("shape", ["3x5x", "3x?x", ""])
@pytest.mark.parametrize("op", [op for op in CASES if "half" not in op])
def test_same_text(
    op: str,
    shape: str,
    xdsl_opt: Callable[..., str],
    mlir_opt: Callable[..., str],
) -> None:
    text = text_of(op, shape)
    theirs = mlir_opt(text, f"--{PASS}")
    assert "linalg.generic" in theirs
    assert mlir_opt(xdsl_opt(text, PASS)) == theirs
