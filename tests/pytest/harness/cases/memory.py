"""Cases of the ops on buffers: memref, affine, func, scf, cf."""

import numpy as np

from harness.cases.case import Cases
from xdsl_bufferization.runtime.engine import CompiledModule

CASES = Cases()


@CASES.of("""
func.func @f(%n: index, %x: f32) -> (f32, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?x4xf32>
  %b = memref.alloca() : memref<4xf32>
  memref.store %x, %b[%c1] : memref<4xf32>
  %y = memref.load %b[%c1] : memref<4xf32>
  memref.store %y, %a[%c1, %c1] : memref<?x4xf32>
  %z = memref.alloca_scope -> (f32) {
    %v = memref.load %a[%c1, %c1] : memref<?x4xf32>
    memref.alloca_scope.return %v : f32
  }
  memref.prefetch %a[%c0, %c1], write, locality<3>, data : memref<?x4xf32>
  %d = memref.dim %a, %c0 : memref<?x4xf32>
  %r = memref.rank %a : memref<?x4xf32>
  memref.dealloc %a : memref<?x4xf32>
  func.return %z, %d, %r : f32, index, index
}""")
def allocation_and_access(program: CompiledModule):
    assert program["f"](3, 1.5) == (1.5, 3, 2)


@CASES.of("""
memref.global "private" constant @table : memref<2x2xi32> = dense<[[1, 2], [3, 4]]>
func.func @f(%m: memref<4x6xi32>, %o: memref<12xi32>, %i: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %table = memref.get_global @table : memref<2x2xi32>
  %t = memref.load %table[%c1, %c0] : memref<2x2xi32>
  %0 = memref.assume_alignment %m, 4 : memref<4x6xi32>
  %1 = memref.memory_space_cast %0 : memref<4x6xi32> to memref<4x6xi32>
  %2, %p = memref.distinct_objects %1, %o : memref<4x6xi32>, memref<12xi32>
  %3 = memref.subview %2[1, %i] [2, 3] [2, 1] : memref<4x6xi32>
    to memref<2x3xi32, strided<[12, 1], offset: ?>>
  %4 = memref.transpose %3 (i, j) -> (j, i)
    : memref<2x3xi32, strided<[12, 1], offset: ?>>
    to memref<3x2xi32, strided<[1, 12], offset: ?>>
  %5 = memref.cast %4 : memref<3x2xi32, strided<[1, 12], offset: ?>>
    to memref<?x2xi32, strided<[?, ?], offset: ?>>
  %6 = memref.alloc() : memref<3x2xi32>
  %7 = memref.cast %6 : memref<3x2xi32> to memref<?x2xi32>
  memref.copy %5, %7 : memref<?x2xi32, strided<[?, ?], offset: ?>> to memref<?x2xi32>
  %8 = memref.collapse_shape %6 [[0, 1]] : memref<3x2xi32> into memref<6xi32>
  %9 = memref.expand_shape %8 [[0, 1]] output_shape [2, 3]
    : memref<6xi32> into memref<2x3xi32>
  %10 = memref.reinterpret_cast %p to offset: [%c1], sizes: [2, 3], strides: [4, %c1]
    : memref<12xi32> to memref<2x3xi32, strided<[4, ?], offset: ?>>
  memref.copy %9, %10 : memref<2x3xi32> to memref<2x3xi32, strided<[4, ?], offset: ?>>
  memref.dealloc %6 : memref<3x2xi32>
  func.return %t : i32
}""")
def views_and_copies(program: CompiledModule):
    m = np.arange(24, dtype=np.int32).reshape(4, 6)
    o = np.zeros(12, np.int32)
    assert program["f"](m, o, 2) == 3
    expected = np.zeros(12, np.int32)
    values = m[1::2, 2:5].T.reshape(2, 3)
    expected[1:4], expected[5:8] = values
    np.testing.assert_array_equal(o, expected)


