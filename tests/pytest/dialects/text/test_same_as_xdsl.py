"""Quick steps of the parser and printer give what xDSL's own steps give.

Each program is read and printed twice: as users do it, and with the quick steps taken
out, so that xDSL's methods run. Text, errors, their places and locations are compared.
"""

import re
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from fuzz.corpus import read_corpus
from fuzz.text import mutate
from xdsl.context import Context
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Span
from xdsl.utils.mlir_lexer import MLIRLexer

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects import printing
from xdsl_bufferization.dialects.common import op_parser
from xdsl_bufferization.dialects.common.op_parser import OpParser
from xdsl_bufferization.dialects.parsing import MLIRParser, WiderParser, parse_all
from xdsl_bufferization.dialects.printing import mlir_text
from xdsl_bufferization.dialects.stablehlo import control
from xdsl_bufferization.dialects.text.builtin import BuiltinParser
from xdsl_bufferization.dialects.text.dialect_symbols import DialectSymbolParser
from xdsl_bufferization.dialects.text.lexer import STRING, LinearLexer
from xdsl_bufferization.dialects.text.modules import ModuleParser
from xdsl_bufferization.dialects.text.quick import QuickParser
from xdsl_bufferization.dialects.text.quick_printer import QuickPrinter
from xdsl_bufferization.dialects.text.regions import RegionParser
from xdsl_bufferization.dialects.text.remembered import RememberingParser
from xdsl_bufferization.dialects.text.resources import ResourceParser
from xdsl_bufferization.dialects.text.tokens import LightToken

ROOT = Path(__file__).parents[3]
PARSERS = (MLIRParser, WiderParser)
_KEPT = {"__init__", "__module__", "__doc__", "__annotations__"}


def _lex(self: MLIRLexer) -> LightToken:
    """xDSL's token, in the class that our parser asks for places."""
    lex: Any = next(
        vars(each)["lex"] for each in MLIRLexer.__mro__ if "lex" in vars(each)
    )
    token = lex(self)
    span = token.span
    # xDSL takes as many digits as there are.
    refuse: Any = getattr(self, "_refuse_long_number")  # noqa: B009, a private step of xDSL
    refuse(span.start)
    return LightToken(token.kind, span.start, span.end, span.text, span.input)


def _define(self: Any, name: Span | LightToken, values: Sequence[SSAValue]) -> None:
    span = name.span if isinstance(name, LightToken) else name
    self._register_ssa_definition(name.text[1:], values, span)


def _read_type(self: Any) -> Attribute | None:
    return self.read_type()


def _read_attribute(self: Any) -> Attribute | None:
    return self.read_attribute()


def _read_symbol(self: Any, name: str, *, is_type: bool) -> Attribute:
    read: Any = getattr(Parser, "_parse_extended_type_or_attribute")  # noqa: B009, a private step of xDSL
    return read(self, name, is_type)


def _to_read_symbol(self: Any, name: str, is_type: bool) -> Attribute:
    return self.read_symbol(name, is_type=is_type)


def _read_body(self: Any, name: str, start: int | None, *, is_type: bool) -> Attribute:
    read: Any = getattr(Parser, "_parse_dialect_type_or_attribute_body")  # noqa: B009, a private step of xDSL
    return read(self, name, is_type, start is not None, start)


def _to_read_body(
    self: Any, name: str, is_type: bool, _is_opaque: bool, start: int | None
) -> Attribute:
    return self.read_body(name, start, is_type=is_type)


def _read_stride(self: Any, context: str) -> int | None:
    read: Any = getattr(Parser, "_parse_int_or_question")  # noqa: B009, a private step of xDSL
    stride = read(self, context)
    return None if stride == "?" else stride


def _to_read_stride(self: Any, context: str = "") -> int | str:
    stride = self.read_stride(context)
    return "?" if stride is None else stride


def _to_read_number(self: Any, type_: Attribute, **_options: bool) -> int:
    return self.read_number_of_type(type_)


def _call(name: str) -> Callable[..., Any]:
    """A method that calls the one of a name."""

    def call(self: Any, *arguments: Any) -> Any:
        return getattr(self, name)(*arguments)

    return call


SAME: dict[type[Parser], dict[str, str]] = {
    RegionParser: {"read_block": "_parse_block"},
    BuiltinParser: {
        "read_buffer_type": "_parse_memref_attrs",
        "read_tensor_type": "_parse_tensor_attrs",
        "read_vector_type": "_parse_vector_attrs",
        "read_optional_scalar_type": "_parse_optional_integer_or_float_type",
        "read_dense_array": "_parse_builtin_densearray_attr",
    },
    ModuleParser: {"read_alias": "_parse_alias_def"},
    OpParser: {"find_op": "_get_op_by_name"},
}
"""Methods of ours, and those of xDSL that do the same: either may call the other."""

