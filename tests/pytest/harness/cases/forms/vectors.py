"""Forms of the ops of vector, on what is read from a buffer and written to another."""

from collections.abc import Iterator

import numpy as np

from harness.cases.forms.form import PRECISION, Form, numbers, tensor

KINDS = {
    "f32": ("add", "mul", "maximumf", "minimumf", "maxnumf", "minnumf"),
    "i32": ("add", "mul", "maxsi", "minsi", "maxui", "minui", "and", "or", "xor"),
}


def _zero(element: str) -> str:
    return "0.0" if element[0] in "fb" else "0"


def _program(body: str, element: str, size: int) -> str:
    """@f(%m, %o): %v has what is in a 4x6 buffer; %r is written to another."""
    return f"""
func.func @f(%m: memref<4x6x{element}>, %n: memref<6x{element}>,
             %o: memref<{size}x{element}>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant {_zero(element)} : {element}
  %v = vector.transfer_read %m[%c0, %c0], %z {{in_bounds = [true, true]}}
    : memref<4x6x{element}>, vector<4x6x{element}>
  %w = vector.transfer_read %n[%c0], %z {{in_bounds = [true]}}
    : memref<6x{element}>, vector<6x{element}>
  {body}
  vector.transfer_write %r, %o[%c0] {{in_bounds = [true]}}
    : vector<{size}x{element}>, memref<{size}x{element}>
  return
}}"""


def _form(name: str, body: str, element: str, size: int) -> Form:
    arguments = [
        numbers([4, 6], element),
        numbers([6], element, 1),
        numbers([size], element, 2),
    ]
    tolerance = 16 * PRECISION.get(element, 0.0)
    return Form(
        f"vector.{name} {element}", _program(body, element, size), arguments, tolerance
    )


def _combining() -> Iterator[Form]:
    for element, kinds in KINDS.items():
        v, w = f"vector<4x6x{element}>", f"vector<6x{element}>"
        for kind in kinds:
            broadcast = f"%r = vector.broadcast %s : {element} to vector<1x{element}>"
            yield _form(
                f"reduction {kind}",
                f"%s = vector.reduction <{kind}>, %w : {w} into {element}\n{broadcast}",
                element,
                1,
            )
            yield _form(
                f"reduction {kind} with a start",
                f"""%a = vector.extract %w[2] : {element} from {w}
  %s = vector.reduction <{kind}>, %w, %a : {w} into {element}
  {broadcast}""",
                element,
                1,
            )
            yield _form(
                f"multi_reduction {kind}",
                f"%r = vector.multi_reduction <{kind}>, %v, %w [0] : {v} to {w}",
                element,
                6,
            )
            yield _form(
                f"scan {kind}",
                f"""%x, %r = vector.scan <{kind}>, %v, %w
      {{inclusive = true, reduction_dim = 0 : i64}} : {v}, {w}""",
                element,
                6,
            )
        kinds = ("add", "maximumf") if element == "f32" else ("add", "maxsi")
        for kind in kinds:
            yield _form(
                f"contract {kind}",
                f"""%t = vector.transpose %v, [1, 0] : {v} to vector<6x4x{element}>
  %g = vector.extract %v[0] : {w} from {v}
  %r = vector.contract {{indexing_maps = [affine_map<(i, j) -> (i, j)>,
      affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"], kind = #vector.kind<{kind}>}}
      %t, %h, %g : vector<6x4x{element}>, vector<4x{element}> into {w}""".replace(
                    "%r =",
                    f"""%h = vector.extract_strided_slice %w
      {{offsets = [1], sizes = [4], strides = [1]}} : {w} to vector<4x{element}>
  %r =""",
                ),
                element,
                6,
            )
            yield _form(
                f"outerproduct {kind}",
                f"""%h = vector.extract_strided_slice %w {{offsets = [1], sizes = [4],
      strides = [1]}} : {w} to vector<4x{element}>
  %p = vector.outerproduct %h, %w, %v {{kind = #vector.kind<{kind}>}}
      : vector<4x{element}>, {w}
  %r = vector.shape_cast %p : {v} to vector<24x{element}>""",
                element,
                24,
            )


