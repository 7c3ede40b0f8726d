"""Texts that were read once are looked up, and mean the same."""

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute
from xdsl.utils.exceptions import ParseError

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.parsing import MLIRParser, WiderParser
from xdsl_bufferization.dialects.text.remembered import RememberingParser
from xdsl_bufferization.support.nesting import SHALLOW_LEVELS, NeedsRoomError

PARSERS = (MLIRParser, WiderParser)


def _parser(parser_type: type[WiderParser], text: str) -> WiderParser:
    ctx = get_context()
    ctx.allow_unregistered = True
    return parser_type(ctx, text, "a.mlir")


def _attributes(parser_type: type[WiderParser], text: str) -> list[Attribute]:
    parser = _parser(parser_type, text)
    read = parser.parse_attribute
    return parser.parse_comma_separated_list(parser.Delimiter.NONE, read)


@pytest.mark.parametrize("parser_type", PARSERS)
@pytest.mark.parametrize(
    "text",
    (
        "f32",
        "tensor<4x?xf32>",
        "memref<4xf32, strided<[1], offset: ?>, 1>",
        "vector<2x[4]xi8>",
        "tuple<tensor<4xf32>, complex<f32>>",
        "affine_map<(d0)[s0] -> (d0 * s0 - 1)>",
        "array<i64: 1, -2>",
        "-1.5e3 : f32",
        "7 : index",
        "dense<0.0> : tensor<4xf32>",
        '["parallel", [affine_map<() -> ()>, 1 : i32]]',
    ),
)
def test_an_attribute_is_read_once(parser_type: type[WiderParser], text: str) -> None:
    first, second = _attributes(parser_type, f"{text}, {text}")
    assert first is second


@pytest.mark.parametrize("parser_type", PARSERS)
@pytest.mark.parametrize(
    ("texts", "differ"),
    (
        (("1 : i32", "1 : i64", "1 : i8", "-1 : i32"), 4),
        (("tensor<4xf32>", "tensor<4xf32, 1 : i32>", "tensor<4 xf32>"), 2),
        (("[1]", "[1 : i32]", "[]", "[[]]", "[[1]]"), 5),
        (("dense<1> : tensor<4xi8>", "dense<1> : tensor<4xi16>"), 2),
        (('["a"]', '["a\\22"]', '["a", "]"]', '["[", "a"]'), 4),
    ),
)
def test_other_texts_are_other_attributes(
    parser_type: type[WiderParser], texts: tuple[str, ...], differ: int
) -> None:
    alone = [_attributes(parser_type, text)[0] for text in texts]
    assert _attributes(parser_type, ", ".join((*texts, *texts))) == alone * 2
    assert len(set(alone)) == differ


def test_an_alias_is_read_each_time() -> None:
    parser = _parser(WiderParser, "tensor<4x!t>, tensor<4x!t>")
    parser.attribute_aliases["!t"], *_ = _attributes(WiderParser, "f32")
    assert parser.parse_attribute() == _attributes(WiderParser, "tensor<4xf32>")[0]
    parser.attribute_aliases["!t"], *_ = _attributes(WiderParser, "f64")
    parser.parse_punctuation(",")
    assert parser.parse_attribute() == _attributes(WiderParser, "tensor<4xf64>")[0]


def test_a_type_that_is_refused_is_refused_again_where_it_stands() -> None:
    parser = _parser(MLIRParser, "vector<0xf32> vector<0xf32>")
    for start in (0, 14):
        parser.go_to(start)
        with pytest.raises(ParseError, match="positive constant sizes") as error:
            parser.parse_type()
        assert error.value.span.start == start


def test_a_type_that_is_known_counts_as_deep_as_it_is() -> None:
    deep = SHALLOW_LEVELS - 1
    text = f"[[tensor<4xf32>]], {'[' * deep}tensor<4xf32>{']' * deep}"
    parser = _parser(MLIRParser, text)
    parser.parse_attribute()
    parser.parse_punctuation(",")
    with pytest.raises(NeedsRoomError):
        parser.parse_attribute()


def test_only_so_many_texts_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    module = "xdsl_bufferization.dialects.text.remembered"
    monkeypatch.setattr(f"{module}._MOST", 3)
    types = ", ".join(f"tensor<{size}xf32>" for size in range(10))
    parser = _parser(MLIRParser, f"func.func private @f({types})")
    assert isinstance(parser.parse_module(), ModuleOp)
    assert isinstance(parser, RememberingParser)
    known = parser._types  # pyright: ignore[reportPrivateUsage]
    assert len(known) <= 3
