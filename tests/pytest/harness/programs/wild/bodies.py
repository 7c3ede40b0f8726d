"""What computes an element of others: conversions, arithmetic, choices and branches.

Numbers stay small, and no float is divided: results hardly hinge on rounding.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from .values import BITS, FLOATS, Code, Tensor


@dataclass
class Body:
    """Writes the lines of a body; `known` are numbers and their types."""

    code: Code
    known: list[tuple[str, str]]

    def expression(self, element: str, depth: int = 0) -> str:
        """The name of a number of this type."""
        code = self.code
        if depth > 2 or code.chance(0.35) or not self.known:
            if self.known and code.chance(0.85):
                name, before = code.random.choice(self.known)
                return self.convert(name, before, element)
            return code.constant(element)
        first = self.expression(element, depth + 1)
        way = code.random.random()
        if way < 0.2:
            return self._unary(first, element)
        second = self.expression(element, depth + 1)
        if way < 0.65:
            return self._call(self._binary(element), first, second, element)
        return self._choice(first, second, element, depth)

    def combine(self, value: str, output: str, element: str) -> str:
        """A number and what the output is so far; the order does not matter."""
        if element in FLOATS:
            ops = ("arith.addf", "arith.addf", "arith.maximumf", "arith.minimumf")
        elif element == "i1":
            ops = ("arith.andi", "arith.ori", "arith.xori")
        else:
            ops = ("arith.addi", "arith.maxsi", "arith.minsi", "arith.xori")
        pair = (value, output) if self.code.chance(0.5) else (output, value)
        return self._call(self.code.random.choice(ops), *pair, element)

    def extract(self, value: Tensor, indices: Sequence[str]) -> None:
        """An element of a tensor that the op does not name, where the loops say."""
        code, places = self.code, list[str]()
        for size in value.shape:
            count = code.constant("index", str(size))
            if indices:
                index = code.random.choice(indices)
                places.append(self._call("arith.remui", index, count, "index"))
            else:
                places.append("%i0")
        name = code.new("t")
        code.emit(
            f"{name} = tensor.extract {value.name}[{', '.join(places)}] : {value.type}"
        )
        self.known.append((name, value.element))

    def convert(self, name: str, before: str, after: str) -> str:
        """A number as one of another type."""
        if before == after:
            return name
        if before == "index":
            number = self._cast("arith.index_cast", name, "index", "i32")
            return self.convert(number, "i32", after)
        if after == "index":
            number = self.convert(name, before, "i32")
            return self._cast("arith.index_cast", number, "i32", "index")
        if before in FLOATS and after in FLOATS:
            op = "arith.extf" if before == "f32" else "arith.truncf"
            return self._cast(op, name, before, after)
        if before in FLOATS:
            bounded = self._bounded(name, before)
            number = self._cast("arith.fptosi", bounded, before, "i32")
            return self.convert(number, "i32", after)
        if after in FLOATS:
            op = "arith.uitofp" if before == "i1" else "arith.sitofp"
            return self._cast(op, name, before, after)
        if BITS[before] < BITS[after]:
            op = "arith.extui" if before == "i1" else "arith.extsi"
            return self._cast(op, name, before, after)
        return self._cast("arith.trunci", name, before, after)

    def _bounded(self, name: str, element: str) -> str:
        """No other integer is that of a float that is too large, or of NaN."""
        high = self.code.constant(element, "100.0")
        low = self.code.constant(element, "-100.0")
        below = self._call("arith.minnumf", name, high, element)
        return self._call("arith.maxnumf", below, low, element)

    def _cast(self, op: str, name: str, before: str, after: str) -> str:
        result = self.code.new("w")
        self.code.emit(f"{result} = {op} {name} : {before} to {after}")
        return result

    def _call(self, op: str, first: str, second: str, element: str) -> str:
        result = self.code.new("y")
        self.code.emit(f"{result} = {op} {first}, {second} : {element}")
        return result

    def _unary(self, value: str, element: str) -> str:
        code = self.code
        if element not in FLOATS:
            op = "arith.xori" if element == "i1" else "arith.muli"
            return self._call(op, value, code.constant(element), element)
        result = code.new("y")
        op = code.random.choice(("math.absf", "arith.negf", "math.tanh"))
        code.emit(f"{result} = {op} {value} : {element}")
        return result

    def _binary(self, element: str) -> str:
        if element in FLOATS:
            ops = ("arith.addf", "arith.subf", "arith.maximumf", "arith.minimumf")
        elif element == "i1":
            ops = ("arith.andi", "arith.ori", "arith.xori")
        else:
            ops = (
                "arith.addi",
                "arith.subi",
                "arith.maxsi",
                "arith.minui",
                "arith.andi",
            )
        return self.code.random.choice(ops)

    def _choice(self, first: str, second: str, element: str, depth: int) -> str:
        code = self.code
        condition, result = code.new("p"), code.new("y")
        if element in FLOATS:
            kind, words = "cmpf", ("olt", "ogt", "ole", "une")
        else:
            kind, words = "cmpi", ("slt", "ult", "eq", "ne", "sge")
        word = code.random.choice(words)
        code.emit(f"{condition} = arith.{kind} {word}, {first}, {second} : {element}")
        if code.chance(0.7):
            other = self.expression(element, depth + 1)
            code.emit(
                f"{result} = arith.select {condition}, {other}, {second} : {element}"
            )
            return result
        code.emit(f"{result} = scf.if {condition} -> ({element}) {{")
        for end in ("} else {", "}"):
            code.indent += 1
            value = self.expression(element, depth + 1)
            code.emit(f"scf.yield {value} : {element}")
            code.indent -= 1
            code.emit(end)
        return result
