"""The text of the steps of a layer, as `linalg.generic` or as named ops.

    generic   gemm, bias + out and max(out, 0), in place as far as that goes
    named     linalg.matmul (in blocks: linalg.contract), linalg.add, linalg.max

Each method yields the lines that define `result`.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from typing_extensions import override

from .gen_layers import Layer, tensor


class Value(NamedTuple):
    """A value and its type, as text."""

    name: str
    type: str


class _Loops(NamedTuple):
    """Loops over matrices, and which of them index what."""

    kinds: str
    """One letter per loop: p for parallel, r for reduction."""
    input: Sequence[int]
    weight: Sequence[int]
    output: Sequence[int]
    row: Sequence[int]
    """The loops over the columns of the output."""


_WHOLE = _Loops("ppr", (0, 2), (2, 1), (0, 1), (1,))
_BLOCKS = _Loops("pprppr", (0, 2, 3, 5), (1, 2, 5, 4), (0, 1, 3, 4), (1, 3))
_VNNI = _Loops("pprpprr", (0, 2, 3, 5, 6), (1, 2, 5, 4, 6), (0, 1, 3, 4), _BLOCKS.row)

_MINUS_INFINITY = {"f32": "0xFF800000", "bf16": "0xFF80"}


@dataclass(frozen=True)
class Steps(ABC):
    """The steps of layers that are all laid out alike."""

    float_type: str
    in_blocks: bool
    vnni: bool

    @property
    def loops(self) -> _Loops:
        """The loops of a GEMM."""
        if self.vnni:
            return _VNNI
        return _BLOCKS if self.in_blocks else _WHOLE

    @property
    def rank(self) -> int:
        """The number of dimensions of an output."""
        return len(self.loops.output)

    def aliases(self) -> str:
        """The names of maps that come before the function."""
        loops, rank = self.loops, self.rank
        maps = {
            "in": _map(len(loops.kinds), loops.input),
            "weight": _map(len(loops.kinds), loops.weight),
            "out": _map(len(loops.kinds), loops.output),
            "id": _map(rank, range(rank)),
            "row": _map(rank, loops.row),
            # Of a matrix that a softmax goes through: what all of a row share.
            "rows": _map(rank, (0,)),
        }
        return "".join(f"#{name} = {map_}\n" for name, map_ in maps.items())

    def gemm(self, result: str, source: str, init: str, layer: Layer) -> Iterator[str]:
        """`init + source * weight`."""
        operand = Value(source, layer.input)
        if self.vnni:
            yield from _split_columns(operand, layer)
            operand = Value(f"%split{layer.index}", layer.split_input)
        weight = Value(f"%weight{layer.index}", layer.weight)
        yield from self.product(result, operand, weight, Value(init, layer.output))

    @abstractmethod
    def product(
        self, result: str, source: Value, weight: Value, init: Value
    ) -> Iterator[str]:
        """`init + source * weight`, of operands that need no more preparation."""

    @abstractmethod
    def bias(self, result: str, bias: Value, source: Value) -> Iterator[str]:
        """`bias + source`, where the bias may be one row."""

    @abstractmethod
    def relu(self, result: str, source: Value) -> Iterator[str]:
        """`max(source, 0)`."""

    @abstractmethod
    def softmax(self, result: str, source: Value) -> Iterator[str]:
        """`exp(x) / sum(exp(x))` along the rows."""

    def generic(
        self,
        result: str,
        maps: Sequence[str],
        kinds: str,
        ins: Sequence[Value],
        out: Value,
        payload: Sequence[str],
    ) -> Iterator[str]:
        """A `linalg.generic`; the last line of `payload` is what it yields."""
        trait = f"indexing_maps = [{', '.join(maps)}], iterator_types = {_kinds(kinds)}"
        names = [f"%in{at or ''}" for at in range(len(ins))] + ["%out"]
        arguments = ", ".join(f"{name}: {self.float_type}" for name in names)
        *ops, yielded = payload
        yield f"{result} = linalg.generic {{{trait}}}"
        yield f"    {_operands('ins', ins)}{_operands('outs', [out])}{{"
        yield f"^bb0({arguments}):"
        yield from (f"  {op} : {self.float_type}" for op in ops)
        yield f"  linalg.yield {yielded} : {self.float_type}"
        yield f"}} -> {out.type}"

    def filled(self, name: str, value: str, type_: str) -> Iterator[str]:
        """A new tensor, `%<name>`, that is `value` everywhere."""
        scalar = self.float_type
        yield f"%{name}_empty = tensor.empty() : {type_}"
        yield (
            f"%{name} = linalg.fill ins({value} : {scalar}) "
            f"outs(%{name}_empty : {type_}) -> {type_}"
        )


class GenericSteps(Steps):
    """Everything is a `linalg.generic`."""

    @override
    def product(
        self, result: str, source: Value, weight: Value, init: Value
    ) -> Iterator[str]:
        payload = (
            "%product = arith.mulf %in, %in1",
            "%sum = arith.addf %out, %product",
            "%sum",
        )
        maps = ("#in", "#weight", "#out")
        kinds = self.loops.kinds
        return self.generic(result, maps, kinds, [source, weight], init, payload)

    @override
    def bias(self, result: str, bias: Value, source: Value) -> Iterator[str]:
        maps = ["#id" if bias.type == source.type else "#row", "#id"]
        payload = ["%sum = arith.addf %in, %out", "%sum"]
        return self.generic(result, maps, "p" * self.rank, [bias], source, payload)

    @override
    def relu(self, result: str, source: Value) -> Iterator[str]:
        payload = ["%max = arith.maximumf %out, %zero", "%max"]
        return self.generic(result, ["#id"], "p" * self.rank, [], source, payload)

    @override
    def softmax(self, result: str, source: Value) -> Iterator[str]:
        type_ = source.type
        rows = tensor([_rows(type_)], self.float_type)
        lowest = _MINUS_INFINITY[self.float_type]
        yield f"%lowest = arith.constant {lowest} : {self.float_type}"
        yield from self.filled("max_init", "%lowest", rows)
        payload = ["%max = arith.maximumf %in, %out", "%max"]
        init = Value("%max_init", rows)
        yield from self.generic("%max", ["#id", "#rows"], "pr", [source], init, payload)
        yield f"%exp_init = tensor.empty() : {type_}"
        inputs = [source, Value("%max", rows)]
        init = Value("%exp_init", type_)
        payload = ["%rest = arith.subf %in, %in1", "%exp = math.exp %rest", "%exp"]
        maps = ["#id", "#rows", "#id"]
        yield from self.generic("%exp", maps, "pp", inputs, init, payload)
        exponentials = Value("%exp", type_)
        yield from self.filled("sum_init", "%zero", rows)
        payload = ["%sum = arith.addf %in, %out", "%sum"]
        init = Value("%sum_init", rows)
        yield from self.generic(
            "%sum", ["#id", "#rows"], "pr", [exponentials], init, payload
        )
        yield f"{result}_init = tensor.empty() : {type_}"
        inputs = [exponentials, Value("%sum", rows)]
        payload = ["%part = arith.divf %in, %in1", "%part"]
        init = Value(f"{result}_init", type_)
        yield from self.generic(result, maps, "pp", inputs, init, payload)


class NamedSteps(Steps):
    """The ops of linalg that have names."""

    @override
    def product(
        self, result: str, source: Value, weight: Value, init: Value
    ) -> Iterator[str]:
        name = "linalg.matmul"
        if self.in_blocks:
            name = "linalg.contract indexing_maps = [#in, #weight, #out]"
        yield _named(result, name, [source, weight], init)

    @override
    def bias(self, result: str, bias: Value, source: Value) -> Iterator[str]:
        type_ = source.type
        init = Value(f"{result}_init", type_)
        yield f"{init.name} = tensor.empty() : {type_}"
        if bias.type != type_:
            spread = Value(f"{result}_rows", type_)
            added = [d for d in range(self.rank) if d not in self.loops.row]
            ins, outs = _operands("ins", [bias]), _operands("outs", [init])
            yield (f"{spread.name} = linalg.broadcast {ins}{outs}dimensions = {added}")
            bias = spread
        yield _named(result, "linalg.add", [bias, source], init)

    @override
    def relu(self, result: str, source: Value) -> Iterator[str]:
        name = result.removeprefix("%")
        yield from self.filled(f"{name}_zeros", "%zero", source.type)
        zeros = Value(f"%{name}_zeros", source.type)
        yield f"%{name}_init = tensor.empty() : {source.type}"
        init = Value(f"%{name}_init", source.type)
        yield _named(result, "linalg.max", [source, zeros], init)

    @override
    def softmax(self, result: str, source: Value) -> Iterator[str]:
        init = Value(f"{result}_init", source.type)
        yield f"{init.name} = tensor.empty() : {init.type}"
        yield _named(result, "linalg.softmax dimension(1)", [source], init)


def _split_columns(source: Value, layer: Layer) -> Iterator[str]:
    """Columns of blocks become pairs, or fours, without being moved."""
    type_ = layer.split_input
    sizes = type_.removeprefix("tensor<").split("x")[:-1]
    yield (
        f"%split{layer.index} = tensor.expand_shape {source.name} "
        f"[[0], [1], [2], [3, 4]] output_shape [{', '.join(sizes)}] "
        f": {source.type} into {type_}"
    )


def _named(result: str, op: str, ins: Sequence[Value], out: Value) -> str:
    operands = f"{_operands('ins', ins)}{_operands('outs', [out])}"
    return f"{result} = {op} {operands}-> {out.type}"


def _operands(word: str, values: Sequence[Value]) -> str:
    """`ins(%a, %b : type, type) `; nothing if there are none."""
    if not values:
        return ""
    names = ", ".join(value.name for value in values)
    types = ", ".join(value.type for value in values)
    return f"{word}({names} : {types}) "


def _map(loops: int, indices: Sequence[int]) -> str:
    names = ", ".join(f"d{loop}" for loop in range(loops))
    results = ", ".join(f"d{index}" for index in indices)
    return f"affine_map<({names}) -> ({results})>"


def _kinds(letters: str) -> str:
    words = {"p": '"parallel"', "r": '"reduction"'}
    return f"[{', '.join(words[letter] for letter in letters)}]"


def _rows(type_: str) -> int:
    """The first size of a tensor."""
    return int(type_.removeprefix("tensor<").split("x")[0])
