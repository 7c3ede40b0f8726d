"""A large constant of equal elements is one element, from the text to machine code."""

import tracemalloc
from collections.abc import Callable, Generator
from contextlib import contextmanager

import numpy as np
import pytest
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import (
    BytesAttr,
    DenseIntOrFPElementsAttr,
    Float32Type,
    ModuleOp,
    TensorType,
    f32,
    i8,
)
from xdsl.utils.exceptions import ParseError, VerifyException

import xdsl_bufferization as xbuf
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.codegen.targets.target import target_named
from xdsl_bufferization.dialects.parsing import parse_module
from xdsl_bufferization.dialects.printing import mlir_text
from xdsl_bufferization.dialects.text.splats import (
    LARGE_BYTES,
    SplatBytes,
    from_list,
    splat,
    splat_of,
)
from xdsl_bufferization.pipelines.build import build_module
from xdsl_bufferization.reference.values import constant
from xdsl_bufferization.support.repeated import Repeated

ELEMENTS = 200_000_000
ROOM = 20_000_000
"""Bytes that a step may take beside a constant of 800 MB."""

PROGRAM = f"""
func.func @f(%i: index) -> f32 {{
  %c = arith.constant dense<1.5> : tensor<{ELEMENTS}xf32>
  %0 = tensor.extract %c[%i] : tensor<{ELEMENTS}xf32>
  return %0 : f32
}}
"""

Elements = DenseIntOrFPElementsAttr[Float32Type]


@contextmanager
def little_memory() -> Generator[None]:
    """What is inside takes little memory of Python's."""
    tracemalloc.start()
    try:
        yield
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < ROOM


def test_a_splat_stays_one_number_through_all_steps(
    xdsl_opt: Callable[..., str],
) -> None:
    with little_memory():
        for pipeline in (
            "canonicalize,cse",
            "one-shot-bufferize{bufferize-function-boundaries}",
            "one-shot-bufferize{bufferize-function-boundaries},buffer-deallocation-pipeline,"
            "canonicalize,lower-to-llvm",
        ):
            printed = xdsl_opt(PROGRAM, pipeline)
        assert "dense<1069547520>" in printed
        xbuf.explain(xbuf.parse(PROGRAM))


def test_the_evaluation_has_one_number() -> None:
    module = parse_module(PROGRAM, "a.mlir", get_context())
    op = next(op for op in module.walk() if isinstance(op, ConstantOp))
    with little_memory():
        value = constant(op.value, op)
    assert isinstance(value, np.ndarray)
    assert value.shape == (ELEMENTS,)
    assert value.strides == (0,)
    assert value[-1] == 1.5


def bufferized(text: str) -> ModuleOp:
    return xbuf.bufferize(xbuf.parse(text), bufferize_function_boundaries=True)


@pytest.mark.parametrize("target", ("native", "riscv64", "aarch64"))
def test_zeros_take_no_room_in_an_object(target: str) -> None:
    module = bufferized(PROGRAM.replace("1.5", "0.0"))
    code = build_module(module, target_named(target)).code
    assert len(code.object()) < ROOM


def test_assembly_of_riscv_has_one_number(xdsl_opt: Callable[..., str]) -> None:
    pipeline = "one-shot-bufferize{bufferize-function-boundaries},lower-to-riscv"
    with little_memory():
        printed = xdsl_opt(PROGRAM, pipeline)
    assert f'".fill" "{ELEMENTS}, 4, 0x3fc00000"' in printed
    zeros = xdsl_opt(PROGRAM.replace("1.5", "0.0"), pipeline)
    assert f'".zero" "{4 * ELEMENTS}"' in zeros
    wide = PROGRAM.replace("f32", "f64")
    assert f'".rept" "{ELEMENTS}"' in xdsl_opt(wide, pipeline)