@CASES.of("""
func.func @f(%m: memref<2x4xf32, strided<[?, 2], offset: ?>>)
    -> (index, index, index, index, index, i1) {
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %m
    : memref<2x4xf32, strided<[?, 2], offset: ?>>
    -> memref<f32>, index, index, index, index, index
  %p = memref.extract_aligned_pointer_as_index %m
    : memref<2x4xf32, strided<[?, 2], offset: ?>> -> index
  %q = memref.extract_aligned_pointer_as_index %b : memref<f32> -> index
  %same = arith.cmpi eq, %p, %q : index
  func.return %o, %s#0, %s#1, %t#0, %t#1, %same
    : index, index, index, index, index, i1
}
func.func @g(%bytes: memref<64xi8>, %shape: memref<2xindex>, %n: index) -> f32 {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %v = memref.view %bytes[%c8][%n] : memref<64xi8> to memref<?x2xf32>
  %r = memref.reshape %v(%shape) : (memref<?x2xf32>, memref<2xindex>)
    -> memref<?x?xf32>
  %x = memref.load %r[%c1, %c1] : memref<?x?xf32>
  func.return %x : f32
}""")
def metadata_and_bytes(program: CompiledModule):
    m = np.zeros((2, 10), np.float32)
    assert tuple(program["f"](m[:, 1:9:2])) == (0, 2, 4, 10, 2, True)
    numbers = np.arange(16, dtype=np.float32)
    shape = np.array([4, 3], np.int64)
    assert program["g"](numbers.view(np.int8), shape, 6) == 2 + 1 * 3 + 1


@CASES.of("""
func.func @f(%m: memref<4xi32>, %n: index) -> (i32, i32, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<2xi32>
  %x = memref.load %m[%c1] : memref<4xi32>
  memref.store %x, %a[%c1] : memref<2xi32>
  %b = memref.realloc %a(%n) {alignment = 64} : memref<2xi32> to memref<?xi32>
  memref.store %x, %b[%c0] : memref<?xi32>
  %y = memref.load %b[%c1] : memref<?xi32>
  %d = memref.dim %b, %c0 : memref<?xi32>
  %c = memref.realloc %b : memref<?xi32> to memref<1xi32>
  %z = memref.load %c[%c0] : memref<1xi32>
  memref.dealloc %c : memref<1xi32>
  func.return %y, %z, %d : i32, i32, index
}""")
def reallocation(program: CompiledModule):
    m = np.array([1, 2, 3, 4], np.int32)
    assert program["f"](m, 5) == (2, 2, 5)


_ATOMICS = {
    "addi": ("i32", 5, 3, 8),
    "andi": ("i32", 6, 3, 2),
    "assign": ("i32", 5, 3, 3),
    "maxs": ("i32", -5, 3, 3),
    "maxu": ("i32", -5, 3, -5),
    "mins": ("i32", -5, 3, -5),
    "minu": ("i32", -5, 3, 3),
    "muli": ("i32", 5, 3, 15),
    "ori": ("i32", 6, 3, 7),
    "xori": ("i32", 6, 3, 5),
    "addf": ("f32", 5.0, 3.0, 8.0),
    "maximumf": ("f32", 5.0, np.nan, np.nan),
    "maxnumf": ("f32", 5.0, np.nan, 5.0),
    "minimumf": ("f32", 5.0, 3.0, 3.0),
    "minnumf": ("f32", np.nan, 3.0, 3.0),
    "mulf": ("f32", 5.0, 3.0, 15.0),
}


@CASES.of(
    "".join(
        f"""
func.func @{kind}(%m: memref<3x{type}>, %x: {type}) -> {type} {{
  %c1 = arith.constant 1 : index
  %r = memref.atomic_rmw {kind} %x, %m[%c1] : ({type}, memref<3x{type}>) -> {type}
  func.return %r : {type}
}}"""
        for kind, (type, *_) in _ATOMICS.items()
    )
)
def atomics(program: CompiledModule):
    for kind, (type, before, value, after) in _ATOMICS.items():
        m = np.array([1, before, 1], np.float32 if type == "f32" else np.int32)
        np.testing.assert_equal(program[kind](m, value), before)
        np.testing.assert_array_equal(m, [1, after, 1])


