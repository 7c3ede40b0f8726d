// RUN: xbuf opt %s | xbuf opt | filecheck %s
// RUN: xbuf opt %s --print-op-generic | xbuf opt | filecheck %s

// CHECK: memref.global "private" constant @constant : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]> {alignment = 64 : i64}
memref.global "private" constant @constant : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]> {alignment = 64 : i64}
// CHECK: memref.global @splat : memref<2x3xi32> = dense<7>
memref.global @splat : memref<2x3xi32> = dense<7>
// CHECK: memref.global @elsewhere : memref<2x3xf32>
memref.global @elsewhere : memref<2x3xf32>
// CHECK: memref.global "nested" @undefined : memref<f32, 1> = uninitialized
memref.global "nested" @undefined : memref<f32, 1> = uninitialized
// CHECK: memref.global "public" @strided : memref<2xf32, strided<[2]>> = uninitialized {hint}
memref.global "public" @strided : memref<2xf32, strided<[2]>> = uninitialized {hint}

// CHECK: func.func private @types(memref<4xf32, 1>, memref<4xf32, "local">, memref<4xf32, {name = "x"}>, memref<*xf32, 2>, memref<4xf32, strided<[1]>>, memref<4x4xf32, strided<[?, 1], offset: ?>, 3 : i32>, memref<4xf32, affine_map<(d0)[s0] -> (d0 + s0)>, 2>, memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>, memref<f32, strided<[], offset: ?>>, memref<?xmemref<4xvector<2xf32>>>, memref<0x?xindex>, memref<2xcomplex<f32>>)
func.func private @types(memref<4xf32, 1>, memref<4xf32, "local">, memref<4xf32, {name = "x"}>, memref<*xf32, 2>, memref<4xf32, strided<[1]>>, memref<4x4xf32, strided<[?, 1], offset: ?>, 3 : i32>, memref<4xf32, affine_map<(d0)[s0] -> (d0 + s0)>, 2>, memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>, memref<f32, strided<[], offset: ?>>, memref<?xmemref<4xvector<2xf32>>>, memref<0x?xindex>, memref<2xcomplex<f32>>)

// CHECK-LABEL: func.func @access
func.func @access(%m: memref<4x?xf32>, %o: memref<f32>, %i: index, %f: f32) {
  // CHECK-NEXT: %{{.*}} = memref.load %m[%i, %i] : memref<4x?xf32>
  %0 = memref.load %m[%i, %i] : memref<4x?xf32>
  // CHECK-NEXT: %{{.*}} = memref.load %o[] : memref<f32>
  %1 = memref.load %o[] : memref<f32>
  // CHECK-NEXT: %{{.*}} = memref.load %m[%i, %i] {alignment = 16 : i64, nontemporal = true} : memref<4x?xf32>
  %2 = memref.load %m[%i, %i] {alignment = 16 : i64, nontemporal = true} : memref<4x?xf32>
  // CHECK-NEXT: memref.store %f, %m[%i, %i] : memref<4x?xf32>
  memref.store %f, %m[%i, %i] : memref<4x?xf32>
  // CHECK-NEXT: memref.store %f, %m[%i, %i] {alignment = 16 : i64, nontemporal = true} : memref<4x?xf32>
  memref.store %f, %m[%i, %i] {alignment = 16 : i64, nontemporal = true} : memref<4x?xf32>
  // CHECK-NEXT: memref.prefetch %m[%i, %i], read, locality<3>, data : memref<4x?xf32>
  memref.prefetch %m[%i, %i], read, locality<3>, data : memref<4x?xf32>
  // CHECK-NEXT: memref.prefetch %m[%i, %i], write, locality<0>, instr : memref<4x?xf32>
  memref.prefetch %m[%i, %i], write, locality<0>, instr : memref<4x?xf32>
  return
}

// CHECK-LABEL: func.func @copies
func.func @copies(%s: memref<2xf32>, %d: memref<?xf32, strided<[?], offset: ?>>, %u: memref<*xf32>) {
  // CHECK-NEXT: memref.copy %s, %d : memref<2xf32> to memref<?xf32, strided<[?], offset: ?>>
  memref.copy %s, %d : memref<2xf32> to memref<?xf32, strided<[?], offset: ?>>
  // CHECK-NEXT: memref.copy %u, %u {hint} : memref<*xf32> to memref<*xf32>
  memref.copy %u, %u {hint} : memref<*xf32> to memref<*xf32>
  return
}

