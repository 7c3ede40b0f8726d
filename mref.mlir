#map = affine_map<(d0)[s0] -> (d0 + s0)>
#map1 = affine_map<(d0, d1) -> (d1, d0)>
#map2 = affine_map<(d0, d1) -> (d1 * 8 + d0)>
module {
  memref.global "private" constant @constant : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]> {alignment = 64 : i64}
  memref.global @splat : memref<2x3xi32> = dense<7>
  memref.global @elsewhere : memref<2x3xf32>
  memref.global "nested" @undefined : memref<f32, 1> = uninitialized
  memref.global "public" @strided : memref<2xf32, strided<[2]>> = uninitialized {hint}
  func.func private @types(memref<4xf32, 1>, memref<4xf32, "local">, memref<4xf32, {name = "x"}>, memref<*xf32, 2>, memref<4xf32, strided<[1]>>, memref<4x4xf32, strided<[?, 1], offset: ?>, 3 : i32>, memref<4xf32, #map, 2>, memref<4x4xf32, #map1>, memref<f32, strided<[], offset: ?>>, memref<?xmemref<4xvector<2xf32>>>, memref<0x?xindex>, memref<2xcomplex<f32>>)
  func.func @access(%arg0: memref<4x?xf32>, %arg1: memref<f32>, %arg2: index, %arg3: f32) {
    %0 = memref.load %arg0[%arg2, %arg2] : memref<4x?xf32>
    %1 = memref.load %arg1[] : memref<f32>
    %2 = memref.load %arg0[%arg2, %arg2] {alignment = 16 : i64, nontemporal = true} : memref<4x?xf32>
    memref.store %arg3, %arg0[%arg2, %arg2] : memref<4x?xf32>
    memref.store %arg3, %arg0[%arg2, %arg2] {alignment = 16 : i64, nontemporal = true} : memref<4x?xf32>
    memref.prefetch %arg0[%arg2, %arg2], read, locality<3>, data : memref<4x?xf32>
    memref.prefetch %arg0[%arg2, %arg2], write, locality<0>, instr : memref<4x?xf32>
    return
  }
  func.func @copies(%arg0: memref<2xf32>, %arg1: memref<?xf32, strided<[?], offset: ?>>, %arg2: memref<*xf32>) {
    memref.copy %arg0, %arg1 : memref<2xf32> to memref<?xf32, strided<[?], offset: ?>>
    memref.copy %arg2, %arg2 {hint} : memref<*xf32> to memref<*xf32>
    return
  }
  func.func @atomics(%arg0: memref<4xf32>, %arg1: memref<4xi32>, %arg2: index, %arg3: f32, %arg4: i32) {
    %0 = memref.atomic_rmw addf %arg3, %arg0[%arg2] : (f32, memref<4xf32>) -> f32
    %1 = memref.atomic_rmw mulf %arg3, %arg0[%arg2] : (f32, memref<4xf32>) -> f32
    %2 = memref.atomic_rmw maximumf %arg3, %arg0[%arg2] : (f32, memref<4xf32>) -> f32
    %3 = memref.atomic_rmw maxnumf %arg3, %arg0[%arg2] : (f32, memref<4xf32>) -> f32
    %4 = memref.atomic_rmw minimumf %arg3, %arg0[%arg2] : (f32, memref<4xf32>) -> f32
    %5 = memref.atomic_rmw minnumf %arg3, %arg0[%arg2] : (f32, memref<4xf32>) -> f32
    %6 = memref.atomic_rmw assign %arg3, %arg0[%arg2] {hint} : (f32, memref<4xf32>) -> f32
    %7 = memref.atomic_rmw addi %arg4, %arg1[%arg2] : (i32, memref<4xi32>) -> i32
    %8 = memref.atomic_rmw muli %arg4, %arg1[%arg2] : (i32, memref<4xi32>) -> i32
    %9 = memref.atomic_rmw andi %arg4, %arg1[%arg2] : (i32, memref<4xi32>) -> i32
    %10 = memref.atomic_rmw ori %arg4, %arg1[%arg2] : (i32, memref<4xi32>) -> i32
    %11 = memref.atomic_rmw xori %arg4, %arg1[%arg2] : (i32, memref<4xi32>) -> i32
    %12 = memref.atomic_rmw maxs %arg4, %arg1[%arg2] : (i32, memref<4xi32>) -> i32
    %13 = memref.atomic_rmw maxu %arg4, %arg1[%arg2] : (i32, memref<4xi32>) -> i32
    %14 = memref.atomic_rmw mins %arg4, %arg1[%arg2] : (i32, memref<4xi32>) -> i32
    %15 = memref.atomic_rmw minu %arg4, %arg1[%arg2] : (i32, memref<4xi32>) -> i32
    %16 = memref.generic_atomic_rmw %arg0[%arg2] : memref<4xf32> {
    ^bb0(%arg5: f32):
      %17 = arith.addf %arg5, %arg3 : f32
      memref.atomic_yield %17 : f32
    } {hint}
    return
  }
  func.func @allocation(%arg0: index, %arg1: memref<4xi32>, %arg2: memref<?xi32>, %arg3: memref<*xf32>) {
    %alloc = memref.alloc() : memref<f32>
    %alloc_0 = memref.alloc(%arg0) {alignment = 64 : i64} : memref<4x?xf32, 1>
    %alloc_1 = memref.alloc()[%arg0] : memref<4xf32, #map>
    %alloc_2 = memref.alloc(%arg0)[%arg0, %arg0] : memref<?xf32, strided<[?], offset: ?>>
    %alloca = memref.alloca() : memref<4xf32>
    %alloca_3 = memref.alloca(%arg0)[%arg0] {alignment = 8 : i64} : memref<?xf32, #map>
    %0 = memref.realloc %arg1 : memref<4xi32> to memref<8xi32>
    %1 = memref.realloc %arg2(%arg0) {alignment = 8 : i64} : memref<?xi32> to memref<?xi32>
    memref.dealloc %alloc : memref<f32>
    memref.dealloc %arg3 : memref<*xf32>
    return
  }
  func.func @scopes(%arg0: f32) {
    memref.alloca_scope  {
      %alloca = memref.alloca() : memref<4xf32>
    } {hint}
    %0:2 = memref.alloca_scope  -> (f32, f32) {
      memref.alloca_scope.return %arg0, %arg0 : f32, f32
    }
    return
  }
  func.func @globals() {
    %0 = memref.get_global @constant : memref<2xf32>
    %1 = memref.get_global @undefined : memref<f32, 1>
    return
  }
  func.func @views(%arg0: memref<4x?xf32>, %arg1: memref<2xf32>, %arg2: memref<*xf32>, %arg3: index, %arg4: memref<2048xi8>, %arg5: memref<2xindex>) {
    %cast = memref.cast %arg1 : memref<2xf32> to memref<?xf32, strided<[?], offset: ?>>
    %cast_0 = memref.cast %arg1 {hint} : memref<2xf32> to memref<*xf32>
    %cast_1 = memref.cast %arg2 : memref<*xf32> to memref<4xf32>
    %memspacecast = memref.memory_space_cast %arg1 : memref<2xf32> to memref<2xf32, 1>
    %memspacecast_2 = memref.memory_space_cast %arg2 : memref<*xf32> to memref<*xf32, 1>
    %view = memref.view %arg4[%arg3][%arg3] : memref<2048xi8> to memref<?x4xf32>
    %view_3 = memref.view %arg4[%arg3][] : memref<2048xi8> to memref<4xf32>
    %reshape = memref.reshape %arg2(%arg5) : (memref<*xf32>, memref<2xindex>) -> memref<?x?xf32>
    %transpose = memref.transpose %arg0 (d0, d1) -> (d1, d0) : memref<4x?xf32> to memref<?x4xf32, strided<[1, ?]>>
    %assume_align = memref.assume_alignment %arg0, 16 : memref<4x?xf32>
    %0:2 = memref.distinct_objects %arg0, %arg1 : memref<4x?xf32>, memref<2xf32>
    return
  }
  func.func @slices(%arg0: memref<4x?xf32>, %arg1: index, %arg2: memref<*xf32>, %arg3: memref<8x16xf32, #map2>) {
    %subview = memref.subview %arg0[0, %arg1] [2, %arg1] [1, 2] : memref<4x?xf32> to memref<2x?xf32, strided<[?, 2], offset: ?>>
    %subview_0 = memref.subview %arg0[1, 2] [1, 3] [1, 1] : memref<4x?xf32> to memref<3xf32, strided<[1], offset: ?>>
    %subview_1 = memref.subview %arg0[0, 0] [1, 1] [1, 1] : memref<4x?xf32> to memref<f32>
    %subview_2 = memref.subview %arg0[3, 0] [4, 2] [-1, 1] : memref<4x?xf32> to memref<4x2xf32, strided<[?, 1], offset: ?>>
    %subview_3 = memref.subview %arg3[0, 0] [4, 4] [1, 1] : memref<8x16xf32, #map2> to memref<4x4xf32, strided<[1, 8]>>
    %reinterpret_cast = memref.reinterpret_cast %arg2 to offset: [%arg1], sizes: [4, %arg1], strides: [%arg1, 1] : memref<*xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
    %reinterpret_cast_4 = memref.reinterpret_cast %arg0 to offset: [0], sizes: [4, 2], strides: [2, 1] : memref<4x?xf32> to memref<4x2xf32>
    return
  }
  func.func @reshapes(%arg0: memref<4x?xf32>, %arg1: index, %arg2: memref<8xf32, strided<[2], offset: 3>>, %arg3: memref<f32>, %arg4: memref<1x4xf32, strided<[9, 1]>>, %arg5: memref<?x4xf32, strided<[?, 1], offset: ?>>) {
    %expand_shape = memref.expand_shape %arg0 [[0, 1], [2]] output_shape [2, 2, %arg1] : memref<4x?xf32> into memref<2x2x?xf32>
    %expand_shape_0 = memref.expand_shape %arg2 [[0, 1]] output_shape [2, 4] : memref<8xf32, strided<[2], offset: 3>> into memref<2x4xf32, strided<[8, 2], offset: 3>>
    %expand_shape_1 = memref.expand_shape %arg3 [] output_shape [1, 1] : memref<f32> into memref<1x1xf32>
    %collapse_shape = memref.collapse_shape %arg0 [[0, 1]] : memref<4x?xf32> into memref<?xf32>
    %collapse_shape_2 = memref.collapse_shape %expand_shape_1 [] : memref<1x1xf32> into memref<f32>
    %collapse_shape_3 = memref.collapse_shape %arg4 [[0, 1]] : memref<1x4xf32, strided<[9, 1]>> into memref<4xf32, strided<[1]>>
    %collapse_shape_4 = memref.collapse_shape %arg5 [[0, 1]] : memref<?x4xf32, strided<[?, 1], offset: ?>> into memref<?xf32, strided<[1], offset: ?>>
    return
  }
  func.func @queries(%arg0: memref<4x?xf32>, %arg1: memref<*xf32>, %arg2: index) {
    %dim = memref.dim %arg0, %arg2 : memref<4x?xf32>
    %dim_0 = memref.dim %arg1, %arg2 : memref<*xf32>
    %0 = memref.rank %arg1 : memref<*xf32>
    %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<4x?xf32> -> memref<f32>, index, index, index, index, index
    %intptr = memref.extract_aligned_pointer_as_index %arg1 : memref<*xf32> -> index
    return
  }
  func.func @dma(%arg0: memref<4x?xf32>, %arg1: memref<4xf32, 1>, %arg2: memref<1xi32>, %arg3: index) {
    memref.dma_start %arg0[%arg3, %arg3], %arg1[%arg3], %arg3, %arg2[%arg3] : memref<4x?xf32>, memref<4xf32, 1>, memref<1xi32>
    memref.dma_start %arg0[%arg3, %arg3], %arg1[%arg3], %arg3, %arg2[%arg3], %arg3, %arg3 : memref<4x?xf32>, memref<4xf32, 1>, memref<1xi32>
    memref.dma_wait %arg2[%arg3], %arg3 : memref<1xi32>
    return
  }
}

