"""Forms with the parts that few programs have: attributes, sizes, places, masks.

Each is a part that the definition of an op leaves open, present in one form at least.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from harness.cases.forms.form import Form, function, numbers

T, D, M = "tensor<4x6xf32>", "tensor<?x?xf32>", "memref<4x6xf32>"
CONSTANTS = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
"""


def _form(
    name: str,
    body: str,
    results: Sequence[str] = (),
    more: str = "",
    types: Sequence[str] = (T, T, M, "index"),
) -> Form:
    """Tensors %0 and %1, a buffer %2, and a number %3 that is 2."""
    arguments: list[Any] = [numbers([4, 6], "f32", at) for at in range(len(types) - 1)]
    text = function(CONSTANTS + body, types, results, more)
    return Form(name, text, [*arguments, 2])


def _tensors() -> Iterator[Form]:
    body = f"""
  %a = bufferization.alloc_tensor(%c4, %c6) : {D}
  %b = tensor.insert_slice %0 into %a[0, 0] [4, 6] [1, 1] : {T} into {D}
  %r0 = tensor.cast %b : {D} to {T}"""
    yield _form("alloc_tensor with two sizes", body, [T])
    body = f"""
  %a = bufferization.alloc_tensor() copy(%0) size_hint=%3 : {T}
  %r0 = tensor.insert %one into %a[%3, %c1] : {T}"""
    yield _form("alloc_tensor with a hint", body, [T])
    for places, parts in (("%3, %c1", "1, %c2"), ("0, %c1", "%c2, %3")):
        part = D if parts[0] == "%" else "tensor<1x?xf32>"
        at = f"[{places}] [{parts}] [1, 1]"
        body = f"""
  %a = tensor.extract_slice %0{at} : {T} to {part}
  %r0 = tensor.insert_slice %a into %1{at} : {part} into {T}"""
        yield _form(f"slices {at}", body, [T])
    at = "[0, 0] [2, 3] [%3, %c2]"
    body = f"""
  %a = tensor.extract_slice %0{at} : {T} to tensor<2x3xf32>
  %r0 = tensor.insert_slice %a into %1{at} : tensor<2x3xf32> into {T}"""
    yield _form(f"slices {at}", body, [T])
    for low, high in (("%3, %c1", "0, 1"), ("1, 0", "%c1, %3"), ("%c1, 0", "%3, %c0")):
        body = f"""
  %r0 = tensor.pad %0 low[{low}] high[{high}] {{
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  }} : {T} to {D}"""
        yield _form(f"pad {low} and {high}", body, [D])
    body = f"""
  %r0 = tensor.concat dim(1) %0 : ({T}) -> {T}
  %r1 = tensor.from_elements : tensor<0xf32>
  %r2 = tensor.from_elements %one : tensor<f32>"""
    yield _form("concat of one", body, [T, "tensor<0xf32>", "tensor<f32>"])
    for inner, type_ in (
        ("%3, 3", "tensor<2x2x?x3xf32>"),
        ("%3, %d", "tensor<2x2x?x?xf32>"),
    ):
        body = f"""
  %d = arith.addi %c1, %c2 : index
  %a = tensor.empty({inner.replace(", 3", "")}) : {type_}
  %p = linalg.pack %0 inner_dims_pos = [0, 1] inner_tiles = [{inner}] into %a
    : {T} -> {type_}
  %r0 = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [{inner}] into %1
    : {type_} -> {T}"""
        yield _form(f"pack and unpack [{inner}]", body, [T])


def _between() -> Iterator[Form]:
    """Between tensors and buffers."""
    body = f"""
  %b = bufferization.to_buffer %0 read_only : {T} to {M}
  %r0 = memref.load %b[%3, %c1] : {M}"""
    yield _form("to_buffer read_only", body, ["f32"])
    body = f"""
  %a = bufferization.to_tensor %2 restrict : {M} to {T}
  %r0 = linalg.add ins(%a, %0 : {T}, {T}) outs(%1 : {T}) -> {T}"""
    yield _form("to_tensor restrict", body, [T])
    for restrict in ("", "restrict "):
        body = f"""
  %a = linalg.add ins(%0, %0 : {T}, {T}) outs(%1 : {T}) -> {T}
  bufferization.materialize_in_destination %a in {restrict}writable %2
    : ({T}, {M}) -> ()"""
        yield _form(f"materialize_in_destination {restrict}writable", body)
    body = f"""
  %a = bufferization.to_tensor %2 restrict writable : {M} to {T}
  %b = linalg.add ins(%0, %a : {T}, {T}) outs(%a : {T}) -> {T}
  bufferization.materialize_in_destination %b in writable %2 : ({T}, {M}) -> ()"""
    yield _form("to_tensor restrict writable", body)


