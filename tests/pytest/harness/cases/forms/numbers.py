"""Forms of the ops on numbers: arith, math, index and complex, with edge values."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

from harness.cases.forms.form import DTYPES, PRECISION, Form, function, tensor

INTEGERS = ("i1", "i8", "i16", "i32", "i64", "index")
NARROW = (2, 3, 4, 24, 40)
FLOATS = ("f16", "bf16", "f32", "f64")

BINARY = (
    *("addi", "subi", "muli", "andi", "ori", "xori"),
    *("maxsi", "minsi", "maxui", "minui"),
)
DIVISIONS = (
    *("divsi", "divui", "remsi", "remui"),
    *("ceildivsi", "ceildivui", "floordivsi"),
)
SHIFTS = ("shli", "shrsi", "shrui")
COMPARISONS = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
EXTENDED = ("addui_extended", "mulsi_extended", "mului_extended")

FLOAT_BINARY = ("addf", "subf", "mulf", "divf", "remf")
EXTREMES = ("maximumf", "minimumf", "maxnumf", "minnumf")
FLOAT_COMPARISONS = (
    *("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
    *("ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"),
)

INDEX_BINARY = ("add", "sub", "mul", "and", "or", "xor", "maxs", "maxu", "mins", "minu")
INDEX_DIVISIONS = ("divs", "divu", "rems", "remu", "ceildivs", "ceildivu", "floordivs")
INDEX_SHIFTS = ("shl", "shrs", "shru")

EXACT = ("absf", "ceil", "floor", "round", "roundeven", "trunc", "sqrt")
FUNCTIONS = (
    *("acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cos", "cosh"),
    *("erf", "erfc", "exp", "exp2", "expm1", "log", "log10", "log1p", "log2"),
    *("rsqrt", "sin", "sinh", "tan", "tanh"),
)
CLASSES = ("isnan", "isfinite", "isinf", "isnormal")
COUNTS = ("ctlz", "cttz", "ctpop", "absi")

COMPLEX_UNARY = (
    *("conj", "cos", "exp", "expm1", "log", "log1p", "neg", "rsqrt"),
    *("sign", "sin", "sqrt", "tan", "tanh"),
)
COMPLEX_REAL = ("abs", "angle", "im", "re")
COMPLEX_BINARY = ("add", "atan2", "div", "mul", "pow", "sub")


def edges(width: int) -> list[int]:
    """The integers of a width at which ops differ."""
    half = 1 << (width - 1)
    found = {0, 1, -1, 2, -2, 7, -7, half - 1, -half, half // 2}
    return sorted({(n + half) % (2 * half) - half for n in found})


def specials(element: str) -> list[float]:
    """Zeros, infinities, NaN, the smallest and largest numbers, halves and others."""
    smallest = {"f16": 6e-8, "bf16": 1e-40, "f32": 1e-40, "f64": 5e-324}[element]
    largest = {"f16": 65504.0, "bf16": 3.3895e38, "f32": 3.4028235e38}
    return [
        *(0.0, -0.0, np.inf, -np.inf, np.nan, smallest, -smallest),
        *(largest.get(element, 1.7976931348623157e308), 1.0, -1.0, 0.5, -0.5),
        *(1.5, 2.5, -2.5, 0.125, 3.0, -7.0, 0.75, 100.0),
    ]


def _array(values: Sequence[Any], element: str) -> Any:
    if element == "bf16":
        bits = np.array(values, np.float32).view(np.uint32) & 0xFFFF0000
        return bits.astype(np.uint32).view(np.float32)
    with np.errstate(all="ignore"):
        if element == "i1":
            return np.array(values).astype(np.int64) != 0
        return np.array(values).astype(DTYPES[element])


def _form(
    name: str,
    op: str,
    rows: Sequence[Sequence[Any]],
    elements: Sequence[str],
    results: Sequence[str],
    tolerance: float = 0.0,
) -> Form:
    """An op on tensors of all operands; TYPE0, ... in its text are their types."""
    shape = [len(rows)]
    for at, element in enumerate((*elements, *results)):
        op = op.replace(f"TYPE{at}", tensor(shape, element))
    names = ", ".join(f"%r{at}" for at in range(len(results)))
    arguments = [
        _array([row[at] for row in rows], element)
        for at, element in enumerate(elements)
    ]
    inputs = [tensor(shape, element) for element in elements]
    outputs = [tensor(shape, element) for element in results]
    text = function(f"  {names} = {op}", inputs, outputs)
    return Form(f"{name} {' '.join(elements)}", text, arguments, tolerance)


def _defined(op: str, pairs: Sequence[Any], width: int) -> list[Any]:
    if op in SHIFTS or op in INDEX_SHIFTS:
        return [(a, b) for a, b in pairs if 0 <= b < width]
    if "div" in op or "rem" in op:
        least = -(1 << (width - 1))
        return [(a, b) for a, b in pairs if b and (a, b) != (least, -1)]
    return list(pairs)


def _width(element: str) -> int:
    return 64 if element == "index" else int(element[1:])


def _integers() -> Iterator[Form]:
    for element in INTEGERS:
        width = _width(element)
        pairs = [*product(edges(width), repeat=2)]
        for op in (*BINARY, *DIVISIONS, *SHIFTS):
            rows = _defined(op, pairs, width)
            if rows and (width > 1 or op in BINARY):
                text = f"arith.{op} %0, %1 : TYPE0"
                yield _form(op, text, rows, [element] * 2, [element])
        for predicate in COMPARISONS:
            text = f"arith.cmpi {predicate}, %0, %1 : TYPE0"
            yield _form(f"cmpi {predicate}", text, pairs, [element] * 2, ["i1"])
        rows = [(a > b, a, b) for a, b in pairs]
        text = "arith.select %0, %1, %2 : TYPE0, TYPE1"
        yield _form("select", text, rows, ["i1", element, element], [element])
        if element not in ("index", "i1"):
            for op in COUNTS:
                singles = [
                    (a,)
                    for a in edges(width)
                    if op != "absi" or a != -(1 << (width - 1))
                ]
                yield _form(op, f"math.{op} %0 : TYPE0", singles, [element], [element])
            for op in EXTENDED:
                second = "i1" if op.startswith("add") else element
                types = "TYPE0, TYPE3" if second == "i1" else "TYPE0"
                text = f"arith.{op} %0, %1 : {types}"
                yield _form(op, text, pairs, [element] * 2, [element, second])
            rows = [(a, b) for a, b in pairs if b >= 0 or abs(a) == 1]
            text = "math.ipowi %0, %1 : TYPE0"
            yield _form("ipowi", text, rows, [element] * 2, [element])


def _narrow() -> Iterator[Form]:
    """Integers that NumPy has not: of words, and extended to words."""
    for width in NARROW:
        pairs = [*product(edges(width), repeat=2)]
        for op in (*BINARY, *DIVISIONS, *SHIFTS):
            rows = _defined(op, pairs, width)
            words, narrow = tensor([len(rows)], "i64"), tensor([len(rows)], f"i{width}")
            body = f"""
  %a = arith.trunci %0 : {words} to {narrow}
  %b = arith.trunci %1 : {words} to {narrow}
  %c = arith.{op} %a, %b : {narrow}
  %r0 = arith.extsi %c : {narrow} to {words}
  %r1 = arith.extui %c : {narrow} to {words}"""
            arguments = [np.array([row[at] for row in rows]) for at in range(2)]
            text = function(body, [words] * 2, [words] * 2)
            yield Form(f"{op} i{width}", text, arguments)


def _cast(op: str, source: str, target: str, values: Sequence[Any]) -> Form:
    text = f"arith.{op} %0 : TYPE0 to TYPE1"
    return _form(f"{op} to {target}", text, [(x,) for x in values], [source], [target])


def _casts() -> Iterator[Form]:
    kinds = ("i1", "i8", "i16", "i32", "i64")
    for source, target in product(kinds, repeat=2):
        wider = _width(source) < _width(target)
        for op in ("extsi", "extui") if wider else ("trunci",):
            if source != target:
                yield _cast(op, source, target, edges(_width(source)))
    for element, op in product(kinds[1:], ("index_cast", "index_castui")):
        yield _cast(op, element, "index", edges(_width(element)))
        yield _cast(op, "index", element, edges(64))
    for integer, element in product(kinds, FLOATS):
        values = (*edges(_width(integer)), 2**30 + 1, 2**62 + 1)
        yield _cast("sitofp", integer, element, values)
        yield _cast("uitofp", integer, element, values)
        if integer != "i1":
            inside = (0.0, -0.0, 1.75, 100.25, 0.5)
            yield _cast("fptosi", element, integer, (*inside, -1.75, -100.0))
            yield _cast("fptoui", element, integer, inside)


def _float_casts() -> Iterator[Form]:
    widths = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}
    ties = (1 + 2.0**-8, 1 + 3 * 2.0**-8 - 2.0**-40, 1 + 2.0**-11 + 2.0**-40)
    for source, target in product(FLOATS, repeat=2):
        if widths[source] != widths[target]:
            op = "extf" if widths[source] < widths[target] else "truncf"
            yield _cast(op, source, target, (*specials(source), *ties))
    for element, width in widths.items():
        known = [x for x in specials(element) if not np.isnan(x)]
        yield _cast("bitcast", element, f"i{width}", known)
        bits = (0, 1, 1 << (width - 2), 0x3C00)
        yield _cast("bitcast", f"i{width}", element, bits)


def _floats() -> Iterator[Form]:
    for element in FLOATS:
        values = specials(element)
        pairs = [*product(values, repeat=2)]
        for op in FLOAT_BINARY:
            text = f"arith.{op} %0, %1 : TYPE0"
            yield _form(op, text, pairs, [element] * 2, [element])
        for op in EXTREMES:
            rows = [(a, b) for a, b in pairs if a or b or op in EXTREMES[:2]]
            text = f"arith.{op} %0, %1 : TYPE0"
            yield _form(op, text, rows, [element] * 2, [element])
        for predicate in FLOAT_COMPARISONS:
            text = f"arith.cmpf {predicate}, %0, %1 : TYPE0"
            yield _form(f"cmpf {predicate}", text, pairs, [element] * 2, ["i1"])
        singles = [(value,) for value in values]
        text = "arith.negf %0 : TYPE0"
        yield _form("negf", text, singles, [element], [element])
        yield from _math(element, values, singles, pairs)


def _math(
    element: str, values: Sequence[float], singles: Any, pairs: Any
) -> Iterator[Form]:
    near = PRECISION[element]
    for op in (*EXACT, *FUNCTIONS):
        tolerance = near if op in FUNCTIONS else 0.0
        text = f"math.{op} %0 : TYPE0"
        yield _form(op, text, singles, [element], [element], tolerance)
    for op in CLASSES:
        text = f"math.{op} %0 : TYPE0"
        yield _form(op, text, singles, [element], ["i1"])
    for op in ("atan2", "copysign", "powf"):
        tolerance = near if op != "copysign" else 0.0
        text = f"math.{op} %0, %1 : TYPE0"
        yield _form(op, text, pairs, [element] * 2, [element], tolerance)
    first = [*values[:5], *values[8:14]]
    rows = [*product(first, values[:5], values[8:14])]
    text = "math.fma %0, %1, %2 : TYPE0"
    yield _form("fma", text, rows, [element] * 3, [element])
    text = "math.clampf %0 to [%1, %2] : TYPE0"
    rows = [(x, -1.0, 2.0) for x in values]
    yield _form("clampf", text, rows, [element] * 3, [element])
    rows = [*product((1.5, -2.0, 0.5, -1.0), (0, 1, 2, 3, -1, -2, 7))]
    text = "math.fpowi %0, %1 : TYPE0, TYPE1"
    yield _form("fpowi", text, rows, [element, "i32"], [element], near)
    text = "math.sincos %0 : TYPE0"
    rows = [(0.5,), (-1.25,), (3.0,)]
    yield _form("sincos", text, rows, [element], [element] * 2, near)


def _indices() -> Iterator[Form]:
    """index has no ops on tensors: a loop over all operands."""
    pairs = [*product(edges(64), repeat=2)]
    ops = [
        *(
            f"index.{op} %a, %b"
            for op in (*INDEX_BINARY, *INDEX_DIVISIONS, *INDEX_SHIFTS)
        ),
        *(f"index.cmp {each}(%a, %b)" for each in COMPARISONS),
        "index.casts %a : index to i8",
        "index.castu %a : index to i8",
    ]
    for op in ops:
        name = op.split()[0].partition(".")[2]
        rows = _defined(name, pairs, 64)
        result = {"cmp": "i1", "casts": "i8", "castu": "i8"}.get(name, "index")
        yield _mapped(op, rows, ["index", "index"], result)


def _mapped(
    op: str,
    rows: Sequence[Sequence[Any]],
    elements: Sequence[str],
    result: str,
    tolerance: float = 0.0,
) -> Form:
    """An op on numbers %a and %b in a linalg.generic over all operands."""
    shape = [len(rows)]
    types = [tensor(shape, element) for element in elements]
    out = tensor(shape, result)
    maps = ", ".join(["affine_map<(i) -> (i)>"] * (len(elements) + 1))
    pairs = zip("ab", elements, strict=False)
    parameters = ", ".join(f"%{name}: {element}" for name, element in pairs)
    body = f"""
  %e = tensor.empty() : {out}
  %r0 = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel"]}}
      ins({", ".join(f"%{at}" for at in range(len(elements)))} : {", ".join(types)})
      outs(%e : {out}) {{
  ^bb0({parameters}, %o: {result}):
    %x = {op}
    linalg.yield %x : {result}
  }} -> {out}"""
    arguments = [
        _array([row[at] for row in rows], each) for at, each in enumerate(elements)
    ]
    text = function(body, types, [out])
    return Form(f"{op} of {' '.join(elements)}", text, arguments, tolerance)


def _complex() -> Iterator[Form]:
    rng = np.random.default_rng(3)
    for part, tolerance in (("f32", 2e-5), ("f64", 1e-12)):
        element = f"complex<{part}>"
        values = [*(rng.normal(size=24) + 1j * rng.normal(size=24))]
        pairs = [*zip(values, reversed(values), strict=True)]
        for op in (*COMPLEX_UNARY, *COMPLEX_REAL):
            result = part if op in COMPLEX_REAL else element
            text = f"complex.{op} %a : {element}"
            rows = [(value,) for value in values]
            yield _mapped(text, rows, [element], result, tolerance)
        for op in COMPLEX_BINARY:
            text = f"complex.{op} %a, %b : {element}"
            yield _mapped(text, pairs, [element] * 2, element, tolerance)
        for op in ("eq", "neq"):
            rows = [*pairs, *((value, value) for value in values)]
            yield _mapped(f"complex.{op} %a, %b : {element}", rows, [element] * 2, "i1")
        reals = [*product(specials(part), repeat=2)]
        yield _mapped(f"complex.create %a, %b : {element}", reals, [part] * 2, element)
        powers = [*product(values[:6], (0, 1, 2, 3, -1, -2))]
        text = f"complex.powi %a, %b : {element}, i32"
        yield _mapped(text, powers, [element, "i32"], element, tolerance)


def forms() -> list[Form]:
    """All forms of ops on numbers."""
    return [
        *_integers(),
        *_narrow(),
        *_casts(),
        *_float_casts(),
        *_floats(),
        *_indices(),
        *_complex(),
    ]