// CHECK-LABEL: func.func @atomics
func.func @atomics(%m: memref<4xf32>, %n: memref<4xi32>, %i: index, %f: f32, %v: i32) {
  // CHECK-NEXT: %{{.*}} = memref.atomic_rmw addf %f, %m[%i] : (f32, memref<4xf32>) -> f32
  %0 = memref.atomic_rmw addf %f, %m[%i] : (f32, memref<4xf32>) -> f32
  // CHECK-NEXT: %{{.*}} = memref.atomic_rmw mulf %f, %m[%i] : (f32, memref<4xf32>) -> f32
  %1 = memref.atomic_rmw mulf %f, %m[%i] : (f32, memref<4xf32>) -> f32
  // CHECK-NEXT: %{{.*}} = memref.atomic_rmw maximumf %f, %m[%i] : (f32, memref<4xf32>) -> f32
  %2 = memref.atomic_rmw maximumf %f, %m[%i] : (f32, memref<4xf32>) -> f32
  // CHECK-NEXT: %{{.*}} = memref.atomic_rmw maxnumf %f, %m[%i] : (f32, memref<4xf32>) -> f32
  %3 = memref.atomic_rmw maxnumf %f, %m[%i] : (f32, memref<4xf32>) -> f32
  // CHECK-NEXT: %{{.*}} = memref.atomic_rmw minimumf %f, %m[%i] : (f32, memref<4xf32>) -> f32
  %4 = memref.atomic_rmw minimumf %f, %m[%i] : (f32, memref<4xf32>) -> f32
  // CHECK-NEXT: %{{.*}} = memref.atomic_rmw minnumf %f, %m[%i] : (f32, memref<4xf32>) -> f32
  %5 = memref.atomic_rmw minnumf %f, %m[%i] : (f32, memref<4xf32>) -> f32
  // CHECK-NEXT: %{{.*}} = memref.atomic_rmw assign %f, %m[%i] {hint} : (f32, memref<4xf32>) -> f32
  %6 = memref.atomic_rmw assign %f, %m[%i] {hint} : (f32, memref<4xf32>) -> f32
  // CHECK-NEXT: %{{.*}} = memref.atomic_rmw addi %v, %n[%i] : (i32, memref<4xi32>) -> i32
  %7 = memref.atomic_rmw addi %v, %n[%i] : (i32, memref<4xi32>) -> i32
  // CHECK-NEXT: %{{.*}} = memref.atomic_rmw muli %v, %n[%i] : (i32, memref<4xi32>) -> i32
  %8 = memref.atomic_rmw muli %v, %n[%i] : (i32, memref<4xi32>) -> i32
  // CHECK-NEXT: %{{.*}} = memref.atomic_rmw andi %v, %n[%i] : (i32, memref<4xi32>) -> i32
  %9 = memref.atomic_rmw andi %v, %n[%i] : (i32, memref<4xi32>) -> i32
  // CHECK-NEXT: %{{.*}} = memref.atomic_rmw ori %v, %n[%i] : (i32, memref<4xi32>) -> i32
  %10 = memref.atomic_rmw ori %v, %n[%i] : (i32, memref<4xi32>) -> i32
  // CHECK-NEXT: %{{.*}} = memref.atomic_rmw xori %v, %n[%i] : (i32, memref<4xi32>) -> i32
  %11 = memref.atomic_rmw xori %v, %n[%i] : (i32, memref<4xi32>) -> i32
  // CHECK-NEXT: %{{.*}} = memref.atomic_rmw maxs %v, %n[%i] : (i32, memref<4xi32>) -> i32
  %12 = memref.atomic_rmw maxs %v, %n[%i] : (i32, memref<4xi32>) -> i32
  // CHECK-NEXT: %{{.*}} = memref.atomic_rmw maxu %v, %n[%i] : (i32, memref<4xi32>) -> i32
  %13 = memref.atomic_rmw maxu %v, %n[%i] : (i32, memref<4xi32>) -> i32
  // CHECK-NEXT: %{{.*}} = memref.atomic_rmw mins %v, %n[%i] : (i32, memref<4xi32>) -> i32
  %14 = memref.atomic_rmw mins %v, %n[%i] : (i32, memref<4xi32>) -> i32
  // CHECK-NEXT: %{{.*}} = memref.atomic_rmw minu %v, %n[%i] : (i32, memref<4xi32>) -> i32
  %15 = memref.atomic_rmw minu %v, %n[%i] : (i32, memref<4xi32>) -> i32
  // CHECK-NEXT: %{{.*}} = memref.generic_atomic_rmw %m[%i] : memref<4xf32> {
  %16 = memref.generic_atomic_rmw %m[%i] : memref<4xf32> {
  // CHECK-NEXT: ^bb0(%current: f32):
  ^bb0(%current: f32):
    // CHECK-NEXT: %{{.*}} = arith.addf %current, %f : f32
    %17 = arith.addf %current, %f : f32
    // CHECK-NEXT: memref.atomic_yield %{{.*}} : f32
    memref.atomic_yield %17 : f32
  // CHECK-NEXT: } {hint}
  } {hint}
  return
}

