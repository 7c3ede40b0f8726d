"""Memref types and ops say and refuse what mlir-opt 22 does, for many combinations."""

import re
from collections.abc import Callable, Sequence
from io import StringIO
from itertools import product

import pytest
from harness.oracles.tool_runs import run_tool
from harness.oracles.tools import MLIR_OPT, find_oracle
from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    AffineMapAttr,
    Float80Type,
    Float128Type,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    NoneAttr,
    StridedLayoutAttr,
    UnrankedMemRefType,
    f32,
    i64,
)
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineMap
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError, VerifyException
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.common.definitions import defined
from xdsl_bufferization.dialects.memref.dma import DmaStartOp
from xdsl_bufferization.dialects.memref.layouts import StridedForm, get_strided_form
from xdsl_bufferization.dialects.memref.sizes import count_buffer_bytes
from xdsl_bufferization.dialects.parsing import MLIRParser
from xdsl_bufferization.dialects.printing import MLIRPrinter, mlir_text
from xdsl_bufferization.dialects.text.types import normal_buffer_type
from xdsl_bufferization.dialects.xdsl_patches.verify import verify_as_mlir


def type_text(type_: Attribute) -> str:
    """A type as MLIR writes it."""
    stream = StringIO()
    MLIRPrinter(stream).print_attribute(type_)
    return stream.getvalue()


SPLIT = "// -----\n"


def type_of(ctx: Context, text: str) -> MemRefType:
    type_ = MLIRParser(ctx, text).parse_type()
    assert isa(type_, MemRefType)
    return type_


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("memref<4xf32, affine_map<(i) -> (i)>>", "memref<4xf32>"),
        ("memref<4xf32, 0>", "memref<4xf32>"),
        ("memref<4xf32, 0 : i32>", "memref<4xf32>"),
        ("memref<*xf32, 0>", "memref<*xf32>"),
        ("memref<4xf32, strided<[1]>, 0>", "memref<4xf32, strided<[1]>>"),
        ("memref<4xf32, strided<[1], offset: 0>>", "memref<4xf32, strided<[1]>>"),
        ("memref<4xf32, 1 : i64>", "memref<4xf32, 1>"),
        ("memref<4xf32, 1 : i32>", "memref<4xf32, 1 : i32>"),
        ("memref<*xf32, 1 : i64>", "memref<*xf32, 1>"),
    ],
)
def test_type_is_printed_as_mlir_prints_it(
    ctx: Context, text: str, printed: str
) -> None:
    assert type_text(MLIRParser(ctx, text).parse_type()) == printed


def test_types_of_xdsl_that_are_one_type_in_mlir(ctx: Context) -> None:
    identity = AffineMapAttr(AffineMap.identity(1))
    zero = IntegerAttr(0, i64)
    built = MemRefType(f32, [4], identity, zero)
    assert built.layout == identity, "xDSL's type is as it was built"
    assert normal_buffer_type(built) == type_of(ctx, "memref<4xf32>")
    unranked = normal_buffer_type(UnrankedMemRefType.from_type(f32, zero))
    assert unranked.memory_space == NoneAttr()


def test_type_that_mlir_refuses_is_found_in_a_program_built_in_python() -> None:
    type_ = MemRefType(f32, [4, 4], StridedLayoutAttr([1]))
    op = memref.AllocOp.get(f32, None, [4, 4], layout=StridedLayoutAttr([1]))
    assert op.memref.type == type_
    with pytest.raises(VerifyException, match="strides to match the rank"):
        verify_as_mlir(op)


@pytest.mark.parametrize(
    ("layout", "at", "message"),
    [
        ("affine_map<(i) -> (i * i)>", "* i", "non-affine expression"),
        ("f32", "memref", "unsupported memory space"),
    ],
)
def test_error_in_a_type_is_where_what_is_wrong_begins(
    ctx: Context, layout: str, at: str, message: str
) -> None:
    text = f"func.func private @f(f32, memref<4xf32, {layout}>)"
    with pytest.raises(ParseError, match=message) as error:
        MLIRParser(ctx, text).parse_module()
    assert error.value.span.start == text.index(at)