def _structured() -> Iterator[Form]:
    """Ops of linalg on buffers, one of which may be input and output."""
    maps = ", ".join(["affine_map<(i, j) -> (i, j)>"] * 2)
    for other in ("%2", "%4"):
        for words in ("", ', doc = "sum", library_call = "sum"'):
            body = f"""
  linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel", "parallel"]
      {words}}} ins({other} : {M}) outs(%2 : {M}) {{
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  }}"""
            yield _of_buffers(f"linalg.generic of {other}{words}", body)
        for text in (
            f"linalg.add ins({other}, %2 : {M}, {M}) outs(%2 : {M})",
            f"linalg.exp ins({other} : {M}) outs(%2 : {M})",
            f"linalg.copy ins({other} : {M}) outs(%2 : {M})",
            f"linalg.map {{ arith.negf }} ins({other} : {M}) outs(%2 : {M})",
        ):
            yield _of_buffers(f"{text}", f"  {text}")
    row = "memref<6xf32>"
    for text in (
        f"linalg.fill ins(%one : f32) outs(%2 : {M})",
        f"linalg.softmax dimension(1) ins(%4 : {M}) outs(%2 : {M})",
        f"linalg.copy ins(%2 : {M}) outs(%4 : {M})",
    ):
        yield _of_buffers(text, f"  {text}")
    for text in (
        f"linalg.reduce {{ arith.addf }} ins(%2 : {M}) outs(%a : {row})\n"
        "    dimensions = [0]",
        "",
    ):
        body = f"""
  %a = memref.alloca() : {row}
  linalg.fill ins(%one : f32) outs(%a : {row})
  {text}
  linalg.broadcast ins(%a : {row}) outs(%4 : {M}) dimensions = [0]"""
        yield _of_buffers(f"linalg.broadcast {text}", body)
    body = f"""
  %t = memref.alloca() : memref<6x4xf32>
  linalg.transpose ins(%2 : {M}) outs(%t : memref<6x4xf32>) permutation = [1, 0]
  %s = memref.alloca() : memref<4x4xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<4x4xf32>)
  linalg.matmul ins(%4, %t : {M}, memref<6x4xf32>) outs(%s : memref<4x4xf32>)
  linalg.matmul ins(%s, %4 : memref<4x4xf32>, {M}) outs(%2 : {M})"""
    yield _of_buffers("linalg.matmul of buffers", body)
    shifted = "memref<4x5xf32, strided<[6, 1], offset: 1>>"
    first = "memref<4x5xf32, strided<[6, 1]>>"
    body = f"""
  %a = memref.subview %2[0, 1] [4, 5] [1, 1] : {M} to {shifted}
  %b = memref.subview %4[0, 0] [4, 5] [1, 1] : {M} to {first}
  linalg.add ins(%a, %a : {shifted}, {shifted}) outs(%b : {first})
  linalg.mul ins(%b, %a : {first}, {shifted}) outs(%a : {shifted})"""
    yield _of_buffers("linalg.add of views", body)


def _of_buffers(name: str, body: str) -> Form:
    """With a second buffer, %4."""
    text = function(CONSTANTS + body, [T, T, M, "index", M], [])
    arrays = [numbers([4, 6], "f32", at) for at in range(4)]
    return Form(name, text, [*arrays[:3], 2, arrays[3]], 1e-6)


def _functions() -> Iterator[Form]:
    """Attributes of arguments and results, of what is called and of the caller."""
    for attribute in ("bufferization.writable = false", "bufferization.writable = true",
                      'bufferization.access = "read"', 'test.name = "x"'):  # fmt: skip
        more = f"""
func.func private @g(%x: {T} {{{attribute}}}) -> ({T} {{test.result}}) {{
  %z = arith.constant 2.0 : f32
  %k = tensor.extract_slice %x[0, 0] [4, 6] [1, 1] : {T} to {T}
  return %k : {T}
}}"""
        body = f"""
  %a = func.call @g(%0) : ({T}) -> {T}
  %r0 = linalg.add ins(%a, %0 : {T}, {T}) outs(%1 : {T}) -> {T}"""
        yield _form(f"arguments with {attribute}", body, [T], more)