// CHECK-LABEL: func.func @allocation
func.func @allocation(%n: index, %v: memref<4xi32>, %w: memref<?xi32>, %u: memref<*xf32>) {
  // CHECK-NEXT: %{{.*}} = memref.alloc() : memref<f32>
  %0 = memref.alloc() : memref<f32>
  // CHECK-NEXT: %{{.*}} = memref.alloc(%n) {alignment = 64 : i64} : memref<4x?xf32, 1>
  %1 = memref.alloc(%n) {alignment = 64 : i64} : memref<4x?xf32, 1>
  // CHECK-NEXT: %{{.*}} = memref.alloc()[%n] : memref<4xf32, affine_map<(d0)[s0] -> (d0 + s0)>>
  %2 = memref.alloc()[%n] : memref<4xf32, affine_map<(d0)[s0] -> (d0 + s0)>>
  // CHECK-NEXT: %{{.*}} = memref.alloc(%n)[%n, %n] : memref<?xf32, strided<[?], offset: ?>>
  %3 = memref.alloc(%n)[%n, %n] : memref<?xf32, strided<[?], offset: ?>>
  // CHECK-NEXT: %{{.*}} = memref.alloca() : memref<4xf32>
  %4 = memref.alloca() : memref<4xf32>
  // CHECK-NEXT: %{{.*}} = memref.alloca(%n)[%n] {alignment = 8 : i64} : memref<?xf32, affine_map<(d0)[s0] -> (d0 + s0)>>
  %5 = memref.alloca(%n)[%n] {alignment = 8 : i64} : memref<?xf32, affine_map<(d0)[s0] -> (d0 + s0)>>
  // CHECK-NEXT: %{{.*}} = memref.realloc %v : memref<4xi32> to memref<8xi32>
  %6 = memref.realloc %v : memref<4xi32> to memref<8xi32>
  // CHECK-NEXT: %{{.*}} = memref.realloc %w(%n) {alignment = 8 : i64} : memref<?xi32> to memref<?xi32>
  %7 = memref.realloc %w(%n) {alignment = 8 : i64} : memref<?xi32> to memref<?xi32>
  // CHECK-NEXT: memref.dealloc %{{.*}} : memref<f32>
  memref.dealloc %0 : memref<f32>
  // CHECK-NEXT: memref.dealloc %u : memref<*xf32>
  memref.dealloc %u : memref<*xf32>
  return
}

