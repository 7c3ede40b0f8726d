"""The ops: each function writes one, or returns False if no tensor fits."""

from collections.abc import Sequence
from dataclasses import dataclass

from .bodies import Body
from .values import FLOATS, Code, Tensor, type_of, typed

_MULTIPLIED = (*FLOATS, "i32")
"""Elements of products."""


@dataclass(frozen=True)
class _Place:
    """Where an operand of `linalg.generic` is read along a dimension."""

    text: str
    loops: tuple[int, ...] = ()
    """The loops that are alone there, and so have this size."""


def generic(code: Code) -> bool:
    """`linalg.generic` with random maps and a random body."""
    random = code.random
    sizes = [random.choice(code.sizes) for _ in range(random.randint(1, 4))]
    while not code.is_small([3, *sizes]):
        sizes.pop()
    inputs: list[tuple[Tensor, list[_Place]]] = []
    for _ in range(random.randint(0, 3)):
        value = random.choice(code.scope[-6:])
        map_ = _input_map(code, value, sizes)
        if map_ is not None:
            inputs.append((value, map_))
    reduced = {loop for loop in range(len(sizes)) if code.chance(0.25)}
    kept = [loop for loop in range(len(sizes)) if loop not in reduced]
    maps = [_output_map(code, kept) for _ in range(random.choice((1, 1, 1, 2, 3)))]
    seen = {
        loop
        for map_ in (*(map_ for _, map_ in inputs), *maps)
        for place in map_
        for loop in place.loops
    }
    if seen != {*range(len(sizes))}:
        return False
    elements = [random.choice(code.elements) for _ in maps]
    # A map that names a loop twice leaves elements out.
    covered = [
        not reduced and len(map_) == len({p.text for p in map_}) for map_ in maps
    ]
    reads = [not whole or code.chance(0.3) for whole in covered]
    inits: list[Tensor] = []
    for map_, element, whole, is_read in zip(
        maps, elements, covered, reads, strict=True
    ):
        shape = [sizes[p.loops[0]] if p.loops else 1 for p in map_]
        inits.append(code.init(shape, element, is_written=whole and not is_read))
    _write_generic(
        code, len(sizes), reduced, inputs, [*zip(inits, maps, reads, strict=True)]
    )
    return True


def _input_map(code: Code, value: Tensor, sizes: Sequence[int]) -> list[_Place] | None:
    flags = value.is_open or (False,) * len(value.shape)
    found: list[_Place] = []
    loops = range(len(sizes))
    for size, is_open in zip(value.shape, flags, strict=True):
        same = [_Place(f"d{loop}", (loop,)) for loop in loops if sizes[loop] == size]
        others: list[_Place] = []
        if not is_open:
            others.append(_Place(str(code.random.randrange(max(size, 1)))))
            smaller = [loop for loop in loops if sizes[loop] <= size]
            others += [_Place(f"-d{loop} + {size - 1}") for loop in smaller[:1]]
            others += [
                _Place(f"d{a} + d{b}")
                for a in loops
                for b in range(a)
                if sizes[a] + sizes[b] - 1 == size
            ]
            others += [
                _Place(f"d{loop} * 2") for loop in loops if 2 * sizes[loop] - 1 == size
            ]
        if same and code.chance(0.88):
            found.append(code.random.choice(same))
        elif others and code.chance(0.6):
            found.append(code.random.choice(others))
        else:
            return None
    return found


def _output_map(code: Code, kept: Sequence[int]) -> list[_Place]:
    order = list(kept)
    if code.chance(0.4):
        code.random.shuffle(order)
    found = [_Place(f"d{loop}", (loop,)) for loop in order]
    if found and code.chance(0.08):
        found.append(code.random.choice(found))
    if code.chance(0.08):
        found.insert(code.random.randint(0, len(found)), _Place("0"))
    return found


