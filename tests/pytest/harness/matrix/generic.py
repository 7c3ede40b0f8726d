"""Forms of `linalg.generic`: maps of all kinds, and bodies of all kinds.

input map "diagonal", body "extracts elsewhere", output map "rows"
"""

from collections.abc import Mapping, Sequence
from typing import Final

from harness.matrix.family import Family
from harness.matrix.form import ELEMENTS, Form, LeftOut, Numbers, Operand, Role, Type
from harness.matrix.scalars import adding, converting, negating, subtracting
from harness.matrix.sizes import OPEN, PATTERNS, loop_sizes, tensor

_INPUT_MAPS: Final[Mapping[str, tuple[str, ...]]] = {
    "identity": ("d0", "d1"),
    "transposed": ("d1", "d0"),
    "row": ("d1",),
    "column": ("d0",),
    "number": (),
    "diagonal": ("d0", "d0"),
    "diagonal of three": ("d0", "d1", "d0"),
    "constant": ("1", "d1"),
    "last constant": ("d0", "1"),
    "sum": ("d0 + d1",),
    "strided": ("d0 * 2", "d1"),
}
"""What indexes an input of two loops."""

_OUTPUT_MAPS: Final[Mapping[str, tuple[str, ...]]] = {
    "identity": ("d0", "d1"),
    "transposed": ("d1", "d0"),
    "rows": ("d0",),
    "columns": ("d1",),
    "all": (),
    "diagonal": ("d0", "d0"),
    "wider": ("d0", "1"),
    "third": ("d0", "d1", "1"),
}

_BODIES: Final = (
    "inputs", "inputs and init", "init", "constant", "number", "index", "extracts",
    "extracts elsewhere", "extracts at constants", "branches", "loops", "calls",
    "an input", "the init", "selects", "tensors", "extracts in a branch",
)  # fmt: skip


def _size(expression: str, sizes: Sequence[int]) -> int:
    """How large a dimension is that an expression indexes."""
    if expression.isdigit():
        return int(expression) + 1
    if "+" in expression:
        return max(sizes[0] + sizes[1] - 1, 0)
    if "*" in expression:
        return max(2 * sizes[0] - 1, 0)
    return sizes[int(expression[1:])]


def _map(expressions: Sequence[str]) -> str:
    return f"affine_map<(d0, d1) -> ({', '.join(expressions)})>"


def _make(choice: Mapping[str, str]) -> Form | LeftOut:
    return _Generic(choice).form()


