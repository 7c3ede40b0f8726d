"""Forms of the ops of tensor and bufferization, and of pack and unpack."""

from collections.abc import Iterator
from itertools import product

from harness.cases.forms.form import Form, function, numbers, tensor

ELEMENTS = ("f32", "i8", "i1", "f16", "bf16", "index", "complex<f32>")


def _slices() -> Iterator[Form]:
    """Offsets, sizes and strides: static, dynamic, of size 1, 0, and left out."""
    places: tuple[tuple[str, str, str, list[int]], ...] = (
        ("0, 0", "2, 3", "1, 1", [2, 3]),
        ("1, 2", "2, 2", "2, 3", [2, 2]),
        ("%2, 1", "3, 4", "1, 1", [3, 4]),
        ("1, 1", "3, 4", "%2, 1", [3, 4]),
        ("2, 0", "1, 6", "1, 1", [6]),
        ("2, 3", "1, 1", "1, 1", []),
        ("0, 0", "0, 6", "1, 1", [0, 6]),
        ("0, 5", "5, 1", "1, 1", [5]),
    )
    whole = tensor([5, 6], "f32")
    for offsets, sizes, strides, shape in places:
        if strides == "%2, 1":
            sizes, shape = "2, 4", [2, 4]
        part = tensor(shape, "f32")
        at = f"[{offsets}] [{sizes}] [{strides}]"
        arguments = [numbers([5, 6], "f32"), numbers(shape, "f32", 1), 2]
        text = function(
            f"  %r0 = tensor.extract_slice %0{at} : {whole} to {part}",
            [whole, part, "index"],
            [part],
        )
        yield Form(f"extract_slice {at}", text, arguments)
        text = function(
            f"  %r0 = tensor.insert_slice %1 into %0{at} : {part} into {whole}",
            [whole, part, "index"],
            [whole],
        )
        yield Form(f"insert_slice {at}", text, arguments)


def _elements() -> Iterator[Form]:
    for element in ELEMENTS:
        t, one = tensor([3, 4], element), numbers([], element, 5)
        arguments = [numbers([3, 4], element), one, 1, 2]
        types = [t, element, "index", "index"]
        text = function(f"  %r0 = tensor.extract %0[%2, %3] : {t}", types, [element])
        yield Form(f"extract {element}", text, arguments)
        text = function(f"  %r0 = tensor.insert %1 into %0[%2, %3] : {t}", types, [t])
        yield Form(f"insert {element}", text, arguments)
        small = tensor([2, 1], element)
        text = function(
            f"  %r0 = tensor.from_elements %1, %1 : {small}", types, [small]
        )
        yield Form(f"from_elements {element}", text, arguments)
        text = function(f"  %r0 = tensor.splat %1 : {t}", types, [t])
        yield Form(f"splat {element}", text, arguments)
        whole = tensor([12], element)
        text = function(
            f"""
  %r0 = tensor.collapse_shape %0 [[0, 1]] : {t} into {whole}
  %r1 = tensor.expand_shape %r0 [[0, 1]] output_shape [2, 6]
      : {whole} into {tensor([2, 6], element)}""",
            types,
            [whole, tensor([2, 6], element)],
        )
        yield Form(f"shapes {element}", text, arguments)
        for axis in range(2):
            shape = [6, 4] if axis == 0 else [3, 8]
            joined = tensor(shape, element)
            text = function(
                f"  %r0 = tensor.concat dim({axis}) %0, %0 : ({t}, {t}) -> {joined}",
                types,
                [joined],
            )
            yield Form(f"concat {axis} {element}", text, arguments)
        shape = [3 + 1 + 2, 4 + 0 + 3]
        text = function(
            f"""
  %r0 = tensor.pad %0 low[1, 0] high[2, 3] {{
  ^bb0(%i: index, %j: index):
    tensor.yield %1 : {element}
  }} : {t} to {tensor(shape, element)}""",
            types,
            [tensor(shape, element)],
        )
        yield Form(f"pad {element}", text, arguments)