OTHERS: dict[type[Parser], dict[str, Any]] = {
    RegionParser: {"define": _define},
    RememberingParser: {
        "parse_optional_type": _read_type,
        "parse_optional_attribute": _read_attribute,
    },
    DialectSymbolParser: {
        "read_symbol": _read_symbol,
        "_parse_extended_type_or_attribute": _to_read_symbol,
        "read_body": _read_body,
        "_parse_dialect_type_or_attribute_body": _to_read_body,
    },
    BuiltinParser: {
        "read_number_of_type": getattr(Parser, "_parse_typed_integer"),  # noqa: B009, a private step of xDSL
        "_parse_typed_integer": _to_read_number,
        "read_stride": _read_stride,
        "_parse_int_or_question": _to_read_stride,
    },
    ModuleParser: {"_parse_file_metadata_dictionary": _call("read_metadata")},
    ResourceParser: {"_parse_dialect_resource_handle": _call("parse_resource_key")},
    OpParser: {
        "_read_generic_op": getattr(Parser, "_parse_generic_operation"),  # noqa: B009, a private step of xDSL
    },
}
"""The same for methods with other parameters."""


def _methods_of_xdsl() -> Iterator[tuple[type[Parser], str, Any]]:
    for ours, names in SAME.items():
        for name, xdsls in names.items():
            yield ours, name, getattr(Parser, xdsls)
            yield ours, xdsls, _call(name)
    for ours, methods in OTHERS.items():
        for name, method in methods.items():
            yield ours, name, method


def _print_attribute(self: Any, attribute: Attribute) -> None:
    self._print_attribute(attribute)


class _NoPrinter:
    """A class of no printer."""


def _no_format(_op_type: type[Operation]) -> None:
    return None


@contextmanager
def steps_of_xdsl() -> Generator[None]:
    """Within this, xDSL's methods run wherever ours take their place to save time."""
    with pytest.MonkeyPatch.context() as patch:
        for ours, xdsls in (
            (QuickParser, Parser),
            (DialectSymbolParser, Parser),
            (BuiltinParser, Parser),
            (ModuleParser, Parser),
            (RegionParser, Parser),
            (QuickPrinter, Printer),
        ):
            for name in vars(ours).keys() & set(dir(xdsls)) - _KEPT:
                patch.delattr(ours, name)
        patch.setattr(LinearLexer, "lex", _lex)
        # xDSL's pattern takes exponential time for a string that does not end.
        patch.setattr(LinearLexer, "_unescaped_characters_regex", STRING, raising=False)
        for ours, name, method in _methods_of_xdsl():
            patch.setattr(ours, name, method, raising=False)
        patch.setattr(QuickPrinter, "print_attribute", _print_attribute)
        for module in (op_parser, printing):
            patch.setattr(module, "format_of", _no_format)
        # The names that this printer is given are for its own steps.
        patch.setattr(control, "QuickPrinter", _NoPrinter)
        yield


def outcome(parser_type: type[WiderParser], text: str, ctx: Context) -> object:
    """What comes of a program: its text and its places, or an error and its place."""
    try:
        parser = parser_type(ctx, text, "a.mlir")
        if isinstance(parser, MLIRParser):
            module = parse_all(parser)
        else:
            module = parser.parse_module()
        places = [str(op.location) for op in module.walk()]
        return mlir_text(module), places
    except ParseError as error:
        return error.msg, error.span.start, error.span.end
    except RecursionError:
        # Python's words depend on which call is the one too deep: those of methods
        # written in C have others. Our steps make fewer calls than xDSL's.
        return RecursionError
    except Exception as error:
        return type(error), re.sub("0x[0-9a-f]{6,}", "", str(error))


def check(texts: list[str]) -> None:
    """Compare the outcomes of programs."""
    for parser_type in PARSERS:
        # What a context has learned of unregistered ops counts for later programs.
        quick, plain = get_context(), get_context()
        for number, text in enumerate(texts):
            quick.allow_unregistered = plain.allow_unregistered = number % 2 == 0
            found = outcome(parser_type, text, quick)
            with steps_of_xdsl():
                expected = outcome(parser_type, text, plain)
            assert found == expected, text


def programs() -> list[str]:
    """All programs of the tests' files, cut where the files say."""
    return [
        part
        for file in sorted(ROOT.rglob("*.mlir"))
        for part in re.split("^// -----", file.read_text("utf-8"), flags=re.MULTILINE)
    ]


def mutants(seed: int, count: int) -> list[str]:
    """Programs with small mistakes."""
    rng, corpus = Random(seed), read_corpus()
    return [mutate(rng, corpus.text(rng), corpus, (1, 1, 2)) for _ in range(count)]


def test_xdsls_steps_are_taken_when_asked_for() -> None:
    with steps_of_xdsl():
        assert "parse_punctuation" not in vars(QuickParser)
        assert MLIRParser.parse_unresolved_operand is Parser.parse_unresolved_operand
    assert "parse_punctuation" in vars(QuickParser)


@pytest.mark.volume(sample=1)
@pytest.mark.parametrize("part", range(80))
def test_programs(part: int) -> None:
    check(programs()[part::80])


@pytest.mark.volume(sample=1)
@pytest.mark.parametrize("seed", range(12))
def test_programs_with_mistakes(seed: int) -> None:
    check([text for text in mutants(seed, 40) if len(text) < 20_000])
