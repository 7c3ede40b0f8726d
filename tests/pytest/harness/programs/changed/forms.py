"""Ways to compute a tensor of two others of its type, as text.

    form(random, TensorType(f32, [4, 2]))
        # %r = linalg.copy ins(%x : tensor<4x2xf32>) outs(%y : tensor<4x2xf32>) -> ...

Text may use `%x` and `%y` of the type `T`, a condition `%b`, the numbers `%c0` and
`%c1`, a number of iterations `%n`, and sizes `%d0`, `%d1` and so on. It defines `%r`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from random import Random
from typing import Final

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute

_OF_ALL: Final = (
    "%r = arith.select %b, %x, %y : T",
    "%r = scf.if %b -> (T) { scf.yield %x : T } else { scf.yield %y : T }",
    """%r = scf.if %b -> (T) {
      %k = linalg.copy ins(%x : T) outs(%y : T) -> T
      scf.yield %k : T
    } else { scf.yield %y : T }""",
    """%r, %s = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %y)
        -> (T, T) { scf.yield %q, %p : T, T }""",
    """%r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> (T) {
      %k = linalg.copy ins(%y : T) outs(%p : T) -> T
      scf.yield %k : T
    }""",
    """%r, %s = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %x)
        -> (T, T) {
      %k = linalg.copy ins(%y : T) outs(%p : T) -> T
      scf.yield %q, %k : T, T
    }""",
    """%r, %s = scf.while (%p = %x, %j = %c0) : (T, index) -> (T, index) {
      %d = arith.cmpi slt, %j, %n : index
      scf.condition(%d) %p, %j : T, index
    } do {
    ^bb0(%p: T, %j: index):
      %k = linalg.copy ins(%y : T) outs(%p : T) -> T
      %i = arith.addi %j, %c1 : index
      scf.yield %k, %i : T, index
    }""",
    """%r, %s, %t = scf.while (%p = %x, %q = %y, %j = %c0)
        : (T, T, index) -> (T, T, index) {
      %d = arith.cmpi slt, %j, %n : index
      scf.condition(%d) %q, %p, %j : T, T, index
    } do {
    ^bb0(%p: T, %q: T, %j: index):
      %k = linalg.copy ins(%x : T) outs(%p : T) -> T
      %i = arith.addi %j, %c1 : index
      scf.yield %q, %k, %i : T, T, index
    }""",
    """%r = scf.execute_region -> T {
      %k = linalg.copy ins(%x : T) outs(%y : T) -> T
      scf.yield %k : T
    }""",
    """%r = scf.index_switch %n -> T
    case 0 { scf.yield %x : T }
    case 1 {
      %k = linalg.copy ins(%y : T) outs(%x : T) -> T
      scf.yield %k : T
    }
    default { scf.yield %y : T }""",
    """%r = affine.for %i = 0 to %n iter_args(%p = %x) -> (T) {
      %k = linalg.copy ins(%y : T) outs(%p : T) -> T
      affine.yield %k : T
    }""",
    "%r = bufferization.alloc_tensor() copy(%x) : T",
    "%r = bufferization.materialize_in_destination %x in %y : (T, T) -> T",
    """%k = tensor.cast %x : T to D
    %p = tensor.cast %y : T to D
    %q = linalg.copy ins(%k : D) outs(%p : D) -> D
    %r = tensor.cast %q : D to T""",
    "%r = func.call @copied(%x, %y) : (T, T) -> T",
    "%r, %s = func.call @swapped(%x, %y) : (T, T) -> (T, T)",
    "%r = func.call @repeated(%x, %y, %n) : (T, T, index) -> T",
)
"""What fits any type."""

_FUNCTIONS: Final = {
    "copied": """func.func private @copied(%x: T, %y: T) -> T {
      %k = linalg.copy ins(%x : T) outs(%y : T) -> T
      return %k : T
    }""",
    "swapped": """func.func private @swapped(%x: T, %y: T) -> (T, T) {
      return %y, %x : T, T
    }""",
    "repeated": """func.func private @repeated(%x: T, %y: T, %n: index) -> T {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %z = arith.cmpi eq, %n, %c0 : index
      %r = scf.if %z -> (T) { scf.yield %y : T } else {
        %m = arith.subi %n, %c1 : index
        %k = linalg.copy ins(%x : T) outs(%y : T) -> T
        %q = func.call @repeated(%k, %x, %m) : (T, T, index) -> T
        scf.yield %q : T
      }
      return %r : T
    }""",
}
"""What is called. The last one calls itself."""


def form(random: Random, type_: TensorType) -> str:
    """A module with a function `@new`, and with those that it calls, of new names."""
    if random.random() < 0.4:
        text = random.choice(_OF_ALL)
    else:
        text = _of_sizes(random, _Shape.of(type_))
    functions = [each for name, each in _FUNCTIONS.items() if f"@{name}(" in text]
    numbers = [
        f"%at{number} = arith.constant {number} : index\n"
        f"%d{number} = tensor.dim %x, %at{number} : T"
        for number in range(type_.get_num_dims())
        if f"%d{number}" in text
    ]
    dynamic = TensorType(type_.element_type, [DYNAMIC_INDEX] * type_.get_num_dims())
    program = "\n".join(
        (
            "func.func @new(%x: T, %y: T) {",
            f"%b = arith.constant {random.choice(('true', 'false'))}",
            "%c0 = arith.constant 0 : index",
            "%c1 = arith.constant 1 : index",
            f"%n = arith.constant {random.randrange(4)} : index",
            *numbers,
            text,
            "return\n}",
            *functions,
        )
    )
    number = random.randrange(1 << 30)
    for name in _FUNCTIONS:
        program = program.replace(f"@{name}(", f"@{name}_{number}(")
    return program.translate({ord("T"): str(type_), ord("D"): str(dynamic)})


@dataclass(frozen=True)
class _Shape:
    """What a type has, in words of the text."""

    sizes: tuple[str, ...]
    """The sizes; `%d1` for one that is not known."""

    element: str

    zero: str
    """A constant of that type."""

    add: str
    """The name of an op on two elements."""

    @staticmethod
    def of(type_: TensorType) -> "_Shape":
        sizes = (
            f"%d{number}" if size == DYNAMIC_INDEX else str(size)
            for number, size in enumerate(type_.get_shape())
        )
        element = type_.element_type
        return _Shape(tuple(sizes), str(element), *_arithmetic(element))

    @property
    def rank(self) -> int:
        return len(self.sizes)

    def is_static(self) -> bool:
        return not any(size.startswith("%") for size in self.sizes)

    def type(self, sizes: Sequence[str]) -> str:
        known = ("?" if size.startswith("%") else size for size in sizes)
        return f"tensor<{''.join(f'{size}x' for size in known)}{self.element}>"

    def slice(self, first: str, size: str | None = None, step: int = 1) -> str:
        """All of it, but for the first dimension."""
        rest = self.rank - 1
        offsets = [first, *["0"] * rest]
        sizes = [size or self.sizes[0], *self.sizes[1:]]
        steps = [str(step), *["1"] * rest]
        return "".join(f"[{', '.join(each)}]" for each in (offsets, sizes, steps))

    def at(self, index: str = "%c0") -> str:
        return f"[{', '.join([index] * self.rank)}]"

    def dynamic(self) -> str:
        return ", ".join(size for size in self.sizes if size.startswith("%"))


def _arithmetic(element: Attribute) -> tuple[str, str]:
    text = str(element)
    if text.startswith("complex<"):
        part = text.removeprefix("complex<").removesuffix(">")
        return f"complex.constant [0.0 : {part}, 1.0 : {part}] : {text}", "complex.add"
    if text[0] == "f" or text.startswith("bf"):
        return f"arith.constant 1.0 : {text}", "arith.addf"
    if text == "i1":
        return "arith.constant true", "arith.xori"
    return f"arith.constant 1 : {text}", "arith.addi"


_Form = Callable[[Random, _Shape], str | None]


def _of_sizes(random: Random, shape: _Shape) -> str:
    """Text that depends on the type; `None` is what a form without such text gives."""
    while True:
        if (text := random.choice(_FORMS)(random, shape)) is not None:
            return text


def _copy(random: Random, shape: _Shape) -> str:
    return random.choice(
        (
            "%r = linalg.copy ins(%x : T) outs(%y : T) -> T",
            f"%k = tensor.empty({shape.dynamic()}) : T\n"
            "%r = linalg.copy ins(%x : T) outs(%k : T) -> T",
        )
    )


def _element(random: Random, shape: _Shape) -> str:
    at = shape.at(random.choice(("%c0", "%c1")))
    write = random.choice(
        (
            f"%r = tensor.insert %e into %y{shape.at()} : T",
            f"%r = tensor.splat %e{f'[{shape.dynamic()}]' if shape.dynamic() else ''} "
            ": T",
            f"%r = linalg.fill ins(%e : {shape.element}) outs(%y : T) -> T",
        )
    )
    return f"%e = tensor.extract %x{at} : T\n{write}"


def _slice(random: Random, shape: _Shape) -> str | None:
    """A part of `%x` into a part of `%y`, in each place and with each step."""
    if not shape.rank or not shape.sizes[0].isdigit() or int(shape.sizes[0]) < 1:
        return None
    size = int(shape.sizes[0])
    part = random.randint(1, size)
    step = random.choice((1, 1, 2)) if 2 * part - 1 <= size else 1
    last = size - step * (part - 1) - 1
    source = shape.slice(str(random.randint(0, last)), str(part), step)
    target = shape.slice(str(random.randint(0, size - part)), str(part))
    is_dropped = part == 1 and random.random() < 0.5
    type_ = shape.type(shape.sizes[1:] if is_dropped else (str(part), *shape.sizes[1:]))
    return (
        f"%s = tensor.extract_slice %x{source} : T to {type_}\n"
        f"%r = tensor.insert_slice %s into %y{target} : {type_} into T"
    )


def _rows(random: Random, shape: _Shape) -> str | None:
    """Rows one after the other, also of the tensor that is written: it is turned."""
    if not shape.rank:
        return None
    type_ = shape.type(("1", *shape.sizes[1:]))
    if shape.sizes[0].isdigit():
        size = f"%size = arith.constant {shape.sizes[0]} : index"
    else:
        size = f"%size = arith.addi {shape.sizes[0]}, %c0 : index"
    source, row = random.choice(("%x", "%y", "%p")), random.choice(("%i", "%j"))
    return f"""{size}
    %last = arith.subi %size, %c1 : index
    %r = scf.for %i = %c0 to %size step %c1 iter_args(%p = %y) -> (T) {{
      %j = arith.subi %last, %i : index
      %s = tensor.extract_slice {source}{shape.slice(row, "1")} : T to {type_}
      %q = tensor.insert_slice %s into %p{shape.slice("%i", "1")} : {type_} into T
      scf.yield %q : T
    }}"""


def _forall(random: Random, shape: _Shape) -> str | None:
    if not shape.rank:
        return None
    type_ = shape.type(("1", *shape.sizes[1:]))
    source = random.choice(("%x", "%y", "%o"))
    return f"""%r = scf.forall (%i) in ({shape.sizes[0]}) shared_outs(%o = %y) -> (T) {{
      %s = tensor.extract_slice {source}{shape.slice("%i", "1")} : T to {type_}
      %q = tensor.extract_slice %x{shape.slice("%i", "1")} : T to {type_}
      %k = linalg.copy ins(%q : {type_}) outs(%s : {type_}) -> {type_}
      scf.forall.in_parallel {{
        tensor.parallel_insert_slice %k into %o{shape.slice("%i", "1")}
          : {type_} into T
      }}
    }}"""


def _generic(random: Random, shape: _Shape) -> str:
    """Arithmetic on both, of which one may be turned, and the out may be ignored."""
    names = [f"d{number}" for number in range(shape.rank)]
    turned = names
    if shape.rank >= 2 and shape.is_static() and shape.sizes[0] == shape.sizes[1]:
        turned = [names[1], names[0], *names[2:]]
    maps = (
        f"affine_map<({', '.join(names)}) -> ({', '.join(each)})>"
        for each in (random.choice((names, turned)), names)
    )
    kinds = ", ".join(['"parallel"'] * shape.rank)
    element = shape.element
    one, other = random.choice((("%e", "%f"), ("%e", "%e"), ("%f", "%f"), ("%e", "%g")))
    return f"""%g = {shape.zero}
    %r = linalg.generic {{indexing_maps = [{", ".join(maps)}],
        iterator_types = [{kinds}]}} ins(%x : T) outs(%y : T) {{
    ^bb0(%e: {element}, %f: {element}):
      %z = {shape.add} {one}, {other} : {element}
      linalg.yield %z : {element}
    }} -> T"""


def _map(random: Random, shape: _Shape) -> str:
    element = shape.element
    other = random.choice(("%x", "%y"))
    return f"""%r = linalg.map ins(%x, {other} : T, T) outs(%y : T)
      (%e: {element}, %f: {element}, %g: {element}) {{
        %z = {shape.add} {random.choice(("%e", "%f", "%g"))}, %f : {element}
        linalg.yield %z : {element}
      }}"""


def _generate(random: Random, shape: _Shape) -> str | None:
    if not shape.rank:
        return None
    indices = [f"%i{number}" for number in range(shape.rank)]
    arguments = ", ".join(f"{each}: index" for each in indices)
    at = ", ".join(indices)
    return f"""%r = tensor.generate {shape.dynamic()} {{
    ^bb0({arguments}):
      %e = tensor.extract %x[{at}] : T
      %f = tensor.extract %y[{at}] : T
      %z = {shape.add} %e, {random.choice(("%e", "%f"))} : {shape.element}
      tensor.yield %z : {shape.element}
    }} : T"""


def _pad(random: Random, shape: _Shape) -> str | None:
    if not shape.rank:
        return None
    size = shape.sizes[0]
    more = str(int(size) + 1) if size.isdigit() else "%more"
    type_ = shape.type((more, *shape.sizes[1:]))
    rest = ", 0" * (shape.rank - 1)
    low, high = random.choice(((1, 0), (0, 1)))
    arguments = ", ".join(f"%i{number}: index" for number in range(shape.rank))
    return f"""%e = {shape.zero}
    %k = tensor.pad {random.choice(("%x", "%y"))} low[{low}{rest}] high[{high}{rest}] {{
    ^bb0({arguments}):
      tensor.yield %e : {shape.element}
    }} : T to {type_}
    %r = tensor.extract_slice %k{shape.slice(random.choice("01"))} : {type_} to T"""


def _concat(random: Random, shape: _Shape) -> str | None:
    if not shape.rank or not shape.sizes[0].isdigit():
        return None
    size = int(shape.sizes[0])
    type_ = shape.type((str(2 * size), *shape.sizes[1:]))
    first = str(random.randint(0, size))
    return f"""%k = tensor.concat dim(0) %x, %y : (T, T) -> {type_}
    %r = tensor.extract_slice %k{shape.slice(first)} : {type_} to T"""


def _reshape(random: Random, shape: _Shape) -> str | None:
    if shape.rank < 2 or not shape.is_static():
        return None
    type_ = shape.type((str(prod(map(int, shape.sizes))),))
    dims = f"[[{', '.join(map(str, range(shape.rank)))}]]"
    sizes = ", ".join(shape.sizes)
    target = random.choice(("%p", "%q"))
    return f"""%p = tensor.collapse_shape %x {dims} : T into {type_}
    %q = tensor.collapse_shape %y {dims} : T into {type_}
    %k = linalg.copy ins(%p : {type_}) outs({target} : {type_}) -> {type_}
    %r = tensor.expand_shape %k {dims} output_shape [{sizes}] : {type_} into T"""


def _transpose(_: Random, shape: _Shape) -> str | None:
    if shape.rank < 2 or not shape.is_static() or len({*shape.sizes}) > 1:
        return None
    order = ", ".join(map(str, reversed(range(shape.rank))))
    return f"%r = linalg.transpose ins(%x : T) outs(%y : T) permutation = [{order}]"


def _reduce(_: Random, shape: _Shape) -> str | None:
    """Rows are added to a row of `%y`, which goes to all rows of `%y`."""
    if shape.rank < 2:
        return None
    type_, element = shape.type(shape.sizes[1:]), shape.element
    return f"""%s = tensor.extract_slice %y{shape.slice("0", "1")} : T to {type_}
    %k = linalg.reduce ins(%x : T) outs(%s : {type_}) dimensions = [0]
      (%e: {element}, %f: {element}) {{
        %z = {shape.add} %e, %f : {element}
        linalg.yield %z : {element}
      }}
    %r = linalg.broadcast ins(%k : {type_}) outs(%y : T) dimensions = [0]"""


def _vector(_: Random, shape: _Shape) -> str | None:
    if not shape.rank or not shape.is_static() or "complex" in shape.element:
        return None
    if "0" in shape.sizes:
        return None
    type_ = f"vector<{'x'.join(shape.sizes)}x{shape.element}>"
    bounds = f"{{in_bounds = [{', '.join(['true'] * shape.rank)}]}}"
    return f"""%e = {shape.zero}
    %v = vector.transfer_read %x{shape.at()}, %e {bounds} : T, {type_}
    %r = vector.transfer_write %v, %y{shape.at()} {bounds} : {type_}, T"""


def _pack(random: Random, shape: _Shape) -> str | None:
    if not shape.rank or not shape.is_static():
        return None
    tile = random.choice((1, 2, 3))
    outer = str(-(-int(shape.sizes[0]) // tile))
    type_ = shape.type((outer, *shape.sizes[1:], str(tile)))
    tiles = f"inner_dims_pos = [0] inner_tiles = [{tile}]"
    return f"""%e = {shape.zero}
    %p = tensor.empty() : {type_}
    %k = linalg.pack %x padding_value(%e : {shape.element}) {tiles} into %p
      : T -> {type_}
    %r = linalg.unpack %k {tiles} into %y : {type_} -> T"""


def _buffer(_: Random, shape: _Shape) -> str:
    """A read of the buffer, which nobody may have overwritten before."""
    type_ = shape.type(shape.sizes).replace("tensor", "memref")
    return f"""%m = bufferization.to_buffer %x read_only : T to {type_}
    %e = memref.load %m{shape.at()} : {type_}
    %r = tensor.insert %e into %y{shape.at()} : T"""


def _parallel(_: Random, shape: _Shape) -> str:
    """A sum of numbers that each iteration reads."""
    element = shape.element
    return f"""%e = tensor.extract %y{shape.at()} : T
    %f = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%e) -> {element} {{
      %g = tensor.extract %x{shape.at()} : T
      scf.reduce(%g : {element}) {{
      ^bb0(%o: {element}, %p: {element}):
        %q = {shape.add} %o, %p : {element}
        scf.reduce.return %q : {element}
      }}
    }}
    %r = tensor.insert %f into %y{shape.at()} : T"""


_FORMS: Final[tuple[_Form, ...]] = (
    _copy,
    _element,
    _slice,
    _slice,
    _rows,
    _rows,
    _forall,
    _generic,
    _generic,
    _map,
    _generate,
    _pad,
    _concat,
    _reshape,
    _transpose,
    _reduce,
    _vector,
    _pack,
    _buffer,
    _parallel,
)
