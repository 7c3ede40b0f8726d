"""What a region defines is known inside of it, and nowhere else."""

import pytest
from typing_extensions import override
from xdsl.utils.exceptions import ParseError

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.parsing import MLIRParser, WiderParser, parse_module

IF = """
func.func @f(%c: i1) {{
  scf.if %c {{
    %0 = arith.constant 1 : i32
    %1 = arith.addi %0, %0 : i32
  }} else {{
    %0 = arith.constant 1.0 : f32
  }}
  {use}
  return
}}
"""


@pytest.mark.parametrize("parser_type", (MLIRParser, WiderParser))
def test_a_name_may_be_used_again_behind_its_region(
    parser_type: type[WiderParser],
) -> None:
    text = IF.format(use="%0 = arith.constant 1 : i8")
    module = parser_type(get_context(), text, "a.mlir").parse_module()
    module.verify()


def test_a_value_of_a_region_is_not_known_behind_it() -> None:
    text = IF.format(use='"test.op"(%1) : (i32) -> ()')
    ctx = get_context()
    with pytest.raises(ParseError, match="use of undeclared SSA value name %1"):
        parse_module(text, "a.mlir", ctx)


def test_a_name_from_around_may_not_be_defined_inside() -> None:
    text = IF.format(use="%2 = arith.constant 1 : i8").replace("%1 =", "%c =")
    with pytest.raises(ParseError, match="%c is already defined"):
        parse_module(text, "a.mlir", get_context())


LOOP = """
{{
  scf.for %x = %a to %a step %a iter_args(%var = %foo) -> tensor<?xf32> {{
    %used = tensor.dim %foo, %x : tensor<?xf32>
    %foo = tensor.empty(%a) : tensor<?xf32>
    scf.yield %foo : tensor<?xf32>
  }}
  {defined}
  {end}
}}"""


@pytest.mark.parametrize(
    ("parser_type", "said"),
    (
        (MLIRParser, r"use of undeclared SSA value name %foo"),
        (WiderParser, r"values used but not defined: \[%foo\]"),
    ),
)
def test_an_op_does_not_use_what_its_region_defines(
    parser_type: type[WiderParser], said: str
) -> None:
    text = "func.func @f(%a: index)" + LOOP.format(defined="", end="return")
    with pytest.raises(ParseError, match=said):
        parser_type(get_context(), text, "a.mlir").parse_module()


@pytest.mark.parametrize("parser_type", (MLIRParser, WiderParser))
def test_an_op_uses_what_is_defined_behind_its_region(
    parser_type: type[WiderParser],
) -> None:
    defined = "%foo = tensor.empty(%a) : tensor<?xf32>"
    text = f"""
builtin.module {{
  %a = arith.constant 1 : index
  builtin.module {LOOP.format(defined=defined, end="")}
}}"""
    module = parser_type(get_context(), text, "a.mlir").parse_module()
    inner, empty = [op for op in module.walk() if op.name == "tensor.empty"]
    loop = next(op for op in module.walk() if op.name == "scf.for")
    assert loop.operands[-1].owner is empty
    dim = next(op for op in module.walk() if op.name == "tensor.dim")
    assert dim.operands[0].owner is inner


@pytest.mark.parametrize("parser_type", (MLIRParser, WiderParser))
def test_regions_keep_no_copies_of_all_values(parser_type: type[WiderParser]) -> None:
    class Counting(dict[str, object]):
        copies = 0

        @override
        def copy(self) -> "Counting":
            Counting.copies += 1
            return Counting(self)

    parser = parser_type(get_context(), IF.format(use=""), "a.mlir")
    parser.ssa_values = Counting()  # pyright: ignore[reportAttributeAccessIssue]
    parser.parse_module()
    assert Counting.copies == 0