def _others() -> Iterator[Form]:
    t, whole = tensor([3, 4], "f32"), "tensor<?x?xf32>"
    arguments = [numbers([3, 4], "f32"), 1]
    text = function(
        f"""
  %c0 = arith.constant 0 : index
  %d = tensor.cast %0 : {t} to {whole}
  %r0 = tensor.dim %d, %1 : {whole}
  %r1 = tensor.dim %d, %c0 : {whole}
  %r2 = tensor.rank %d : {whole}""",
        [t, "index"],
        ["index"] * 3,
    )
    yield Form("dim and rank", text, arguments)
    text = function(
        f"""
  %r0 = tensor.generate {{
  ^bb0(%i: index, %j: index):
    %e = tensor.extract %0[%i, %j] : {t}
    %u = tensor.insert %e into %0[%1, %1] : {t}
    %c0 = arith.constant 0 : index
    %a = tensor.extract %u[%c0, %j] : {t}
    %b = tensor.extract %u[%1, %1] : {t}
    %x = arith.addf %a, %b : f32
    tensor.yield %x : f32
  }} : {t}""",
        [t, "index"],
        [t],
    )
    yield Form("generate with tensors", text, arguments)
    text = function(
        f"""
  %s = arith.constant dense<[2, 6]> : tensor<2xindex>
  %r0 = tensor.reshape %0(%s) : ({t}, tensor<2xindex>) -> {tensor([2, 6], "f32")}""",
        [t, "index"],
        [tensor([2, 6], "f32")],
    )
    yield Form("reshape", text, arguments)
    text = function(
        f"""
  %x = arith.constant 2.5 : f32
  %e = tensor.empty() : {t}
  %f = linalg.fill ins(%x : f32) outs(%e : {t}) -> {t}
  %m = bufferization.alloc_tensor() copy(%f) : {t}
  %r0 = tensor.insert %x into %m[%1, %1] : {t}
  %r1 = arith.addf %f, %0 : {t}""",
        [t, "index"],
        [t, t],
    )
    yield Form("empty, fill, alloc_tensor", text, arguments)
    text = function(
        f"""
  %b = bufferization.to_buffer %0 : {t} to memref<3x4xf32>
  %c = bufferization.clone %b : memref<3x4xf32> to memref<3x4xf32>
  %x = arith.constant 9.0 : f32
  memref.store %x, %c[%1, %1] : memref<3x4xf32>
  %r0 = bufferization.to_tensor %c restrict : memref<3x4xf32> to {t}
  %r1 = tensor.extract %0[%1, %1] : {t}""",
        [t, "index"],
        [t, "f32"],
    )
    yield Form("buffers of tensors", text, arguments)


def _packs() -> Iterator[Form]:
    """Tiles of each dimension, in each order, that fill the tensor or not."""
    choices = product(
        ("f32", "i8"), ([0, 1], [1, 0]), ([0, 1], [1, 0]), ([6, 8], [5, 7])
    )
    for element, outer, inner, shape in choices:
        tiles = [2, 4]
        by_dimension = dict(zip(inner, tiles, strict=True))
        counts = [-(-shape[d] // by_dimension[d]) for d in range(2)]
        packed = tensor([*(counts[d] for d in outer), *tiles], element)
        plain = tensor(shape, element)
        layout = (
            f"outer_dims_perm = {outer} inner_dims_pos = {inner} inner_tiles = {tiles}"
        )
        sizes = [*(counts[d] for d in outer), *tiles]
        fits = all(shape[d] % by_dimension[d] == 0 for d in range(2))
        pad = "" if fits else f"padding_value(%2 : {element}) "
        arguments = [
            numbers(shape, element),
            numbers(sizes, element, 1),
            numbers([], element, 2),
        ]
        types = [plain, packed, element]
        text = function(
            f"  %r0 = linalg.pack %0 {pad}{layout} into %1 : {plain} -> {packed}",
            types,
            [packed],
        )
        yield Form(f"pack {element} {layout} of {shape}", text, arguments)
        text = function(
            f"  %r0 = linalg.unpack %1 {layout} into %0 : {packed} -> {plain}",
            types,
            [plain],
        )
        yield Form(f"unpack {element} {layout} of {shape}", text, arguments)


def forms() -> list[Form]:
    """All forms of ops that move the elements of tensors."""
    return [*_slices(), *_elements(), *_others(), *_packs()]
