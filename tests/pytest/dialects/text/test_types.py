"""Builtin types that MLIR refuses, beside mlir-opt's verdicts, or reads otherwise."""

import pytest
from harness.oracles.mlir_text import ask_mlir
from xdsl.dialects import test
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError, VerifyException

import xdsl_bufferization as xbuf
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.parsing import MLIRParser
from xdsl_bufferization.dialects.text.types import check_type
from xdsl_bufferization.dialects.xdsl_patches.verify import verify_as_mlir

BAD = (
    "tensor<4xtensor<4xf32>>",
    "tensor<4xmemref<4xf32>>",
    "tensor<*xmemref<*xf32>>",
    "tensor<4xtuple<i1>>",
    "tensor<*xnone>",
    "tensor<4x() -> ()>",
    "vector<4xvector<4xf32>>",
    "vector<4xtensor<4xf32>>",
    "vector<4xcomplex<f32>>",
    "vector<4xnone>",
    "vector<0xf32>",
    "vector<2x0xf32>",
)
GOOD = (
    "tensor<4xvector<4xf32>>",
    "tensor<0xcomplex<f32>>",
    "tensor<*x!llvm.ptr>",
    "vector<f32>",
    "vector<[4]xindex>",
    "vector<4x!llvm.ptr>",
)
BAD_BUFFERS = (
    "memref<4xtensor<4xf32>>",
    "memref<*xnone>",
    "memref<4xf32, f32>",
    "memref<*xf32, f32>",
    "memref<4x4xf32, strided<[1]>>",
    "memref<4xf32, affine_map<(i, j) -> (i)>>",
)
REASON = (
    r"element type|positive constant|memory space|number of strides|layout mismatch"
)


def program(type_: str) -> str:
    return f"func.func private @f({type_})"


@pytest.mark.parametrize("type_", [*BAD, *BAD_BUFFERS])
def test_refused_at_the_type(type_: str) -> None:
    with pytest.raises(ParseError, match=REASON) as error:
        xbuf.parse(program(type_))
    assert error.value.span.text.startswith(type_[:6])


@pytest.mark.parametrize("type_", GOOD)
def test_accepted(type_: str) -> None:
    xbuf.parse(program(type_))


@pytest.mark.oracle
def test_as_mlir_opt() -> None:
    types = (*BAD, *BAD_BUFFERS, *GOOD)
    replies = ask_mlir([program(type_) for type_ in types])
    refused = [bool(reply.errors) for reply in replies]
    assert refused == [type_ not in GOOD for type_ in types]


@pytest.mark.parametrize("type_", [*BAD, *BAD_BUFFERS])
def test_xdsl_accepts_them_as_before(type_: str) -> None:
    Parser(get_context(), program(type_)).parse_module().verify()


@pytest.mark.parametrize("type_", [*BAD, *BAD_BUFFERS])
def test_found_where_a_program_has_a_value_of_it(type_: str) -> None:
    made = Parser(get_context(), type_).parse_type()
    module = ModuleOp([test.TestOp(result_types=[made])])
    module.verify()
    with pytest.raises(VerifyException, match=REASON):
        verify_as_mlir(module)


@pytest.mark.parametrize("type_", GOOD)
def test_checking_a_good_type_raises_nothing(type_: str) -> None:
    check_type(Parser(get_context(), type_).parse_type())


@pytest.mark.parametrize("parser", [Parser, MLIRParser])
@pytest.mark.parametrize(
    ("spaced", "type_"),
    [
        ("memref<4 x f32>", "memref<4xf32>"),
        ("memref<? x 4 x f32>", "memref<?x4xf32>"),
        ("tensor<2x3x f32>", "tensor<2x3xf32>"),
        ("memref<4 x xf32>", None),
    ],
)
def test_spaces_in_a_shape(
    spaced: str, type_: str | None, parser: type[Parser]
) -> None:
    def read(text: str) -> Attribute:
        return parser(get_context(), text).parse_type()

    if type_ is None:
        with pytest.raises(ParseError):
            read(spaced)
    else:
        assert read(spaced) == read(type_)
