"""Random tensor programs with every op that mlir-opt 22 bufferizes.

- For all tests: several functions that call each other, loops that test first, branches
  of many cases, reshapes, padding, generated tensors, recursion.
- For analyses alone, as it cannot be executed: functions without a body, buffers from
  elsewhere, unknown ops, vectors.
"""

from dataclasses import dataclass

from typing_extensions import override

from harness.programs.random_programs import (
    DYNAMIC,
    FULL,
    HALF,
    Choice,
    Program,
    Scope,
    Shape,
)

ACCESS = ("none", "read", "write", "read-write")
SQUARE = "tensor<2x4xf32>"


@dataclass(frozen=True)
class RichShape(Shape):
    """What is in rich programs beside what a `Shape` says."""

    functions: int = 2
    """How many functions `@main` may call; each may call those before it."""

    executable: bool = True
    """Whether to leave out what has no meaning that could be computed."""

    comparable: bool = False
    """Whether to leave out what mlir-opt 22 decides wrongly, see
    `oracle/test_where_mlir_opt_is_wrong.py`."""

    whiles: bool = True
    recursion: bool = False
    """Whether the functions call each other in circles, `%n` deep, and `@main` them."""

    unknown: bool = False
    """Whether ops of a dialect that nobody registered occur."""


class RichProgram(Program):
    """Writes one random program."""

    _shape: Shape

    def __init__(self, seed: int, shape: RichShape):
        super().__init__(seed, shape)
        self._rich = shape
        self._callable: list[tuple[str, list[str]]] = []
        self._rounds = "%n"
        self._is_callee = True

    @override
    def write(self) -> str:
        if not self._rich.executable:
            self._write_declarations()
        if self._rich.recursion:
            self._write_circle()
        else:
            for number in range(self._rich.functions):
                results = self._write_function(f"func.func private @g{number}")
                self._callable.append((f"@g{number}", results))
        self._is_callee = False
        self._write_function("func.func @main")
        return "\n".join(self._lines) + "\n"

    def _write_declarations(self) -> None:
        for number in range(2):
            attributes = [
                f' {{bufferization.access = "{self._random.choice(ACCESS)}"}}'
                if self._random.random() < 0.7
                else ""
                for _ in range(3)
            ]
            types = ", ".join(
                t + a for t, a in zip((FULL, FULL, HALF), attributes, strict=True)
            )
            results = ["f32", FULL][: self._random.randint(1, 2)]
            self._emit(
                f"func.func private @e{number}({types}, f32, index, i1) "
                f"-> ({', '.join(results)})"
            )
            self._callable.append((f"@e{number}", results))

    def _write_circle(self) -> None:
        """Functions that call themselves and each other, with `%n` less by one."""
        circle = [
            (
                f"@g{number}",
                ["f32", FULL, *self._random.choice(([], [FULL], [HALF]))],
            )
            for number in range(self._rich.functions)
        ]
        for name, results in circle:
            self._write_recursive(name, results, circle)
        self._callable += circle

    def _write_recursive(
        self, name: str, results: list[str], circle: list[tuple[str, list[str]]]
    ) -> None:
        types = ", ".join(results)
        self._emit(
            f"func.func private {name}(%a0: {FULL}, %a1: {FULL}, %a2: {HALF}, "
            f"%f: f32, %n: index, %p: i1) -> ({types}) {{"
        )
        for value in (0, 1, 2, 3, 4, 8):
            self._emit(f"  %c{value} = arith.constant {value} : index")
        scope = Scope({FULL: ["%a0", "%a1"], HALF: ["%a2"], DYNAMIC: []}, ["%f"])
        self._body(scope, 2, 1, "  ")
        self._emit("  %stop = arith.cmpi eq, %n, %c0 : index")
        has_blocks = self._random.random() < 0.5
        self._emit(
            "  cf.cond_br %stop, ^stop, ^more"
            if has_blocks
            else f"  %end:{len(results)} = scf.if %stop -> ({types}) {{"
        )
        for label in ("^stop", "^more"):
            if has_blocks:
                self._emit(f"{label}:")
            inner = scope.nested()
            if label == "^more":
                self._emit("    %less = arith.subi %n, %c1 : index")
                self._callable, self._rounds = circle, "%less"
                self._call_function(inner, 1, "    ")
            self._body(inner, self._shape.ops, self._shape.depth, "    ")
            self._callable, self._rounds = [], "%n"
            ends = [self._end(inner, t) for t in results]
            end = "return" if has_blocks else "scf.yield"
            self._emit(f"    {end} {', '.join(ends)} : {types}")
            if not has_blocks:
                self._emit("  } else {" if label == "^stop" else "  }")
        if not has_blocks:
            ends = [f"%end#{number}" for number in range(len(results))]
            self._emit(f"  return {', '.join(ends)} : {types}")
        self._emit("}")

    def _end(self, inner: Scope, t: str) -> str:
        """What a function returns: often an argument, or what it was made of it."""
        if t == "f32":
            return self._pick(inner.scalars)
        if self._random.random() < 0.5:
            return self._pick(inner.tensors[t])
        return self._random.choice(("%a0", "%a1")) if t == FULL else "%a2"

    @override
    def _choices(self, depth: int) -> list[Choice]:
        choices = super()._choices(depth)
        # What a function may return must be writable for mlir-opt to be right.
        is_returned = self._rich.comparable and self._is_callee
        if is_returned:
            choices = [each for each in choices if each[0] != self._constant]
        choices += [
            (self._reshape, 1),
            (self._pad, 1),
            (self._concat, 1),
            (self._from_elements, 1),
            (self._map, 1),
            (self._dynamic_slice, 1),
        ]
        if not self._rich.comparable:
            choices.append((self._generate, 1))
            if depth:
                choices.append((self._index_switch, 1))
        if self._callable:
            choices.append((self._call_function, 8 if self._rich.recursion else 2))
        if depth:
            choices += [(self._execute_region, 1), (self._assuming, 1)]
            if self._rich.whiles:
                choices.append((self._while, 2))
        if not self._rich.executable:
            choices += [
                # It may be impossible, where a destination is still to be read.
                (self._materialize, 1),
                (self._to_tensor, 1),
                (self._to_buffer, 1),
                (self._transfer_read, 1),
                (self._transfer_write, 1),
            ]
        if self._rich.unknown and not is_returned:
            choices.append((self._unknown, 2))
        return choices

    # Tensors in other shapes.

    def _reshape(self, scope: Scope, depth: int, indent: str) -> None:
        source, scalar = self._pick(scope.tensors[FULL]), self._pick(scope.scalars)
        square = self._assign(
            indent,
            f"tensor.expand_shape {source} [[0, 1]] output_shape [2, 4] "
            f": {FULL} into {SQUARE}",
        )
        if self._random.random() < 0.6:
            square = self._assign(
                indent, f"tensor.insert {scalar} into {square}[%c1, %c2] : {SQUARE}"
            )
        self._define(
            scope,
            FULL,
            indent,
            f"tensor.collapse_shape {square} [[0, 1]] : {SQUARE} into {FULL}",
        )

    def _dynamic_slice(self, scope: Scope, depth: int, indent: str) -> None:
        offset = self._random.choice(("%c0", "%c2", "%c4"))
        source = self._pick(scope.tensors[FULL])
        if self._random.random() < 0.5:
            text = f"tensor.extract_slice {source}[{offset}] [4] [1] : {FULL} to {HALF}"
            self._define(scope, HALF, indent, text)
            return
        half = self._pick(scope.tensors[HALF])
        text = (
            f"tensor.insert_slice {half} into {source}[{offset}] [4] [1] "
            f": {HALF} into {FULL}"
        )
        self._define(scope, FULL, indent, text)

    def _pad(self, scope: Scope, depth: int, indent: str) -> None:
        source, scalar = self._pick(scope.tensors[HALF]), self._pick(scope.scalars)
        self._define(
            scope,
            FULL,
            indent,
            f"tensor.pad {source} low[1] high[3] {{\n"
            f"{indent}^bb0(%i: index):\n"
            f"{indent}  tensor.yield {scalar} : f32\n"
            f"{indent}}} : {HALF} to {FULL}",
        )

    def _concat(self, scope: Scope, depth: int, indent: str) -> None:
        first, second = (self._pick(scope.tensors[HALF]) for _ in range(2))
        text = f"tensor.concat dim(0) {first}, {second} : ({HALF}, {HALF}) -> {FULL}"
        self._define(scope, FULL, indent, text)

    # Tensors from scalars, and back.

    def _generate(self, scope: Scope, depth: int, indent: str) -> None:
        source = self._pick(scope.tensors[FULL])
        self._define(
            scope,
            FULL,
            indent,
            f"tensor.generate {{\n"
            f"{indent}^bb0(%i: index):\n"
            f"{indent}  %x = tensor.extract {source}[%i] : {FULL}\n"
            f"{indent}  tensor.yield %x : f32\n"
            f"{indent}}} : {FULL}",
        )

    def _from_elements(self, scope: Scope, depth: int, indent: str) -> None:
        if self._random.random() < 0.5:
            text = f"tensor.splat {self._pick(scope.scalars)} : {HALF}"
        else:
            values = ", ".join(self._pick(scope.scalars) for _ in range(4))
            text = f"tensor.from_elements {values} : {HALF}"
        self._define(scope, HALF, indent, text)

    def _materialize(self, scope: Scope, depth: int, indent: str) -> None:
        source, target = (self._pick(scope.tensors[FULL]) for _ in range(2))
        self._define(
            scope,
            FULL,
            indent,
            f"bufferization.materialize_in_destination {source} in {target} "
            f": ({FULL}, {FULL}) -> {FULL}",
        )

    def _map(self, scope: Scope, depth: int, indent: str) -> None:
        t = self._random.choice((FULL, HALF))
        a, b, out = (self._pick(scope.tensors[t]) for _ in range(3))
        text = f"linalg.map {{ arith.addf }} ins({a}, {b} : {t}, {t}) outs({out} : {t})"
        self._define(scope, t, indent, text)

    # Calls.

    def _call_function(self, scope: Scope, depth: int, indent: str) -> None:
        name, results = self._random.choice(self._callable)
        tensors = [self._pick(scope.tensors[t]) for t in (FULL, FULL, HALF)]
        arguments = ", ".join([*tensors, self._pick(scope.scalars), self._rounds, "%p"])
        types = ", ".join(results)
        value = self._name()
        self._emit(
            f"{indent}{value}:{len(results)} = func.call {name}({arguments}) "
            f": ({FULL}, {FULL}, {HALF}, f32, index, i1) -> ({types})"
        )
        for number, t in enumerate(results):
            known = scope.scalars if t == "f32" else scope.tensors[t]
            known.append(f"{value}#{number}")
        if self._rich.recursion and self._random.random() < 0.5:
            self._write_and_read(self._random.choice(tensors[:2]), value, scope, indent)

    def _write_and_read(
        self, argument: str, call: str, scope: Scope, indent: str
    ) -> None:
        """What tells an argument and a result that is in its buffer apart."""
        scalar = self._pick(scope.scalars)
        text = f"tensor.insert {scalar} into {argument}[%c1] : {FULL}"
        self._define(scope, FULL, indent, text)
        read, total = self._name(), self._name()
        self._emit(f"{indent}{read} = tensor.extract {call}#1[%c1] : {FULL}")
        self._emit(f"{indent}{total} = arith.addf {read}, {scalar} : f32")
        scope.scalars.append(total)

    # Control flow.

    def _while(self, scope: Scope, depth: int, indent: str) -> None:
        t = self._random.choice((FULL, HALF))
        value, init = self._name(), self._pick(scope.tensors[t])
        before, after = self._name(), self._name()
        count, again = self._name(), self._name()
        self._emit(
            f"{indent}{value}:2 = scf.while ({before} = {init}, {count} = %c0) "
            f": ({t}, index) -> ({t}, index) {{"
        )
        yielded = self._loop_body(scope, t, before, depth, indent)
        condition = self._name()
        self._emit(f"{indent}  {condition} = arith.cmpi slt, {count}, %c2 : index")
        self._emit(
            f"{indent}  scf.condition({condition}) {yielded}, {count} : {t}, index"
        )
        self._emit(f"{indent}}} do {{")
        self._emit(f"{indent}^bb0({after}: {t}, {again}: index):")
        yielded = self._loop_body(scope, t, after, depth, indent)
        following = self._name()
        self._emit(f"{indent}  {following} = arith.addi {again}, %c1 : index")
        self._emit(f"{indent}  scf.yield {yielded}, {following} : {t}, index")
        self._emit(f"{indent}}}")
        scope.tensors[t].append(f"{value}#0")

    def _loop_body(
        self, scope: Scope, t: str, argument: str, depth: int, indent: str
    ) -> str:
        inner = scope.nested()
        inner.tensors[t] += [argument] * 3
        before = {kind: len(inner.tensors[kind]) for kind in inner.tensors}
        self._body(inner, self._shape.ops // 3 + 1, depth - 1, indent + "  ")
        return self._yield(inner, t, argument, before)

    def _index_switch(self, scope: Scope, depth: int, indent: str) -> None:
        t, value = self._random.choice((FULL, HALF)), self._name()
        self._emit(f"{indent}{value} = scf.index_switch %n -> {t}")
        for start in ("case 0 {", "case 3 {", "default {"):
            self._emit(f"{indent}{start}")
            self._branch(scope, t, depth, indent)
        scope.tensors[t].append(value)

    def _execute_region(self, scope: Scope, depth: int, indent: str) -> None:
        t, value = self._random.choice((FULL, HALF)), self._name()
        self._emit(f"{indent}{value} = scf.execute_region -> {t} {{")
        self._branch(scope, t, depth, indent)
        scope.tensors[t].append(value)

    def _assuming(self, scope: Scope, depth: int, indent: str) -> None:
        t, value = self._random.choice((FULL, HALF)), self._name()
        witness = self._assign(indent, "shape.const_witness true")
        self._emit(f"{indent}{value} = shape.assuming {witness} -> ({t}) {{")
        self._branch(scope, t, depth, indent, "shape.assuming_yield")
        scope.tensors[t].append(value)

    def _branch(
        self,
        scope: Scope,
        t: str,
        depth: int,
        indent: str,
        terminator: str = "scf.yield",
    ) -> None:
        inner = scope.nested()
        self._body(inner, self._shape.ops // 3 + 1, depth - 1, indent + "  ")
        self._emit(f"{indent}  {terminator} {self._pick(inner.tensors[t])} : {t}")
        self._emit(f"{indent}}}")

    # What can be analysed, but not executed.

    def _to_tensor(self, scope: Scope, depth: int, indent: str) -> None:
        buffer = self._assign(indent, "memref.alloc() : memref<8xf32>")
        writable = self._random.choice(("", " writable"))
        self._define(
            scope,
            FULL,
            indent,
            f"bufferization.to_tensor {buffer} restrict{writable} "
            f": memref<8xf32> to {FULL}",
        )

    def _to_buffer(self, scope: Scope, depth: int, indent: str) -> None:
        read_only = self._random.choice(("", " read_only"))
        self._assign(
            indent,
            f"bufferization.to_buffer {self._pick(scope.tensors[FULL])}{read_only} "
            f": {FULL} to memref<8xf32>",
        )

    def _transfer_read(self, scope: Scope, depth: int, indent: str) -> None:
        vector = self._assign(
            indent,
            f"vector.transfer_read {self._pick(scope.tensors[FULL])}[%c0], "
            f"{self._pick(scope.scalars)} {{in_bounds = [true]}} "
            f": {FULL}, vector<8xf32>",
        )
        scalar = self._assign(
            indent, f"vector.extract {vector}[0] : f32 from vector<8xf32>"
        )
        scope.scalars.append(scalar)

    def _transfer_write(self, scope: Scope, depth: int, indent: str) -> None:
        size = self._random.choice((4, 8))
        vector = self._assign(
            indent,
            f"vector.broadcast {self._pick(scope.scalars)} : f32 to vector<{size}xf32>",
        )
        self._define(
            scope,
            FULL,
            indent,
            f"vector.transfer_write {vector}, {self._pick(scope.tensors[FULL])}[%c0] "
            f"{{in_bounds = [true]}} : vector<{size}xf32>, {FULL}",
        )

    def _unknown(self, scope: Scope, depth: int, indent: str) -> None:
        t = self._random.choice((FULL, HALF))
        source = self._pick(scope.tensors[t])
        self._define(scope, t, indent, f'"test.unknown"({source}) : ({t}) -> {t}')

    def _assign(self, indent: str, text: str) -> str:
        name = self._name()
        self._emit(f"{indent}{name} = {text}")
        return name


def random_rich_program(seed: int, shape: RichShape | None = None) -> str:
    """A random program, the same for the same seed and shape."""
    return RichProgram(seed, shape or RichShape()).write()