def _write_generic(
    code: Code,
    loops: int,
    reduced: set[int],
    inputs: Sequence[tuple[Tensor, list[_Place]]],
    outputs: Sequence[tuple[Tensor, list[_Place], bool]],
) -> None:
    dims = ", ".join(f"d{loop}" for loop in range(loops))
    maps = [map_ for _, map_ in inputs] + [map_ for _, map_, _ in outputs]
    shown = ", ".join(
        f"affine_map<({dims}) -> ({', '.join(place.text for place in map_)})>"
        for map_ in maps
    )
    kinds = ", ".join(
        '"reduction"' if loop in reduced else '"parallel"' for loop in range(loops)
    )
    inits = [init for init, _, _ in outputs]
    result = code.new()
    left = result if len(inits) == 1 else f"{result}:{len(inits)}"
    given = f" ins({typed([value for value, _ in inputs])})" if inputs else ""
    code.emit(
        f"{left} = linalg.generic {{indexing_maps = [{shown}], "
        f"iterator_types = [{kinds}]}}{given} outs({typed(inits)}) {{"
    )
    arguments = [(code.new("b"), value.element) for value, _ in inputs]
    ends = [(code.new("o"), init.element) for init in inits]
    listed = ", ".join(f"{name}: {kind}" for name, kind in (*arguments, *ends))
    code.emit(f"^bb0({listed}):")
    code.indent += 1
    body = Body(code, arguments)
    indices: list[str] = []
    for loop in range(loops):
        if code.chance(0.25):
            indices.append(code.new("x"))
            code.emit(f"{indices[-1]} = linalg.index {loop} : index")
            body.known.append((indices[-1], "index"))
    is_read = [reads for _, _, reads in outputs]
    if not reduced:
        pairs = zip(ends, is_read, strict=True)
        body.known += [end for end, reads in pairs if reads]
    captured = code.pick(lambda value: bool(value.shape) and 0 not in value.shape)
    if captured is not None and code.chance(0.2):
        body.extract(captured, indices)
    yielded: list[str] = []
    for (name, element), reads in zip(ends, is_read, strict=True):
        value = body.expression(element)
        if reduced or (reads and code.chance(0.7)):
            value = body.combine(value, name, element)
        yielded.append(value)
    types = ", ".join(init.element for init in inits)
    code.emit(f"linalg.yield {', '.join(yielded)} : {types}")
    code.indent -= 1
    types = ", ".join(init.type for init in inits)
    code.emit(f"}} -> {types if len(inits) == 1 else f'({types})'}")
    for number, init in enumerate(inits):
        name = result if len(inits) == 1 else f"{result}#{number}"
        code.add(Tensor(name, init.shape, init.element))


def mapped(code: Code) -> bool:
    """`linalg.map` of one or two tensors."""
    value = code.pick()
    if value is None:
        return False
    other = code.pick(lambda each: each.shape == value.shape)
    inputs = [value] if other is None else [value, other]
    element, reads = code.random.choice(code.elements), code.chance(0.4)
    init = code.init(value.shape, element, is_written=not reads)
    result = code.new()
    code.emit(f"{result} = linalg.map ins({typed(inputs)}) outs({typed([init])})")
    arguments = [(code.new("b"), each.element) for each in inputs]
    end = code.new("o"), element
    listed = ", ".join(f"{name}: {kind}" for name, kind in (*arguments, end))
    code.emit(f"  ({listed}) {{")
    code.indent += 1
    body = Body(code, [*arguments, end] if reads else arguments)
    code.emit(f"linalg.yield {body.expression(element)} : {element}")
    code.indent -= 1
    code.emit("}")
    return code.add(Tensor(result, value.shape, element))


def reduced(code: Code) -> bool:
    """`linalg.reduce` along some dimensions."""
    value = code.pick(lambda each: bool(each.shape))
    if value is None:
        return False
    rank, element = len(value.shape), value.element
    gone = sorted(code.random.sample(range(rank), code.random.randint(1, rank)))
    shape = [n for d, n in enumerate(value.shape) if d not in gone]
    init = code.init(shape, element, is_written=False)
    result, name, end = code.new(), code.new("b"), code.new("o")
    code.emit(
        f"{result} = linalg.reduce ins({typed([value])}) outs({typed([init])}) "
        f"dimensions = {gone}"
    )
    code.emit(f"  ({name}: {element}, {end}: {element}) {{")
    code.indent += 1
    body = Body(code, [(name, element)])
    number = body.expression(element, 1) if code.chance(0.3) else name
    code.emit(f"linalg.yield {body.combine(number, end, element)} : {element}")
    code.indent -= 1
    code.emit("}")
    return code.add(Tensor(result, tuple(shape), element))