// CHECK-LABEL: func.func @scopes
func.func @scopes(%f: f32) {
  // CHECK-NEXT: memref.alloca_scope {
  memref.alloca_scope {
    // CHECK-NEXT: %{{.*}} = memref.alloca() : memref<4xf32>
    %0 = memref.alloca() : memref<4xf32>
  // CHECK-NEXT: } {hint}
  } {hint}
  // CHECK-NEXT: %{{.*}}, %{{.*}} = memref.alloca_scope -> (f32, f32) {
  %1, %2 = memref.alloca_scope -> (f32, f32) {
    // CHECK-NEXT: memref.alloca_scope.return %f, %f : f32, f32
    memref.alloca_scope.return %f, %f : f32, f32
  // CHECK-NEXT: }
  }
  // CHECK-NEXT: %{{.*}} = memref.alloca_scope -> (f32) {
  %3 = memref.alloca_scope -> f32 {
    // CHECK-NEXT: memref.alloca_scope.return %f : f32
    memref.alloca_scope.return %f : f32
  // CHECK-NEXT: }
  }
  return
}

// CHECK-LABEL: func.func @globals
func.func @globals() {
  // CHECK-NEXT: %{{.*}} = memref.get_global @constant : memref<2xf32>
  %0 = memref.get_global @constant : memref<2xf32>
  // CHECK-NEXT: %{{.*}} = memref.get_global @undefined : memref<f32, 1>
  %1 = memref.get_global @undefined : memref<f32, 1>
  return
}

// CHECK-LABEL: func.func @views
func.func @views(%m: memref<4x?xf32>, %s: memref<2xf32>, %u: memref<*xf32>, %n: index, %bytes: memref<2048xi8>, %shape: memref<2xindex>) {
  // CHECK-NEXT: %{{.*}} = memref.cast %s : memref<2xf32> to memref<?xf32, strided<[?], offset: ?>>
  %0 = memref.cast %s : memref<2xf32> to memref<?xf32, strided<[?], offset: ?>>
  // CHECK-NEXT: %{{.*}} = memref.cast %s {hint} : memref<2xf32> to memref<*xf32>
  %1 = memref.cast %s {hint} : memref<2xf32> to memref<*xf32>
  // CHECK-NEXT: %{{.*}} = memref.cast %u : memref<*xf32> to memref<4xf32>
  %2 = memref.cast %u : memref<*xf32> to memref<4xf32>
  // CHECK-NEXT: %{{.*}} = memref.memory_space_cast %s : memref<2xf32> to memref<2xf32, 1>
  %3 = memref.memory_space_cast %s : memref<2xf32> to memref<2xf32, 1>
  // CHECK-NEXT: %{{.*}} = memref.memory_space_cast %u : memref<*xf32> to memref<*xf32, 1>
  %4 = memref.memory_space_cast %u : memref<*xf32> to memref<*xf32, 1>
  // CHECK-NEXT: %{{.*}} = memref.view %bytes[%n][%n] : memref<2048xi8> to memref<?x4xf32>
  %5 = memref.view %bytes[%n][%n] : memref<2048xi8> to memref<?x4xf32>
  // CHECK-NEXT: %{{.*}} = memref.view %bytes[%n][] : memref<2048xi8> to memref<4xf32>
  %6 = memref.view %bytes[%n][] : memref<2048xi8> to memref<4xf32>
  // CHECK-NEXT: %{{.*}} = memref.reshape %u(%shape) : (memref<*xf32>, memref<2xindex>) -> memref<?x?xf32>
  %7 = memref.reshape %u(%shape) : (memref<*xf32>, memref<2xindex>) -> memref<?x?xf32>
  // CHECK-NEXT: %{{.*}} = memref.transpose %m (d0, d1) -> (d1, d0) : memref<4x?xf32> to memref<?x4xf32, strided<[1, ?]>>
  %8 = memref.transpose %m (d0, d1) -> (d1, d0) : memref<4x?xf32> to memref<?x4xf32, strided<[1, ?]>>
  // CHECK-NEXT: %{{.*}} = memref.assume_alignment %m, 16 : memref<4x?xf32>
  %9 = memref.assume_alignment %m, 16 : memref<4x?xf32>
  // CHECK-NEXT: %{{.*}}, %{{.*}} = memref.distinct_objects %m, %s : memref<4x?xf32>, memref<2xf32>
  %10, %11 = memref.distinct_objects %m, %s : memref<4x?xf32>, memref<2xf32>
  return
}

