"""Random programs on numbers, for comparing lowerings with each other.

Each is a function that takes its inputs as 64-bit words, applies a few ops of arith and
math, and returns the bits of one number. Among the inputs are NaN, infinities,
denormals and the smallest integer. Operations without a defined result are not
generated:

- Divisors are positive, and shift amounts small.
- Floats are brought into range before they become integers.
- NaNs become one NaN, and zeros positive where an op may return either.
"""

import random
from collections.abc import Callable, Sequence
from struct import pack, unpack

INTEGERS = ("i1", "i8", "i16", "i32", "i64", "index")
FLOATS = ("f16", "bf16", "f32", "f64")
WIDTHS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "index": 64} | {
    "f16": 16,
    "bf16": 16,
    "f32": 32,
    "f64": 64,
}

_SPECIAL_INTEGERS = (0, 1, -1, 2, 7, -(2**63), 2**63 - 1, 0x80, -128, 0x7FFF, 2**31)
_SPECIAL_FLOATS = {
    "f16": (0x0000, 0x8000, 0x7C00, 0xFC00, 0x7E00, 0x0001, 0x7BFF, 0x3C00, 0xBE00),
    "bf16": (0x0000, 0x8000, 0x7F80, 0xFF80, 0x7FC0, 0x0001, 0x7F7F, 0x3F80, 0xBFC0),
    "f32": (0, 1 << 31, 0x7F800000, 0xFF800000, 0x7FC00000, 1, 0x7F7FFFFF, 0x3F800000),
    "f64": (0, 1 << 63, 0x7FF << 52, 0xFFF << 52, 0x7FF8 << 48, 1, (0x7FF << 52) - 1),
}
_QUIET_NAN = {"f16": 0x7E00, "bf16": 0x7FC0, "f32": 0x7FC00000, "f64": 0x7FF8 << 48}

_INTEGER_OPS = (
    "addi",
    "subi",
    "muli",
    "andi",
    "ori",
    "xori",
    "maxsi",
    "maxui",
    "minsi",
    "minui",
)
_DIVISIONS = (
    "divsi",
    "divui",
    "remsi",
    "remui",
    "ceildivsi",
    "ceildivui",
    "floordivsi",
)
_SHIFTS = ("shli", "shrsi", "shrui")
_COMPARISONS = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
_FLOAT_OPS = ("addf", "subf", "mulf", "divf", "remf", "maximumf", "minimumf")
_FLOAT_COMPARISONS = (
    *tuple(
        order + relation
        for order in "ou"
        for relation in ("eq", "gt", "ge", "lt", "le")
    ),
    "one",
    "une",
    "ord",
    "uno",
    "true",
    "false",
)
_ROUNDINGS = ("absf", "ceil", "floor", "round", "roundeven", "trunc", "sqrt")
# Not expm1 and log1p, which MLIR 22 computes as exp(x) - 1 and log(1 + x).
_FUNCTIONS = (
    "exp",
    "exp2",
    "log",
    "log2",
    "log10",
    "sin",
    "cos",
    "tan",
    "tanh",
    "sinh",
    "cosh",
    "asin",
    "acos",
    "atan",
    "cbrt",
    "erf",
)
_BIT_OPS = ("ctlz", "cttz", "ctpop", "absi")
_CLASSES = ("isnan", "isfinite")  # MLIR 22 lowers no others of its kind


