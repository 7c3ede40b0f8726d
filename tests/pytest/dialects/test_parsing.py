"""Two parsers: one reads MLIR's text and xDSL's, the other MLIR's and says where."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import arith, memref, scf, tensor
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError, VerifyException

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.parsing import (
    MLIRParser,
    WiderParser,
    locate,
    parse_module,
)
from xdsl_bufferization.dialects.printing import mlir_text

FILE_CHECKS = Path(__file__).parents[2] / "filecheck"


def name_of(file: Path) -> str:
    return str(file.relative_to(FILE_CHECKS))


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


@pytest.mark.parametrize("written", ("restrict, writable", "writable, restrict"))
def test_what_is_written_among_attributes_is_in_the_order_of_the_definition(
    written: str,
):
    module = parse(f"""func.func @f(%m: memref<4xf32>) -> tensor<4xf32> {{
      %t = bufferization.to_tensor %m {{{written}}} : memref<4xf32> to tensor<4xf32>
      func.return %t : tensor<4xf32>
    }}""")
    (properties,) = (op.properties for op in module.walk() if "to_tensor" in op.name)
    assert list(properties) == ["restrict", "writable"]


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


def test_a_block_that_is_there_twice_is_an_error_there():
    """Also if it was branched to before."""
    for branch in "return", "cf.br ^a":
        text = f"func.func @f() {{\n  {branch}\n^a:\n  return\n^a:\n  return\n}}"
        with pytest.raises(ParseError, match="re-declaration of block 'a'") as error:
            parse(text)
        assert str(error.value.span.get_location()).endswith(":5:1")


def test_other_errors_come_before_values_that_are_not_defined_yet():
    text = "func.func @f() {\n  %0 = arith.addi %1, %1 : i32\n  return 7\n}"
    with pytest.raises(ParseError) as error:
        parse(text)
    assert str(error.value.span.get_location()) == "a.mlir:3:10"


def test_a_name_that_an_enumeration_does_not_have_is_an_error_there():
    text = "module attributes {a = 1, b = #vector.kind<strange>} {}"
    with pytest.raises(ParseError, match="Expected `add`, `mul`, ") as error:
        parse(text)
    assert error.value.span.start == text.index("strange")


# A parser for all of MLIR's text and of xDSL's.

BOTH = pytest.mark.parametrize("parser", [Parser, MLIRParser])


def ops(module: ModuleOp) -> dict[str, Operation]:
    return {op.name: op for op in module.walk()}


def test_a_parser_of_xdsl_reads_more(ctx: Context):
    assert type(Parser(ctx, "")) is WiderParser


def test_a_parser_of_somebody_else_is_what_it_was(ctx: Context):
    class OwnParser(Parser):
        def __init__(self, ctx: Context, text: str, greeting: str):
            super().__init__(ctx, text)
            self.greeting = greeting

    parser = OwnParser(ctx, "func.func private @f()", greeting="hello")
    assert type(parser) is OwnParser
    assert parser.greeting == "hello"
    assert isinstance(parser.parse_module(), ModuleOp)


@BOTH
@pytest.mark.parametrize(
    ("text", "op_type"),
    [
        ("%0 = memref.alloc() : memref<4xf32>", memref.AllocOp),
        ("%0 = arith.constant 1 : i32", arith.ConstantOp),
        ("memref.global @g : memref<4xf32>", memref.GlobalOp),
        ('"memref.global"() <{sym_name = "g", type = i1}> : () -> ()', memref.GlobalOp),
    ],
)
def test_ops_are_of_xdsls_classes(
    text: str, op_type: type[Operation], parser: type[Parser], ctx: Context
):
    assert type(parser(ctx, text).parse_op()) is op_type


@BOTH
def test_nested_ops_are_of_xdsls_classes(parser: type[Parser], ctx: Context):
    text = """
      func.func @f(%n: index) {
        scf.parallel (%i) = (%n) to (%n) step (%n) {
          scf.for %j = %i to %n step %n {
          }
        }
        return
      }"""
    found = ops(parser(ctx, text).parse_module())
    assert type(found["scf.parallel"]) is scf.ParallelOp
    assert type(found["scf.for"]) is scf.ForOp
    assert type(found["scf.yield"]) is scf.YieldOp


def test_what_only_xdsl_writes_is_read_by_the_wider_parser_alone(ctx: Context):
    text = """
      func.func @f(%x: f32) {
        %0 = tensor.generate {
          tensor.yield {test.a} %x : f32
        } : tensor<f32>
        return
      }"""
    op = ops(Parser(ctx, text).parse_module())["tensor.yield"]
    assert type(op) is tensor.YieldOp
    assert "test.a" in op.attributes
    with pytest.raises(ParseError):
        MLIRParser(ctx, text).parse_module()
    assert "tensor.yield %x {test.a} : f32" in mlir_text(op)


def test_what_was_read_in_vain_leaves_nothing_behind(ctx: Context):
    """`%late` is mentioned twice, by the attempt to read MLIR's format as well."""
    text = """
      func.func @f() {
        cf.br ^later
      ^earlier:
        %0 = tensor.generate {
          tensor.yield {test.a} %late : f32
        } : tensor<f32>
        cf.br ^end
      ^later:
        %late = arith.constant 1.0 : f32
        cf.br ^earlier
      ^end:
        return
      }"""
    module = Parser(ctx, text).parse_module()
    (late,) = ops(module)["arith.constant"].results
    assert [use.operation.name for use in late.uses] == ["tensor.yield"]