def _moving() -> Iterator[Form]:
    for element in ("f32", "i32", "i8", "f16"):
        v, w = f"vector<4x6x{element}>", f"vector<6x{element}>"
        bodies = {
            "broadcast": (
                f"""%b = vector.broadcast %w : {w} to {v}
  %r = vector.shape_cast %b : {v} to vector<24x{element}>""",
                24,
            ),
            "transpose": (
                f"""%b = vector.transpose %v, [1, 0] : {v} to vector<6x4x{element}>
  %r = vector.shape_cast %b : vector<6x4x{element}> to vector<24x{element}>""",
                24,
            ),
            "insert": (
                f"""%b = vector.insert %w, %v[2] : {w} into {v}
  %e = vector.extract %w[3] : {element} from {w}
  %c = vector.insert %e, %b[0, 5] : {element} into {v}
  %r = vector.shape_cast %c : {v} to vector<24x{element}>""",
                24,
            ),
            "extract": (f"%r = vector.extract %v[3] : {w} from {v}", 6),
            "shuffle": (
                f"""%e = vector.extract %v[3] : {w} from {v}
  %r = vector.shuffle %w, %e [0, 11, 5, 6] : {w}, {w}""",
                4,
            ),
            "slices": (
                f"""%s = vector.extract_strided_slice %v {{offsets = [1, 2],
      sizes = [2, 3], strides = [1, 1]}} : {v} to vector<2x3x{element}>
  %b = vector.insert_strided_slice %s, %v {{offsets = [0, 3], strides = [1, 1]}}
      : vector<2x3x{element}> into {v}
  %r = vector.shape_cast %b : {v} to vector<24x{element}>""",
                24,
            ),
            "interleave": (
                f"""%e = vector.extract %v[1] : {w} from {v}
  %r = vector.interleave %w, %e : {w} -> vector<12x{element}>""",
                12,
            ),
            "deinterleave": (
                f"%x, %r = vector.deinterleave %w : {w} -> vector<3x{element}>",
                3,
            ),
            "elements": (
                f"""%e:6 = vector.to_elements %w : {w}
  %r = vector.from_elements %e#5, %e#0, %e#2 : vector<3x{element}>""",
                3,
            ),
            "masks": (
                f"""%k = vector.create_mask %c1 : vector<6xi1>
  %q = vector.constant_mask [3] : vector<6xi1>
  %p = arith.xori %k, %q : vector<6xi1>
  %e = vector.extract %v[1] : {w} from {v}
  %r = arith.select %p, %w, %e : vector<6xi1>, {w}""",
                6,
            ),
        }
        for name, (body, size) in bodies.items():
            yield _form(name, body, element, size)


def _memory() -> Iterator[Form]:
    """Reads and writes that are masked, out of bounds, permuted and repeated."""
    element, w = "f32", "vector<6xf32>"
    buffer = "memref<4x6xf32>"
    mask = "%k = vector.create_mask %c1 : vector<6xi1>"
    bodies = {
        "load": f"%r = vector.load %m[%c1, %c0] : {buffer}, {w}",
        "maskedload": f"""{mask}
  %r = vector.maskedload %m[%c1, %c0], %k, %w : {buffer}, vector<6xi1>, {w} into {w}""",
        "expandload": f"""{mask}
  %r = vector.expandload %m[%c1, %c1], %k, %w : {buffer}, vector<6xi1>, {w} into {w}""",
        "transfer_read out of bounds": f"""
  %c4 = arith.constant 4 : index
  %r = vector.transfer_read %m[%c1, %c4], %z : {buffer}, {w}""",
        "transfer_read of a column": f"""
  %r = vector.transfer_read %m[%c1, %c1], %z
      {{permutation_map = affine_map<(d0, d1) -> (d0)>}} : {buffer}, {w}""",
        "masked transfer_read": f"""{mask}
  %r = vector.transfer_read %m[%c1, %c0], %z, %k {{in_bounds = [true]}}
      : {buffer}, {w}""",
        "store": f"""
  vector.store %w, %m[%c1, %c0] : {buffer}, {w}
  %r = arith.negf %w : {w}""",
        "maskedstore": f"""{mask}
  vector.maskedstore %m[%c1, %c0], %k, %w : {buffer}, vector<6xi1>, {w}
  %r = arith.negf %w : {w}""",
        "compressstore": f"""
  %k = vector.constant_mask [2] : vector<6xi1>
  vector.compressstore %m[%c1, %c1], %k, %w : {buffer}, vector<6xi1>, {w}
  %r = arith.negf %w : {w}""",
        "transfer_write out of bounds": f"""
  %c4 = arith.constant 4 : index
  vector.transfer_write %w, %m[%c1, %c4] : {w}, {buffer}
  %r = arith.negf %w : {w}""",
        "masked reduction": f"""
  %k = vector.constant_mask [2] : vector<6xi1>
  %s = vector.mask %k {{
    vector.reduction <add>, %w : {w} into f32
  }} : vector<6xi1> -> f32
  %r = vector.broadcast %s : f32 to {w}""",
        "gather": f"""
  %k = vector.constant_mask [4] : vector<6xi1>
  %x = arith.constant dense<[3, 0, 2, 1, 5, 4]> : vector<6xi32>
  %r = vector.gather %n[%c0] [%x], %k, %w
      : memref<6xf32>, vector<6xi32>, vector<6xi1>, {w} into {w}""",
        "scatter": f"""
  %k = vector.constant_mask [4] : vector<6xi1>
  %x = arith.constant dense<[3, 0, 2, 1, 5, 4]> : vector<6xi32>
  vector.scatter %n[%c0] [%x], %k, %w
      : memref<6xf32>, vector<6xi32>, vector<6xi1>, {w}
  %r = arith.negf %w : {w}""",
        "fma": f"%r = vector.fma %w, %w, %w : {w}",
        "bitcast": f"""%b = vector.bitcast %w : {w} to vector<12xi16>
  %r = vector.bitcast %b : vector<12xi16> to {w}""",
    }
    for name, body in bodies.items():
        yield _form(name, body, element, 6)


