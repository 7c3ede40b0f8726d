"""Forms of `linalg.map`, `reduce`, `broadcast`, `transpose`, `softmax`, `contract`, ...

linalg.map, body "input and init", two inputs, elements of i32
"""

from collections.abc import Callable, Mapping
from typing import Final

from harness.matrix.family import Family
from harness.matrix.form import ELEMENTS, Form, LeftOut, Operand, Role, Tensor
from harness.matrix.scalars import (
    adding,
    converting,
    kind_of,
    maximum,
    multiplying,
    negating,
    subtracting,
)
from harness.matrix.sizes import OPEN, PATTERNS, loop_sizes, tensor

_INDICES: Final = "%i = linalg.index 0 : index\n%j = linalg.index 1 : index"


def _map(choice: Mapping[str, str]) -> Form | LeftOut:
    """`linalg.map` of no, one or two inputs."""
    element, body = choice["element"], choice["body"]
    count = int(choice["inputs"])
    type_ = tensor(loop_sizes(choice["sizes"], 2), element, choice["open"])
    operands = [Operand(type_)] * count
    reads = body in ("init", "inputs and init", "the init")
    operands.append(Operand(type_, Role.INIT if reads else Role.OVERWRITTEN))
    start = "%x0" if count else "%s"
    lines = [] if count else [_INDICES, converting(element, "%j", "%s")]
    if count == 2:
        lines.append(subtracting(element, "%x0", "%x1", "%s2"))
        start = "%s2"
    result = "%y"
    match body:
        case "init":
            lines.append(negating(element, "%o"))
        case "inputs and init":
            lines.append(subtracting(element, start, "%o"))
        case "inputs":
            lines.append(adding(element, start, start))
        case "the init":
            result = "%o"
        case "an input":
            result = start
        case "extracts":
            captured = f"${len(operands)}"
            operands.append(Operand(type_))
            if count:
                lines.append(_INDICES)
            last = max(type_.sizes[0] - 1, 0)
            lines += [
                f"%last = arith.constant {last} : index",
                "%other = arith.subi %last, %i : index",
                f"%e = tensor.extract {captured}[%other, %j] : {type_}",
                adding(element, start, "%e"),
            ]
        case _:
            captured = f"${len(operands)}"
            operands.append(Operand(element))
            lines.append(subtracting(element, captured, start))
    arguments = ", ".join(
        (*(f"%x{at}: {element}" for at in range(count)), f"%o: {element}")
    )
    types = ", ".join([str(type_)] * count)
    names = ", ".join(f"${at}" for at in range(count))
    ins = f"ins({names} : {types}) " if count else ""
    text = (
        f"$r = linalg.map {ins}outs(${count} : {type_}) ({arguments}) {{\n"
        + "\n".join(lines)
        + f"\nlinalg.yield {result} : {element}\n}}"
    )
    return Form("linalg.map", tuple(operands), (type_,), text)


MAP: Final = Family(
    "map",
    {
        "body": (
            "inputs and init", "inputs", "init", "the init", "an input", "extracts",
                 "number"),
        "inputs": ("1", "2", "0"),
        "element": ELEMENTS,
        "sizes": tuple(PATTERNS),
        "open": OPEN,
    },
    _map,
    most=80,
)  # fmt: skip


def _reduce(choice: Mapping[str, str]) -> Form | LeftOut:
    """`linalg.reduce` of one or two inputs over each set of dimensions."""
    element, count = choice["element"], int(choice["inputs"])
    whole = tensor(loop_sizes(choice["sizes"], 3), element, choice["open"])
    dimensions = [int(each) for each in choice["dimensions"].split()]
    kept = [at for at in range(3) if at not in dimensions]
    part = Tensor(
        tuple(whole.sizes[at] for at in kept),
        element,
        frozenset(new for new, at in enumerate(kept) if at in whole.dynamic),
    )
    combine = {"add": adding, "max": maximum, "mul": multiplying}[choice["combiner"]]
    if choice["combiner"] == "mul" and element in ("f16", "bf16", "i1"):
        return LeftOut("products of many numbers leave the range of small types")
    lines = [combine(element, f"%x{at}", f"%o{at}", f"%y{at}") for at in range(count)]
    yields = [f"%y{at}" for at in range(count)]
    if choice["body"] == "crossed" and count == 2:
        lines[1] = adding(element, "%x0", "%o1", "%y1")
    arguments = ", ".join(f"%{n}{at}: {element}" for n in "xo" for at in range(count))
    listed = ", ".join(map(str, dimensions))
    ins = ", ".join(f"${at}" for at in range(count))
    outs = ", ".join(f"${at + count}" for at in range(count))
    text = (
        f"$r = linalg.reduce ins({ins} : {', '.join([str(whole)] * count)}) "
        f"outs({outs} : {', '.join([str(part)] * count)}) dimensions = [{listed}] "
        f"({arguments}) {{\n"
        + "\n".join(lines)
        + f"\nlinalg.yield {', '.join(yields)} : {', '.join([element] * count)}\n}}"
    )
    operands = (Operand(whole),) * count + (Operand(part, Role.INIT),) * count
    return Form("linalg.reduce", operands, (part,) * count, text)


REDUCE: Final = Family(
    "reduce",
    {
        "dimensions": ("2", "1", "0", "0 2", "1 2", "0 1", "0 1 2"),
        "combiner": ("add", "max", "mul"),
        "body": ("each", "crossed"),
        "inputs": ("1", "2"),
        "element": ELEMENTS,
        "sizes": tuple(PATTERNS),
        "open": OPEN,
    },
    _reduce,
    most=80,
)

_Relayout = Callable[[Tensor, str], Form | LeftOut]