def product(code: Code) -> bool:
    """A product of matrices, vectors or batches, or a convolution."""
    op, ranks = code.random.choice(
        (
            ("matmul", (2, 2)),
            ("matvec", (2, 1)),
            ("batch_matmul", (3, 3)),
            ("conv_1d", (1, 1)),
        )
    )
    first = code.pick(
        lambda each: len(each.shape) == ranks[0] and each.element in _MULTIPLIED
    )
    if first is None:
        return False
    a = first.shape

    def fits(each: Tensor) -> bool:
        b = each.shape
        if each.element != first.element or len(b) != ranks[1]:
            return False
        if op == "conv_1d":
            return b[0] <= a[0]
        return b[-2 if len(b) > 1 else 0] == a[-1] and b[:-2] == a[:-2][: len(b) - 2]

    second = code.pick(fits)
    if second is None:
        return False
    b = second.shape
    shapes = {"matvec": a[:1], "conv_1d": (a[0] - b[0] + 1,)}
    init = code.init(shapes.get(op, (*a[:-1], b[-1])), first.element, is_written=False)
    return code.define(
        f"linalg.{op} ins({typed([first, second])}) outs({typed([init])}) "
        f"-> {init.type}",
        init.shape,
        init.element,
    )


def elementwise(code: Code) -> bool:
    """A named op of two tensors."""
    value = code.pick(lambda each: each.element in (*FLOATS, "i32", "i64"))
    if value is None:
        return False
    same = value.shape, value.element
    other = code.pick(lambda each: (each.shape, each.element) == same) or value
    op = code.random.choice(("add", "sub", "max", "min"))
    init = code.init(*same, is_written=True)
    return code.define(
        f"linalg.{op} ins({typed([value, other])}) outs({typed([init])}) "
        f"-> {init.type}",
        *same,
    )


def extracted(code: Code) -> bool:
    """A slice, with steps, that leaves out dimensions of size 1."""
    value = code.pick(lambda each: bool(each.shape))
    if value is None:
        return False
    random, parts = code.random, list[tuple[int, int, int]]()
    for size in value.shape:
        count = random.choice([n for n in (*code.sizes, size, 1) if n <= size])
        step = random.choice((1, 1, 2)) if (count - 1) * 2 < size else 1
        first = random.randint(0, max(size - 1 - (count - 1) * step, 0))
        parts.append((first, count, step))
    shape = [n for _, n, _ in parts if n != 1 or code.chance(0.7)]
    columns = " ".join(str(list(column)) for column in zip(*parts, strict=True))
    return code.define(
        f"tensor.extract_slice {value.name}{columns} : {value.type} to "
        f"{type_of(shape, value.element)}",
        shape,
        value.element,
        "s",
    )


def inserted(code: Code) -> bool:
    """A tensor inserted into another one."""
    into = code.pick(lambda each: bool(each.shape))
    if into is None:
        return False
    whole = into.shape

    def fits(each: Tensor) -> bool:
        shape = (*[1] * (len(whole) - len(each.shape)), *each.shape)
        return (
            each.element == into.element
            and len(each.shape) <= len(whole)
            and all(a <= b for a, b in zip(shape, whole, strict=True))
        )

    value = code.pick(fits)
    if value is None:
        return False
    sizes = [*[1] * (len(whole) - len(value.shape)), *value.shape]
    first = [code.random.randint(0, b - a) for a, b in zip(sizes, whole, strict=True)]
    return code.define(
        f"tensor.insert_slice {value.name} into {into.name}{first} {sizes} "
        f"{[1] * len(sizes)} : {value.type} into {into.type}",
        whole,
        into.element,
        "s",
    )


def padded(code: Code) -> bool:
    """Constants around a tensor."""
    value = code.pick(lambda each: bool(each.shape))
    if value is None:
        return False
    low = [code.random.choice((0, 0, 1, 2)) for _ in value.shape]
    high = [code.random.choice((0, 1, 3)) for _ in value.shape]
    shape = [sum(each) for each in zip(value.shape, low, high, strict=True)]
    if not code.is_small(shape):
        return False
    result = code.new("s")
    code.emit(f"{result} = tensor.pad {value.name} low{low} high{high} {{")
    names = [code.new("g") for _ in shape]
    code.emit(f"^bb0({', '.join(f'{name}: index' for name in names)}):")
    code.emit(f"  tensor.yield {code.constant(value.element)} : {value.element}")
    code.emit(f"}} : {value.type} to {type_of(shape, value.element)}")
    return code.add(Tensor(result, tuple(shape), value.element))


