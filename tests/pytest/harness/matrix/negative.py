"""Forms with a size below 0, which no tensor has: a constant, or an argument.

tensor.empty, the size -6, in a branch

Each call that reaches the op must end in an error. In checked mode, it also frees what
it has allocated.
"""

from collections.abc import Mapping
from typing import Final

from harness.matrix.family import Family
from harness.matrix.form import ELEMENTS, Form, LeftOut, Numbers, Operand, Tensor
from harness.matrix.scalars import kind_of

_TEXTS: Final[Mapping[str, str]] = {
    "tensor.empty": "%e$n = tensor.empty(SIZE) : TYPE\n"
    "$r = linalg.fill ins($0 : ELEMENT) outs(%e$n : TYPE) -> TYPE",
    "bufferization.alloc_tensor": "%e$n = bufferization.alloc_tensor(SIZE) : TYPE\n"
    "$r = linalg.fill ins($0 : ELEMENT) outs(%e$n : TYPE) -> TYPE",
    "tensor.splat": "$r = tensor.splat $0[SIZE] : TYPE",
    "tensor.generate": "$r = tensor.generate SIZE {\n^bb0(%i: index, %j: index):\n"
    "tensor.yield $0 : ELEMENT\n} : TYPE",
    "tensor.pad": "$r = tensor.pad $1 low[0, 0] high[SIZE, 0] {\n"
    "^bb0(%i: index, %j: index):\ntensor.yield $0 : ELEMENT\n} : SOURCE to TYPE",
}
"""The ops that make a tensor of a size that they are given."""


def _make(choice: Mapping[str, str]) -> Form | LeftOut:
    op, element = choice["op"], choice["element"]
    if kind_of(element) == "complex" and op != "tensor.generate":
        return LeftOut("complex numbers are not filled in")
    into = Tensor((0, 3), element, frozenset({0}))
    source = Tensor((4, 3), element)
    operands = [Operand(element)]
    if op == "tensor.pad":
        operands.append(Operand(source))
    size, before = f"${len(operands)}", ""
    if choice["size"] == "argument":
        operands.append(Operand("index", numbers=Numbers.BELOW))
    else:
        size = "%size$n"
        before = f"{size} = arith.constant {choice['size']} : index\n"
    text = _TEXTS[op]
    for hole, written in (
        ("SIZE", size), ("TYPE", into), ("SOURCE", source), ("ELEMENT", element)
    ):  # fmt: skip
        text = text.replace(hole, str(written))
    return Form(op, (*operands,), (into,), before + text, is_error=True)


FAMILY: Final = Family(
    "negative sizes",
    {
        "op": tuple(_TEXTS),
        "size": ("argument", "-5", "-4611686018427387904"),
        "element": ELEMENTS,
    },
    _make,
    {
        "place": (
            "straight", "loop", "branch", "call", "carried", "blocks", "while",
            "region", "case",
        ),
        "consumer": ("return",),
    },
    most=60,
)  # fmt: skip
