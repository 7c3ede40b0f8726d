"""Element types of tensors and vectors, beside mlir-opt's verdicts."""

import pytest
from mlir_text import ask_mlir
from xdsl.utils.exceptions import ParseError

import xdsl_bufferization as xbuf

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


def program(type_: str) -> str:
    return f"func.func private @f({type_})"


@pytest.mark.parametrize("type_", BAD)
def test_refused_at_the_type(type_: str) -> None:
    with pytest.raises(ParseError, match=r"element type|positive constant") as error:
        xbuf.parse(program(type_))
    assert error.value.span.text.startswith(type_[:6])


@pytest.mark.parametrize("type_", GOOD)
def test_accepted(type_: str) -> None:
    xbuf.parse(program(type_))


@pytest.mark.oracle
def test_as_mlir_opt() -> None:
    replies = ask_mlir([program(type_) for type_ in (*BAD, *GOOD)])
    refused = [bool(reply.errors) for reply in replies]
    assert refused == [True] * len(BAD) + [False] * len(GOOD)
