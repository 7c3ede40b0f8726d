"""In-place decisions as plain lists, ours and mlir-opt's, for comparing them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation
from xdsl.utils.hints import isa

from harness.dialects.mlir_test_dialect import TEST
from harness.oracles.mlir_text import ask_surely
from xdsl_bufferization.bufferization.bufferize.annotate import (
    annotate_decisions,
    annotate_functions,
)
from xdsl_bufferization.bufferization.bufferize.verified_analysis import (
    analyze_and_verify,
)
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.bufferization.interfaces.options import BufferizationOptions
from xdsl_bufferization.bufferization.models import attach_all
from xdsl_bufferization.dialects.parsing import parse_module
from xdsl_bufferization.dialects.scf import ForallOp
from xdsl_bufferization.support.errors import OperationError

Decisions = list[list[str]]
"""For each op with tensor operands, bodies before their op: one word an operand."""

_IN_PLACE = "__inplace_operands_attr__"
_EQUIVALENT = "__equivalent_func_args__"
_ACCESS = "bufferization.access"
_LISTS = re.compile(rf"({_IN_PLACE}|{_EQUIVALENT}) = \[(.*?)\]")
_ACCESSES = re.compile(rf'{_ACCESS} = "([a-z-]+)"')


class Findings(NamedTuple):
    """What the analysis finds out about a program, as its attributes tell it."""

    decisions: Decisions
    equivalent: list[list[str]]
    """For each return that says so: for each result the argument that it is, or -1."""

    access: list[str]
    """What functions do to their tensor arguments."""


def parse(text: str, *, with_mlirs_test_dialect: bool = False) -> ModuleOp:
    attach_all()
    ctx = get_context()
    ctx.allow_unregistered = True
    for op in TEST.operations if with_mlirs_test_dialect else ():
        ctx.load_op(op)
    return parse_module(text, "test.mlir", ctx)


def our_findings(module: ModuleOp, options: BufferizationOptions) -> Findings | None:
    """What we find by MLIR's rules, or None where the program is refused.

    The module is left as it was.
    """
    options = replace(options, disjoint_subsets=False, exchange_buffers=False)
    if any(isinstance(op, ForallOp) for op in module.walk()):
        module = module.clone()  # Loops may get other operands.
    try:
        analysis = analyze_and_verify(module, options)
    except OperationError:
        return None
    attributes = {
        function: function.arg_attrs
        for function in module.ops
        if isinstance(function, FuncOp)
    }
    annotate_decisions(module, analysis)
    if options.bufferize_function_boundaries:
        annotate_functions(analysis)
    found = Findings([], [], [])
    for op in post_order(module):
        for name, words in (
            (_IN_PLACE, found.decisions),
            (_EQUIVALENT, found.equivalent),
        ):
            if name in op.attributes:
                words.append(_words(op.attributes.pop(name)))
    for function, before in attributes.items():
        found.access.extend(_accesses(function.arg_attrs))
        function.arg_attrs = before
    return found


def _words(attribute: Attribute) -> list[str]:
    assert isa(attribute, ArrayAttr[StringAttr | IntegerAttr])
    return [
        word.data if isinstance(word, StringAttr) else str(word.value.data)
        for word in attribute
    ]


def _accesses(attributes: ArrayAttr[DictionaryAttr] | None) -> Iterator[str]:
    for dictionary in attributes or ():
        access = dictionary.data.get(_ACCESS)
        if isinstance(access, StringAttr):
            yield access.data


def our_decisions(text: str, options: BufferizationOptions) -> Decisions | None:
    """Our decisions by MLIR's rules, or None where the program is refused."""
    found = our_findings(parse(text), options)
    return None if found is None else found.decisions


def mlir_findings(texts: Sequence[str], options: str) -> list[Findings | str]:
    """What mlir-opt 22 finds out about each program, or why it refuses one."""
    arguments = (
        f"--one-shot-bufferize=test-analysis-only {options}",
        "--mlir-print-op-generic",
    )
    return [
        reply.errors or _read_findings(reply.printed)
        for reply in ask_surely(texts, *arguments)
    ]


def _read_findings(printed: str) -> Findings:
    found = Findings([], [], _ACCESSES.findall(printed))
    for name, words in _LISTS.findall(printed):
        lists = found.decisions if name == _IN_PLACE else found.equivalent
        lists.append(re.findall(r"[\w-]+", words))
    return found


def mlir_decisions(texts: Sequence[str], options: str) -> list[Decisions | None]:
    """What mlir-opt 22 decides for each program; None where it refuses one."""
    return [
        None if isinstance(found, str) else found.decisions
        for found in mlir_findings(texts, options)
    ]


def post_order(op: Operation) -> Iterator[Operation]:
    """All ops inside `op` and itself, bodies before their op."""
    for region in op.regions:
        for block in region.blocks:
            for child in block.ops:
                yield from post_order(child)
    yield op