def used_from_outside(module: ModuleOp) -> set[str]:
    """The ops that use a value or a block of a module and are not in it."""
    inside = set(module.walk())
    found: set[Operation] = set()
    for op in inside:
        blocks = [block for region in op.regions for block in region.blocks]
        values = [*op.results, *(arg for block in blocks for arg in block.args)]
        found |= {use.operation for each in (*values, *blocks) for use in each.uses}
    return {op.name for op in found - inside}


@pytest.mark.parametrize("file", sorted(FILE_CHECKS.rglob("*.mlir")), ids=name_of)
def test_whoever_uses_what_is_read_is_read_as_well(file: Path):
    """Ops are read by one class and made of another; nothing of the first is left."""
    for text in file.read_text().split("// -----"):
        # What one of them refuses is tested elsewhere.
        with suppress(ParseError, VerifyException):
            assert used_from_outside(parse(text)) == set()
            module = WiderParser(get_context(), text).parse_module()
            assert used_from_outside(module) == set()


def test_an_error_in_what_is_nested_is_an_error_there(ctx: Context):
    text = """
      func.func @f(%n: index) {
        scf.parallel (%i) = (%n) to (%n) step (%n) {
          %0 = arith.addi %i onto %n : index
        }
        return
      }"""
    with pytest.raises(ParseError) as error:
        Parser(ctx, text).parse_module()
    assert error.value.span.start == text.index("onto")


def test_what_neither_reads_is_refused_as_xdsl_refuses_it(ctx: Context):
    text = "%0 = memref.alloc(] : memref<4xf32>"
    with pytest.raises(ParseError) as error:
        Parser(ctx, text).parse_op()
    assert error.value.span.text == "]"


def test_an_op_of_somebody_else_keeps_its_format(ctx: Context):
    class OwnOp(scf.YieldOp):
        name = "own.yield"

        @override
        @classmethod
        def parse(cls, parser: Parser) -> "OwnOp":
            parser.parse_keyword("quietly")
            return cls()

    ctx.load_op(OwnOp)
    for parser in (Parser, MLIRParser):
        assert type(parser(ctx, "own.yield quietly").parse_op()) is OwnOp


def test_types_are_as_they_are_written_or_as_mlir_has_them(ctx: Context):
    text = "memref<4xf32, affine_map<(i) -> (i)>, 0 : i64>"
    as_written = Parser(ctx, text).parse_type()
    assert str(as_written) == "memref<4xf32, affine_map<(d0) -> (d0)>, 0 : i64>"
    in_mlir = MLIRParser(ctx, text).parse_type()
    assert in_mlir == MLIRParser(ctx, "memref<4xf32>").parse_type()
    assert as_written != in_mlir


def test_places_are_kept_by_the_strict_parser_alone(ctx: Context):
    text = "func.func private @f()"
    assert locate(MLIRParser(ctx, text, "a.mlir").parse_op()) == "a.mlir:1:1"
    assert locate(Parser(ctx, text, "a.mlir").parse_op()) is None


@pytest.mark.parametrize("make", [ModuleOp.verify, str], ids=["verify", "print"])
def test_unregistered_ops_are_read(make: Callable[[ModuleOp], object], ctx: Context):
    ctx.allow_unregistered = True
    for parser in (Parser, MLIRParser):
        make(parser(ctx, '%0 = "his.op"() : () -> i32').parse_module())
