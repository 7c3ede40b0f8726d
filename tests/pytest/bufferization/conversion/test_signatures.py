"""Signature conversion as the document of 2020 shows it, through the Python API."""

from collections.abc import Callable

import pytest
from harness.dialects.tuple_dialect import Tuples, flattened, get_elements, make_tuple
from harness.oracles.mlir_text import print_module
from xdsl.context import Context
from xdsl.dialects.builtin import (
    FunctionType,
    MemRefType,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    TupleType,
)
from xdsl.ir import Attribute, Dialect
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriteWalker,
)
from xdsl.traits import IsTerminator, ReturnLike
from xdsl.utils.hints import isa

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.bufferization.dialect_conversion import (
    BufferizeCallOpConverter,
    BufferizeFuncOpConverter,
    BufferizeReturnOpConverter,
    BufferizeTypeConverter,
    FunctionResultSizes,
    ResultConversionKind,
    apply_conversion,
    identity_layout_type,
    linalg_copy,
    populate_with_bufferize_op_conversion_patterns,
)
from xdsl_bufferization.support.errors import OperationError

APPEND = ResultConversionKind.APPEND_TO_ARGUMENTS_LIST
KEEP = ResultConversionKind.KEEP_AS_FUNCTION_RESULT


@irdl_op_definition
class ToyFuncOp(IRDLOperation):
    name = "toy.func"

    sym_name = prop_def(StringAttr)
    function_type = prop_def(FunctionType)
    body = region_def()


@irdl_op_definition
class ToyReturnOp(IRDLOperation):
    name = "toy.return"

    values = var_operand_def()
    traits = traits_def(IsTerminator(), ReturnLike())


@irdl_op_definition
class ToyStopOp(IRDLOperation):
    """Another way to return, known to no pattern."""

    name = "toy.stop"

    values = var_operand_def()
    traits = traits_def(IsTerminator(), ReturnLike())


@irdl_op_definition
class ToyCallOp(IRDLOperation):
    name = "toy.call"

    arguments = var_operand_def()
    values = var_result_def()
    callee = prop_def(SymbolRefAttr)


Toy = Dialect("toy", [ToyFuncOp, ToyReturnOp, ToyStopOp, ToyCallOp])


def document_converter(
    kind: ResultConversionKind | None = APPEND,
) -> BufferizeTypeConverter:
    """The converter that the document configures, without callbacks for values."""
    converter = BufferizeTypeConverter()
    converter.add_conversion(TensorType, identity_layout_type)
    if kind is not None:
        converter.set_result_conversion_kind(TensorType, MemRefType, kind)
    return converter


def add_tuples(converter: BufferizeTypeConverter) -> BufferizeTypeConverter:
    converter.add_decompose_type_conversion(TupleType, flattened)
    converter.add_argument_materialization(TupleType, make_tuple)
    converter.add_decompose_value_conversion(TupleType, get_elements)
    return converter


@pytest.fixture
def ctx() -> Context:
    ctx = get_context()
    ctx.load_dialect(Toy)
    ctx.load_dialect(Tuples)
    return ctx


def parse(ctx: Context, text: str) -> ModuleOp:
    return Parser(ctx, text).parse_module()


def convert(ctx: Context, text: str, converter: BufferizeTypeConverter) -> str:
    module = parse(ctx, text)
    patterns = populate_with_bufferize_op_conversion_patterns(
        converter, copy=linalg_copy
    )
    apply_conversion(module, converter, patterns)
    module.verify()
    return print_module(module)


def signatures(text: str) -> list[str]:
    return [
        line.strip().removesuffix(" {").removeprefix("func.func ")
        for line in text.splitlines()
        if "func.func" in line
    ]


# --- signatures ----------------------------------------------------------------------

TUPLES = """
func.func private @func_on_tensors(tuple<i1, f32>)
  -> tuple<tensor<10xf32>, tensor<5xf32>>
func.func private @on_tensors(tuple<i1, f32>)
  -> tuple<memref<10xf32>, tensor<5xf32>>
"""


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (
            APPEND,
            [
                "private @func_on_tensors(i1, f32, memref<10xf32>, memref<5xf32>)",
                "private @on_tensors(i1, f32, memref<5xf32>) -> memref<10xf32>",
            ],
        ),
        (
            KEEP,
            [
                "private @func_on_tensors(i1, f32) -> (memref<10xf32>, memref<5xf32>)",
                "private @on_tensors(i1, f32) -> (memref<10xf32>, memref<5xf32>)",
            ],
        ),
    ],
    ids=["append", "keep"],
)
def test_signatures_of_tuples_are_flattened(
    ctx: Context, kind: ResultConversionKind, expected: list[str]
) -> None:
    converter = add_tuples(document_converter(kind))
    assert signatures(convert(ctx, TUPLES, converter)) == expected


