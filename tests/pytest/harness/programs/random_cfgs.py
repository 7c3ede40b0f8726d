"""Random programs whose functions and regions have several blocks.

As `random_programs`, with branches between blocks: joins, loops with one entry or with
several, blocks in any order, and blocks inside of structured ops. Every way back to an
earlier block uses up fuel, so that each program comes to an end.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from typing_extensions import override

from harness.programs.random_programs import DYNAMIC, FULL, HALF, Program, Scope, Shape


@dataclass(frozen=True)
class CfgShape(Shape):
    """How large programs get and what is in them."""

    ops: int = 4
    blocks: int = 6
    switches: bool = False
    many_yields: bool = False
    """Whether several blocks of one region may yield."""

    recursion: bool = False
    """Whether a function that `@main` may call, if there are calls, calls itself."""

    only_branches: bool = False
    """Whether to do without structured control flow."""


@dataclass
class _Block:
    """A block of the graph that is written next."""

    name: str
    successors: list[int] = field(default_factory=list[int])
    kind: str = "end"
    """Of the terminator: end, br, cond, back or switch."""

    arguments: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Names and types of tensors; the fuel comes before them."""

    fuel: str = "%n"
    lines: list[str] = field(default_factory=list[str])


class CfgProgram(Program):
    """Writes one random program with branches."""

    _shape: CfgShape

    def __init__(self, seed: int, shape: CfgShape):
        super().__init__(seed, shape)
        self._cfg = shape
        self._labels = 0
        self._has_blocks = False

    @override
    def _write_helpers(self) -> None:
        super()._write_helpers()
        arguments = f"%a: {FULL}, %b: {FULL}, %f: f32, %n: index, %p: i1"
        self._emit(f"func.func private @blocks({arguments}) -> ({FULL}, f32) {{")
        self._constants()
        self._emit(f"  %h = tensor.extract_slice %a[2] [4] [1] : {FULL} to {HALF}")
        scope = Scope({FULL: ["%a", "%b"], HALF: ["%h"], DYNAMIC: []}, ["%f"])
        self._blocks(scope, [FULL, "f32"], "return", 1, "  ")
        self._emit("}")
        self._has_blocks = True
        if self._cfg.recursion:
            self._write_recursion()

    def _write_recursion(self) -> None:
        """A function that calls itself as often as its argument says."""
        types = f"({FULL}, {FULL}, f32, index, i1) -> ({FULL}, f32)"
        arguments = f"%a: {FULL}, %b: {FULL}, %f: f32, %n: index, %p: i1"
        passed = self._random.choice(("%r#0, %a", "%b, %r#0", "%b, %a", "%r#0, %r#0"))
        end = self._random.choice(("%a", "%b"))
        self._emit(f"func.func private @deeper({arguments}) -> ({FULL}, f32) {{")
        self._constants()
        self._emit("  %go = arith.cmpi sgt, %n, %c0 : index")
        self._emit(f"  cf.cond_br %go, ^more, ^end({end}, %f : {FULL}, f32)")
        self._emit("^more:")
        self._emit("  %less = arith.subi %n, %c1 : index")
        self._emit(f"  %r:2 = func.call @blocks(%a, %b, %f, %less, %p) : {types}")
        self._emit(f"  %s:2 = func.call @deeper({passed}, %r#1, %less, %p) : {types}")
        self._emit(f"  cf.br ^end(%s#0, %s#1 : {FULL}, f32)")
        self._emit(f"^end(%x: {FULL}, %g: f32):")
        self._emit(f"  %w = tensor.insert %g into %x[%c2] : {FULL}")
        self._emit(f"  return %w, %g : {FULL}, f32")
        self._emit("}")

    @override
    def _write_function(self, start: str) -> list[str]:
        arguments = [
            f"%a{i}: {t}{self._writable()}" for i, t in enumerate((FULL, FULL, HALF))
        ]
        types = ["f32", "f32"]
        types += [t for t in (FULL, FULL, HALF) if self._random.random() < 0.5]
        self._emit(
            f"{start}({', '.join(arguments)}, %f: f32, %n: index, %p: i1)"
            f" -> ({', '.join(types)}) {{"
        )
        scope = Scope({FULL: ["%a0", "%a1"], HALF: ["%a2"], DYNAMIC: []}, ["%f"])
        self._constants()
        self._blocks(scope, types, "return", self._shape.depth, "  ")
        self._emit("}")
        return types

    @override
    def _constant(self, scope: Scope, depth: int, indent: str) -> None:
        if self._shape.calls and not self._has_blocks:
            # A helper might return it, which mlir-opt takes to be writable.
            return self._fill(scope, depth, indent)
        return super()._constant(scope, depth, indent)

    def _constants(self) -> None:
        for value in (0, 1, 2, 3, 4, 8):
            self._emit(f"  %c{value} = arith.constant {value} : index")

    @override
    def _op(self, scope: Scope, depth: int, indent: str) -> None:
        if depth and self._random.random() < 0.08:
            self._execute_region(scope, depth, indent)
        elif self._has_blocks and self._random.random() < 0.08:
            self._call_blocks(scope, indent)
        else:
            super()._op(scope, 0 if self._cfg.only_branches else depth, indent)

    def _call_blocks(self, scope: Scope, indent: str) -> None:
        first, second = (self._pick(scope.tensors[FULL]) for _ in range(2))
        results, callee = self._name(), "@blocks"
        if self._cfg.recursion:
            callee = self._random.choice((callee, "@deeper"))
        self._emit(
            f"{indent}{results}:2 = func.call {callee}({first}, {second}, "
            f"{self._pick(scope.scalars)}, %n, %p) : "
            f"({FULL}, {FULL}, f32, index, i1) -> ({FULL}, f32)"
        )
        scope.tensors[FULL].append(f"{results}#0")
        scope.scalars.append(f"{results}#1")

    def _execute_region(self, scope: Scope, depth: int, indent: str) -> None:
        t, results = self._random.choice((FULL, HALF)), self._name()
        self._emit(f"{indent}{results}:2 = scf.execute_region -> ({t}, f32) {{")
        self._blocks(scope.nested(), [t, "f32"], "scf.yield", depth - 1, indent + "  ")
        self._emit(f"{indent}}}")
        scope.tensors[t].append(f"{results}#0")
        scope.scalars.append(f"{results}#1")

    # Graphs of blocks.

    def _blocks(
        self, scope: Scope, types: list[str], end: str, depth: int, indent: str
    ) -> None:
        """Write the blocks of a region, from the middle of its first one on."""
        may_end = end == "return" or self._cfg.many_yields
        graph = self._graph(may_end=may_end)
        outer, scopes = self._lines, {0: scope}
        for number, dominator in _dominators(graph):
            block = graph[number]
            if number:
                scopes[number] = scopes[dominator].nested()
                for name, t in block.arguments:
                    scopes[number].tensors[t] += [name, name]
            self._lines = block.lines
            self._body(scopes[number], self._shape.ops, depth, indent)
            if block.kind == "end":
                self._end(scopes[number], types, end, indent)
            else:
                self._branch(graph, number, scopes[number], indent)
        self._lines = outer
        self._lines += graph[0].lines
        later = [number for number in scopes if number]
        if self._random.random() < 0.5:
            self._random.shuffle(later)
        for number in later:
            block = graph[number]
            arguments = [f"{block.fuel}: index"]
            arguments += [f"{name}: {t}" for name, t in block.arguments]
            self._emit(f"{indent[2:]}^{block.name}({', '.join(arguments)}):")
            self._lines += block.lines

    def _graph(self, *, may_end: bool) -> list[_Block]:
        count = self._random.randint(2, self._cfg.blocks)
        self._labels += count
        graph = [_Block(f"bb{self._labels - number}") for number in range(count)]
        for number, block in enumerate(graph[:-1]):
            self._choose_terminator(block, number, count, may_end=may_end)
            if number:
                block.fuel = self._name()
                block.arguments = self._arguments()
        graph[-1].fuel, graph[-1].arguments = self._name(), self._arguments()
        return graph

    def _arguments(self) -> list[tuple[str, str]]:
        count = self._random.choice((0, 0, 1, 1, 2))
        return [
            (self._name(), self._random.choice((FULL, FULL, HALF)))
            for _ in range(count)
        ]

    def _choose_terminator(
        self, block: _Block, number: int, count: int, *, may_end: bool
    ) -> None:
        later = range(number + 1, min(number + 4, count))
        kinds = ["br", "cond", "cond", "back", "back"]
        if self._cfg.switches:
            kinds += ["switch", "switch"]
        if may_end and number:
            kinds.append("end")
        kind = self._random.choice(kinds)
        if kind == "back" and not number:
            kind = "br"
        if kind == "cond" and len(later) < 2:
            kind = "br"
        block.kind = kind
        if kind == "br":
            block.successors = [self._random.choice(later)]
        elif kind == "cond":
            block.successors = self._random.sample(later, 2)
        elif kind == "back":
            # mlir-opt rejects two branches of one op to one block.
            block.successors = [
                self._random.randint(1, number),
                self._random.choice(later),
            ]
        elif kind == "switch":
            block.successors = [self._random.choice(later) for _ in range(3)]

    def _end(self, scope: Scope, types: list[str], end: str, indent: str) -> None:
        values = [
            self._pick(scope.scalars if t == "f32" else scope.tensors[t]) for t in types
        ]
        self._emit(f"{indent}{end} {', '.join(values)} : {', '.join(types)}")

    def _branch(
        self, graph: list[_Block], number: int, scope: Scope, indent: str
    ) -> None:
        block = graph[number]
        write: dict[str, Callable[[], str]] = {
            "br": lambda: self._target(graph, block.successors[0], scope, block.fuel),
            "cond": lambda: self._write_cond(graph, block, scope, indent),
            "back": lambda: self._write_back(graph, block, scope, indent),
            "switch": lambda: self._write_switch(graph, block, scope, indent),
        }
        op = {"br": "cf.br", "switch": "cf.switch"}.get(block.kind, "cf.cond_br")
        text = write[block.kind]()
        self._emit(f"{indent}{op} {text}")

    def _target(self, graph: list[_Block], number: int, scope: Scope, fuel: str) -> str:
        block = graph[number]
        values = [fuel, *(self._pick(scope.tensors[t]) for _, t in block.arguments)]
        types = ["index", *(t for _, t in block.arguments)]
        return f"^{block.name}({', '.join(values)} : {', '.join(types)})"

    def _write_cond(
        self, graph: list[_Block], block: _Block, scope: Scope, indent: str
    ) -> str:
        condition = "%p"
        if self._random.random() < 0.7:
            rest, condition = self._name(), self._name()
            divisor = self._pick(["%c2", "%c3"])
            self._emit(f"{indent}{rest} = arith.remui {block.fuel}, {divisor} : index")
            self._emit(f"{indent}{condition} = arith.cmpi eq, {rest}, %c1 : index")
        targets = [self._target(graph, s, scope, block.fuel) for s in block.successors]
        return ", ".join((condition, *targets))

    def _write_back(
        self, graph: list[_Block], block: _Block, scope: Scope, indent: str
    ) -> str:
        condition, less = self._name(), self._name()
        self._emit(f"{indent}{condition} = arith.cmpi sgt, {block.fuel}, %c0 : index")
        self._emit(f"{indent}{less} = arith.subi {block.fuel}, %c1 : index")
        back, on = block.successors
        return ", ".join(
            (
                condition,
                self._target(graph, back, scope, less),
                self._target(graph, on, scope, block.fuel),
            )
        )

    def _write_switch(
        self, graph: list[_Block], block: _Block, scope: Scope, indent: str
    ) -> str:
        flag = self._name()
        self._emit(f"{indent}{flag} = arith.index_cast {block.fuel} : index to i32")
        default, *cases = (
            self._target(graph, s, scope, block.fuel) for s in block.successors
        )
        listed = [f"{value}: {target}" for value, target in enumerate(cases, start=1)]
        return f"{flag} : i32, [default: {', '.join((default, *listed))}]"


def _dominators(graph: list[_Block]) -> list[tuple[int, int]]:
    """Reachable blocks with their closest dominator, each after that."""
    everything = _reachable(graph, without=None)
    dominated = {n: everything - _reachable(graph, without=n) for n in everything}
    found: dict[int, int] = {}
    for number in everything:
        above = [n for n in everything if n != number and number in dominated[n]]
        found[number] = min(above, key=lambda n: len(dominated[n]), default=0)
    # What dominates a block dominates more than it.
    return sorted(found.items(), key=lambda pair: -len(dominated[pair[0]]))


def _reachable(graph: list[_Block], without: int | None) -> set[int]:
    seen: set[int] = set()
    todo = [0]
    while todo:
        number = todo.pop()
        if number not in seen and number != without:
            seen.add(number)
            todo += graph[number].successors
    return seen


def random_cfg(seed: int, shape: CfgShape | None = None) -> str:
    """A random program with branches, the same for the same seed and shape."""
    return CfgProgram(seed, shape or CfgShape()).write()