class _Generic:
    """The form of a choice, while it is written."""

    def __init__(self, choice: Mapping[str, str]):
        self.choice = choice
        self.element = choice["element"]
        self.sizes = loop_sizes(choice["sizes"], 2)
        self.body = choice["body"]
        self.output = _OUTPUT_MAPS[choice["output map"]]
        self.inputs = [
            _INPUT_MAPS[choice[f"map {at}"]] for at in range(int(choice["inputs"]))
        ]
        self.count = 1 if choice["outputs"] == "1" else 2
        self.operands: list[Operand] = []

    def form(self) -> Form | LeftOut:
        """The form, or why there is none."""
        if (reason := self._impossible()) is not None:
            return LeftOut(reason)
        left_open = self.choice["open"]
        for index in self.inputs:
            sizes = [_size(each, self.sizes) for each in index]
            self.operands.append(Operand(tensor(sizes, self.element, left_open)))
        sizes = [_size(each, self.sizes) for each in self.output]
        into = tensor(sizes, self.element, left_open)
        for at in range(self.count):
            role = Role.INIT if self._reads_init(at) else Role.OVERWRITTEN
            self.operands.append(Operand(into, role))
        lines = self._lines()
        results: tuple[Type, ...] = (into,) * self.count
        return Form(
            "linalg.generic",
            tuple(self.operands),
            results,
            self._text(lines, results),
            module=self._module(),
        )

    def _impossible(self) -> str | None:
        if self._has_reduction() and self.body not in (
            "inputs and init", "init", "constant", "number", "the init",
        ):  # fmt: skip
            return "the order of a reduction is open: its body adds to its init"
        if self.body == "an input" and not self.inputs:
            return "a body without inputs cannot yield one"
        used = {*self.output, *(each for index in self.inputs for each in index)}
        if not {"d0", "d1"} <= used:
            return "no operand says how long a loop is"
        return None

    def _has_reduction(self) -> bool:
        return not {"d0", "d1"} <= {*self.output}

    def _is_whole(self) -> bool:
        """Whether each element of an output is written."""
        is_each_once = len({*self.output}) == len(self.output)
        is_covered = not any(each.isdigit() for each in self.output)
        return is_each_once and is_covered and not self._is_reduced_to_nothing()

    def _is_reduced_to_nothing(self) -> bool:
        return self._has_reduction() and 0 in self.sizes

    def _reads_init(self, at: int) -> bool:
        if not self._is_whole():
            return True
        if at == 1 and self.choice["outputs"] == "other":
            return True
        return self.body in ("inputs and init", "init", "the init")

    def _captured(self, type_: Type, numbers: Numbers = Numbers.SMALL) -> str:
        self.operands.append(Operand(type_, Role.READ, numbers))
        return f"${len(self.operands) - 1}"

    def _lines(self) -> list[str]:
        element = self.element
        lines = self._start()
        name = f"_{self.body.replace(' ', '_')}"
        special = getattr(self, name, None)
        if special is not None:
            lines += special()
        else:
            lines.append(subtracting(element, "%s", "%s2", "%y"))
        if self.choice["outputs"] == "other":
            lines.append(adding(element, "%s", "%o1", "%y1"))
        return lines

    def _start(self) -> list[str]:
        """`%s`, made of all inputs, or a constant without any."""
        if not self.inputs:
            return [f"%s = {_constant(self.element, 2)}"]
        if len(self.inputs) == 1:
            return [negating(self.element, "%x0", "%s")]
        return [subtracting(self.element, "%x0", "%x1", "%s")]

    def _inputs(self) -> list[str]:
        return [adding(self.element, "%s", "%s", "%y")]

    def _inputs_and_init(self) -> list[str]:
        return [adding(self.element, "%o0", "%s", "%y")]

    def _init(self) -> list[str]:
        return [negating(self.element, "%o0", "%y")]

    def _constant(self) -> list[str]:
        return [f"%y = {_constant(self.element, 3)}"]

    def _number(self) -> list[str]:
        number = self._captured(self.element)
        return [adding(self.element, number, number, "%y")]

    def _index(self) -> list[str]:
        return [
            "%i = linalg.index 0 : index",
            "%j = linalg.index 1 : index",
            converting(self.element, "%i", "%k"),
            converting(self.element, "%j", "%l"),
            subtracting(self.element, "%k", "%l", "%m"),
            adding(self.element, "%s", "%m", "%y"),
        ]

    def _extract(self, indices: Sequence[str]) -> list[str]:
        captured = tensor(self.sizes, self.element, self.choice["open"])
        name = self._captured(captured)
        return [
            f"%e = tensor.extract {name}[{', '.join(indices)}] : {captured}",
            adding(self.element, "%s", "%e", "%y"),
        ]

    def _extracts(self) -> list[str]:
        return [*_INDICES, *self._extract(("%i", "%j"))]

    def _extracts_elsewhere(self) -> list[str]:
        return [
            *_INDICES,
            f"%n = arith.constant {self.sizes[0] - 1} : index",
            "%r = arith.subi %n, %i : index",
            *self._extract(("%r", "%j")),
        ]

    def _extracts_at_constants(self) -> list[str]:
        return [
            "%c = arith.constant 0 : index",
            f"%n = arith.constant {max(self.sizes[1] - 1, 0)} : index",
            *self._extract(("%c", "%n")),
        ]

    def _extracts_in_a_branch(self) -> list[str]:
        captured = tensor(self.sizes, self.element, self.choice["open"])
        name = self._captured(captured)
        return [
            *_INDICES,
            "%c = arith.cmpi ult, %i, %j : index",
            f"%y = scf.if %c -> ({self.element}) {{",
            f"%e = tensor.extract {name}[%i, %j] : {captured}",
            f"scf.yield %e : {self.element}\n}} else {{",
            f"scf.yield %s : {self.element}\n}}",
        ]

    def _branches(self) -> list[str]:
        return [
            *_INDICES,
            "%c = arith.cmpi ult, %i, %j : index",
            f"%y = scf.if %c -> ({self.element}) {{",
            negating(self.element, "%s", "%t"),
            f"scf.yield %t : {self.element}\n}} else {{",
            f"scf.yield %s : {self.element}\n}}",
        ]

    def _loops(self) -> list[str]:
        return [
            "%i = linalg.index 0 : index",
            "%from = arith.constant 0 : index",
            "%step = arith.constant 1 : index",
            "%to = arith.constant 3 : index",
            "%y = scf.for %k = %from to %to step %step iter_args(%t = %s) -> "
            f"({self.element}) {{",
            converting(self.element, "%k", "%kk"),
            adding(self.element, "%t", "%kk", "%u"),
            f"scf.yield %u : {self.element}\n}}",
        ]

    def _calls(self) -> list[str]:
        element = self.element
        return [f"%y = func.call @h$n(%s) : ({element}) -> {element}"]

    def _an_input(self) -> list[str]:
        return []

    def _the_init(self) -> list[str]:
        return []

    def _selects(self) -> list[str]:
        return [
            *_INDICES,
            "%c = arith.cmpi ult, %i, %j : index",
            negating(self.element, "%s", "%t"),
            f"%y = arith.select %c, %s, %t : {self.element}",
        ]

    def _tensors(self) -> list[str]:
        element = self.element
        return [
            "%second = arith.constant 1 : index",
            negating(element, "%s", "%t"),
            f"%f = tensor.from_elements %s, %t : tensor<2x{element}>",
            f"%y = tensor.extract %f[%second] : tensor<2x{element}>",
        ]

    def _module(self) -> str:
        if self.body != "calls":
            return ""
        element = self.element
        return (
            f"func.func private @h$n(%x: {element}) -> {element} {{\n"
            f"{negating(element)}\nfunc.return %y : {element}\n}}\n"
        )

    def _yielded(self) -> str:
        first = {"an input": "%x0", "the init": "%o0"}.get(self.body, "%y")
        if self.count == 1:
            return first
        return f"{first}, {'%y1' if self.choice['outputs'] == 'other' else first}"

    def _text(self, lines: Sequence[str], results: Sequence[Type]) -> str:
        count, element = len(self.inputs), self.element
        maps = [_map(index) for index in (*self.inputs, *[self.output] * self.count)]
        iterators = ", ".join(
            '"parallel"' if loop in self.output else '"reduction"'
            for loop in ("d0", "d1")
        )
        ins = _listed("ins", self.operands[:count], 0)
        outs = _listed("outs", self.operands[count : count + self.count], count)
        arguments = [f"%x{at}: {element}" for at in range(count)]
        arguments += [f"%o{at}: {element}" for at in range(self.count)]
        types = ", ".join(map(str, results))
        body = "\n".join(lines)
        listed = types if self.count == 1 else f"({types})"
        return (
            f"$r = linalg.generic {{indexing_maps = [{', '.join(maps)}], "
            f"iterator_types = [{iterators}]}} {ins} {outs} {{\n"
            f"^bb0({', '.join(arguments)}):\n{body}\nlinalg.yield {self._yielded()} : "
            f"{', '.join([element] * self.count)}\n}} -> {listed}"
        )