def test_results_are_kept_by_default(ctx: Context) -> None:
    text = "func.func private @f(tensor<5xf32>) -> (tensor<5xf32>, i1)"
    assert signatures(convert(ctx, text, document_converter(kind=None))) == [
        "private @f(memref<5xf32>) -> (memref<5xf32>, i1)"
    ]


def test_a_kind_is_for_one_pair_of_types(ctx: Context) -> None:
    """A result that was a buffer before stays one, whatever becomes of tensors."""
    text = "func.func private @f() -> (memref<5xf32>, tensor<5xf32>)"
    assert signatures(convert(ctx, text, document_converter())) == [
        "private @f(memref<5xf32>) -> memref<5xf32>"
    ]


def test_buffers_can_be_appended_as_well(ctx: Context) -> None:
    converter = BufferizeTypeConverter()
    converter.set_result_conversion_kind(MemRefType, MemRefType, APPEND)
    text = """
    func.func @f(%m: memref<5xf32>) -> memref<5xf32> {
      %0 = func.call @f(%m) : (memref<5xf32>) -> memref<5xf32>
      return %0 : memref<5xf32>
    }
    """
    assert convert(ctx, text, converter) == (
        """builtin.module {
  func.func @f(%m: memref<5xf32>, %0: memref<5xf32>) {
    %1 = memref.alloc() : memref<5xf32>
    func.call @f(%m, %1) : (memref<5xf32>, memref<5xf32>) -> ()
    linalg.copy ins(%1 : memref<5xf32>) outs(%0 : memref<5xf32>)
    func.return
  }
}
"""
    )


def test_the_last_conversion_that_answers_counts(ctx: Context) -> None:
    def only_large(type_: Attribute) -> Attribute | None:
        assert isa(type_, TensorType)
        space = StringAttr("far")
        large = type_.get_shape()[0] > 4
        return identity_layout_type(type_, space) if large else None

    converter = document_converter()
    converter.add_conversion(TensorType, only_large)
    text = "func.func private @f(tensor<4xf32>, tensor<5xf32>)"
    assert signatures(convert(ctx, text, converter)) == [
        'private @f(memref<4xf32>, memref<5xf32, "far">)'
    ]


# --- bodies --------------------------------------------------------------------------


def test_returned_buffers_are_copied_out(ctx: Context) -> None:
    text = """
    func.func @on_tensors(%arg0: tensor<5xf32>, %arg1: i1) -> (tensor<5xf32>, i1) {
      return %arg0, %arg1 : tensor<5xf32>, i1
    }
    """
    assert convert(ctx, text, document_converter()) == (
        """builtin.module {
  func.func @on_tensors(%arg0: memref<5xf32>, %arg1: i1, %0: memref<5xf32>) -> i1 {
    linalg.copy ins(%arg0 : memref<5xf32>) outs(%0 : memref<5xf32>)
    func.return %arg1 : i1
  }
}
"""
    )


SUMMARY = """
func.func @callee(%arg0: tuple<tensor<5xf32>, i1>) -> tuple<tensor<5xf32>, i1> {
  return %arg0 : tuple<tensor<5xf32>, i1>
}
func.func @caller(%arg0: tuple<tensor<5xf32>, i1>) -> tuple<tensor<5xf32>, i1> {
  %x = call @callee(%arg0) : (tuple<tensor<5xf32>, i1>) -> tuple<tensor<5xf32>, i1>
  return %x : tuple<tensor<5xf32>, i1>
}
"""


def ops_of(text: str, name: str) -> list[str]:
    """The names of the ops of function `name`, and what comes before and after each."""
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if f"@{name}(" in line)
    end = lines.index("  }", start)
    return [line.strip() for line in lines[start:end]]