@CASES.of("""
func.func @f(%m: memref<2xi32>) -> i32 {
  %c1 = arith.constant 1 : index
  %r = memref.generic_atomic_rmw %m[%c1] : memref<2xi32> {
  ^bb0(%old: i32):
    %c3 = arith.constant 3 : i32
    %new = arith.muli %old, %c3 : i32
    memref.atomic_yield %new : i32
  }
  func.return %r : i32
}""")
def generic_atomic(program: CompiledModule):
    m = np.array([1, 5], np.int32)
    assert program["f"](m) == 15
    np.testing.assert_array_equal(m, [1, 15])


@CASES.of("""
func.func private @any(%m: memref<*xi32>) -> memref<*xi32> {
  func.return %m : memref<*xi32>
}
func.func @f(%m: memref<3x4xi32>, %o: memref<4x3xi32, strided<[1, 4]>>,
             %s: memref<?xindex>, %i: index) -> (index, index, index, i32, i32) {
  %c1 = arith.constant 1 : index
  %0 = memref.cast %m : memref<3x4xi32> to memref<*xi32>
  %1 = func.call @any(%0) : (memref<*xi32>) -> memref<*xi32>
  %rank = memref.rank %1 : memref<*xi32>
  %d = memref.dim %1, %i : memref<*xi32>
  %2 = memref.cast %1 : memref<*xi32> to memref<3x?xi32>
  %x = memref.load %2[%i, %c1] : memref<3x?xi32>
  %3 = memref.reshape %m(%s) : (memref<3x4xi32>, memref<?xindex>) -> memref<*xi32>
  %rank3 = memref.rank %3 : memref<*xi32>
  %4 = memref.cast %o : memref<4x3xi32, strided<[1, 4]>> to memref<*xi32>
  memref.copy %3, %4 : memref<*xi32> to memref<*xi32>
  %5 = memref.alloc() : memref<3x4xi32>
  memref.copy %1, %5 : memref<*xi32> to memref<3x4xi32>
  %y = memref.load %5[%i, %c1] : memref<3x4xi32>
  %6 = memref.cast %5 : memref<3x4xi32> to memref<*xi32>
  memref.dealloc %6 : memref<*xi32>
  func.return %rank, %d, %rank3, %x, %y : index, index, index, i32, i32
}""")
def buffers_of_any_rank(program: CompiledModule):
    m = np.arange(12, dtype=np.int32).reshape(3, 4)
    o = np.zeros((3, 4), np.int32).T
    got = program["f"](m, o, np.array([4, 3]), 1)
    assert tuple(got) == (2, 4, 2, m[1, 1], m[1, 1])
    np.testing.assert_array_equal(o, m.reshape(4, 3))


@CASES.of("""
func.func private @twice(%x: f32) -> f32 {
  %y = arith.addf %x, %x : f32
  func.return %y : f32
}
func.func private @square(%x: f32) -> f32 {
  %y = arith.mulf %x, %x : f32
  func.return %y : f32
}
func.func private @pick(%c: i1) -> ((f32) -> f32) {
  %f = func.constant @twice : (f32) -> f32
  %g = func.constant @square : (f32) -> f32
  %h = arith.select %c, %f, %g : (f32) -> f32
  func.return %h : (f32) -> f32
}
func.func @f(%c: i1, %x: f32) -> f32 {
  %h = func.call @pick(%c) : (i1) -> ((f32) -> f32)
  %y = func.call_indirect %h(%x) : (f32) -> f32
  func.return %y : f32
}
func.func @factorial(%n: i64) -> i64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %done = arith.cmpi eq, %n, %c0 : i64
  %r = scf.if %done -> (i64) {
    scf.yield %c1 : i64
  } else {
    %m = arith.subi %n, %c1 : i64
    %p = func.call @factorial(%m) : (i64) -> i64
    %q = arith.muli %n, %p : i64
    scf.yield %q : i64
  }
  func.return %r : i64
}""")
def functions_as_values_and_recursion(program: CompiledModule):
    assert program["f"](True, 5.0) == 10
    assert program["f"](False, 5.0) == 25
    assert program["factorial"](10) == 3628800


