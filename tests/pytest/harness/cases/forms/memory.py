"""Forms of the ops of memref: buffers of all ranks, views, and what is in them."""

from collections.abc import Iterator, Sequence

from harness.cases.forms.form import Form, function, numbers

ELEMENTS = ("f32", "i8", "i1", "f16", "bf16", "index", "complex<f32>")
SHAPES: tuple[tuple[int, ...], ...] = ((), (4,), (4, 3))
ATOMICS = {
    "f32": ("addf", "mulf", "maximumf", "minimumf", "maxnumf", "minnumf", "assign"),
    "i32": (
        "addi", "muli", "andi", "ori", "xori", "maxs", "mins", "maxu", "minu", "assign",
    ),
    "i64": ("addi", "maxs"),
    "f64": ("addf",),
}  # fmt: skip
CONSTANTS = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
"""
WIDE = "strided<[?, ?], offset: ?>"


def memref(shape: Sequence[int | str], element: str, layout: str = "") -> str:
    """The type of a buffer."""
    sizes = "".join(f"{size}x" for size in shape)
    return f"memref<{sizes}{element}{f', {layout}' if layout else ''}>"


def _form(
    name: str,
    body: str,
    shapes: Sequence[Sequence[int]],
    results: Sequence[str] = (),
    element: str = "f32",
    more: str = "",
) -> Form:
    """Buffers %0, %1, ... of some shapes, and an index of 2 behind them."""
    types = [*(memref(shape, element) for shape in shapes), "index"]
    arrays = [numbers(shape, element, at) for at, shape in enumerate(shapes)]
    text = function(CONSTANTS + body, types, results, more)
    return Form(f"memref.{name}", text, [*arrays, 2])


def _accesses() -> Iterator[Form]:
    """Loads and stores of each rank and type, with each optional attribute."""
    for element in ELEMENTS:
        for rank, shape in enumerate(SHAPES):
            m, at = memref(shape, element), f"[{', '.join(['%c1', '%c2'][:rank])}]"
            for hint in ("", " {nontemporal = true}"):
                body = f"""
  %r0 = memref.load %0{at}{hint} : {m}
  memref.store %r0, %1{at}{hint} : {m}"""
                name = f"load and store {element} of rank {rank}{hint}"
                yield _form(name, body, [shape] * 2, [element], element)
    m = memref((4, 3), "f32")
    for write in ("read", "write"):
        for cache in ("data", "instr"):
            body = f"  memref.prefetch %0[%c1, %2], {write}, locality<2>, {cache} : {m}"
            yield _form(f"prefetch {write} {cache}", body, [(4, 3)] * 2)
    for text in ("%0[%c0]", "%0[%c3]"):
        body = f"""
  %r0 = memref.generic_atomic_rmw {text} : memref<4xf32> {{
  ^bb0(%old: f32):
    %new = arith.addf %old, %old : f32
    memref.atomic_yield %new : f32
  }}"""
        yield _form(f"generic_atomic_rmw {text}", body, [(4,)], ["f32"])
    for element, kinds in ATOMICS.items():
        for kind in kinds:
            m = memref((4, 3), element)
            body = f"""
  %x = memref.load %0[%c2, %c1] : {m}
  %r0 = memref.atomic_rmw {kind} %x, %0[%c1, %1] : ({element}, {m}) -> {element}"""
            yield _form(f"atomic_rmw {kind}", body, [(4, 3)], [element], element)


def _allocations() -> Iterator[Form]:
    """Sizes that are open, layouts with symbols, alignments; read as a whole."""
    for op in ("alloc", "alloca"):
        for aligned in ("", " {alignment = 64 : i64}"):
            for sizes, shape in (
                ("", (4, 3)),
                ("%c4", ("?", 3)),
                ("%c3", (4, "?")),
                ("%c4, %c3", ("?", "?")),
            ):
                m = memref(shape, "f32")
                freed = f"memref.dealloc %m : {m}" if op == "alloc" else ""
                body = f"""
  %m = memref.{op}({sizes}){aligned} : {m}
  memref.copy %0, %m : memref<4x3xf32> to {m}
  %r0 = memref.load %m[%1, %c1] : {m}
  {freed}"""
                name = f"{op}({sizes}){aligned} {shape}"
                yield _form(name, body, [(4, 3)], ["f32"])
    for size, kept in (("", "2"), ("(%c3)", "?"), ("(%c1)", "?")):
        for aligned in ("", " {alignment = 64 : i64}"):
            body = f"""
  %m = memref.alloc() : memref<4xf32>
  memref.copy %0, %m : memref<4xf32> to memref<4xf32>
  %n = memref.realloc %m{size}{aligned} : memref<4xf32> to memref<{kept}xf32>
  %r0 = memref.load %n[%c0] : memref<{kept}xf32>
  memref.dealloc %n : memref<{kept}xf32>"""
            name = f"realloc{size}{aligned}"
            yield _form(name, body, [(4,)], ["f32"])
    for count in range(3):
        types = ", ".join(["f32"] * count)
        results = ", ".join(f"%r{at}" for at in range(count))
        returned = ", ".join(["%x", "%y"][:count])
        body = f"""
  {results + " = " if count else ""}memref.alloca_scope -> ({types}) {{
    %m = memref.alloca() : memref<4xf32>
    memref.copy %0, %m : memref<4xf32> to memref<4xf32>
    %x = memref.load %m[%1] : memref<4xf32>
    %y = memref.load %m[%c3] : memref<4xf32>
    memref.store %y, %0[%c1] : memref<4xf32>
    memref.alloca_scope.return {f"{returned} : {types}" if count else ""}
  }}"""
        if not count:
            body = body.replace(" -> ()", "")
        yield _form(f"alloca_scope of {count}", body, [(4,)], ["f32"] * count)


def _globals() -> Iterator[Form]:
    for visible in ('"private" ', ""):
        for constant in ("constant ", ""):
            for aligned in ("", " {alignment = 64 : i64}"):
                written = (
                    "" if constant else "memref.store %c2, %g[%c1] : memref<3xindex>"
                )
                body = f"""
  %g = memref.get_global @table : memref<3xindex>
  {written}
  %r0 = memref.load %g[%0] : memref<3xindex>
  %r1 = memref.load %g[%c1] : memref<3xindex>"""
                more = (
                    f"memref.global {visible}{constant}@table : memref<3xindex> = "
                    f"dense<[5, 6, 7]>{aligned}"
                )
                yield _form(more, body, [], ["index"] * 2, more=more)
    body = """
  %g = memref.get_global @place : memref<2x2xf32>
  memref.copy %0, %g : memref<2x2xf32> to memref<2x2xf32>
  %r0 = memref.load %g[%c1, %c0] : memref<2x2xf32>"""
    more = 'memref.global "private" @place : memref<2x2xf32> = uninitialized'
    yield _form("global without elements", body, [(2, 2)], ["f32"], more=more)


def _casts() -> Iterator[Form]:
    """Sizes, layouts and ranks that are known, and that are not."""
    m, other = "memref<4x3xf32>", "memref<3x4xf32>"
    ways = {
        "cast to open sizes": (f"memref.cast %0 : {m} to memref<?x?xf32>", "?x?", ""),
        "cast to a layout": (
            f"memref.cast %0 : {m} to memref<4x3xf32, {WIDE}>", "4x3", WIDE,
        ),
        "memory_space_cast": (f"memref.memory_space_cast %0 : {m} to {m}", "4x3", ""),
        "assume_alignment": (f"memref.assume_alignment %0, 4 : {m}", "4x3", ""),
        "transpose and back": (
            f"""memref.transpose %0 (i, j) -> (j, i) : {m}
        to memref<3x4xf32, strided<[1, 3]>>
  %v = memref.transpose %w (i, j) -> (j, i) : memref<3x4xf32, strided<[1, 3]>>
        to memref<4x3xf32, strided<[3, 1]>>""", "4x3", "strided<[3, 1]>",
        ),
        "any rank": (
            f"""memref.cast %0 : {m} to memref<*xf32>
  %v = memref.cast %w : memref<*xf32> to memref<?x3xf32>""", "?x3", "",
        ),
        "collapse_shape and expand_shape": (
            f"""memref.collapse_shape %0 [[0, 1]] : {m} into memref<12xf32>
  %v = memref.expand_shape %w [[0, 1]] output_shape [4, 3]
        : memref<12xf32> into {m}""", "4x3", "",
        ),
        "expand_shape with an open size": (
            f"""memref.cast %0 : {m} to memref<?x?xf32>
  %flat = memref.collapse_shape %w [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  %v = memref.expand_shape %flat [[0, 1]] output_shape [%c4, 3]
        : memref<?xf32> into memref<?x3xf32>""", "?x3", "",
        ),
        "distinct_objects of one": (f"memref.distinct_objects %0 : {m}", "4x3", ""),
        "distinct_objects of two": (
            f"memref.distinct_objects %0, %1 : {m}, {other}", "4x3", "",
        ),
        "reinterpret_cast": (
            f"""memref.reinterpret_cast %0 to offset: [0], sizes: [4, 3],
        strides: [3, 1] : {m} to memref<4x3xf32, strided<[3, 1]>>""",
            "4x3", "strided<[3, 1]>",
        ),
        "reinterpret_cast with open places": (
            f"""memref.reinterpret_cast %0 to offset: [%c0], sizes: [%c4, %c3],
        strides: [%c3, %c1] : {m} to memref<?x?xf32, {WIDE}>""", "?x?", WIDE,
        ),
        "reinterpret_cast with some open places": (
            f"""memref.reinterpret_cast %0 to offset: [1], sizes: [%c3, 2],
        strides: [3, %c1] : {m} to memref<?x2xf32, strided<[3, ?], offset: 1>>""",
            "?x2", "strided<[3, ?], offset: 1>",
        ),
    }  # fmt: skip
    for name, (text, sizes, layout) in ways.items():
        two = name.endswith("two")
        first = "%v, %w = " if two else "%w = " if "%v =" in text else "%v = "
        v = memref(sizes.split("x"), "f32", layout)
        body = f"""
  {first}{text}
  %x = memref.load %v[%c2, %c1] : {v}
  %y = arith.addf %x, %x : f32
  memref.store %y, %v[%c1, %c0] : {v}
  %r0 = memref.load %0[%c1, %c0] : {m}"""
        yield _form(name, body, [(4, 3), (3, 4)], ["f32"])


def _subviews() -> Iterator[Form]:
    """Offsets, sizes and strides: known, open, of one row, of no element."""
    for offsets, sizes, strides, shape, layout in (
        ("0, 0", "2, 3", "1, 1", "2x3", "strided<[6, 1]>"),
        ("1, 2", "2, 2", "2, 3", "2x2", "strided<[12, 3], offset: 8>"),
        ("%2, 1", "3, 4", "1, 1", "3x4", "strided<[6, 1], offset: ?>"),
        ("1, 1", "%2, 4", "1, 1", "?x4", "strided<[6, 1], offset: 7>"),
        ("1, 1", "2, 4", "%2, 1", "2x4", "strided<[?, 1], offset: 7>"),
        ("%c1, %c1", "%2, %2", "%c1, %2", "?x?", WIDE),
        ("2, 0", "1, 6", "1, 1", "6", "strided<[1], offset: 12>"),
        ("0, 0", "0, 6", "1, 1", "0x6", "strided<[6, 1]>"),
        ("0, 5", "5, 1", "1, 1", "5", "strided<[6], offset: 5>"),
        ("0, 0", "5, 6", "1, 1", "5x6", "strided<[6, 1]>"),
    ):
        place, m = f"[{offsets}] [{sizes}] [{strides}]", "memref<5x6xf32>"
        part = memref(shape.split("x"), "f32", layout)
        body = f"""
  %v = memref.subview %0{place} : {m} to {part}
  %w = memref.subview %1{place} : {m} to {part}
  memref.copy %v, %w : {part} to {part}"""
        yield _form(f"subview {place}", body, [(5, 6)] * 2)


def _questions() -> Iterator[Form]:
    """Sizes, ranks, strides and addresses of buffers."""
    m = "memref<4x3xf32>"
    body = f"""
  %o = memref.cast %0 : {m} to memref<?x?xf32>
  %a = memref.cast %0 : {m} to memref<*xf32>
  %r0 = memref.dim %o, %c1 : memref<?x?xf32>
  %r1 = memref.dim %0, %c0 : {m}
  %r2 = memref.dim %a, %c1 : memref<*xf32>
  %r3 = memref.rank %0 : {m}
  %r4 = memref.rank %a : memref<*xf32>
  %v = memref.subview %0[%c1, 0] [%c2, 3] [1, 1] : {m}
    to memref<?x3xf32, strided<[3, 1], offset: ?>>
  %b, %r5, %s:2, %t:2 = memref.extract_strided_metadata %v
    : memref<?x3xf32, strided<[3, 1], offset: ?>>
    -> memref<f32>, index, index, index, index, index
  %r6 = arith.muli %s#0, %t#0 : index
  %r7 = memref.dim %v, %c0 : memref<?x3xf32, strided<[3, 1], offset: ?>>"""
    yield _form("dim, rank and strides", body, [(4, 3)], ["index"] * 8)
    body = """
  %b, %r0 = memref.extract_strided_metadata %0 : memref<f32> -> memref<f32>, index
  %r1 = memref.load %b[] : memref<f32>"""
    yield _form("strides of rank 0", body, [()], ["index", "f32"])
    body = f"""
  %p = memref.extract_aligned_pointer_as_index %0 : {m} -> index
  %v = memref.cast %0 : {m} to memref<?x3xf32>
  %q = memref.extract_aligned_pointer_as_index %v : memref<?x3xf32> -> index
  %r0 = arith.cmpi eq, %p, %q : index"""
    yield _form("pointers", body, [(4, 3)], ["i1"])


def _reshaped() -> Iterator[Form]:
    """Views of bytes, shapes that are buffers, and copies of any rank."""
    m = "memref<4x3xf32>"
    for sizes, shape in (("", (2, 2)), ("%1", ("?", 2)), ("%1, %c2", ("?", "?"))):
        bytes_ = "memref<64xi8>"
        view = memref(shape, "i32")
        body = f"""
  %v = memref.view %0[%c4][{sizes}] : {bytes_} to {view}
  %r0 = memref.load %v[%c1, %c0] : {view}
  memref.store %r0, %v[%c0, %c1] : {view}"""
        yield _form(f"view [{sizes}]", body, [(64,)], ["i32"], "i8")
    for shape in ("12", "?", "2x6", "?x6", "*"):
        rank = {"12": 1, "?": 1}.get(shape, 2)
        into = f"memref<{shape}xf32>"
        known = f"memref<{'x'.join('?' * rank)}xf32>"
        at = "%c3" if rank == 1 else "%c1, %c3"
        first = "%n" if rank == 1 else "%c2"
        shapes = f"memref<{rank}xindex>"
        body = f"""
  %n = arith.constant 12 : index
  %six = arith.constant 6 : index
  %s = memref.alloca() : {shapes}
  memref.store {first}, %s[%c0] : {shapes}
  {f"memref.store %six, %s[%c1] : {shapes}" if rank == 2 else ""}
  %w = memref.reshape %0(%s) : ({m}, {shapes}) -> {into}
  %v = memref.cast %w : {into} to {known}
  %r0 = memref.load %v[{at}] : {known}"""
        yield _form(f"reshape to {shape}", body, [(4, 3)], ["f32"])
    for one, other in (("4x3", "?x?"), ("*", "4x3"), ("4x3", "*"), ("*", "*")):
        types = [f"memref<{each}xf32>" for each in (one, other)]
        casts = [
            f"%{name} = memref.cast %{at} : {m} to {type_}"
            for at, (name, type_) in enumerate(zip("ab", types, strict=True))
        ]
        body = f"""
  {casts[0]}
  {casts[1]}
  memref.copy %a, %b : {types[0]} to {types[1]}"""
        yield _form(f"copy {one} to {other}", body, [(4, 3)] * 2)


def forms() -> list[Form]:
    """Each op of memref that has a lowering."""
    return [
        *_accesses(),
        *_allocations(),
        *_globals(),
        *_casts(),
        *_subviews(),
        *_questions(),
        *_reshaped(),
    ]