_INDICES: Final = ("%i = linalg.index 0 : index", "%j = linalg.index 1 : index")


def _constant(element: str, number: int) -> str:
    if element == "i1":
        return "arith.constant true"
    if element.startswith("complex"):
        part = element.removeprefix("complex<").removesuffix(">")
        return f"complex.constant [{number}.0 : {part}, 1.0 : {part}] : {element}"
    dot = ".0" if "f" in element else ""
    return f"arith.constant {number}{dot} : {element}"


def _listed(word: str, operands: Sequence[Operand], first: int) -> str:
    if not operands:
        return ""
    names = ", ".join(f"${first + at}" for at in range(len(operands)))
    types = ", ".join(str(each.type) for each in operands)
    return f"{word}({names} : {types})"


FAMILY: Final = Family(
    "generic",
    {
        "body": _BODIES,
        "map 0": tuple(_INPUT_MAPS),
        "output map": tuple(_OUTPUT_MAPS),
        "element": ELEMENTS,
        "sizes": tuple(PATTERNS),
        "open": OPEN,
        "inputs": ("1", "2", "0"),
        "map 1": tuple(_INPUT_MAPS),
        "outputs": ("1", "same twice", "other"),
    },
    _make,
    most=170,
)

CHAINS: Final = Family(
    "chains",
    {
        "body": _BODIES,
        "map 0": ("identity", "row", "column", "diagonal", "transposed"),
        "output map": ("identity", "diagonal", "rows"),
        "element": ("f32", "i32"),
        "sizes": ("large",),
        "open": ("none",),
        "inputs": ("1",),
        "outputs": ("1",),
    },
    _make,
    {
        **{f"operand {at}": ("generic",) for at in range(3)},
        "place": ("straight",),
        "consumer": ("reduce from zero", "normalize"),
    },
    most=90,
)
"""All operands are computed by ops over the same rows, and so are the consumers.
The rows are long enough to be worth a loop of their own.

Passes that fuse loops meet several such ops at once, which pairs of values alone would
seldom put into one program.
"""

FAMILIES: Final = (FAMILY, CHAINS)