@pytest.mark.parametrize(
    ("type_", "form"),
    [
        ("memref<4x8xf32>", StridedForm((8, 1), 0)),
        ("memref<4x?x8xf32>", StridedForm((None, 8, 1), 0)),
        ("memref<4xf32, strided<[?], offset: ?>>", StridedForm((None,), None)),
        ("memref<f32>", StridedForm((), 0)),
        (
            "memref<4x8xf32, affine_map<(i, j) -> (j * 4 + i + 3)>>",
            StridedForm((1, 4), 3),
        ),
        (
            "memref<4x8xf32, affine_map<(i, j)[s, t] -> (i + j * 2 + j + t)>>",
            StridedForm((1, 3), None),
        ),
        ("memref<4x8xf32, affine_map<(i, j) -> (i)>>", StridedForm((1, 0), 0)),
        (
            "memref<4x8xf32, affine_map<(i, j) -> ((i + 2) * 3)>>",
            StridedForm((3, 0), 6),
        ),
        ("memref<4x8xf32, affine_map<(i, j) -> (j, i)>>", None),
        ("memref<4xf32, affine_map<(i) -> (i mod 2)>>", None),
    ],
)
def test_strided_form(ctx: Context, type_: str, form: StridedForm | None) -> None:
    assert get_strided_form(type_of(ctx, type_)) == form


def program(*arguments: str, op: str) -> str:
    listed = ", ".join(arguments)
    return f"func.func @f({listed}, %i: index) {{\n  {op}\n  func.return\n}}\n"


def subviews() -> list[str]:
    """Slices with many result types, right and wrong ones."""
    sources = (
        "memref<4x8xf32>",
        "memref<?x8xf32, strided<[?, 1], offset: 2>>",
        "memref<1x8xf32, affine_map<(i, j) -> (j * 2 + i)>>",
    )
    slices = (
        "[0, 0] [1, 8] [1, 1]",
        "[0, %i] [1, 1] [1, 2]",
        "[%i, 2] [%i, 4] [1, 1]",
        "[0, 0] [4, 8] [1, 1]",
    )
    results = (
        "1x8xf32",
        "1x8xf32, strided<[8, 1]>",
        "1x8xf32, strided<[?, 1], offset: 2>",
        "8xf32",
        "8xf32, strided<[2]>",
        "f32, strided<[], offset: ?>",
        "1xf32, strided<[2], offset: ?>",
        "1xf32, strided<[8], offset: ?>",
        "?x4xf32, strided<[8, 1], offset: ?>",
        "?x4xf32, strided<[?, 1], offset: ?>",
        "4x8xf32",
        "4x8xf32, strided<[8, 1]>",
    )
    return [
        program(
            f"%m: {source}",
            op=f"%0 = memref.subview %m{slice_} : {source} to memref<{result}>",
        )
        for source, slice_, result in product(sources, slices, results)
    ]


def casts() -> list[str]:
    types = (
        "memref<4x8xf32>",
        "memref<?x8xf32>",
        "memref<?x?xf32, strided<[?, ?], offset: ?>>",
        "memref<4x8xf32, strided<[8, 1]>>",
        "memref<4x8xf32, strided<[16, 1]>>",
        "memref<4x8xf32, affine_map<(i, j) -> (i * 8 + j)>>",
        "memref<4x8xf32, affine_map<(i, j) -> (j, i)>>",
        "memref<4x8xf32, 1>",
        "memref<4x8xi32>",
        "memref<8xf32>",
        "memref<*xf32>",
    )
    return [
        program(f"%m: {a}", op=f"%0 = memref.{cast} %m : {a} to {b}")
        for cast, a, b in product(("cast", "memory_space_cast"), types, types)
    ]


def reshapes() -> list[str]:
    large = (
        "memref<2x4xf32>",
        "memref<2x4xf32, strided<[8, 1]>>",
        "memref<2x4xf32, strided<[8, 2], offset: 1>>",
        "memref<2x?xf32, strided<[?, 1], offset: ?>>",
        "memref<1x4xf32, strided<[9, 2]>>",
        "memref<?x1xf32, strided<[3, 9]>>",
    )
    small = (
        "memref<8xf32>",
        "memref<8xf32, strided<[1]>>",
        "memref<8xf32, strided<[2], offset: 1>>",
        "memref<?xf32, strided<[1], offset: ?>>",
        "memref<?xf32, strided<[?]>>",
        "memref<?xf32, strided<[3]>>",
        "memref<4xf32, strided<[2]>>",
    )
    collapsed = [
        program(f"%m: {a}", op=f"%0 = memref.collapse_shape %m [[0, 1]] : {a} into {b}")
        for a, b in product(large, small)
    ]
    return collapsed + [
        program(
            f"%m: {b}",
            op=f"%0 = memref.expand_shape %m [[0, 1]] output_shape "
            f"[{output_shape(a)}] : {b} into {a}",
        )
        for a, b in product(large, small)
    ]