class Program:
    """One random function, while it is being written."""

    def __init__(self, rng: random.Random, name: str):
        self.rng = rng
        self.name = name
        self.lines: list[str] = []
        self.values: dict[str, list[str]] = {}
        self.inputs: list[int] = []

    def write(self) -> str:
        """Write the function, and return its text."""
        for type in self.rng.sample((*INTEGERS, *FLOATS), 3):
            self._input(type)
            self._input(type)
        for _ in range(self.rng.randint(3, 7)):
            self.rng.choice(_STEPS)(self)
        type = self.rng.choice(list(self.values))
        bits = self._bits(self.values[type][-1], type)
        parameters = ", ".join(f"%in{n}: i64" for n in range(len(self.inputs)))
        body = "\n".join(f"  {line}" for line in self.lines)
        return (
            f"func.func private @{self.name}({parameters}) -> i64 {{\n{body}\n"
            f"  func.return {bits} : i64\n}}\n"
        )

    # Values.

    def _emit(self, op: str, type: str) -> str:
        """Write an op, and remember its result as a value of `type`."""
        name = self._temporary(op)
        self.values.setdefault(type, []).append(name)
        return name

    def _temporary(self, op: str) -> str:
        name = f"%v{len(self.lines)}"
        self.lines.append(f"{name} = {op}")
        return name

    def _constant(self, value: int | float, type: str) -> str:
        return self._temporary(f"arith.constant {value} : {type}")

    def _pick(self, types: Sequence[str]) -> tuple[str, str]:
        """Return a value of one of `types`, and its type."""
        known = [type for type in types if type in self.values]
        if not known or self.rng.random() < 0.2:
            type = self.rng.choice(types)
            self._input(type)
        else:
            type = self.rng.choice(known)
        return self.rng.choice(self.values[type]), type

    def _like(self, type: str) -> str:
        return self.rng.choice(self.values[type])

    def _input(self, type: str) -> None:
        """Take another word of the inputs as a value of `type`."""
        word = f"%in{len(self.inputs)}"
        width = WIDTHS[type]
        if type in FLOATS:
            self.inputs.append(self._float_bits(type))
            bits = word
            if width < 64:
                bits = self._temporary(f"arith.trunci {word} : i64 to i{width}")
            self._emit(f"arith.bitcast {bits} : i{width} to {type}", type)
        else:
            self.inputs.append(self._integer())
            if type == "index":
                self._emit(f"arith.index_cast {word} : i64 to index", type)
            elif width < 64:
                self._emit(f"arith.trunci {word} : i64 to {type}", type)
            else:
                self.values.setdefault(type, []).append(word)

    def _integer(self) -> int:
        if self.rng.random() < 0.5:
            return self.rng.choice(_SPECIAL_INTEGERS)
        return self.rng.getrandbits(64) - 2**63

    def _float_bits(self, type: str) -> int:
        """Return the bits of a number, of which most are of moderate size."""
        chance = self.rng.random()
        if chance < 0.4:
            return _signed(self.rng.choice(_SPECIAL_FLOATS[type]))
        if chance < 0.6:
            bits = self.rng.getrandbits(WIDTHS[type])
            return _signed(_QUIET_NAN[type] if _is_nan(bits, type) else bits)
        return _signed(_bits_of(self.rng.uniform(-8, 8), type))

    def _bits(self, value: str, type: str) -> str:
        """Return the bits of the result, those of NaN being the same for all NaNs."""
        width = WIDTHS[type]
        if type == "index":
            return self._temporary(f"arith.index_cast {value} : index to i64")
        if type in FLOATS:
            is_nan = self._temporary(f"arith.cmpf uno, {value}, {value} : {type}")
            bits = self._temporary(f"arith.bitcast {value} : {type} to i{width}")
            nan = self._constant(_QUIET_NAN[type], f"i{width}")
            value = self._temporary(f"arith.select {is_nan}, {nan}, {bits} : i{width}")
        if width == 64:
            return value
        return self._temporary(f"arith.extui {value} : i{width} to i64")

    # Steps: each adds one op, with what makes its result defined.

    def integer_op(self) -> None:
        """Apply an op that is defined for all integers."""
        value, type = self._pick(INTEGERS)
        op = self.rng.choice(_INTEGER_OPS)
        self._emit(f"arith.{op} {value}, {self._like(type)} : {type}", type)

    def division(self) -> None:
        """Divide by a positive number."""
        value, type = self._pick(INTEGERS[1:])
        positive = self._constant(2 ** (WIDTHS[type] - 1) - 1, type)
        one = self._constant(1, type)
        other = self._like(type)
        masked = self._temporary(f"arith.andi {other}, {positive} : {type}")
        divisor = self._temporary(f"arith.ori {masked}, {one} : {type}")
        op = self.rng.choice(_DIVISIONS)
        self._emit(f"arith.{op} {value}, {divisor} : {type}", type)

    def shift(self) -> None:
        """Shift by less than the width."""
        value, type = self._pick(INTEGERS[1:])
        mask = self._constant(WIDTHS[type] - 1, type)
        by = self._temporary(f"arith.andi {self._like(type)}, {mask} : {type}")
        op = self.rng.choice(_SHIFTS)
        self._emit(f"arith.{op} {value}, {by} : {type}", type)

    def comparison(self) -> None:
        """Compare two integers."""
        value, type = self._pick(INTEGERS)
        predicate = self.rng.choice(_COMPARISONS)
        self._emit(
            f"arith.cmpi {predicate}, {value}, {self._like(type)} : {type}", "i1"
        )

    def resize(self) -> None:
        """Convert between integers."""
        value, source = self._pick(INTEGERS)
        target = self.rng.choice([t for t in INTEGERS if t != source])
        if "index" in (source, target):
            op = self.rng.choice(("index_cast", "index_castui"))
        elif WIDTHS[source] < WIDTHS[target]:
            op = self.rng.choice(("extsi", "extui"))
        else:
            op = "trunci"
        self._emit(f"arith.{op} {value} : {source} to {target}", target)

    def extended(self) -> None:
        """Multiply to twice the width, or add with a carry."""
        value, type = self._pick(INTEGERS[1:5])
        op, second = self.rng.choice(
            (
                ("addui_extended", "i1"),
                ("mului_extended", type),
                ("mulsi_extended", type),
            )
        )
        name = f"%v{len(self.lines)}"
        suffix = ", i1" if second == "i1" else ""
        self.lines.append(
            f"{name}:2 = arith.{op} {value}, {self._like(type)} : {type}{suffix}"
        )
        self.values[type].append(f"{name}#0")
        self.values.setdefault(second, []).append(f"{name}#1")

    def bit_op(self) -> None:
        """Count bits, or take the magnitude."""
        value, type = self._pick(INTEGERS[1:5])
        self._emit(f"math.{self.rng.choice(_BIT_OPS)} {value} : {type}", type)

    def power(self) -> None:
        """Raise an integer to a small power."""
        value, type = self._pick(INTEGERS[1:5])
        mask = self._constant(7, type)
        by = self._temporary(f"arith.andi {self._like(type)}, {mask} : {type}")
        self._emit(f"math.ipowi {value}, {by} : {type}", type)

    def select(self) -> None:
        """Choose between two values."""
        condition, _ = self._pick(("i1",))
        value, type = self._pick((*INTEGERS, *FLOATS))
        other = self._like(type)
        self._emit(f"arith.select {condition}, {value}, {other} : {type}", type)

    def float_op(self) -> None:
        """Apply an op that is defined for all floats."""
        value, type = self._pick(FLOATS)
        # LLVM 22 takes either zero for the smaller of two of type bf16.
        op = self.rng.choice(_FLOAT_OPS[:-2] if type == "bf16" else _FLOAT_OPS)
        self._emit(f"arith.{op} {value}, {self._like(type)} : {type}", type)

    def number_op(self) -> None:
        """Take the larger or smaller number; of two zeros, either."""
        value, type = self._pick(FLOATS)
        op = self.rng.choice(("maxnumf", "minnumf"))
        either = self._temporary(f"arith.{op} {value}, {self._like(type)} : {type}")
        zero = self._constant(0.0, type)
        self._emit(f"arith.addf {either}, {zero} : {type}", type)

    def float_comparison(self) -> None:
        """Compare two floats, or ask for the class of one."""
        value, type = self._pick(FLOATS)
        if type in ("f32", "f64") and self.rng.random() < 0.4:
            self._emit(f"math.{self.rng.choice(_CLASSES)} {value} : {type}", "i1")
            return
        predicate = self.rng.choice(_FLOAT_COMPARISONS)
        self._emit(
            f"arith.cmpf {predicate}, {value}, {self._like(type)} : {type}", "i1"
        )

    def rounding(self) -> None:
        """Apply a function whose result is exact or rounded once."""
        value, type = self._pick(FLOATS)
        choice = self.rng.random()
        if choice < 0.15:
            self._emit(f"arith.negf {value} : {type}", type)
        elif choice < 0.3:
            self._emit(f"math.copysign {value}, {self._like(type)} : {type}", type)
        elif choice < 0.45:
            others = f"{self._like(type)}, {self._like(type)}"
            self._emit(f"math.fma {value}, {others} : {type}", type)
        else:
            self._emit(f"math.{self.rng.choice(_ROUNDINGS)} {value} : {type}", type)

    def function(self) -> None:
        """Apply a function of the C library."""
        value, type = self._pick(FLOATS)
        if self.rng.random() < 0.2:
            op = self.rng.choice(("atan2", "powf"))
            self._emit(f"math.{op} {value}, {self._like(type)} : {type}", type)
        else:
            self._emit(f"math.{self.rng.choice(_FUNCTIONS)} {value} : {type}", type)

    def to_integer(self) -> None:
        """Convert a float that is in the range of all integers."""
        value, source = self._pick(FLOATS)
        target = self.rng.choice(INTEGERS[1:5])
        op = self.rng.choice(("fptosi", "fptoui"))
        low = self._constant(-100.0 if op == "fptosi" else 0.0, source)
        high = self._constant(100.0, source)
        raised = self._temporary(f"arith.maxnumf {value}, {low} : {source}")
        inside = self._temporary(f"arith.minnumf {raised}, {high} : {source}")
        self._emit(f"arith.{op} {inside} : {source} to {target}", target)

    def to_float(self) -> None:
        """Convert an integer; few bits fit a small float, which is rounded to once."""
        target = self.rng.choice(FLOATS)
        few = target in ("f16", "bf16")
        value, source = self._pick(INTEGERS[:3] if few else INTEGERS[:5])
        op = self.rng.choice(("sitofp", "uitofp"))
        self._emit(f"arith.{op} {value} : {source} to {target}", target)

    def float_resize(self) -> None:
        """Convert between floats, or between bits and floats."""
        value, source = self._pick(FLOATS)
        targets = [type for type in FLOATS if WIDTHS[type] != WIDTHS[source]]
        if self.rng.random() < 0.2 or not targets:
            bits = f"i{WIDTHS[source]}"
            nan = self._temporary(f"arith.cmpf uno, {value}, {value} : {source}")
            zero = self._constant(0.0, source)
            number = self._temporary(f"arith.select {nan}, {zero}, {value} : {source}")
            self._emit(f"arith.bitcast {number} : {source} to {bits}", bits)
            return
        target = self.rng.choice(targets)
        op = "extf" if WIDTHS[source] < WIDTHS[target] else "truncf"
        self._emit(f"arith.{op} {value} : {source} to {target}", target)


