"""Why products and convolutions of a program have no kernels, in one line.

    1001 rows   mlp.mlir:4:8: remark: 'linalg.matmul' is not packed: the number of
                rows, 1001, is not a multiple of the block factor 32; ...
    i32         mlp.mlir:4:8: remark: 'linalg.matmul' has no kernel and becomes loops:
                kernels are for f32, f64 and bf16

The passes that make kernels have the option `explain`, which says the first of each op.
The default pipeline has the option off, and `xbuf run` says it of one op.
"""

import dataclasses
import re
import sys
from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BFloat16Type,
    Float32Type,
    Float64Type,
    ModuleOp,
    ShapedType,
)
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from xdsl_bufferization.dialects.linalg.structure import element_type_of
from xdsl_bufferization.dialects.remarks import remark
from xdsl_bufferization.optimization.common.contractions import contraction_of
from xdsl_bufferization.pipelines.pass_bundle import PassBundle
from xdsl_bufferization.support.escaping import in_terminal

_EXPLAIN = "explain"
ABOUT_KERNELS = re.compile("remark: '[^']*' is not (packed|rewritten|tiled): ")
"""Finds the remarks of the passes that make kernels."""

_REFUSED = re.compile(
    r"is not (packed|rewritten): "
    r"(.*, (?P<size>\d{1,18}), is not a multiple of the block factor "
    r"(?P<block>\d{1,18}))?.*"
)
"""What remarks say of a product or a convolution. Other ops need no kernel."""


def with_remarks(passes: Sequence[ModulePass]) -> list[ModulePass]:
    """The same passes, where bundles that would say nothing say what they leave."""
    return [
        dataclasses.replace(each, **{_EXPLAIN: True}) if _is_silent(each) else each
        for each in passes
    ]


def says_nothing(passes: Iterable[ModulePass]) -> bool:
    """Whether there is a bundle that would say what it leaves, and all are silent."""
    bundles = [each for each in passes if hasattr(each, _EXPLAIN)]
    return bool(bundles) and all(map(_is_silent, bundles))


def _is_silent(each: ModulePass) -> bool:
    return isinstance(each, PassBundle) and getattr(each, _EXPLAIN, True) is False


def say_first(module: ModuleOp, remarks: Sequence[str]) -> None:
    """Write a line on the first op that needs a kernel and has none, and how many more.

    `module` is the program after the passes. Such an op is still there. If there is no
    such op, the line is on the first one whose kernel is not in blocks.
    """
    lines = [_without_kernel(op, remarks) for op in module.walk() if _is_product(op)]
    lines = lines or list(filter(_is_large, remarks))
    if lines:
        more = f" (and {len(lines) - 1} more)" if len(lines) > 1 else ""
        sys.stderr.write(f"{in_terminal(lines[0])}{more}\n")


def _is_product(op: Operation) -> bool:
    if op.dialect_name() != "linalg":
        return False
    return contraction_of(op) is not None or op.name.startswith("linalg.conv_")


def _without_kernel(op: Operation, remarks: Sequence[str]) -> str:
    said = remark(op, "has no kernel and becomes loops")
    place = said.partition(" ")[0]
    for each in remarks:
        if each.startswith(place) and (why := _REFUSED.search(each)) is not None:
            return f"{said}: it {why[0]}"
    return f"{said}{_why(op)}"


_MULTIPLIED = Float32Type | Float64Type | BFloat16Type


def _why(op: Operation) -> str:
    types = [each.type for each in op.operands if isinstance(each.type, ShapedType)]
    elements = {element_type_of(type_) for type_ in types}
    if any(isinstance(each, _MULTIPLIED) for each in elements):
        is_dynamic = any(DYNAMIC_INDEX in type_.get_shape() for type_ in types)
        return ": kernels are for static sizes" if is_dynamic else ""
    return ": kernels are for f32, f64 and bf16"


def _is_large(text: str) -> bool:
    """Whether a remark is on an op that has a size larger than a block."""
    found = _REFUSED.search(text)
    return found is not None and int(found["size"] or 0) > int(found["block"] or 0)