// CHECK-LABEL: func.func @slices
func.func @slices(%m: memref<4x?xf32>, %n: index, %u: memref<*xf32>, %a: memref<8x16xf32, affine_map<(d0, d1) -> (d1 * 8 + d0)>>) {
  // CHECK-NEXT: %{{.*}} = memref.subview %m[0, %n] [2, %n] [1, 2] : memref<4x?xf32> to memref<2x?xf32, strided<[?, 2], offset: ?>>
  %0 = memref.subview %m[0, %n] [2, %n] [1, 2] : memref<4x?xf32> to memref<2x?xf32, strided<[?, 2], offset: ?>>
  // CHECK-NEXT: %{{.*}} = memref.subview %m[1, 2] [1, 3] [1, 1] : memref<4x?xf32> to memref<3xf32, strided<[1], offset: ?>>
  %1 = memref.subview %m[1, 2] [1, 3] [1, 1] : memref<4x?xf32> to memref<3xf32, strided<[1], offset: ?>>
  // CHECK-NEXT: %{{.*}} = memref.subview %m[0, 0] [1, 1] [1, 1] : memref<4x?xf32> to memref<f32>
  %2 = memref.subview %m[0, 0] [1, 1] [1, 1] : memref<4x?xf32> to memref<f32>
  // CHECK-NEXT: %{{.*}} = memref.subview %m[3, 0] [4, 2] [-1, 1] : memref<4x?xf32> to memref<4x2xf32, strided<[?, 1], offset: ?>>
  %3 = memref.subview %m[3, 0] [4, 2] [-1, 1] : memref<4x?xf32> to memref<4x2xf32, strided<[?, 1], offset: ?>>
  // CHECK-NEXT: %{{.*}} = memref.subview %a[0, 0] [4, 4] [1, 1] : memref<8x16xf32, affine_map<(d0, d1) -> (d1 * 8 + d0)>> to memref<4x4xf32, strided<[1, 8]>>
  %4 = memref.subview %a[0, 0] [4, 4] [1, 1] : memref<8x16xf32, affine_map<(d0, d1) -> (d1 * 8 + d0)>> to memref<4x4xf32, strided<[1, 8]>>
  // CHECK-NEXT: %{{.*}} = memref.reinterpret_cast %u to offset: [%n], sizes: [4, %n], strides: [%n, 1] : memref<*xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
  %5 = memref.reinterpret_cast %u to offset: [%n], sizes: [4, %n], strides: [%n, 1] : memref<*xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
  // CHECK-NEXT: %{{.*}} = memref.reinterpret_cast %m to offset: [0], sizes: [4, 2], strides: [2, 1] : memref<4x?xf32> to memref<4x2xf32>
  %6 = memref.reinterpret_cast %m to offset: [0], sizes: [4, 2], strides: [2, 1] : memref<4x?xf32> to memref<4x2xf32>
  return
}

