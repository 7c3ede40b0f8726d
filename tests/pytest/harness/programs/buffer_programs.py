"""Random programs that pass buffers around, without freeing any.

    generate(seed)   // the text of a module with a function @main

All buffers hold f32 and are used at their first element. `M` is `memref<8xf32>`, `T` a
memref with a fully dynamic layout that views of different shapes can be cast to.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass

M = "memref<8xf32>"
T = "memref<?xf32, strided<[?], offset: ?>>"
ARGUMENTS = 2

HEADER = """
func.func private @choose() -> i1
func.func private @count() -> index
func.func private @observe(f32)
func.func private @make() -> memref<8xf32>
func.func private @keep(tensor<?xf32>)
memref.global "private" @table : memref<8xf32> = dense<7.0>
"""

NATIVE_HEADER = """
memref.global "private" @state : memref<1xi32> = dense<1>
memref.global "private" @sum : memref<1xf32> = dense<0.0>
memref.global "private" @table : memref<8xf32> = dense<7.0>
func.func @start(%seed: i32) {
  %zero = arith.constant 0 : index
  %none = arith.constant 0.0 : f32
  %state = memref.get_global @state : memref<1xi32>
  %sum = memref.get_global @sum : memref<1xf32>
  memref.store %seed, %state[%zero] : memref<1xi32>
  memref.store %none, %sum[%zero] : memref<1xf32>
  %three = arith.constant 3 : index
  %seven = arith.constant 7.0 : f32
  %table = memref.get_global @table : memref<8xf32>
  memref.store %seven, %table[%zero] : memref<8xf32>
  memref.store %seven, %table[%three] : memref<8xf32>
  return
}
func.func @checksum() -> f32 {
  %zero = arith.constant 0 : index
  %sum = memref.get_global @sum : memref<1xf32>
  %value = memref.load %sum[%zero] : memref<1xf32>
  return %value : f32
}
func.func private @next() -> i32 {
  %zero = arith.constant 0 : index
  %factor = arith.constant 1103515245 : i32
  %more = arith.constant 12345 : i32
  %shift = arith.constant 16 : i32
  %state = memref.get_global @state : memref<1xi32>
  %old = memref.load %state[%zero] : memref<1xi32>
  %product = arith.muli %old, %factor : i32
  %new = arith.addi %product, %more : i32
  memref.store %new, %state[%zero] : memref<1xi32>
  %random = arith.shrui %new, %shift : i32
  return %random : i32
}
func.func private @choose() -> i1 {
  %number = func.call @next() : () -> i32
  %bit = arith.trunci %number : i32 to i1
  return %bit : i1
}
func.func private @count() -> index {
  %number = func.call @next() : () -> i32
  %three = arith.constant 3 : i32
  %bits = arith.andi %number, %three : i32
  %count = arith.index_cast %bits : i32 to index
  return %count : index
}
func.func private @observe(%value: f32) {
  %zero = arith.constant 0 : index
  %factor = arith.constant 0.75 : f32
  %sum = memref.get_global @sum : memref<1xf32>
  %old = memref.load %sum[%zero] : memref<1xf32>
  %product = arith.mulf %old, %factor : f32
  %new = arith.addf %product, %value : f32
  memref.store %new, %sum[%zero] : memref<1xf32>
  return
}
func.func private @make() -> memref<8xf32> {
  %new = memref.alloc() : memref<8xf32>
  return %new : memref<8xf32>
}
"""


@dataclass
class Value:
    """A value that can be named where it is visible."""

    name: str
    type: str


@dataclass(frozen=True)
class Style:
    """What programs contain."""

    tensors: bool = False
    """Whether buffers become tensors."""

    only_m: bool = False
    """Whether all buffers have one static type, and there are no views."""

    stack: bool = True
    """Whether buffers may be on the stack, and be returned although they disappear."""

    globals: bool = True
    """Whether buffers may be globals."""

    one_result: bool = False
    """Whether functions return one buffer at most."""

    reallocs: bool = False
    """Whether buffers of their own are reallocated, once or in each iteration."""

    late_writes: bool = True
    """Whether buffers are written to after others may have become views of them."""

    max_depth: int = 3
    size: int = 7


class Generator:
    """Writes one program."""

    def __init__(self, seed: int, style: Style):
        self.random = random.Random(seed)
        self.style = style
        self.lines: list[str] = []
        self.counter = 0
        self.is_main = False
        self.has_callees = False
        self.callees: list[tuple[str, list[str], list[str]]] = []

    def module(self) -> str:
        """The whole program."""
        self.lines = [HEADER]
        callees = self.random.randrange(3)
        self.has_callees = callees > 0
        for number in range(callees):
            arguments = self._types(self.random.choice((1, 2)))
            results = self._types(self._result_count((0, 1, 2)))
            visibility = self.random.choice(("private ", ""))
            self._function(f"f{number}", visibility, arguments, results)
            self.callees.append((f"f{number}", arguments, results))
        results = self._types(self._result_count((0, 1, 1, 2, 3)))
        self.is_main = True
        self._function("main", "", [M] * ARGUMENTS, results)
        return "\n".join(self.lines)

    def _result_count(self, counts: tuple[int, ...]) -> int:
        count = self.random.choice(counts)
        return min(count, 1) if self.style.one_result else count

    def _types(self, count: int) -> list[str]:
        return [self._type() for _ in range(count)]

    def _type(self) -> str:
        return M if self.style.only_m else self.random.choice((M, T))

    def _function(
        self, name: str, visibility: str, arguments: list[str], results: list[str]
    ) -> None:
        values = [Value(self._new(), type_) for type_ in arguments]
        signature = ", ".join(f"{v.name}: {v.type}" for v in values)
        returned = f" -> ({', '.join(results)})" if results else ""
        self.lines.append(f"func.func {visibility}@{name}({signature}){returned} {{")
        scope = list(values)
        for number in (0, 1, 3, 4):
            self.lines.append(f"%c{number} = arith.constant {number} : index")
        self._block(scope, 0)
        chosen = [self._pick(scope, type_) for type_ in results]
        self._terminator("func.return", chosen)
        self.lines.append("}")

    def _terminator(self, name: str, values: list[Value]) -> None:
        operands = ", ".join(value.name for value in values)
        types = ", ".join(value.type for value in values)
        self.lines.append(f"{name} {operands}" + (f" : {types}" if values else ""))

    def _new(self) -> str:
        self.counter += 1
        return f"%v{self.counter}"

    # --- values ----------------------------------------------------------------------

    def _pick(self, scope: list[Value], type_: str) -> Value:
        """A value of a type: an old one, more often a recent one, or a new one."""
        candidates = [value for value in scope if value.type == type_]
        if candidates and self.random.random() < 0.9:
            if self.random.random() < 0.6:
                candidates = candidates[-3:]
            return self.random.choice(candidates)
        if type_ == T and (sources := [value for value in scope if value.type == M]):
            return self._view(scope, self.random.choice(sources))
        return self._alloc(scope, type_)

    def _define(self, scope: list[Value], text: str, type_: str) -> Value:
        value = Value(self._new(), type_)
        self.lines.append(f"{value.name} = {text}")
        scope.append(value)
        return value

    def _alloc(self, scope: list[Value], type_: str) -> Value:
        kind = self.random.random()
        if kind < 0.75:
            value = self._define(scope, f"memref.alloc() : {M}", M)
        elif kind < 0.85 or not (self.style.globals or self.style.stack):
            value = self._define(scope, f"func.call @make() : () -> {M}", M)
        elif self.style.globals and (kind < 0.93 or not self.style.stack):
            value = self._define(scope, f"memref.get_global @table : {M}", M)
        else:
            value = self._define(scope, f"memref.alloca() : {M}", M)
        if "global" not in self.lines[-1] or not self.has_callees:
            self._store(value, "%c0")
            self._store(value, "%c3")
        return value if type_ == M else self._view(scope, value)

    def _store(self, value: Value, index: str) -> None:
        self.counter += 1
        number = f"%n{self.counter}"
        self.lines.append(f"{number} = arith.constant {self.counter}.0 : f32")
        self.lines.append(
            f"memref.store {number}, {value.name}[{index}] : {value.type}"
        )

    def _view(self, scope: list[Value], source: Value) -> Value:
        if source.type == M and self.random.random() < 0.5:
            return self._define(scope, f"memref.cast {source.name} : {M} to {T}", T)
        offset = self.random.choice(("%c0", "%c3")) if source.type == M else "%c0"
        strided = "memref<?xf32, strided<[?], offset: ?>>"
        return self._define(
            scope,
            f"memref.subview {source.name}[{offset}] [%c1] [%c1] "
            f": {source.type} to {strided}",
            T,
        )

    # --- ops -------------------------------------------------------------------------

    def _block(self, scope: list[Value], depth: int) -> None:
        for _ in range(self.random.randrange(1, self.style.size)):
            self._op(scope, depth)

    def _op(self, scope: list[Value], depth: int) -> None:
        self.random.choice(self._makers(depth))(scope, depth)

    def _makers(self, depth: int) -> list["Maker"]:
        """What may be written next, as often as it is likely."""
        makers: list[Maker] = [self._make_alloc] * 3 + [self._make_use] * 3
        makers += [self._make_select] * 2 + [self._make_call]
        if not self.style.only_m:
            makers += [self._make_view] * 2
        if self.style.reallocs:
            makers += [self._make_realloc]
        # Callees must not turn an argument, which the caller frees, into a tensor.
        if self.style.tensors and self.is_main:
            makers += [self._make_tensor]
        if depth < self.style.max_depth:
            makers += [self._make_if, self._make_for] * 2
            makers += [self._make_while, self._make_assuming]
        return makers

    def _make_alloc(self, scope: list[Value], depth: int) -> None:
        self._alloc(scope, self._type())

    def _make_view(self, scope: list[Value], depth: int) -> None:
        self._view(scope, self._pick(scope, self._type()))

    def _make_use(self, scope: list[Value], depth: int) -> None:
        value = self._pick(scope, self._type())
        # A callee returns a clone of its argument: writing to it would differ.
        may_write = self.style.late_writes and not self.has_callees
        if may_write and self.random.random() < 0.5:
            self._store(value, "%c0")
        else:
            self.counter += 1
            loaded = f"%l{self.counter}"
            self.lines.append(
                f"{loaded} = memref.load {value.name}[%c0] : {value.type}"
            )
            self.lines.append(f"func.call @observe({loaded}) : (f32) -> ()")

    def _choose(self) -> str:
        self.counter += 1
        self.lines.append(f"%b{self.counter} = func.call @choose() : () -> i1")
        return f"%b{self.counter}"

    def _make_select(self, scope: list[Value], depth: int) -> None:
        type_ = self._type()
        first, second = self._pick(scope, type_), self._pick(scope, type_)
        condition = self._choose()
        self._define(
            scope,
            f"arith.select {condition}, {first.name}, {second.name} : {type_}",
            type_,
        )

    def _make_tensor(self, scope: list[Value], depth: int) -> None:
        value = self._pick(scope, T)
        self.counter += 1
        tensor = f"%t{self.counter}"
        self.lines.append(
            f"{tensor} = bufferization.to_tensor {value.name} : {T} to tensor<?xf32>"
        )
        self.lines.append(f"func.call @keep({tensor}) : (tensor<?xf32>) -> ()")

    def _make_realloc(self, scope: list[Value], depth: int) -> None:
        """A buffer that nobody else knows grows or shrinks, and is then passed on."""
        vector = "memref<?xf32>"
        self.counter += 1
        sizes = [f"%s{self.counter}_{number}" for number in range(2)]
        for size in sizes:
            self.lines.append(f"%k{size[1:]} = func.call @count() : () -> index")
            # Elements 0 and 3 are used.
            self.lines.append(f"{size} = arith.addi %k{size[1:]}, %c4 : index")
        old, new = Value(self._new(), vector), Value(self._new(), vector)
        self.lines.append(f"{old.name} = memref.alloc({sizes[0]}) : {vector}")
        self._store(old, "%c0")
        self._store(old, "%c3")
        if self.random.random() < 0.5:
            self.lines.append(_realloc(new, old, sizes[1]))
        else:
            inner, grown = Value(self._new(), vector), Value(self._new(), vector)
            self.lines += [
                f"{new.name} = scf.for {self._new()} = %c0 to {sizes[1]} step %c3 "
                f"iter_args({inner.name} = {old.name}) -> ({vector}) {{",
                _realloc(grown, inner, sizes[1]),
                f"scf.yield {grown.name} : {vector}",
                "}",
            ]
        self._define(scope, f"memref.cast {new.name} : {vector} to {T}", T)

    def _make_call(self, scope: list[Value], depth: int) -> None:
        if not self.callees:
            return
        name, arguments, results = self.random.choice(self.callees)
        values = [self._pick(scope, type_) for type_ in arguments]
        targets = [Value(self._new(), type_) for type_ in results]
        left = ", ".join(target.name for target in targets)
        self.lines.append(
            (f"{left} = " if left else "")
            + f"func.call @{name}({', '.join(value.name for value in values)}) : "
            f"({', '.join(arguments)}) -> ({', '.join(results)})"
        )
        scope.extend(targets)

    def _results(self, types: list[str]) -> tuple[list[Value], str, str]:
        targets = [Value(self._new(), type_) for type_ in types]
        left = ", ".join(target.name for target in targets)
        return (
            targets,
            f"{left} = " if left else "",
            f"-> ({', '.join(types)}) " if types else "",
        )

    def _make_if(self, scope: list[Value], depth: int) -> None:
        types = self._types(self.random.choice((0, 1, 1, 2)))
        condition = self._choose()
        targets, left, right = self._results(types)
        self.lines.append(f"{left}scf.if {condition} {right}{{")
        for number in range(2):
            self._region(scope, depth, types, "scf.yield")
            self.lines.append("} else {" if number == 0 else "}")
        scope.extend(targets)

    def _make_assuming(self, scope: list[Value], depth: int) -> None:
        types = self._types(self.random.choice((0, 1, 1, 2)))
        targets, left, right = self._results(types)
        witness = self._new()
        self.lines.append(f"{witness} = shape.const_witness true")
        self.lines.append(f"{left}shape.assuming {witness} {right}{{")
        self._region(scope, depth, types, "shape.assuming_yield")
        self.lines.append("}")
        scope.extend(targets)

    def _region(
        self, scope: list[Value], depth: int, types: list[str], terminator: str
    ) -> None:
        inner = list(scope)
        self._block(inner, depth + 1)
        self._terminator(terminator, [self._pick(inner, type_) for type_ in types])

    def _carried(self, scope: list[Value]) -> tuple[list[str], list[Value]]:
        types = self._types(self.random.choice((0, 1, 1, 2, 3)))
        return types, [self._pick(scope, type_) for type_ in types]

    def _make_for(self, scope: list[Value], depth: int) -> None:
        types, inits = self._carried(scope)
        self.counter += 1
        count = f"%k{self.counter}"
        self.lines.append(f"{count} = func.call @count() : () -> index")
        targets, left, right = self._results(types)
        arguments = [Value(self._new(), type_) for type_ in types]
        pairs = ", ".join(
            f"{argument.name} = {init.name}"
            for argument, init in zip(arguments, inits, strict=True)
        )
        carried = f" iter_args({pairs}) {right}" if types else " "
        self.lines.append(
            f"{left}scf.for {self._new()} = %c0 to {count} step %c1{carried}{{"
        )
        inner = [*scope, *arguments]
        self._block(inner, depth + 1)
        chosen = [self._pick(inner, type_) for type_ in types]
        self._terminator("scf.yield", chosen)
        self.lines.append("}")
        scope.extend(targets)

    def _make_while(self, scope: list[Value], depth: int) -> None:
        types, inits = self._carried(scope)
        passed = self._types(self.random.choice((0, 1, 2)))
        targets, left, _ = self._results(passed)
        arguments = [Value(self._new(), type_) for type_ in types]
        pairs = ", ".join(
            f"{argument.name} = {init.name}"
            for argument, init in zip(arguments, inits, strict=True)
        )
        self.lines.append(
            f"{left}scf.while ({pairs}) : ({', '.join(types)}) -> "
            f"({', '.join(passed)}) {{"
        )
        inner = [*scope, *arguments]
        self._block(inner, depth + 1)
        chosen = [self._pick(inner, type_) for type_ in passed]
        condition = self._choose()
        operands = ", ".join(value.name for value in chosen)
        tail = f" : {', '.join(passed)}" if passed else ""
        self.lines.append(f"scf.condition({condition}) {operands}{tail}")
        received = [Value(self._new(), type_) for type_ in passed]
        names = ", ".join(f"{value.name}: {value.type}" for value in received)
        self.lines.append("} do {")
        self.lines.append(f"^bb0({names}):" if received else "^bb0:")
        inner = [*scope, *received]
        self._block(inner, depth + 1)
        chosen = [self._pick(inner, type_) for type_ in types]
        self._terminator("scf.yield", chosen)
        self.lines.append("}")
        scope.extend(targets)


def _realloc(new: Value, old: Value, size: str) -> str:
    return f"{new.name} = memref.realloc {old.name}({size}) : {old.type} to {new.type}"


Maker = Callable[[list[Value], int], None]
"""Writes an op at a nesting depth, with the values of a scope."""


def generate(seed: int, style: Style) -> str:
    """The text of a random program."""
    return Generator(seed, style).module()


def generate_native(seed: int, style: Style) -> str:
    """The text of a random program that brings all that it calls.

    `@start` takes the seed of its decisions, `@checksum` tells what it has observed.
    """
    return native_text(generate(seed, style))


def native_text(program: str) -> str:
    """A program with the functions that it calls."""
    return program.replace(HEADER, NATIVE_HEADER)