def test_summarizing_example(ctx: Context) -> None:
    text = convert(ctx, SUMMARY, add_tuples(document_converter()))
    pair = "(memref<5xf32>, i1) -> tuple<memref<5xf32>, i1>"
    first = "<{index = 0 : i32}> : (tuple<memref<5xf32>, i1>) -> memref<5xf32>"
    second = "<{index = 1 : i32}> : (tuple<memref<5xf32>, i1>) -> i1"
    copy = "linalg.copy ins({} : memref<5xf32>) outs(%2 : memref<5xf32>)"
    signature = "(%0: memref<5xf32>, %1: i1, %2: memref<5xf32>) -> i1 {"
    assert ops_of(text, "callee") == [
        f"func.func @callee{signature}",
        f'%3 = "tuples.make"(%0, %1) : {pair}',
        f'%4 = "tuples.get"(%3) {first}',
        f'%5 = "tuples.get"(%3) {second}',
        copy.format("%4"),
        "func.return %5 : i1",
    ]
    assert ops_of(text, "caller") == [
        f"func.func @caller{signature}",
        f'%3 = "tuples.make"(%0, %1) : {pair}',
        f'%4 = "tuples.get"(%3) {first}',
        f'%5 = "tuples.get"(%3) {second}',
        "%x = memref.alloc() : memref<5xf32>",
        "%x_1 = func.call @callee(%4, %5, %x) : "
        "(memref<5xf32>, i1, memref<5xf32>) -> i1",
        f'%6 = "tuples.make"(%x, %x_1) : {pair}',
        f'%7 = "tuples.get"(%6) {first}',
        f'%8 = "tuples.get"(%6) {second}',
        copy.format("%7"),
        "func.return %8 : i1",
    ]


TOY = """
"toy.func"() <{sym_name = "f", function_type = (tensor<5xf32>) -> tensor<5xf32>}> ({
^bb0(%t: tensor<5xf32>):
  %0 = "toy.call"(%t) <{callee = @f}> {tag} : (tensor<5xf32>) -> tensor<5xf32>
  "toy.return"(%0) {tag} : (tensor<5xf32>) -> ()
}) : () -> ()
"""


def test_functions_calls_and_returns_of_another_dialect(ctx: Context) -> None:
    module = parse(ctx, TOY)
    converter = document_converter()
    apply_conversion(
        module,
        converter,
        [
            BufferizeFuncOpConverter(converter),
            BufferizeReturnOpConverter(converter, ToyReturnOp, ToyStopOp, linalg_copy),
            BufferizeCallOpConverter(converter, ToyCallOp),
        ],
    )
    _, function, body = print_module(module).split("\n", 2)
    assert "function_type = (memref<5xf32>, memref<5xf32>) -> ()" in function
    assert body == (
        """  ^bb0(%t: memref<5xf32>, %0: memref<5xf32>):
    %1 = memref.alloc() : memref<5xf32>
    "toy.call"(%t, %1) <{callee = @f}> {tag} : (memref<5xf32>, memref<5xf32>) -> ()
    linalg.copy ins(%1 : memref<5xf32>) outs(%0 : memref<5xf32>)
    "toy.stop"() {tag} : () -> ()
  }) : () -> ()
}
"""
    )


def test_patterns_work_in_the_walker_of_xdsl(ctx: Context) -> None:
    module = parse(ctx, SUMMARY.replace("tuple<tensor<5xf32>, i1>", "tensor<5xf32>"))
    converter = document_converter()
    patterns = populate_with_bufferize_op_conversion_patterns(converter)
    PatternRewriteWalker(GreedyRewritePatternApplier(patterns)).rewrite_module(module)
    module.verify()
    assert signatures(print_module(module)) == [
        "@callee(%arg0: memref<5xf32>, %0: memref<5xf32>)",
        "@caller(%arg0: memref<5xf32>, %0: memref<5xf32>)",
    ]


def test_conversion_of_what_is_converted_changes_nothing(ctx: Context) -> None:
    once = convert(ctx, SUMMARY, add_tuples(document_converter()))
    assert convert(ctx, once, add_tuples(document_converter())) == once


def test_callers_compute_sizes_before_the_call(ctx: Context) -> None:
    module = parse(
        ctx,
        """
        func.func @f(%n: index, %t: tensor<?xf32>) -> tensor<?xf32> {
          %0 = func.call @f(%n, %t) : (index, tensor<?xf32>) -> tensor<?xf32>
          return %t : tensor<?xf32>
        }
        """,
    )
    converter = document_converter()
    patterns = populate_with_bufferize_op_conversion_patterns(
        converter, sizes=FunctionResultSizes(module)
    )
    apply_conversion(module, converter, patterns)
    assert "memref.dim %t" in print_module(module)


