"""Cases of the ops on vectors."""

from typing import Any

import numpy as np

from harness.cases.case import Cases
from xdsl_bufferization.runtime.engine import CompiledModule

CASES = Cases()


def _floats(*shape: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    count = int(np.prod(shape))
    return (np.arange(count, dtype=np.float32) + 1).reshape(shape)


@CASES.of("""
func.func @f(%m: memref<4x8xf32>, %o: memref<4x8xf32>, %i: index, %mask: memref<4xi1>,
             %bits: memref<8xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %other = arith.constant dense<[10.0, 20.0, 30.0, 40.0]> : vector<4xf32>
  %k = vector.load %mask[%c0] : memref<4xi1>, vector<4xi1>
  vector.store %k, %bits[%i] : memref<8xi1>, vector<4xi1>
  %0 = vector.load %m[%i, %c1] : memref<4x8xf32>, vector<2x4xf32>
  vector.store %0, %o[%c0, %i] : memref<4x8xf32>, vector<2x4xf32>
  %1 = vector.maskedload %m[%i, %i], %k, %other
    : memref<4x8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.store %1, %o[%c1, %c0] : memref<4x8xf32>, vector<4xf32>
  vector.maskedstore %o[%i, %i], %k, %1 : memref<4x8xf32>, vector<4xi1>, vector<4xf32>
  %2 = vector.expandload %m[%c0, %i], %k, %other
    : memref<4x8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %c3 = arith.constant 3 : index
  vector.store %2, %o[%c3, %c0] : memref<4x8xf32>, vector<4xf32>
  %c4 = arith.constant 4 : index
  vector.compressstore %o[%c3, %c4], %k, %other
    : memref<4x8xf32>, vector<4xi1>, vector<4xf32>
  func.return
}""")
def loads_and_stores(program: CompiledModule):
    m, o, bits = _floats(4, 8), np.zeros((4, 8), np.float32), np.zeros(8, np.bool_)
    mask = np.array([True, False, True, True])
    program["f"](m, o, 2, mask, bits)
    expected = np.zeros((4, 8), np.float32)
    other = np.array([10, 20, 30, 40], np.float32)
    expected[0:2, 2:6] = m[2:4, 1:5]
    expected[1, 0:4] = np.where(mask, m[2, 2:6], other)
    expected[2, 2:6] = np.where(mask, expected[1, 0:4], 0)
    spread = other.copy()
    spread[mask] = m[0, 2:5]
    expected[3, 0:4] = spread
    expected[3, 4:7] = other[mask]
    np.testing.assert_array_equal(o, expected)
    np.testing.assert_array_equal(bits[2:6], mask)


@CASES.of("""
func.func @f(%m: memref<4x8xf32>) {
  %v = vector.type_cast %m : memref<4x8xf32> to memref<vector<4x8xf32>>
  %e = memref.load %v[] : memref<vector<4x8xf32>>
  %twice = arith.addf %e, %e : vector<4x8xf32>
  memref.store %twice, %v[] : memref<vector<4x8xf32>>
  func.return
}""")
def type_cast(program: CompiledModule):
    m = _floats(4, 8)
    expected = m + m
    program["f"](m)
    np.testing.assert_array_equal(m, expected)


@CASES.of("""
func.func @f(%m: memref<4x8xf32>, %o: memref<4x8xf32>, %p: memref<2x2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %at = vector.load %p[%c0, %c0] : memref<2x2xi32>, vector<2x2xi32>
  %mask = arith.constant dense<[[true, true], [false, true]]> : vector<2x2xi1>
  %other = arith.constant dense<-1.0> : vector<2x2xf32>
  %0 = vector.gather %m[%c1, %c1] [%at], %mask, %other
    : memref<4x8xf32>, vector<2x2xi32>, vector<2x2xi1>, vector<2x2xf32>
    into vector<2x2xf32>
  vector.scatter %o[%c0, %c0] [%at], %mask, %0
    : memref<4x8xf32>, vector<2x2xi32>, vector<2x2xi1>, vector<2x2xf32>
  %c3 = arith.constant 3 : index
  %1 = vector.shape_cast %0 : vector<2x2xf32> to vector<4xf32>
  vector.store %1, %o[%c3, %c0] : memref<4x8xf32>, vector<4xf32>
  func.return
}""")
def gather_and_scatter(program: CompiledModule):
    m, o = _floats(4, 8), np.zeros((4, 8), np.float32)
    positions = np.array([[0, 9], [3, 5]], np.int32)
    program["f"](m, o, positions)
    values = m.ravel()[9:][positions]
    values[1, 0] = -1
    expected = np.zeros(32, np.float32)
    expected[[0, 9, 5]] = values.ravel()[[0, 1, 3]]
    expected[24:28] = values.ravel()
    np.testing.assert_array_equal(o.ravel(), expected)


_DYNAMIC = "memref<?x?xf32, strided<[?, ?], offset: ?>>"


@CASES.of(f"""
func.func @read(%m: {_DYNAMIC}, %o: memref<4x8xf32>, %i: index, %j: index) {{
  %c0 = arith.constant 0 : index
  %pad = arith.constant -1.0 : f32
  %0 = vector.transfer_read %m[%i, %j], %pad : {_DYNAMIC}, vector<4x8xf32>
  vector.transfer_write %0, %o[%c0, %c0] {{in_bounds = [true, true]}}
    : vector<4x8xf32>, memref<4x8xf32>
  func.return
}}
func.func @transposed(%m: memref<5x6xf32>, %o: memref<4x8xf32>, %i: index, %j: index) {{
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %pad = arith.constant -1.0 : f32
  %mask = vector.create_mask %c3, %c2 : vector<8x4xi1>
  %0 = vector.transfer_read %m[%i, %j], %pad, %mask
    {{permutation_map = affine_map<(d0, d1) -> (d1, d0)>, in_bounds = [false, false]}}
    : memref<5x6xf32>, vector<4x8xf32>
  vector.transfer_write %0, %o[%c0, %c0] : vector<4x8xf32>, memref<4x8xf32>
  func.return
}}
func.func @repeated(%m: memref<5x6xf32>, %o: memref<4x8xf32>, %i: index, %j: index) {{
  %c0 = arith.constant 0 : index
  %pad = arith.constant -1.0 : f32
  %0 = vector.transfer_read %m[%i, %j], %pad
    {{permutation_map = affine_map<(d0, d1) -> (d1, 0)>, in_bounds = [false, true]}}
    : memref<5x6xf32>, vector<4x8xf32>
  vector.transfer_write %0, %o[%c0, %c0] : vector<4x8xf32>, memref<4x8xf32>
  func.return
}}
func.func @write(%m: memref<4x8xf32>, %o: {_DYNAMIC}, %i: index, %j: index) {{
  %c0 = arith.constant 0 : index
  %pad = arith.constant -1.0 : f32
  %0 = vector.transfer_read %m[%c0, %c0], %pad {{in_bounds = [true, true]}}
    : memref<4x8xf32>, vector<4x8xf32>
  vector.transfer_write %0, %o[%i, %j] : vector<4x8xf32>, {_DYNAMIC}
  func.return
}}
func.func @number(%m: memref<5x6xf32>, %o: memref<f32>, %i: index) {{
  %pad = arith.constant -1.0 : f32
  %0 = vector.transfer_read %m[%i, %i], %pad
    {{permutation_map = affine_map<(d0, d1) -> ()>}} : memref<5x6xf32>, vector<f32>
  vector.transfer_write %0, %o[] : vector<f32>, memref<f32>
  func.return
}}
""")
def transfers(program: CompiledModule):
    m = _floats(5, 6)
    for source in (m, m.T, m[::2, ::-1]):
        for i, j in ((0, 0), (3, 2), (7, 9)):
            o, expected = np.zeros((4, 8), np.float32), np.full((4, 8), -1, np.float32)
            program["read"](source, o, i, j)
            part = source[i : i + 4, j : j + 8]
            expected[: part.shape[0], : part.shape[1]] = part
            np.testing.assert_array_equal(o, expected)
            o, target = _floats(4, 8), np.zeros_like(source)
            program["write"](o, target, i, j)
            expected = np.zeros_like(source)
            expected[i : i + 4, j : j + 8] = o[: part.shape[0], : part.shape[1]]
            np.testing.assert_array_equal(target, expected)
    o = np.zeros((4, 8), np.float32)
    program["transposed"](m, o, 3, 1)
    expected = np.full((4, 8), -1, np.float32)
    expected[:2, :2] = m[3:, 1:3].T
    np.testing.assert_array_equal(o, expected)
    program["repeated"](m, o, 1, 3)
    expected = np.full((4, 8), -1, np.float32)
    expected[:3] = m[1, 3:, None]
    np.testing.assert_array_equal(o, expected)
    number = np.zeros((), np.float32)
    program["number"](m, number, 2)
    assert number == m[2, 2]


@CASES.of("""
func.func @f(%m: memref<2x6xi32>, %x: i32, %i: index, %o: memref<64xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c12 = arith.constant 12 : index
  %c18 = arith.constant 18 : index
  %c30 = arith.constant 30 : index
  %c38 = arith.constant 38 : index
  %c50 = arith.constant 50 : index
  %v = vector.load %m[%c0, %c0] : memref<2x6xi32>, vector<2x6xi32>
  %0 = vector.transpose %v, [1, 0] : vector<2x6xi32> to vector<6x2xi32>
  %1 = vector.shape_cast %0 : vector<6x2xi32> to vector<12xi32>
  vector.store %1, %o[%c0] : memref<64xi32>, vector<12xi32>
  %2 = vector.extract_strided_slice %v {offsets = [0, 1], sizes = [2, 3],
    strides = [1, 1]} : vector<2x6xi32> to vector<2x3xi32>
  %3 = vector.shape_cast %2 : vector<2x3xi32> to vector<6xi32>
  vector.store %3, %o[%c12] : memref<64xi32>, vector<6xi32>
  %4 = vector.insert_strided_slice %2, %v {offsets = [0, 3], strides = [1, 1]}
    : vector<2x3xi32> into vector<2x6xi32>
  %5 = vector.shape_cast %4 : vector<2x6xi32> to vector<12xi32>
  vector.store %5, %o[%c18] : memref<64xi32>, vector<12xi32>
  %6 = vector.extract %v[1] : vector<6xi32> from vector<2x6xi32>
  %7 = vector.extract %v[0] : vector<6xi32> from vector<2x6xi32>
  %8 = vector.shuffle %6, %7 [0, 6, 11, 5] : vector<6xi32>, vector<6xi32>
  %9 = vector.broadcast %x : i32 to vector<4xi32>
  %10 = vector.interleave %8, %9 : vector<4xi32> -> vector<8xi32>
  vector.store %10, %o[%c30] : memref<64xi32>, vector<8xi32>
  %11, %12 = vector.deinterleave %1 : vector<12xi32> -> vector<6xi32>
  %13 = vector.broadcast %11 : vector<6xi32> to vector<2x6xi32>
  %14 = vector.insert %12, %13[1] : vector<6xi32> into vector<2x6xi32>
  %15 = vector.insert %x, %14[%i, 2] : i32 into vector<2x6xi32>
  %16 = vector.insert %12, %15[%i] : vector<6xi32> into vector<2x6xi32>
  %17 = vector.insert %x, %16[0, %i] : i32 into vector<2x6xi32>
  %18 = vector.shape_cast %17 : vector<2x6xi32> to vector<12xi32>
  vector.store %18, %o[%c38] : memref<64xi32>, vector<12xi32>
  %19 = vector.extract %v[%i, 4] : i32 from vector<2x6xi32>
  %20 = vector.extract %v[0, %i] : i32 from vector<2x6xi32>
  %21 = vector.extract %v[%i] : vector<6xi32> from vector<2x6xi32>
  %22 = vector.extract %21[%i] : i32 from vector<6xi32>
  %23 = vector.from_elements %19, %20, %22, %x : vector<2x2xi32>
  %24:4 = vector.to_elements %23 : vector<2x2xi32>
  %25 = vector.step : vector<4xindex>
  %26 = arith.index_cast %25 : vector<4xindex> to vector<4xi32>
  %27 = vector.bitcast %26 : vector<4xi32> to vector<8xi16>
  %28 = vector.bitcast %27 : vector<8xi16> to vector<4xi32>
  vector.store %28, %o[%c50] : memref<64xi32>, vector<4xi32>
  %29 = arith.addi %24#0, %24#1 : i32
  %30 = arith.addi %29, %24#2 : i32
  func.return %30 : i32
}""")
def rearrangements(program: CompiledModule):
    m = np.arange(12, dtype=np.int32).reshape(2, 6) * 3 + 1
    o, x, i = np.zeros(64, np.int32), 99, 1
    assert program["f"](m, x, i, o) == m[i, 4] + m[0, i] + m[i, i]
    np.testing.assert_array_equal(o[:12], m.T.ravel())
    np.testing.assert_array_equal(o[12:18], m[:, 1:4].ravel())
    inserted = m.copy()
    inserted[:, 3:] = m[:, 1:4]
    np.testing.assert_array_equal(o[18:30], inserted.ravel())
    np.testing.assert_array_equal(
        o[30:38], [m[1, 0], x, m[0, 0], x, m[0, 5], x, m[1, 5], x]
    )
    both = np.stack([m[0], m[1]])
    both[0, i] = x
    np.testing.assert_array_equal(o[38:50], both.ravel())
    np.testing.assert_array_equal(o[50:54], range(4))


@CASES.of("""
func.func @f(%x: i64, %o: memref<2x4xi32>, %p: memref<4xindex>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %0 = vector.broadcast %x : i64 to vector<i64>
  %1 = vector.step : vector<2xindex>
  %2 = vector.broadcast %1 : vector<2xindex> to vector<2x2xindex>
  %3 = vector.bitcast %0 : vector<i64> to vector<index>
  %4 = vector.extract %3[] : index from vector<index>
  %5 = vector.insert %4, %2[1, 0] : index into vector<2x2xindex>
  %6 = vector.bitcast %5 : vector<2x2xindex> to vector<2x4xi32>
  vector.store %6, %o[%c0, %c0] : memref<2x4xi32>, vector<2x4xi32>
  %7 = vector.bitcast %6 : vector<2x4xi32> to vector<2x2xindex>
  %8 = vector.extract %7[1, 0] : index from vector<2x2xindex>
  %9 = vector.broadcast %8 : index to vector<index>
  %10 = vector.extract %7[1, 1] : index from vector<2x2xindex>
  %11 = vector.broadcast %10 : index to vector<index>
  %12 = vector.interleave %9, %11 : vector<index> -> vector<2xindex>
  vector.store %12, %p[%c0] : memref<4xindex>, vector<2xindex>
  %13, %14 = vector.deinterleave %12 : vector<2xindex> -> vector<1xindex>
  %15 = vector.interleave %14, %13 : vector<1xindex> -> vector<2xindex>
  vector.store %15, %p[%c2] : memref<4xindex>, vector<2xindex>
  func.return
}""")
def bits_of_indices(program: CompiledModule):
    o, p = np.zeros((2, 4), np.int32), np.zeros(4, np.int64)
    x = 5 + (7 << 32)
    program["f"](x, o, p)
    np.testing.assert_array_equal(o, [[0, 0, 1, 0], [5, 7, 1, 0]])
    np.testing.assert_array_equal(p, [x, 1, 1, x])


@CASES.of("""
func.func @f(%a: memref<3x4xf32>, %b: memref<4x5xf32>, %c: memref<3x5xf32>,
             %r: memref<8xf32>) -> (f32, f32, f32) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %va = vector.load %a[%c0, %c0] : memref<3x4xf32>, vector<3x4xf32>
  %vb = vector.load %b[%c0, %c0] : memref<4x5xf32>, vector<4x5xf32>
  %vc = vector.load %c[%c0, %c0] : memref<3x5xf32>, vector<3x5xf32>
  %0 = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
      affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]} %va, %vb, %vc
    : vector<3x4xf32>, vector<4x5xf32> into vector<3x5xf32>
  %u = vector.extract %va[0] : vector<4xf32> from vector<3x4xf32>
  %w = vector.extract %va[1] : vector<4xf32> from vector<3x4xf32>
  %zero = arith.constant 0.0 : f32
  %dot = vector.contract {indexing_maps = [affine_map<(i) -> (i)>,
      affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
    %u, %w, %zero : vector<4xf32>, vector<4xf32> into f32
  %sum = vector.reduction <add>, %u, %dot : vector<4xf32> into f32
  %largest = vector.reduction <maximumf>, %w : vector<4xf32> into f32
  %x = vector.extract %vb[2] : vector<5xf32> from vector<4x5xf32>
  %y = vector.extract %va[%c0, 1] : f32 from vector<3x4xf32>
  %scaled = vector.outerproduct %x, %y : vector<5xf32>, f32
  %t = vector.extract_strided_slice %u {offsets = [0], sizes = [3], strides = [1]}
    : vector<4xf32> to vector<3xf32>
  %1 = vector.outerproduct %t, %scaled, %0 {kind = #vector.kind<add>}
    : vector<3xf32>, vector<5xf32>
  vector.store %1, %c[%c0, %c0] : memref<3x5xf32>, vector<3x5xf32>
  %2 = vector.multi_reduction <add>, %va, %u [0] : vector<3x4xf32> to vector<4xf32>
  %3 = vector.fma %2, %u, %w : vector<4xf32>
  vector.store %3, %r[%c0] : memref<8xf32>, vector<4xf32>
  %all = vector.multi_reduction <mul>, %va, %dot [0, 1] : vector<3x4xf32> to f32
  %4, %last = vector.scan <add>, %va, %t {inclusive = true, reduction_dim = 1 : i64}
    : vector<3x4xf32>, vector<3xf32>
  %5, %end = vector.scan <add>, %4, %t {inclusive = false, reduction_dim = 1 : i64}
    : vector<3x4xf32>, vector<3xf32>
  %6 = vector.extract %5[2] : vector<4xf32> from vector<3x4xf32>
  vector.store %6, %r[%c4] : memref<8xf32>, vector<4xf32>
  func.return %sum, %largest, %all : f32, f32, f32
}""")
def products_and_reductions(program: CompiledModule):
    a, b, c = _floats(3, 4), _floats(4, 5), _floats(3, 5)
    before, r = c.copy(), np.zeros(8, np.float32)
    dot = a[0] @ a[1]
    got = program["f"](a, b, c, r)
    np.testing.assert_allclose(got, (dot + a[0].sum(), a[1].max(), dot * a.prod()))
    scaled = b[2] * a[0, 1]
    product = before + a @ b + a[0, :3, None] * scaled
    np.testing.assert_allclose(c, product, rtol=1e-6)
    np.testing.assert_array_equal(r[:4], (a[0] + a.sum(0)) * a[0] + a[1])
    running = np.cumsum(a[2])
    np.testing.assert_array_equal(r[4:], a[0, 2] + np.cumsum([0, *running[:3]]))


@CASES.of("""
func.func @f(%m: memref<4x6xi32>, %o: memref<4x6xi32>, %i: index, %j: index)
    -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant -1 : i32
  %seven = arith.constant 7 : i32
  %mask = vector.create_mask %i, %j : vector<4x6xi1>
  %0 = vector.mask %mask {
    vector.transfer_read %m[%c0, %c0], %pad {in_bounds = [true, true]}
      : memref<4x6xi32>, vector<4x6xi32>
  } : vector<4x6xi1> -> vector<4x6xi32>
  %some = vector.constant_mask [2, 3] : vector<4x6xi1>
  vector.mask %some {
    vector.transfer_write %0, %o[%c0, %c0] {in_bounds = [true, true]}
      : vector<4x6xi32>, memref<4x6xi32>
  } : vector<4x6xi1>
  %row = vector.extract %0[0] : vector<6xi32> from vector<4x6xi32>
  %few = vector.create_mask %j : vector<6xi1>
  %1 = vector.mask %few {
    vector.reduction <add>, %row, %seven : vector<6xi32> into i32
  } : vector<6xi1> -> i32
  %2 = vector.mask %mask {
    vector.multi_reduction <maxsi>, %0, %seven [0, 1] : vector<4x6xi32> to i32
  } : vector<4x6xi1> -> i32
  func.return %1, %2 : i32, i32
}""")
def masks(program: CompiledModule):
    m = np.arange(24, dtype=np.int32).reshape(4, 6) + 1
    o = np.zeros((4, 6), np.int32)
    i, j = 3, 2
    got = program["f"](m, o, i, j)
    assert tuple(got) == (7 + m[0, :j].sum(), m[:i, :j].max())
    expected = np.zeros((4, 6), np.int32)
    expected[:2, :3] = -1
    expected[:2, :j] = m[:2, :j]
    np.testing.assert_array_equal(o, expected)