def _without_dimensions() -> Iterator[Form]:
    """Vectors of one element that have no dimension, and masks of them."""
    one, of_one = (
        "vector<f32>",
        "%r = vector.broadcast %s : vector<f32> to vector<1xf32>",
    )
    read = f"%a = vector.transfer_read %n[%c1], %z : memref<6xf32>, {one}"
    bodies = {
        "transfer_read": "%s = arith.negf %a : vector<f32>",
        "transfer_write": f"""vector.transfer_write %a, %n[%c0] : {one}, memref<6xf32>
  %s = vector.load %n[%c0] : memref<6xf32>, {one}""",
        "store": f"""vector.store %a, %n[%c0] : memref<6xf32>, {one}
  %s = vector.load %n[%c0] : memref<6xf32>, {one}""",
        "shape_cast": f"""%b = vector.shape_cast %a : {one} to vector<1x1xf32>
  %s = vector.shape_cast %b : vector<1x1xf32> to {one}""",
        "bitcast": f"""%b = vector.bitcast %a : {one} to vector<i32>
  %s = vector.bitcast %b : vector<i32> to {one}""",
        "insert": f"""%x = vector.extract %a[] : f32 from {one}
  %b = vector.insert %z, %a[] : f32 into {one}
  %c = vector.from_elements %x : {one}
  %s = arith.addf %b, %c : {one}""",
        "fma": f"%s = vector.fma %a, %a, %a : {one}",
        "reduction": f"""%x = vector.reduction <add>, %a : {one} into f32
  %y = vector.reduction <mul>, %a, %x : {one} into f32
  %s = vector.broadcast %y : f32 to {one}""",
    }
    sizes = {"0": "%c0", "1": "%c1"}
    for size, value in sizes.items():
        for mask in (f"constant_mask [{size}]", f"create_mask {value}"):
            bodies[mask] = f"""%k = vector.{mask} : vector<i1>
  %b = arith.negf %a : {one}
  %s = arith.select %k, %a, %b : vector<i1>, {one}"""
    for name, body in bodies.items():
        yield _form(
            f"{name} of no dimension", f"{read}\n  {body}\n  {of_one}", "f32", 1
        )


def _on_tensors() -> Iterator[Form]:
    t = tensor([4, 6], "f32")
    text = f"""
func.func @f(%0: {t}, %i: index) -> {t} {{
  %z = arith.constant -1.0 : f32
  %v = vector.transfer_read %0[%i, %i], %z : {t}, vector<2x8xf32>
  %r = vector.transfer_write %v, %0[%i, %i] : vector<2x8xf32>, {t}
  return %r : {t}
}}"""
    for index in (0, 1, 3):
        yield Form("transfers of tensors", text, [numbers([4, 6], "f32"), index])
    yield Form(
        "step",
        """
func.func @f(%m: memref<4xindex>) {
  %c0 = arith.constant 0 : index
  %v = vector.step : vector<4xindex>
  vector.store %v, %m[%c0] : memref<4xindex>, vector<4xindex>
  return
}""",
        [np.zeros(4, np.int64)],
    )


def forms() -> list[Form]:
    """All forms of vector's ops."""
    return [
        *_combining(),
        *_moving(),
        *_memory(),
        *_without_dimensions(),
        *_on_tensors(),
    ]
