import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import ParseError

from xdsl_bufferization.context import get_context
from xdsl_bufferization.parsing import locate, parse_module


def parse(text: str) -> ModuleOp:
    return parse_module(text, "a.mlir", get_context())


def places(module: ModuleOp) -> dict[str, str | None]:
    return {op.name: locate(op) for op in module.walk()}


def test_each_operation_has_the_place_of_its_name():
    module = parse(
        """func.func @f(%a: f32) -> f32 {
  %0, %1 =
    "test.op"(%a) : (f32) -> (f32, f32)
  %2 = arith.addf %0, %1 : f32
  func.return %2 : f32
}"""
    )
    assert places(module) == {
        "builtin.module": None,
        "func.func": "a.mlir:1:1",
        "test.op": "a.mlir:3:5",
        "arith.addf": "a.mlir:4:8",
        "func.return": "a.mlir:5:3",
    }


@pytest.mark.parametrize("text", ("", "// Nothing\n", "#map = affine_map<(i) -> (i)>"))
def test_a_program_without_operations_is_an_empty_module(text: str):
    assert not list(parse(text).ops)


@pytest.mark.parametrize("text", ("#map =", ")", "func.func @f() {", "module {"))
def test_a_program_that_is_cut_short_is_an_error(text: str):
    with pytest.raises(ParseError):
        parse(text)


def test_an_explicit_location_is_kept():
    module = parse('func.func private @f() loc("b.mlir":7:9)')
    assert places(module)["func.func"] == "b.mlir:7:9"


def test_an_operation_made_by_the_parser_is_where_the_one_around_it_is():
    module = parse(
        """func.func @f(%c: i1) {
  scf.if %c {
  }
  func.return
}"""
    )
    assert places(module)["scf.yield"] == "a.mlir:2:3"


def test_a_new_operation_has_no_place():
    assert locate(ModuleOp([])) is None


def test_what_an_affine_map_cannot_have_is_an_error_there():
    with pytest.raises(ParseError, match=r"a\.mlir:2:34(.|\n)*non-affine expression"):
        parse("// A square.\n#square = affine_map<(d0) -> (d0 * d0)>")


def test_a_value_that_nobody_defines_is_an_error_at_its_first_use():
    text = """func.func @f(%c: i1) {
  %0 = arith.addi %1, %1 : i32
  %1 = arith.addi %0, %2 : i32
  %3 = arith.addi %2, %2 : i32
  return
}"""
    with pytest.raises(ParseError, match=r"undeclared SSA value name %2") as error:
        parse(text)
    assert str(error.value.span.get_location()) == "a.mlir:3:23"


def test_other_errors_come_before_values_that_are_not_defined_yet():
    text = "func.func @f() {\n  %0 = arith.addi %1, %1 : i32\n  return 7\n}"
    with pytest.raises(ParseError) as error:
        parse(text)
    assert str(error.value.span.get_location()) == "a.mlir:3:10"