@pytest.mark.parametrize("count", (LARGE_BYTES, LARGE_BYTES + 3))
@pytest.mark.parametrize(
    ("type_", "number"),
    (
        ("i8", -7),
        ("i16", 1000),
        ("i32", -5),
        ("i64", 1 << 40),
        ("f32", 1.5),
        ("f64", 0.1),
    ),
)
def test_compiled_code_reads_the_number_everywhere(
    type_: str, number: float, count: int
) -> None:
    module = bufferized(
        f"""
        func.func @f(%i: index) -> {type_} {{
          %c = arith.constant dense<{number}> : tensor<{count}x{type_}>
          %0 = tensor.extract %c[%i] : tensor<{count}x{type_}>
          return %0 : {type_}
        }}
        """
    )
    function = xbuf.compile(module)["f"]
    assert [function(i) for i in (0, 1, count - 1)] == [pytest.approx(number)] * 3
    program = build_module(module, target_named("native")).code
    text = program.llvm_ir()
    assert len(text) < count


def test_a_pack_of_a_splat_is_a_splat(xdsl_opt: Callable[..., str]) -> None:
    with little_memory():
        printed = xdsl_opt(
            """
            func.func @f(%e: tensor<1024x1024x32x32xf32>)
                -> tensor<1024x1024x32x32xf32> {
              %c = arith.constant dense<2.0> : tensor<32768x32768xf32>
              %0 = linalg.pack %c inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %e
                : tensor<32768x32768xf32> -> tensor<1024x1024x32x32xf32>
              return %0 : tensor<1024x1024x32x32xf32>
            }
            """,
            "constant-fold-pack",
        )
    assert "dense<2.000000e+00> : tensor<1024x1024x32x32xf32>" in printed


# The attribute.


def large(number: float) -> Elements:
    return from_list(TensorType(f32, [LARGE_BYTES]), [number])


def test_who_asks_for_the_bytes_gets_all_of_them() -> None:
    constant = large(1.5)
    assert isinstance(constant.data, SplatBytes)
    assert constant.data.data == b"\0\0\xc0\x3f" * LARGE_BYTES
    assert len(constant) == LARGE_BYTES
    assert set(constant.get_values()) == {1.5}
    assert constant.is_splat()


def test_equal_splats_are_equal() -> None:
    assert large(1.5) == large(1.5)
    assert hash(large(1.5)) == hash(large(1.5))
    assert large(1.5) != large(2.5)
    assert large(0.0) != large(-0.0)


def test_small_splats_are_as_in_xdsl() -> None:
    type_ = TensorType(i8, [LARGE_BYTES - 1])
    assert type(splat(type_, b"\1").data) is BytesAttr
    assert splat_of(splat(type_, b"\1")) == Repeated(b"\1", LARGE_BYTES - 1)


@pytest.mark.parametrize("shape", ((0,), (4, 0), (1,), ()))
def test_shapes_of_few_elements(shape: tuple[int, ...]) -> None:
    constant = from_list(TensorType(i8, shape), [3])
    assert constant.get_values() == (3,) * (0 if 0 in shape else 1)


def test_elements_are_counted_in_64_bits() -> None:
    text = "module attributes {a.b = dense<1> : tensor<9223372036854775807x2xi8>} {}"
    with pytest.raises(ParseError, match="elements is too large"):
        parse_module(text, "a.mlir", get_context())


def test_bytes_that_do_not_fit_are_no_internal_error() -> None:
    constant = splat(TensorType(i8, [(1 << 63) - 1]), b"\1")
    with pytest.raises(MemoryError):
        constant.get_values()


@pytest.mark.parametrize("type_", ("f80", "f128", "i65", "i16777215"))
def test_types_without_constants_are_refused_where_the_constant_stands(
    type_: str,
) -> None:
    number = "1" if type_.startswith("i") else "1.0"
    text = f"module attributes {{a.b = dense<{number}> : tensor<2x{type_}>}} {{}}"
    with pytest.raises((ParseError, VerifyException), match=type_) as error:
        parse_module(text, "a.mlir", get_context())
    assert isinstance(error.value, ParseError)
    assert text.index("dense") <= error.value.span.start < len(text)


def test_hexadecimals_of_one_element_stand_for_all() -> None:
    text = (
        f'module attributes {{a.b = dense<"0x0000C03F"> : tensor<{ELEMENTS}xf32>}} {{}}'
    )
    with little_memory():
        printed = mlir_text(parse_module(text, "a.mlir", get_context()))
    assert "dense<1.500000e+00>" in printed