def output_shape(type_: str) -> str:
    sizes = re.findall(r"(\d+|\?)x", type_)
    return ", ".join(size.replace("?", "%i") for size in sizes)


@pytest.mark.oracle
@pytest.mark.parametrize("programs", [subviews, casts, reshapes])
def test_same_types_are_refused(
    ctx: Context, programs: Callable[[], Sequence[str]]
) -> None:
    cases = programs()
    ours = [is_refused(ctx, text) for text in cases]
    assert True in ours
    assert False in ours
    assert ours == refused_by_mlir(cases)


def is_refused(ctx: Context, text: str) -> bool:
    try:
        verify_as_mlir(MLIRParser(ctx, text).parse_module())
    except (ParseError, VerifyException):
        return True
    return False


def refused_by_mlir(cases: Sequence[str]) -> list[bool]:
    """What mlir-opt refuses; it prints an empty chunk for it."""
    command = [find_oracle(MLIR_OPT), "--split-input-file", "-"]
    result = run_tool(command, SPLIT.join(cases))
    chunks = result.stdout.split(SPLIT)
    assert len(chunks) == len(cases)
    return [not chunk.strip() for chunk in chunks]


def test_many_globals_are_found_in_linear_time(
    parse: Callable[[str], ModuleOp],
) -> None:
    """Symbols are collected once, and again when they changed."""
    globals_ = "".join(f"memref.global @g{i} : memref<2xf32>\n" for i in range(20))
    gets = "".join(f"  memref.get_global @g{i} : memref<2xf32>\n" for i in range(20))
    gets = re.sub(
        r"  memref.get_global @g(\d+)", r"  %\1 = memref.get_global @g\1", gets
    )
    module = parse(f"{globals_}func.func @f() {{\n{gets}  func.return\n}}")
    for op in list(module.walk()):
        if isinstance(op, memref.GlobalOp) and op.sym_name.data == "g3":
            op.detach()
    with pytest.raises(VerifyException, match="'g3' does not reference"):
        verify_as_mlir(module)


def test_strides_of_a_transfer(parse: Callable[[str], ModuleOp]) -> None:
    module = parse(
        "func.func @f(%m: memref<4x4xf32>, %n: memref<4xf32, 1>, %t: memref<1xi32>,"
        " %i: index) {\n"
        "  memref.dma_start %m[%i, %i], %n[%i], %i, %t[%i], %i, %i"
        " : memref<4x4xf32>, memref<4xf32, 1>, memref<1xi32>\n"
        "  func.return\n}"
    )
    (op,) = (op for op in module.walk() if isinstance(op, memref.DmaStartOp))
    mlirs = defined(op)
    assert isinstance(mlirs, DmaStartOp)
    parts = (mlirs.src, mlirs.dest, mlirs.tag)
    assert parts == (op.operands[0], op.operands[3], op.operands[6])
    assert len(mlirs.src_indices) == 2
    assert len(mlirs.dest_indices) == len(mlirs.tag_indices) == 1
    copy = memref.DmaStartOp.get(
        mlirs.src, mlirs.src_indices, mlirs.dest, mlirs.dest_indices,
        mlirs.num_elements, mlirs.tag, mlirs.tag_indices,
    )  # fmt: skip
    verify_as_mlir(copy)
    assert len(copy.operands) == len(op.operands) - 2


def test_a_transfer_without_strides_is_one_of_xdsls(ctx: Context) -> None:
    """Whoever reads the op through xDSL's accessors finds what they expect."""
    module = Parser(
        ctx,
        "func.func @f(%m: memref<4xf32>, %n: memref<4xf32, 1>, %t: memref<1xi32>,"
        " %i: index) {\n  memref.dma_start %m[%i], %n[%i], %i, %t[%i]"
        " : memref<4xf32>, memref<4xf32, 1>, memref<1xi32>\n  func.return\n}",
    ).parse_module()
    module.verify()
    (op,) = (op for op in module.walk() if isinstance(op, memref.DmaStartOp))
    assert (op.src, op.dest, op.tag) == (op.operands[0], op.operands[2], op.operands[5])
    assert "operandSegmentSizes" not in mlir_text(module)


def test_a_memory_space_may_be_of_a_dialect_that_nobody_defines(ctx: Context) -> None:
    ctx.allow_unregistered = True
    text = "memref<4xf32, #his.space<near>>"
    assert type_text(type_of(ctx, text)) == text


@pytest.mark.parametrize("element", [Float80Type(), Float128Type()])
def test_floats_that_python_lacks_take_16_bytes(element: Attribute):
    assert count_buffer_bytes(MemRefType(element, [4])) == 64
