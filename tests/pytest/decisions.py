"""In-place decisions as plain lists, ours and mlir-opt's, for comparing them."""

import re
import subprocess
from collections.abc import Iterator
from dataclasses import replace

from conftest import MLIR_OPT, find_oracle
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.context import get_context
from xdsl_bufferization.errors import OperationError
from xdsl_bufferization.interfaces.operands import (
    OpOperand,
    is_tensor,
    tensor_operands,
)
from xdsl_bufferization.interfaces.options import BufferizationOptions
from xdsl_bufferization.models import attach_all
from xdsl_bufferization.parsing import parse_module
from xdsl_bufferization.transforms.bufferize.verified_analysis import (
    analyze_and_verify,
)

Decisions = list[list[str]]
"""For each op with tensor operands, bodies before their op: one word an operand."""

_SEPARATOR = "\n// -----\n"


def parse(text: str) -> ModuleOp:
    attach_all()
    ctx = get_context()
    ctx.allow_unregistered = True
    return parse_module(text, "test.mlir", ctx)


def our_decisions(text: str, options: BufferizationOptions) -> Decisions | None:
    """Our decisions by MLIR's rules, or None where the program is refused."""
    module = parse(text)
    options = replace(options, disjoint_subsets=False)
    try:
        analysis = analyze_and_verify(module, options)
    except OperationError:
        return None
    return [
        [
            str(analysis.is_in_place(OpOperand(op, n))).lower()
            if is_tensor(value)
            else "none"
            for n, value in enumerate(op.operands)
        ]
        for op in post_order(module)
        if tensor_operands(op)
    ]


def mlir_decisions(texts: list[str], options: str) -> list[Decisions | None]:
    """What mlir-opt 22 decides for each program; None where it refuses one."""
    tagged = [f"func.func private @tag_{n}()\n{text}" for n, text in enumerate(texts)]
    result = subprocess.run(
        [
            find_oracle(MLIR_OPT),
            f"--one-shot-bufferize=test-analysis-only {options}",
            "--mlir-print-op-generic",
            "--allow-unregistered-dialect",
            "--split-input-file",
        ],
        input=_SEPARATOR.join(tagged),
        capture_output=True,
        text=True,
        check=False,
    )
    found: list[Decisions | None] = [None] * len(texts)
    for chunk in result.stdout.split("// -----"):
        tag = re.search(r"tag_(\d+)", chunk)
        if tag is not None:
            found[int(tag.group(1))] = [
                re.findall(r"\w+", words)
                for words in re.findall(r"__inplace_operands_attr__ = \[(.*?)\]", chunk)
            ]
    return found


def post_order(op: Operation) -> Iterator[Operation]:
    """All ops inside `op` and itself, bodies before their op."""
    for region in op.regions:
        for block in region.blocks:
            for child in block.ops:
                yield from post_order(child)
    yield op