@CASES.of("""
#bounds = affine_map<(d0)[s0] -> (d0 + 1, s0)>
#in = affine_set<(d0)[s0] : (d0 - 1 >= 0, s0 - d0 - 1 >= 0, d0 mod 2 == 0)>
func.func @f(%m: memref<6x8xf32>, %o: memref<6x8xf32>, %n: index, %k: index)
    -> (f32, f32, index) {
  %zero = arith.constant 0.0 : f32
  %sum = affine.for %i = max #bounds(%k)[%k] to min #bounds(%n)[%n] step 2
      iter_args(%s = %zero) -> (f32) {
    %x = affine.load %m[%i, 2 * %i - 1] : memref<6x8xf32>
    %t = arith.addf %s, %x : f32
    affine.yield %t : f32
  }
  affine.for %i = 0 to 6 {
    %x = affine.if #in(%i)[%n] -> f32 {
      affine.yield %sum : f32
    } else {
      affine.yield %zero : f32
    }
    affine.store %x, %o[%i, 7] : memref<6x8xf32>
    affine.prefetch %m[%i, %i + 1], read, locality<1>, data : memref<6x8xf32>
    %v = affine.vector_load %m[%i, 0] : memref<6x8xf32>, vector<4xf32>
    affine.vector_store %v, %o[5 - %i, 2] : memref<6x8xf32>, vector<4xf32>
  }
  %largest, %total = affine.parallel (%i, %j) = (0, max(0, %k)) to (6, 8) step (1, 3)
      reduce ("maximumf", "addf") -> (f32, f32) {
    %x = affine.load %m[%i, %j] : memref<6x8xf32>
    affine.yield %x, %x : f32, f32
  }
  %d:3 = affine.delinearize_index %n into (4, %k, 3) : index, index, index
  %l = affine.linearize_index [%d#1, %d#2, %d#0] by (%k, 3, 5) : index
  %a = affine.apply affine_map<(d0)[s0] -> (d0 * 10 + s0 floordiv 2)>(%l)[%n]
  %b = affine.min affine_map<(d0) -> (d0, 400)>(%a)
  %c = affine.max affine_map<(d0) -> (d0, -3)>(%b)
  %r = arith.addf %largest, %sum : f32
  func.return %r, %total, %c : f32, f32, index
}""")
def affine(program: CompiledModule):
    m = np.arange(48, dtype=np.float32).reshape(6, 8)
    o = np.full((6, 8), -1, np.float32)
    n, k = 5, 2
    got = program["f"](m, o, n, k)
    total = sum(m[i, 2 * i - 1] for i in range(k + 1, n, 2))
    digits = (n // (3 * k), n // 3 % k, n % 3)
    linear = (digits[1] * 3 + digits[2]) * 5 + digits[0]
    visited = m[:, k::3]
    last = min(linear * 10 + n // 2, 400)
    assert tuple(got) == (visited.max() + total, visited.sum(), last)
    expected = np.full((6, 8), -1, np.float32)
    expected[:, 7] = [0, 0, total, 0, total, 0]
    expected[:, 2:6] = m[::-1, :4]
    np.testing.assert_array_equal(o, expected)


@CASES.of("""
func.func @f(%x: f32) -> (f32, f32) {
  %sum, %product = affine.parallel () = () to () reduce ("addf", "mulf") -> (f32, f32) {
    affine.yield %x, %x : f32, f32
  }
  func.return %sum, %product : f32, f32
}""")
def affine_parallel_without_dimensions(program: CompiledModule):
    assert program["f"](3.0) == (3.0, 3.0)


@CASES.of("""
func.func @f(%n: index, %m: memref<2x2xf32>, %o: memref<2x?xf32>)
    -> (f32, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %d = memref.cast %m : memref<2x2xf32> to memref<2x?xf32>
  %w = vector.transfer_read %m[%c0, %c0], %zero {in_bounds = [true, true]}
    : memref<2x2xf32>, vector<2x2xf32>
  %last, %sum, %count = scf.parallel (%i) = (%c0) to (%n) step (%c1)
      init (%d, %w, %c0) -> (memref<2x?xf32>, vector<2x2xf32>, index) {
    scf.reduce(%o, %w, %i : memref<2x?xf32>, vector<2x2xf32>, index) {
    ^bb0(%a: memref<2x?xf32>, %b: memref<2x?xf32>):
      scf.reduce.return %b : memref<2x?xf32>
    }, {
    ^bb0(%a: vector<2x2xf32>, %b: vector<2x2xf32>):
      %ab = arith.addf %a, %b : vector<2x2xf32>
      scf.reduce.return %ab : vector<2x2xf32>
    }, {
    ^bb0(%a: index, %b: index):
      %ab = arith.addi %a, %b : index
      scf.reduce.return %ab : index
    }
  }
  %x = memref.load %last[%c1, %c0] : memref<2x?xf32>
  %y = vector.extract %sum[1, 1] : f32 from vector<2x2xf32>
  %z = arith.addf %x, %y : f32
  func.return %z, %count : f32, index
}""")
def reductions_of_buffers_and_vectors(program: CompiledModule):
    m = np.arange(4, dtype=np.float32).reshape(2, 2)
    o = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert program["f"](3, m, o) == (3 + 12, 3)
    assert program["f"](0, m, o) == (2 + 3, 0)


@CASES.of("""
func.func @f(%n: index, %o: memref<8xindex>, %c: i1) -> (index, index, index, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> (index) {
    %b = arith.addi %a, %i : index
    scf.yield %b : index
  }
  %w, %v = scf.while (%a = %n, %p = %c1) : (index, index) -> (index, index) {
    %go = arith.cmpi ugt, %a, %c1 : index
    scf.condition(%go) %a, %p : index, index
  } do {
  ^bb0(%a: index, %p: index):
    %b = arith.divui %a, %c2 : index
    %q = arith.muli %p, %c2 : index
    scf.yield %b, %q : index, index
  }
  %p = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%c1) -> (index) {
    %t = arith.addi %i, %c1 : index
    scf.reduce(%t : index) {
    ^bb0(%x: index, %y: index):
      %z = arith.muli %x, %y : index
      scf.reduce.return %z : index
    }
  }
  scf.forall (%i) in (8) {
    %t = arith.muli %i, %n : index
    memref.store %t, %o[%i] : memref<8xindex>
    scf.forall.in_parallel {
    }
  }
  %e = scf.execute_region -> i32 {
    %five = arith.constant 5 : i32
    scf.yield %five : i32
  }
  %k = scf.index_switch %n -> i32
  case 3 {
    scf.yield %e : i32
  }
  default {
    %nine = arith.constant 9 : i32
    scf.yield %nine : i32
  }
  cf.assert %c, "checked"
  %flag = arith.index_cast %n : index to i32
  cf.switch %flag : i32, [
    default: ^bb1(%k : i32),
    5: ^bb2
  ]
^bb1(%r: i32):
  cf.cond_br %c, ^bb3(%r : i32), ^bb2
^bb2:
  %seven = arith.constant 7 : i32
  cf.br ^bb3(%seven : i32)
^bb3(%x: i32):
  %sw = arith.addi %s, %w : index
  func.return %sw, %v, %p, %x : index, index, index, i32
}""")
def control_flow(program: CompiledModule):
    o = np.zeros(8, np.int64)
    assert tuple(program["f"](5, o, True)) == (10 + 1, 4, 120, 7)
    assert tuple(program["f"](3, o, True)) == (3 + 1, 2, 6, 5)
    np.testing.assert_array_equal(o, 3 * np.arange(8))


@CASES.of("""
func.func private @g(%w: !shape.witness, %m: memref<4xf32>) -> f32 {
  %c1 = arith.constant 1 : index
  %x = shape.assuming %w -> (f32) {
    %e = memref.load %m[%c1] : memref<4xf32>
    shape.assuming_yield %e : f32
  }
  func.return %x : f32
}
func.func @f(%p: i1, %q: i1, %m: memref<?xf32>) -> (memref<?xf32>, index, f32) {
  %one = shape.const_witness true
  %two = shape.cstr_require %p, "p"
  %three = shape.cstr_require %q, "q"
  %all = shape.assuming_all %one, %two, %three
  %0:2 = shape.assuming %all -> (memref<?xf32>, index) {
    %c0 = arith.constant 0 : index
    %n = memref.dim %m, %c0 : memref<?xf32>
    shape.assuming_yield %m, %n : memref<?xf32>, index
  }
  %s = memref.alloca() : memref<4xf32>
  shape.assuming %two {
    %c1 = arith.constant 1 : index
    %y = memref.load %0#0[%c1] : memref<?xf32>
    memref.store %y, %s[%c1] : memref<4xf32>
  }
  %r = func.call @g(%all, %s) : (!shape.witness, memref<4xf32>) -> f32
  func.return %0#0, %0#1, %r : memref<?xf32>, index, f32
}""")
def conditions_on_shapes(program: CompiledModule):
    m = np.arange(4, dtype=np.float32)
    same, number, element = program["f"](True, True, m)
    assert np.shares_memory(same, m)
    assert (int(number), float(element)) == (4, 1.0)


@CASES.of("""
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @f(%a: memref<3x4xf32>, %b: memref<4x3xf32>, %r: memref<3xf32>,
             %m: memref<3x4xf32>, %s: memref<3x4xf32>, %c: memref<3x4xf32>,
             %p: memref<3x3xf32>, %e: memref<3x4xf32>, %w: memref<3x4xindex>) {
  linalg.transpose ins(%a : memref<3x4xf32>) outs(%b : memref<4x3xf32>)
    permutation = [1, 0]
  linalg.reduce { arith.addf } ins(%a : memref<3x4xf32>) outs(%r : memref<3xf32>)
    dimensions = [1]
  linalg.broadcast ins(%r : memref<3xf32>) outs(%m : memref<3x4xf32>) dimensions = [1]
  linalg.softmax dimension(1) ins(%a : memref<3x4xf32>) outs(%s : memref<3x4xf32>)
  linalg.map { arith.mulf } ins(%a, %a : memref<3x4xf32>, memref<3x4xf32>)
    outs(%c : memref<3x4xf32>)
  linalg.contract indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>,
    affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
    ins(%a, %b : memref<3x4xf32>, memref<4x3xf32>) outs(%p : memref<3x3xf32>)
  linalg.elementwise kind=#linalg.elementwise_kind<sub>
    ins(%a, %c : memref<3x4xf32>, memref<3x4xf32>) outs(%e : memref<3x4xf32>)
  linalg.generic {indexing_maps = [#id, #row, #id],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a, %r : memref<3x4xf32>, memref<3xf32>) outs(%w : memref<3x4xindex>) {
  ^bb0(%x: f32, %y: f32, %z: index):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.muli %i, %j : index
    linalg.yield %k : index
  }
  func.return
}""")
def linalg_on_buffers(program: CompiledModule):
    a = np.random.default_rng(3).standard_normal((3, 4)).astype(np.float32)
    b, r, p = (np.zeros(shape, np.float32) for shape in ((4, 3), (3,), (3, 3)))
    m, s, c, e = (np.zeros((3, 4), np.float32) for _ in range(4))
    w = np.zeros((3, 4), np.int64)
    program["f"](a, b, r, m, s, c, p, e, w)
    np.testing.assert_array_equal(b, a.T)
    np.testing.assert_allclose(r, a.sum(1), rtol=1e-5)
    np.testing.assert_array_equal(m, np.broadcast_to(r[:, None], (3, 4)))
    exponentials = np.exp(a - a.max(1, keepdims=True))
    expected = exponentials / exponentials.sum(1, keepdims=True)
    np.testing.assert_allclose(s, expected, rtol=1e-5)
    np.testing.assert_array_equal(c, a * a)
    np.testing.assert_allclose(p, a @ a.T, rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(e, a - c)
    np.testing.assert_array_equal(w, np.outer(range(3), range(4)))