def _permuted(type_: Tensor, order: tuple[int, ...]) -> Tensor:
    return Tensor(
        tuple(type_.sizes[at] for at in order),
        type_.element,
        frozenset(new for new, at in enumerate(order) if at in type_.dynamic),
    )


def _transpose(type_: Tensor, variant: str) -> Form:
    order = tuple(map(int, variant.split()))
    into = _permuted(type_, order)
    text = (
        f"$r = linalg.transpose ins($0 : {type_}) outs($1 : {into}) "
        f"permutation = [{', '.join(map(str, order))}]"
    )
    operands = (Operand(type_), Operand(into, Role.OVERWRITTEN))
    return Form("linalg.transpose", operands, (into,), text)


def _broadcast(type_: Tensor, variant: str) -> Form:
    added = tuple(map(int, variant.split()))
    kept = tuple(at for at in range(3) if at not in added)
    source = _permuted(type_, kept)
    text = (
        f"$r = linalg.broadcast ins($0 : {source}) outs($1 : {type_}) "
        f"dimensions = [{', '.join(map(str, added))}]"
    )
    operands = (Operand(source), Operand(type_, Role.OVERWRITTEN))
    return Form("linalg.broadcast", operands, (type_,), text)


def _softmax(type_: Tensor, variant: str) -> Form | LeftOut:
    if kind_of(type_.element) != "float":
        return LeftOut("a softmax is of floats")
    text = (
        f"$r = linalg.softmax dimension({variant}) ins($0 : {type_}) "
        f"outs($1 : {type_}) -> {type_}"
    )
    operands = (Operand(type_), Operand(type_, Role.OVERWRITTEN))
    return Form("linalg.softmax", operands, (type_,), text)


def _elementwise(type_: Tensor, variant: str) -> Form | LeftOut:
    kind, _, maps = variant.partition(" ")
    kinds = {"exp": "float", "negf": "float", "abs": "float"}
    if kinds.get(kind, kind_of(type_.element)) != kind_of(type_.element):
        return LeftOut("the kind is of floats")
    if type_.element in ("i1", "index"):
        return LeftOut("the kind is not of bits or indices")
    if kind == "max_signed" and kind_of(type_.element) == "complex":
        return LeftOut("complex numbers have no order")
    count = 1 if kind in kinds else 2
    sources = [type_] * count
    attribute = ""
    identity = "affine_map<(a, b, c) -> (a, b, c)>"
    if maps == "transposed":
        sources[0] = _permuted(type_, (2, 0, 1))
        others = ", ".join([identity] * count)
        attribute = f" indexing_maps = [affine_map<(a, b, c) -> (c, a, b)>, {others}]"
    if maps == "broadcast":
        sources[0] = _permuted(type_, (0, 2))
        others = ", ".join([identity] * count)
        attribute = f" indexing_maps = [affine_map<(a, b, c) -> (a, c)>, {others}]"
    names = ", ".join(f"${at}" for at in range(count))
    text = (
        f"$r = linalg.elementwise kind=#linalg.elementwise_kind<{kind}>{attribute} "
        f"ins({names} : {', '.join(map(str, sources))}) outs(${count} : {type_}) "
        f"-> {type_}"
    )
    operands = (*map(Operand, sources), Operand(type_, Role.OVERWRITTEN))
    return Form("linalg.elementwise", operands, (type_,), text)


def _contract(type_: Tensor, variant: str) -> Form | LeftOut:
    if type_.element in ("i1", "index"):
        return LeftOut("sums are not of bits or indices")
    left, right, output = variant.split()
    sizes = dict(zip("abc", range(3), strict=True))
    types = [
        _permuted(type_, tuple(sizes[at] for at in each))
        for each in (left, right, output)
    ]
    maps = ", ".join(
        f"affine_map<(a, b, c) -> ({', '.join(each)})>"
        for each in (left, right, output)
    )
    text = (
        f"$r = linalg.contract indexing_maps = [{maps}] ins($0, $1 : {types[0]}, "
        f"{types[1]}) outs($2 : {types[2]}) -> {types[2]}"
    )
    operands = (Operand(types[0]), Operand(types[1]), Operand(types[2], Role.INIT))
    return Form("linalg.contract", operands, (types[2],), text)


_RELAYOUTS: Final[Mapping[str, _Relayout]] = {
    "transpose": _transpose,
    "broadcast": _broadcast,
    "softmax": _softmax,
    "elementwise": _elementwise,
    "contract": _contract,
}

_VARIANTS: Final = (
    "transpose 0 2 1", "transpose 2 0 1", "transpose 1 0 2", "transpose 0 1 2",
    "broadcast 0", "broadcast 1", "broadcast 2", "broadcast 0 2", "broadcast 0 1 2",
    "softmax 2", "softmax 0", "softmax 1",
    "elementwise add", "elementwise exp", "elementwise negf transposed",
    "elementwise mul broadcast", "elementwise sub transposed",
    "elementwise max_signed broadcast",
    "contract ac cb ab", "contract ca bc ba", "contract abc c ab", "contract ac bc ab",
)  # fmt: skip


def _relayout(choice: Mapping[str, str]) -> Form | LeftOut:
    op, _, variant = choice["variant"].partition(" ")
    type_ = tensor(loop_sizes(choice["sizes"], 3), choice["element"], choice["open"])
    return _RELAYOUTS[op](type_, variant)


RELAYOUTS: Final = Family(
    "relayouts",
    {
        "variant": _VARIANTS,
        "element": ELEMENTS,
        "sizes": tuple(PATTERNS),
        "open": OPEN,
    },
    _relayout,
    most=100,
)

FAMILIES: Final = (MAP, REDUCE, RELAYOUTS)