_STEPS: tuple[Callable[[Program], None], ...] = (
    Program.integer_op,
    Program.integer_op,
    Program.division,
    Program.shift,
    Program.comparison,
    Program.resize,
    Program.extended,
    Program.bit_op,
    Program.power,
    Program.select,
    Program.float_op,
    Program.float_op,
    Program.number_op,
    Program.float_comparison,
    Program.rounding,
    Program.function,
    Program.to_integer,
    Program.to_float,
    Program.float_resize,
)


def _is_nan(bits: int, type: str) -> bool:
    infinity = _SPECIAL_FLOATS[type][2]
    return bits & ~(1 << (WIDTHS[type] - 1)) > infinity


def _bits_of(value: float, type: str) -> int:
    """Return the bits of `value`, or of a number near it."""
    if type == "bf16":
        return _bits_of(value, "f32") >> 16
    code, bits = {"f16": ("<e", "<H"), "f32": ("<f", "<I"), "f64": ("<d", "<Q")}[type]
    return unpack(bits, pack(code, value))[0]


def _signed(bits: int) -> int:
    return bits - (1 << 64) if bits >> 63 else bits


def random_module(seed: int, count: int) -> str:
    """Return `count` random functions, and `@all`, which stores their results."""
    rng = random.Random(seed)
    programs = [Program(rng, f"p{number}") for number in range(count)]
    functions = [program.write() for program in programs]
    inputs = [word for program in programs for word in program.inputs]
    lines: list[str] = []
    at = 0
    for number, program in enumerate(programs):
        names: list[str] = []
        for _ in program.inputs:
            lines.append(f"%i{at} = arith.constant {at} : index")
            lines.append(
                f"%w{at} = memref.load %in[%i{at}] : memref<{len(inputs)}xi64>"
            )
            names.append(f"%w{at}")
            at += 1
        types = ", ".join(["i64"] * len(names))
        lines += [
            f"%r{number} = func.call @{program.name}({', '.join(names)})"
            f" : ({types}) -> i64",
            f"%o{number} = arith.constant {number} : index",
            f"memref.store %r{number}, %out[%o{number}] : memref<{count}xi64>",
        ]
    body = "\n".join(f"  {line}" for line in lines)
    values = ", ".join(map(str, inputs))
    return (
        "".join(functions)
        + f"memref.global @inputs : memref<{len(inputs)}xi64> = dense<[{values}]>\n"
        + f"func.func @all(%out: memref<{count}xi64>) {{\n"
        + f"  %in = memref.get_global @inputs : memref<{len(inputs)}xi64>\n"
        + f"{body}\n  func.return\n}}\n"
    )