# --- bad setups ----------------------------------------------------------------------


def without_pack() -> BufferizeTypeConverter:
    converter = document_converter()
    converter.add_decompose_type_conversion(TupleType, flattened)
    converter.add_decompose_value_conversion(TupleType, get_elements)
    return converter


def without_unpack() -> BufferizeTypeConverter:
    converter = document_converter()
    converter.add_decompose_type_conversion(TupleType, flattened)
    converter.add_argument_materialization(TupleType, make_tuple)
    return converter


def without_parts() -> BufferizeTypeConverter:
    """Values are unpacked into less than types are."""
    converter = document_converter()
    converter.add_decompose_type_conversion(TupleType, flattened)
    converter.add_argument_materialization(TupleType, make_tuple)
    converter.add_decompose_value_conversion(
        TupleType, lambda builder, type_, value: get_elements(builder, type_, value)[:1]
    )
    return converter


def contradictory() -> BufferizeTypeConverter:
    converter = document_converter(APPEND)
    converter.set_result_conversion_kind(TensorType, MemRefType, KEEP)
    return converter


def never_ending() -> BufferizeTypeConverter:
    converter = document_converter()
    converter.add_conversion(MemRefType, lambda type_: type_.element_type)
    return converter


@pytest.mark.parametrize(
    ("setup", "text", "op", "message"),
    [
        (
            without_pack,
            SUMMARY,
            "func.func",
            "tuple<tensor<5xf32>, i1> is decomposed, but nothing says how to pack its "
            "values; call add_argument_materialization",
        ),
        (
            without_unpack,
            SUMMARY,
            "func.func",
            "tuple<tensor<5xf32>, i1> is decomposed, but nothing says how to unpack "
            "its values; call add_decompose_value_conversion",
        ),
        (
            without_parts,
            SUMMARY,
            "func.return",
            "a value of type tuple<tensor<5xf32>, i1> has 2 parts, but is unpacked "
            "into 1; let add_decompose_value_conversion and "
            "add_decompose_type_conversion agree",
        ),
        (
            contradictory,
            "func.func private @f() -> tensor<5xf32>",
            "func.func",
            "a result of type tensor<5xf32> that is converted to memref<5xf32> is both "
            "appended to the arguments and kept; let set_result_conversion_kind say "
            "one of them",
        ),
        (
            never_ending,
            "func.func private @f(tensor<5xf32>)",
            "func.func",
            "tensor<5xf32> is converted to memref<5xf32>, and that to f32; let "
            "add_conversion give types that stay what they are",
        ),
        (
            document_converter,
            TOY,
            "toy.return",
            "does not return what its function does after conversion; add a "
            "BufferizeReturnOpConverter for 'toy.return'",
        ),
    ],
    ids=["pack", "unpack", "parts", "contradiction", "never ending", "other return"],
)
def test_bad_setups_are_errors_at_an_op(
    ctx: Context,
    setup: Callable[[], BufferizeTypeConverter],
    text: str,
    op: str,
    message: str,
) -> None:
    with pytest.raises(OperationError) as caught:
        convert(ctx, text, setup())
    assert caught.value.op.name == op
    assert caught.value.message == message


def test_a_return_before_its_function_is_an_error(ctx: Context) -> None:
    text = (
        "func.func @f(%t: tensor<5xf32>) -> tensor<5xf32> { return %t : tensor<5xf32> }"
    )
    module = parse(ctx, text)
    converter = document_converter()
    with pytest.raises(OperationError, match="convert the function before its returns"):
        apply_conversion(module, converter, [BufferizeReturnOpConverter(converter)])


def test_a_terminator_that_is_no_return_is_an_error(ctx: Context) -> None:
    text = """
    func.func @f(%t: tensor<5xf32>) -> tensor<5xf32> {
      "test.termop"(%t) : (tensor<5xf32>) -> ()
    }
    """
    with pytest.raises(OperationError, match="not return-like") as caught:
        convert(ctx, text, document_converter())
    assert caught.value.op.name == "test.termop"