// CHECK-LABEL: func.func @reshapes
func.func @reshapes(%m: memref<4x?xf32>, %n: index, %s: memref<8xf32, strided<[2], offset: 3>>, %o: memref<f32>, %t: memref<1x4xf32, strided<[9, 1]>>, %d: memref<?x4xf32, strided<[?, 1], offset: ?>>) {
  // CHECK-NEXT: %{{.*}} = memref.expand_shape %m {{\[\[}}0, 1], [2{{\]\]}} output_shape [2, 2, %n] : memref<4x?xf32> into memref<2x2x?xf32>
  %0 = memref.expand_shape %m [[0, 1], [2]] output_shape [2, 2, %n] : memref<4x?xf32> into memref<2x2x?xf32>
  // CHECK-NEXT: %{{.*}} = memref.expand_shape %s {{\[\[}}0, 1{{\]\]}} output_shape [2, 4] : memref<8xf32, strided<[2], offset: 3>> into memref<2x4xf32, strided<[8, 2], offset: 3>>
  %1 = memref.expand_shape %s [[0, 1]] output_shape [2, 4] : memref<8xf32, strided<[2], offset: 3>> into memref<2x4xf32, strided<[8, 2], offset: 3>>
  // CHECK-NEXT: %{{.*}} = memref.expand_shape %o [] output_shape [1, 1] : memref<f32> into memref<1x1xf32>
  %2 = memref.expand_shape %o [] output_shape [1, 1] : memref<f32> into memref<1x1xf32>
  // CHECK-NEXT: %{{.*}} = memref.collapse_shape %m {{\[\[}}0, 1{{\]\]}} : memref<4x?xf32> into memref<?xf32>
  %3 = memref.collapse_shape %m [[0, 1]] : memref<4x?xf32> into memref<?xf32>
  // CHECK-NEXT: %{{.*}} = memref.collapse_shape %{{.*}} [] : memref<1x1xf32> into memref<f32>
  %4 = memref.collapse_shape %2 [] : memref<1x1xf32> into memref<f32>
  // CHECK-NEXT: %{{.*}} = memref.collapse_shape %t {{\[\[}}0, 1{{\]\]}} : memref<1x4xf32, strided<[9, 1]>> into memref<4xf32, strided<[1]>>
  %5 = memref.collapse_shape %t [[0, 1]] : memref<1x4xf32, strided<[9, 1]>> into memref<4xf32, strided<[1]>>
  // CHECK-NEXT: %{{.*}} = memref.collapse_shape %d {{\[\[}}0, 1{{\]\]}} : memref<?x4xf32, strided<[?, 1], offset: ?>> into memref<?xf32, strided<[1], offset: ?>>
  %6 = memref.collapse_shape %d [[0, 1]] : memref<?x4xf32, strided<[?, 1], offset: ?>> into memref<?xf32, strided<[1], offset: ?>>
  return
}

// CHECK-LABEL: func.func @queries
func.func @queries(%m: memref<4x?xf32>, %u: memref<*xf32>, %n: index) {
  // CHECK-NEXT: %{{.*}} = memref.dim %m, %n : memref<4x?xf32>
  %0 = memref.dim %m, %n : memref<4x?xf32>
  // CHECK-NEXT: %{{.*}} = memref.dim %u, %n : memref<*xf32>
  %1 = memref.dim %u, %n : memref<*xf32>
  // CHECK-NEXT: %{{.*}} = memref.rank %u : memref<*xf32>
  %2 = memref.rank %u : memref<*xf32>
  // CHECK-NEXT: %base, %offset, %size0, %size1, %stride0, %stride1 = memref.extract_strided_metadata %m : memref<4x?xf32> -> memref<f32>, index, index, index, index, index
  %base, %offset, %size0, %size1, %stride0, %stride1 = memref.extract_strided_metadata %m : memref<4x?xf32> -> memref<f32>, index, index, index, index, index
  // CHECK-NEXT: %{{.*}} = memref.extract_aligned_pointer_as_index %u : memref<*xf32> -> index
  %3 = memref.extract_aligned_pointer_as_index %u : memref<*xf32> -> index
  return
}

// CHECK-LABEL: func.func @dma
func.func @dma(%m: memref<4x?xf32>, %n: memref<4xf32, 1>, %tag: memref<1xi32>, %i: index) {
  // CHECK-NEXT: memref.dma_start %m[%i, %i], %n[%i], %i, %tag[%i] : memref<4x?xf32>, memref<4xf32, 1>, memref<1xi32>
  memref.dma_start %m[%i, %i], %n[%i], %i, %tag[%i] : memref<4x?xf32>, memref<4xf32, 1>, memref<1xi32>
  // CHECK-NEXT: memref.dma_start %m[%i, %i], %n[%i], %i, %tag[%i], %i, %i : memref<4x?xf32>, memref<4xf32, 1>, memref<1xi32>
  memref.dma_start %m[%i, %i], %n[%i], %i, %tag[%i], %i, %i : memref<4x?xf32>, memref<4xf32, 1>, memref<1xi32>
  // CHECK-NEXT: memref.dma_wait %tag[%i], %i : memref<1xi32>
  memref.dma_wait %tag[%i], %i : memref<1xi32>
  return
}

// CHECK-LABEL: @spaces_in_shapes
// CHECK-SAME: (memref<2xi32>, memref<?x2xmemref<4xf32>>, tensor<0xindex>)
func.func private @spaces_in_shapes(memref<2 x i32>, memref<? x 2 x memref< 4x f32>>, tensor<0 x
  index>)
