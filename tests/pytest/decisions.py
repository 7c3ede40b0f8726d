"""In-place decisions as plain lists, ours and mlir-opt's, for comparing them."""

import re
import subprocess

from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.analyses.one_shot import analyze
from xdsl_bufferization.context import get_context
from xdsl_bufferization.errors import OperationError
from xdsl_bufferization.interfaces.operands import OpOperand, is_tensor, tensor_operands
from xdsl_bufferization.interfaces.options import BufferizationOptions
from xdsl_bufferization.models import attach_all
from xdsl_bufferization.parsing import parse_module

Decisions = list[list[str]]
"""For each op with tensor operands, bodies before their op: one word an operand."""

_SEPARATOR = "\n// -----\n"


def parse(text: str) -> ModuleOp:
    attach_all()
    return parse_module(text, "test.mlir", get_context())


def our_decisions(text: str, options: BufferizationOptions) -> Decisions | None:
    """Our decisions, or None where the program is refused."""
    module = parse(text)
    try:
        analysis = analyze(module, options)
        for op in module.walk():
            model = analysis.get_model(op)
            if model is not None:
                model.verify_analysis(op, analysis)
    except OperationError:
        return None
    return [
        [
            str(analysis.is_in_place(OpOperand(op, n))).lower() if is_tensor(v) else "none"
            for n, v in enumerate(op.operands)
        ]
        for op in _post_order(module)
        if tensor_operands(op)
    ]


def mlir_decisions(texts: list[str], options: str) -> list[Decisions | None]:
    """What mlir-opt 22 decides for each program; None where it refuses one."""
    tagged = [
        f"func.func private @tag_{n}()\n{text}" for n, text in enumerate(texts)
    ]
    result = subprocess.run(
        [
            "mlir-opt-22",
            f"--one-shot-bufferize=test-analysis-only {options}",
            "--mlir-print-op-generic",
            "--split-input-file",
        ],
        input=_SEPARATOR.join(tagged),
        capture_output=True,
        text=True,
        check=False,
    )
    found: list[Decisions | None] = [None] * len(texts)
    for chunk in result.stdout.split("// -----"):
        tag = re.search(r"@?tag_(\d+)", chunk)
        if tag is not None:
            found[int(tag.group(1))] = [
                re.findall(r"\w+", words)
                for words in re.findall(
                    r"__inplace_operands_attr__ = \[(.*?)\]", chunk
                )
            ]
    return found


def _post_order(op: "ModuleOp") -> list:  # type: ignore[type-arg]
    ops = []
    for region in op.regions:
        for block in region.blocks:
            for child in block.ops:
                ops += _post_order(child)
    return [*ops, op]