def _parallel() -> Iterator[Form]:
    for low, high, step in (
        ("0, 0", "4, 6", "1, 1"), ("%c1, %c0", "%c4, %c6", "%c1, %3"),
        ("%c1, 0", "4, %c6", "1, %c2"),
    ):  # fmt: skip
        for mapping in ("", " {mapping = [#gpu.block<x>, #gpu.block<y>]}"):
            body = f"""
  %r0 = scf.forall (%i, %j) = ({low}) to ({high}) step ({step})
      shared_outs(%s = %1) -> ({T}) {{
    %x = tensor.extract %0[%i, %j] : {T}
    %y = arith.addf %x, %x : f32
    %u = tensor.from_elements %y : tensor<1x1xf32>
    scf.forall.in_parallel {{
      tensor.parallel_insert_slice %u into %s[%i, %j] [1, 1] [1, 1]
        : tensor<1x1xf32> into {T}
    }}
  }}{mapping}"""
            yield _form(f"forall {low} to {high} by {step}{mapping}", body, [T])
    body = f"""
  %r0 = scf.forall (%i) in (2) shared_outs(%s = %1) -> ({T}) {{
    %k = arith.muli %i, %3 : index
    %u = tensor.extract_slice %0[%k, 0] [%3, 6] [1, 1] : {T} to tensor<?x6xf32>
    scf.forall.in_parallel {{
      tensor.parallel_insert_slice %u into %s[%k, 0] [%3, 6] [%c1, 1]
        : tensor<?x6xf32> into {T}
    }}
  }}"""
    yield _form("parallel_insert_slice of open rows", body, [T])
    body = f"""
  %r0 = scf.forall (%i) in (1) shared_outs(%s = %1) -> ({T}) {{
    scf.forall.in_parallel {{
      tensor.parallel_insert_slice %0 into %s[0, 0] [4, 6] [1, 1] : {T} into {T}
    }}
  }}"""
    yield _form("parallel_insert_slice of all", body, [T])


def _indices() -> Iterator[Form]:
    """Places in buffers of each rank, by two numbers, and by none."""
    body = """
  %r0, %r1, %r2 = affine.delinearize_index %3 into (%c2, %c1, 2)
    : index, index, index
  %r3 = affine.linearize_index [%3] by (%c4) : index
  %r4 = affine.linearize_index [%c1, %3] by (%c4, %c6) : index"""
    yield _form("places by open sizes", body, ["index"] * 5)
    body = f"""
  %v = memref.subview %2[1, 0] [1, 6] [1, 1] : {M}
    to memref<6xf32, strided<[1], offset: 6>>
  %b, %r0, %r1, %r2 = memref.extract_strided_metadata %v
    : memref<6xf32, strided<[1], offset: 6>> -> memref<f32>, index, index, index
  affine.prefetch %v[%3], read, locality<2>, data
    : memref<6xf32, strided<[1], offset: 6>>
  memref.prefetch %v[%3], read, locality<2>, data
    : memref<6xf32, strided<[1], offset: 6>>
  %x = affine.vector_load %v[%3]
    : memref<6xf32, strided<[1], offset: 6>>, vector<3xf32>
  affine.vector_store %x, %v[0]
    : memref<6xf32, strided<[1], offset: 6>>, vector<3xf32>
  %r3 = memref.atomic_rmw addf %one, %v[%c1]
    : (f32, memref<6xf32, strided<[1], offset: 6>>) -> f32
  %n = memref.alloca() : memref<f32>
  memref.store %one, %n[] : memref<f32>
  %r4 = memref.atomic_rmw addf %one, %n[] : (f32, memref<f32>) -> f32
  %r5 = memref.generic_atomic_rmw %n[] : memref<f32> {{
  ^bb0(%old: f32):
    memref.atomic_yield %one : f32
  }}
  %r6 = memref.generic_atomic_rmw %2[%3, %c1] : {M} {{
  ^bb0(%old: f32):
    %new = arith.addf %old, %old : f32
    memref.atomic_yield %new : f32
  }}"""
    types = ["index"] * 3 + ["f32"] * 4
    yield _form("buffers of rank 0 and 1", body, types)


