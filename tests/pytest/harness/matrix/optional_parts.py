"""Optional parts of ops, by their definitions, and which of them no form has.

    memref.alloc: operands dynamic_sizes         0, 1, more
    memref.alloc: attribute alignment            absent, present

What is missing in all programs, and is in none of the rows of `LEFT_OUT`, fails a test.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from typing_extensions import override
from xdsl.context import Context
from xdsl.ir import Attribute, Operation
from xdsl.irdl import IRDLOperation, OptionalDef

from harness.matrix.around import Program
from xdsl_bufferization.dialects.parsing import MLIRParser

_PRESENCE: Final = ("absent", "present")
_COUNTS: Final = ("0", "1", "more")


class Part(NamedTuple):
    """A part of an op, as one form has it."""

    op: str
    name: str
    value: str
    """`absent` or `present`, or how many there are."""

    @override
    def __str__(self) -> str:
        return f"{self.op}: {self.name}: {self.value}"


_FIXED: Final = (
    r"(?!linalg\.generic)linalg\.\w+: (operands (inputs|outputs)|results \w+)"
    r"|tm_tensor\.\w+: (operands (inputs|outputs)|results res)"
    r"|stablehlo\.(?!(sort|reduce|reduce_window|scatter|case|if|while|return"
    r"|composite|optimization_barrier|concatenate):)\w+: "
    r"(operands values|results outputs)"
    r"|(tensor|vector|tm_tensor|linalg|stablehlo)\.(yield|return): operands arguments"
)

LEFT_OUT: Final[Sequence[tuple[str, str]]] = (
    (_FIXED, "the op has a number of its own"),
    (r"linalg\.\w*(conv|pooling)\w*: attribute (strides|dilations): absent",
     "one table writes all of these ops, and each part is in some"),
    (r"memref\.alloca?: operands symbol_operands: .*",
     "layouts with symbols are refused by name"),
    (r"stablehlo\.(sort|reduce|reduce_window|scatter): (operands values: [01]"
     r"|results outputs: 0)", "there is at least one tensor, and what goes with it"),
    (r"stablehlo\.(case|if): operands values: (0|more)", "the op has one operand"),
    (r"stablehlo\.(case|if): regions branches: [01]", "no program has such branches"),
    (r"stablehlo\.(composite|optimization_barrier|while|concatenate): "
     r"(operands values|results outputs): 0", "the op would do nothing"),
    (r"stablehlo\.concatenate: results outputs: more", "the op has one result"),
    (r"stablehlo\.return: operands values: 0", "the op would do nothing"),
    (r"(affine\.vector_(load|store)|vector\.(load|maskedload|maskedstore)): operands "
     r"indices: .*", "places in buffers of each rank are those of other ops"),
    (r"bufferization\.to_tensor: attribute restrict: absent",
     "one-shot-bufferize refuses a buffer that others may write by name"),
    (r"(linalg\.generic: operands outputs|tensor\.concat: operands inputs"
     r"|shape\.assuming_all: operands inputs): 0", "invalid"),
    (r"scf\.parallel: operands (lowerBound|upperBound|step): 0", "invalid"),
    (r"memref\.reinterpret_cast: operands offsets: more", "invalid"),
    (r"memref\.expand_shape: operands output_shape: more",
     "as those of tensor.expand_shape"),
    (r"vector\.create_mask: operands mask_dim_sizes: 0", "invalid"),
    (r"cf\.cond_br: operands then_arguments: more", "as else_arguments"),
    (r"ml_program\.global: attribute (is_mutable: present|value: absent)",
     "what changes between calls is in tests/pytest/bufferization/models"),
)  # fmt: skip
"""Parts that no form has, as regular expressions, and why."""


def parts_of(op: type[IRDLOperation]) -> Iterator[Part]:
    """The parts that the definition of an op leaves open, in all of their values."""
    definition = op.get_irdl_definition()
    for kind in ("operand", "result", "region"):
        several: Sequence[tuple[str, Any]] = getattr(definition, f"{kind}s")
        for name, each in several:
            yield from _values(op.name, f"{kind}s {name}", type(each).__name__)
    for name in _optional_attributes(op):
        for value in _PRESENCE:
            yield Part(op.name, f"attribute {name}", value)


def _values(op: str, name: str, kind: str) -> Iterator[Part]:
    """`OptOperandDef` and `VarOperandDef` are the classes of xDSL."""
    if kind.startswith("Opt"):
        yield from (Part(op, name, value) for value in _PRESENCE)
    elif kind.startswith("Var"):
        yield from (Part(op, name, value) for value in _COUNTS)


def _optional_attributes(op: type[IRDLOperation]) -> Iterator[str]:
    definition = op.get_irdl_definition()
    for each in (definition.properties, definition.attributes):
        for name, value in each.items():
            if isinstance(value, OptionalDef):
                yield name


def parts_in(op: IRDLOperation) -> Iterator[Part]:
    """The parts as one op has them."""
    definition = op.get_irdl_definition()
    for kind in ("operand", "result", "region"):
        several: Sequence[tuple[str, Any]] = getattr(definition, f"{kind}s")
        for name, each in several:
            is_optional = type(each).__name__.startswith("Opt")
            if is_optional:
                is_present = getattr(op, name) is not None
                yield Part(op.name, f"{kind}s {name}", _PRESENCE[is_present])
            elif type(each).__name__.startswith("Var"):
                count = min(len(getattr(op, name)), 2)
                yield Part(op.name, f"{kind}s {name}", _COUNTS[count])
    present: dict[str, Attribute] = {**op.attributes, **op.properties}
    for name in _optional_attributes(type(op)):
        yield Part(op.name, f"attribute {name}", _PRESENCE[name in present])


def missing_parts(
    ctx: Context, ops: Iterable[type[Operation]], programs: Iterable[Program]
) -> list[str]:
    """What of these ops no program has, but what is left out for a reason."""
    left = {
        part
        for op in ops
        if issubclass(op, IRDLOperation)
        for part in parts_of(op)
        if not reason_of(part)
    }
    for program in programs:
        # Reading all programs would take much longer than all other tests of this kind.
        words = {part.op.rpartition(".")[2] for part in left}
        if not any(word in program.text for word in words):
            continue
        for op in MLIRParser(ctx, program.text).parse_module().walk():
            if isinstance(op, IRDLOperation):
                left.difference_update(parts_in(op))
    return sorted(map(str, left))


def reason_of(part: Part) -> str | None:
    """Why no form has a part."""
    text = str(part)
    return next((why for each, why in LEFT_OUT if re.match(each, text)), None)