def reshaped(code: Code) -> bool:
    """Two dimensions made one, or one made two."""
    value = code.pick(lambda each: 1 <= len(each.shape) <= 3)
    if value is None:
        return False
    shape, rank = [*value.shape], len(value.shape)
    collapses = rank > 1 and code.chance(0.6)
    at = code.random.randrange(rank - collapses)
    longer = rank if collapses else rank + 1
    groups = [[d] for d in range(at)]
    groups += [[at, at + 1], *([d] for d in range(at + 2, longer))]
    if collapses:
        shape[at : at + 2] = [shape[at] * shape[at + 1]]
        type_ = type_of(shape, value.element)
        op = f"collapse_shape {value.name} {groups} : {value.type} into {type_}"
    else:
        size = shape[at]
        factor = code.random.choice(
            [n for n in range(1, size + 1) if size % n == 0] or [1]
        )
        shape[at : at + 1] = [factor, size // factor]
        type_ = type_of(shape, value.element)
        op = (
            f"expand_shape {value.name} {groups} output_shape {shape} : {value.type} "
            f"into {type_}"
        )
    return code.define(f"tensor.{op}", shape, value.element, "s")


def transposed(code: Code) -> bool:
    """Dimensions in another order."""
    value = code.pick(lambda each: bool(each.shape))
    if value is None:
        return False
    order = list(range(len(value.shape)))
    code.random.shuffle(order)
    shape = [value.shape[d] for d in order]
    init = code.init(shape, value.element, is_written=True)
    op = f"linalg.transpose ins({typed([value])}) outs({typed([init])})"
    return code.define(f"{op} permutation = {order}", shape, value.element)


def broadcast(code: Code) -> bool:
    """The same elements along a new dimension."""
    value = code.pick(lambda each: len(each.shape) <= 2)
    if value is None:
        return False
    at, shape = code.random.randint(0, len(value.shape)), [*value.shape]
    shape.insert(at, code.random.choice(code.sizes))
    if not code.is_small(shape):
        return False
    init = code.init(shape, value.element, is_written=True)
    op = f"linalg.broadcast ins({typed([value])}) outs({typed([init])})"
    return code.define(f"{op} dimensions = [{at}]", shape, value.element)


def concatenated(code: Code) -> bool:
    """Two tensors one behind the other."""
    value = code.pick(lambda each: bool(each.shape))
    if value is None:
        return False
    dim, shape = code.random.randrange(len(value.shape)), [*value.shape]

    def fits(each: Tensor) -> bool:
        if each.element != value.element or len(each.shape) != len(shape):
            return False
        pairs = enumerate(zip(each.shape, shape, strict=True))
        return all(d == dim or a == b for d, (a, b) in pairs)

    other = code.pick(fits)
    if other is None:
        return False
    shape[dim] += other.shape[dim]
    return code.define(
        f"tensor.concat dim({dim}) {value.name}, {other.name} : "
        f"({value.type}, {other.type}) -> {type_of(shape, value.element)}",
        shape,
        value.element,
        "s",
    )


def filled(code: Code) -> bool:
    """A number in the place of all elements of a tensor."""
    value = code.pick()
    if value is None:
        return False
    number = code.constant(value.element)
    op = f"linalg.fill ins({number} : {value.element}) outs({typed([value])})"
    return code.define(f"{op} -> {value.type}", value.shape, value.element)


def cast(code: Code) -> bool:
    """The same tensor with other sizes left open."""
    value = code.random.choice(code.scope)
    flags = tuple(code.chance(0.5) for _ in value.shape)
    if not flags or flags == (value.is_open or (False,) * len(flags)):
        return False
    name, type_ = code.new("s"), type_of(value.shape, value.element, flags)
    code.emit(f"{name} = tensor.cast {value.name} : {value.type} to {type_}")
    return code.add(Tensor(name, value.shape, value.element, flags))