def _vectors() -> Iterator[Form]:
    """Masks, accumulators, and places by numbers that are not known."""
    v, w = "vector<4x6xf32>", "vector<6xf32>"
    read = f"""
  %v = vector.transfer_read %2[%c0, %c0], %zero {{in_bounds = [true, true]}} : {M}, {v}
  %w = vector.extract %v[1] : {w} from {v}"""
    body = f"""{read}
  %a = vector.extract %v[%3] : {w} from {v}
  %b = vector.insert %a, %v[%c1] : {w} into {v}
  %x = vector.extract %v[%3, %c1] : f32 from {v}
  %y = vector.insert %x, %b[%c0, %3] : f32 into {v}
  vector.transfer_write %y, %2[%c0, %c0] {{in_bounds = [true, true]}} : {v}, {M}"""
    yield _form("extract and insert at open places", body)
    body = f"""{read}
  %k = vector.create_mask %3, %c4 : vector<4x6xi1>
  %l = vector.create_mask %3 : vector<6xi1>
  vector.transfer_write %v, %2[%c0, %c0], %k : {v}, {M}
  vector.transfer_write %w, %2[%c1, %c0], %l {{in_bounds = [true]}} : {w}, {M}"""
    yield _form("transfer_write with a mask", body)
    body = f"""{read}
  %l = vector.create_mask %3 : vector<6xi1>
  %a = vector.mask %l, %w {{
    vector.transfer_read %2[%3, %c0], %zero {{in_bounds = [true]}} : {M}, {w}
  }} : vector<6xi1> -> {w}
  vector.store %a, %2[%c0, %c0] : {M}, {w}"""
    yield _form("mask with a passthru", body)
    body = f"""{read}
  %l = vector.create_mask %3 : vector<6xi1>
  %n = arith.negf %w : {w}
  %a = vector.mask %l, %w {{ vector.yield %n : {w} }} : vector<6xi1> -> {w}
  vector.mask %l {{ }} : vector<6xi1>
  vector.store %a, %2[%c0, %c0] : {M}, {w}"""
    yield _form("mask that yields what is around it", body)
    body = f"""{read}
  %u = vector.extract_strided_slice %w {{offsets = [0], sizes = [4], strides = [1]}}
    : {w} to vector<4xf32>
  %o = vector.outerproduct %u, %w : vector<4xf32>, {w}
  vector.transfer_write %o, %2[%c0, %c0] {{in_bounds = [true, true]}} : {v}, {M}"""
    yield _form("outerproduct without a sum", body)
    row = "memref<6xf32, strided<[1], offset: 6>>"
    body = f"""{read}
  %m = memref.subview %2[1, 0] [1, 6] [1, 1] : {M} to {row}
  %k = arith.constant dense<[true, false, true, true, false, true]> : vector<6xi1>
  %i = arith.constant dense<[5, 4, 3, 2, 1, 0]> : vector<6xi32>
  %a = vector.load %m[%c0] {{nontemporal = true}} : {row}, {w}
  %b = vector.maskedload %m[%c0], %k, %a : {row}, vector<6xi1>, {w} into {w}
  %c = vector.expandload %m[%c0], %k, %a {{alignment = 4 : i64}}
    : {row}, vector<6xi1>, {w} into {w}
  %d = vector.gather %2[%c1, %c0] [%i], %k, %c {{alignment = 4 : i64}}
    : {M}, vector<6xi32>, vector<6xi1>, {w} into {w}
  %e = arith.addf %d, %b : {w}
  vector.maskedstore %m[%c0], %k, %e : {row}, vector<6xi1>, {w}
  vector.scatter %2[%c0, %c0] [%i], %k, %e {{alignment = 4 : i64}}
    : {M}, vector<6xi32>, vector<6xi1>, {w}
  vector.compressstore %m[%c0], %k, %c {{alignment = 4 : i64}}
    : {row}, vector<6xi1>, {w}
  vector.store %a, %2[%c2, %c0] {{nontemporal = true}} : {M}, {w}"""
    yield _form("loads and stores of rows", body)
    body = f"""
  %n = memref.alloca() : memref<f32>
  memref.store %one, %n[] : memref<f32>
  %a = vector.transfer_read %n[], %zero : memref<f32>, vector<f32>
  vector.transfer_write %a, %n[] : vector<f32>, memref<f32>
  vector.store %a, %n[] : memref<f32>, vector<f32>
  %b = vector.from_elements %one : vector<1xf32>
  %c = vector.to_elements %b : vector<1xf32>
  vector.store %b, %2[%3, %c1] : {M}, vector<1xf32>
  %r0 = memref.load %n[] : memref<f32>
  %r1 = arith.addf %c, %r0 : f32"""
    yield _form("vectors of rank 0 and of one element", body, ["f32", "f32"])


def _others() -> Iterator[Form]:
    body = """
  %a = complex.create %one, %zero : complex<f32>
  %n = arith.constant 3 : i32
  %b = complex.powi %a, %n fastmath<fast> : complex<f32>, i32
  %r0 = complex.re %b : complex<f32>"""
    yield _form("complex.powi with fastmath", body, ["f32"])
    table = "tensor<2x3xi32>"
    more = (
        f"ml_program.global private @table(dense<[[1, 2, 3], [4, 5, 6]]> : {table}) "
        f": {table}"
    )
    body = f"""
  %a = ml_program.global_load_const @table : {table}
  %x = tensor.extract %a[%c1, %3] : {table}
  %i = arith.constant 7 : i32
  %r0 = tensor.insert %i into %a[%c0, %3] : {table}
  %r1 = arith.addi %x, %i : i32"""
    yield _form("ml_program.global", body, [table, "i32"], more)
    body = f"""
  %true = arith.constant true
  check.expect_true(%true) : i1
  check.expect_almost_eq(%0, %0, %one) : {T}, {T}, f32
  check.expect_sane(%1) : {T}
  check.expect_sane(%2) : {M}"""
    yield _form("checks that hold", body)


def forms() -> list[Form]:
    """Each part at least once."""
    return [
        *_tensors(),
        *_between(),
        *_structured(),
        *_functions(),
        *_parallel(),
        *_indices(),
        *_vectors(),
        *_others(),
    ]
