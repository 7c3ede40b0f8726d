// RUN: xbuf opt -p canonicalize %s | filecheck %s

// CHECK-LABEL: func.func @cast_of_cast
func.func @cast_of_cast(%m: memref<4xf32>) -> (memref<4xf32>, memref<*xf32>) {
  // CHECK-NEXT: %0 = memref.cast %m : memref<4xf32> to memref<*xf32>
  // CHECK-NEXT: func.return %m, %0
  %0 = memref.cast %m : memref<4xf32> to memref<?xf32>
  %1 = memref.cast %0 : memref<?xf32> to memref<4xf32>
  %2 = memref.cast %0 : memref<?xf32> to memref<*xf32>
  return %1, %2 : memref<4xf32>, memref<*xf32>
}

// CHECK-LABEL: func.func @contradicting_casts
func.func @contradicting_casts(%m: memref<4xf32>) -> memref<5xf32> {
  // CHECK-NEXT: %0 = memref.cast %m : memref<4xf32> to memref<?xf32>
  // CHECK-NEXT: %1 = memref.cast %0 : memref<?xf32> to memref<5xf32>
  %0 = memref.cast %m : memref<4xf32> to memref<?xf32>
  %1 = memref.cast %0 : memref<?xf32> to memref<5xf32>
  return %1 : memref<5xf32>
}

// CHECK-LABEL: func.func @cast_to_same_type
func.func @cast_to_same_type(%m: memref<4xf32>) -> memref<4xf32> {
  // CHECK-NEXT: func.return %m
  %0 = memref.cast %m : memref<4xf32> to memref<4xf32>
  return %0 : memref<4xf32>
}

// CHECK-LABEL: func.func @ops_look_through_casts
func.func @ops_look_through_casts(%m: memref<4xf32>, %u: memref<*xf32>, %i: index) -> (f32, f32) {
  %0 = memref.cast %m : memref<4xf32> to memref<?xf32>
  // CHECK-NEXT: %0 = memref.load %m[%i] : memref<4xf32>
  %1 = memref.load %0[%i] : memref<?xf32>
  // CHECK-NEXT: memref.store %0, %m[%i] : memref<4xf32>
  memref.store %1, %0[%i] : memref<?xf32>
  // CHECK-NEXT: %1 = memref.atomic_rmw addf %0, %m[%i] : (f32, memref<4xf32>) -> f32
  %2 = memref.atomic_rmw addf %1, %0[%i] : (f32, memref<?xf32>) -> f32
  // CHECK-NEXT: memref.prefetch %m[%i], read, locality<3>, data : memref<4xf32>
  memref.prefetch %0[%i], read, locality<3>, data : memref<?xf32>
  // CHECK-NEXT: memref.dealloc %m : memref<4xf32>
  memref.dealloc %0 : memref<?xf32>
  // CHECK-NEXT: %2 = memref.cast %u : memref<*xf32> to memref<4xf32>
  %3 = memref.cast %u : memref<*xf32> to memref<4xf32>
  // CHECK-NEXT: memref.dealloc %2 : memref<4xf32>
  memref.dealloc %3 : memref<4xf32>
  return %1, %2 : f32, f32
}

// CHECK-LABEL: func.func @stored_buffer_keeps_its_type
func.func @stored_buffer_keeps_its_type(%m: memref<4xf32>, %of: memref<2xmemref<?xf32>>, %i: index) {
  // CHECK-NEXT: %0 = memref.cast %m : memref<4xf32> to memref<?xf32>
  // CHECK-NEXT: memref.store %0, %of[%i] : memref<2xmemref<?xf32>>
  %0 = memref.cast %m : memref<4xf32> to memref<?xf32>
  memref.store %0, %of[%i] : memref<2xmemref<?xf32>>
  return
}

// CHECK-LABEL: func.func @copies
func.func @copies(%m: memref<4xf32>, %n: memref<?xf32>, %o: memref<5xf32>, %z: memref<0xf32>) {
  %0 = memref.cast %m : memref<4xf32> to memref<?xf32>
  // CHECK-NEXT: %0 = memref.cast %m : memref<4xf32> to memref<?xf32>
  // CHECK-NEXT: memref.copy %m, %n : memref<4xf32> to memref<?xf32>
  memref.copy %0, %n : memref<?xf32> to memref<?xf32>
  // CHECK-NEXT: memref.copy %0, %o : memref<?xf32> to memref<5xf32>
  memref.copy %0, %o : memref<?xf32> to memref<5xf32>
  memref.copy %n, %n : memref<?xf32> to memref<?xf32>
  memref.copy %0, %m : memref<?xf32> to memref<4xf32>
  memref.copy %z, %z : memref<0xf32> to memref<0xf32>
  // CHECK-NEXT: func.return
  return
}

func.func private @keep(memref<4x?xf32>)

// CHECK-LABEL: func.func @dim
func.func @dim(%m: memref<4x?xf32>, %n: index, %bytes: memref<?xi8>, %flat: memref<?xf32>)
    -> (index, index, index, index, index, index, index, index, index, index) {
  // CHECK-NEXT: %c1 = arith.constant 1 : index
  // CHECK-NEXT: %static = arith.constant 4 : index
  // CHECK-NEXT: %of_cast = arith.constant 4 : index
  // CHECK-NEXT: %dynamic = memref.dim %m, %c1 : memref<4x?xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %static = memref.dim %m, %c0 : memref<4x?xf32>
  %cast = memref.cast %m : memref<4x?xf32> to memref<?x?xf32>
  %of_cast = memref.dim %cast, %c0 : memref<?x?xf32>
  %dynamic = memref.dim %m, %c1 : memref<4x?xf32>
  %alloc = memref.alloc(%n) : memref<4x?xf32>
  func.call @keep(%alloc) : (memref<4x?xf32>) -> ()
  %of_alloc = memref.dim %alloc, %c1 : memref<4x?xf32>
  %view = memref.view %bytes[%n][%n] : memref<?xi8> to memref<4x?xf32>
  %of_view = memref.dim %view, %c1 : memref<4x?xf32>
  %subview = memref.subview %m[0, 0] [1, %n] [1, 1] : memref<4x?xf32> to memref<?xf32, strided<[1]>>
  %of_subview = memref.dim %subview, %c0 : memref<?xf32, strided<[1]>>
  %expand = memref.expand_shape %flat [[0, 1]] output_shape [4, %n] : memref<?xf32> into memref<4x?xf32>
  %of_expand = memref.dim %expand, %c1 : memref<4x?xf32>
  %reinterpret = memref.reinterpret_cast %flat to offset: [0], sizes: [%n], strides: [1] : memref<?xf32> to memref<?xf32>
  %of_reinterpret = memref.dim %reinterpret, %c0 : memref<?xf32>
  %transpose = memref.transpose %m (i, j) -> (j, i) : memref<4x?xf32> to memref<?x4xf32, strided<[1, ?]>>
  %of_transpose = memref.dim %transpose, %c0 : memref<?x4xf32, strided<[1, ?]>>
  %space = memref.memory_space_cast %m : memref<4x?xf32> to memref<4x?xf32, 1>
  %of_space = memref.dim %space, %c1 : memref<4x?xf32, 1>
  // CHECK: %of_transpose = arith.constant 1 : index
  // CHECK-NEXT: %[[OF_TRANSPOSE:\w+]] = memref.dim %m, %of_transpose : memref<4x?xf32>
  // CHECK-NEXT: %of_space = memref.dim %m, %c1 : memref<4x?xf32>
  // CHECK-NEXT: func.return %static, %of_cast, %dynamic, %n, %n, %n, %n, %n, %[[OF_TRANSPOSE]], %of_space :
  return %static, %of_cast, %dynamic, %of_alloc, %of_view, %of_subview, %of_expand, %of_reinterpret, %of_transpose, %of_space
      : index, index, index, index, index, index, index, index, index, index
}

// CHECK-LABEL: func.func @rank
func.func @rank(%m: memref<4x?xf32>, %u: memref<*xf32>) -> (index, index) {
  // CHECK-NEXT: %0 = arith.constant 2 : index
  // CHECK-NEXT: %1 = memref.rank %u : memref<*xf32>
  // CHECK-NEXT: func.return %0, %1
  %0 = memref.rank %m : memref<4x?xf32>
  %1 = memref.rank %u : memref<*xf32>
  return %0, %1 : index, index
}

// CHECK-LABEL: func.func @metadata
func.func @metadata(%m: memref<4x?xf32, strided<[?, 2], offset: 3>>) -> (index, index, index, index, index) {
  // CHECK-NEXT: arith.constant 3 : index
  // CHECK-NEXT: arith.constant 4 : index
  // CHECK-NEXT: arith.constant 2 : index
  // CHECK-NEXT: %[[BASE:\w+]], %[[OFFSET:\w+]], %[[SIZE0:\w+]], %[[SIZE1:\w+]], %[[STRIDE0:\w+]], %[[STRIDE1:\w+]] = memref.extract_strided_metadata %m
  // CHECK-NEXT: func.return %{{.*}}, %{{.*}}, %[[SIZE1]], %[[STRIDE0]], %{{.*}}
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m
      : memref<4x?xf32, strided<[?, 2], offset: 3>> -> memref<f32>, index, index, index, index, index
  return %offset, %sizes#0, %sizes#1, %strides#0, %strides#1 : index, index, index, index, index
}

// CHECK-LABEL: func.func @subview_of_everything
func.func @subview_of_everything(%m: memref<4x8xf32>) -> (memref<4x8xf32>, memref<4x8xf32, strided<[8, 1]>>, memref<4xf32>) {
  // CHECK-NEXT: %0 = memref.cast %m : memref<4x8xf32> to memref<4x8xf32, strided<[8, 1]>>
  // CHECK-NEXT: %1 = memref.subview %m[0, 0] [1, 4] [1, 1] : memref<4x8xf32> to memref<4xf32>
  // CHECK-NEXT: func.return %m, %0, %1
  %0 = memref.subview %m[0, 0] [4, 8] [1, 1] : memref<4x8xf32> to memref<4x8xf32>
  %1 = memref.subview %m[0, 0] [4, 8] [1, 1] : memref<4x8xf32> to memref<4x8xf32, strided<[8, 1]>>
  %2 = memref.subview %m[0, 0] [1, 4] [1, 1] : memref<4x8xf32> to memref<4xf32>
  return %0, %1, %2 : memref<4x8xf32>, memref<4x8xf32, strided<[8, 1]>>, memref<4xf32>
}

// CHECK-LABEL: func.func @subview_of_constants
func.func @subview_of_constants(%m: memref<4x8xf32>, %n: index) -> (memref<?x?xf32, strided<[8, ?], offset: ?>>, memref<?xf32, strided<[1], offset: ?>>) {
  // CHECK-NEXT: %0 = memref.subview %m[2, %n] [2, %n] [1, 2] : memref<4x8xf32> to memref<2x?xf32, strided<[8, 2], offset: ?>>
  // CHECK-NEXT: %1 = memref.cast %0 : memref<2x?xf32, strided<[8, 2], offset: ?>> to memref<?x?xf32, strided<[8, ?], offset: ?>>
  // CHECK-NEXT: %2 = memref.subview %m[2, 2] [1, 2] [1, 1] : memref<4x8xf32> to memref<2xf32, strided<[1], offset: 18>>
  // CHECK-NEXT: %3 = memref.cast %2 : memref<2xf32, strided<[1], offset: 18>> to memref<?xf32, strided<[1], offset: ?>>
  // CHECK-NEXT: func.return %1, %3
  %c2 = arith.constant 2 : index
  %0 = memref.subview %m[%c2, %n] [%c2, %n] [1, %c2] : memref<4x8xf32> to memref<?x?xf32, strided<[8, ?], offset: ?>>
  %1 = memref.subview %m[%c2, 2] [1, %c2] [1, 1] : memref<4x8xf32> to memref<?xf32, strided<[1], offset: ?>>
  return %0, %1 : memref<?x?xf32, strided<[8, ?], offset: ?>>, memref<?xf32, strided<[1], offset: ?>>
}

// Constants that are out of bounds stay for the running program to stumble over.
// CHECK-LABEL: func.func @subview_out_of_bounds
func.func @subview_out_of_bounds(%m: memref<4xf32>) -> (memref<1xf32, strided<[1], offset: ?>>, memref<?xf32>) {
  // CHECK: memref.subview %m[%c9] [1] [1]
  // CHECK: memref.subview %m[0] [%c-1] [1]
  %c9 = arith.constant 9 : index
  %c-1 = arith.constant -1 : index
  %0 = memref.subview %m[%c9] [1] [1] : memref<4xf32> to memref<1xf32, strided<[1], offset: ?>>
  %1 = memref.subview %m[0] [%c-1] [1] : memref<4xf32> to memref<?xf32>
  return %0, %1 : memref<1xf32, strided<[1], offset: ?>>, memref<?xf32>
}

// CHECK-LABEL: func.func @subview_of_cast
func.func @subview_of_cast(%m: memref<4x8xf32>, %n: index) -> (memref<2x?xf32, strided<[?, 1], offset: ?>>, memref<4xf32, strided<[1], offset: ?>>) {
  // CHECK-NEXT: %0 = memref.subview %m[1, 0] [2, %n] [1, 1] : memref<4x8xf32> to memref<2x?xf32, strided<[8, 1], offset: 8>>
  // CHECK-NEXT: %1 = memref.cast %0 : memref<2x?xf32, strided<[8, 1], offset: 8>> to memref<2x?xf32, strided<[?, 1], offset: ?>>
  // CHECK-NEXT: %2 = memref.subview %m[1, 0] [1, 4] [1, 1] : memref<4x8xf32> to memref<4xf32, strided<[1], offset: 8>>
  // CHECK-NEXT: %3 = memref.cast %2
  %0 = memref.cast %m : memref<4x8xf32> to memref<?x?xf32>
  %1 = memref.subview %0[1, 0] [2, %n] [1, 1] : memref<?x?xf32> to memref<2x?xf32, strided<[?, 1], offset: ?>>
  %2 = memref.subview %0[1, 0] [1, 4] [1, 1] : memref<?x?xf32> to memref<4xf32, strided<[1], offset: ?>>
  return %1, %2 : memref<2x?xf32, strided<[?, 1], offset: ?>>, memref<4xf32, strided<[1], offset: ?>>
}

// CHECK-LABEL: func.func @alloc_of_constant_size
func.func @alloc_of_constant_size(%n: index) -> (memref<?x?xf32>, memref<?xf32, 1>) {
  // CHECK-NEXT: %0 = memref.alloc(%n) {alignment = 64 : i64} : memref<4x?xf32>
  // CHECK-NEXT: %1 = memref.cast %0 : memref<4x?xf32> to memref<?x?xf32>
  // CHECK-NEXT: %2 = memref.alloc() : memref<4xf32, 1>
  // CHECK-NEXT: %3 = memref.cast %2 : memref<4xf32, 1> to memref<?xf32, 1>
  // CHECK-NEXT: func.return %1, %3
  %c4 = arith.constant 4 : index
  %0 = memref.alloc(%c4, %n) {alignment = 64 : i64} : memref<?x?xf32>
  %1 = memref.alloc(%c4) : memref<?xf32, 1>
  return %0, %1 : memref<?x?xf32>, memref<?xf32, 1>
}

// CHECK-LABEL: func.func @unread_allocations
func.func @unread_allocations(%f: f32, %i: index, %of: memref<2xmemref<4xf32>>) {
  // CHECK-NEXT: %0 = memref.alloc() : memref<4xf32>
  // CHECK-NEXT: memref.store %0, %of[%i] : memref<2xmemref<4xf32>>
  // CHECK-NEXT: func.return
  %0 = memref.alloc() : memref<4xf32>
  memref.store %f, %0[%i] : memref<4xf32>
  memref.store %f, %0[%i] : memref<4xf32>
  memref.dealloc %0 : memref<4xf32>
  %1 = memref.alloca(%i) : memref<?xf32>
  memref.store %f, %1[%i] : memref<?xf32>
  %2 = memref.alloc() : memref<4xf32>
  memref.store %2, %of[%i] : memref<2xmemref<4xf32>>
  return
}

// CHECK-LABEL: func.func @view_of_constant_size
func.func @view_of_constant_size(%m: memref<64xi8>, %i: index) -> memref<?x4xf32> {
  // CHECK-NEXT: %0 = memref.view %m[%i][] : memref<64xi8> to memref<2x4xf32>
  // CHECK-NEXT: %1 = memref.cast %0 : memref<2x4xf32> to memref<?x4xf32>
  %c2 = arith.constant 2 : index
  %0 = memref.view %m[%i][%c2] : memref<64xi8> to memref<?x4xf32>
  return %0 : memref<?x4xf32>
}

// CHECK-LABEL: func.func @reshape_and_back
func.func @reshape_and_back(%m: memref<4x?xf32>, %n: index, %d: memref<?x?xf32>)
    -> (memref<4x?xf32>, memref<4x?xf32>, memref<?x?xf32>) {
  // CHECK-NEXT: %0 = memref.collapse_shape %d {{\[\[0, 1\]\]}} : memref<?x?xf32> into memref<?xf32>
  // CHECK-NEXT: %1 = memref.expand_shape %0 {{\[\[0, 1\]\]}} output_shape [%n, %n] : memref<?xf32> into memref<?x?xf32>
  // CHECK-NEXT: func.return %m, %m, %1
  %0 = memref.expand_shape %m [[0, 1], [2]] output_shape [2, 2, %n] : memref<4x?xf32> into memref<2x2x?xf32>
  %1 = memref.collapse_shape %0 [[0, 1], [2]] : memref<2x2x?xf32> into memref<4x?xf32>
  %2 = memref.collapse_shape %m [[0, 1]] : memref<4x?xf32> into memref<?xf32>
  %3 = memref.expand_shape %2 [[0, 1]] output_shape [4, %n] : memref<?xf32> into memref<4x?xf32>
  %4 = memref.collapse_shape %d [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  %5 = memref.expand_shape %4 [[0, 1]] output_shape [%n, %n] : memref<?xf32> into memref<?x?xf32>
  return %1, %3, %5 : memref<4x?xf32>, memref<4x?xf32>, memref<?x?xf32>
}

// CHECK-LABEL: func.func @reshapes_in_one_step
func.func @reshapes_in_one_step(%m: memref<2x3x4xf32>, %n: memref<24xf32>) -> (memref<24xf32>, memref<2x3x4xf32>) {
  // CHECK-NEXT: %0 = memref.collapse_shape %m {{\[\[0, 1, 2\]\]}} : memref<2x3x4xf32> into memref<24xf32>
  // CHECK-NEXT: %1 = memref.expand_shape %n {{\[\[0, 1, 2\]\]}} output_shape [2, 3, 4] : memref<24xf32> into memref<2x3x4xf32>
  // CHECK-NEXT: func.return %0, %1
  %0 = memref.collapse_shape %m [[0, 1], [2]] : memref<2x3x4xf32> into memref<6x4xf32>
  %1 = memref.collapse_shape %0 [[0, 1]] : memref<6x4xf32> into memref<24xf32>
  %2 = memref.expand_shape %n [[0, 1]] output_shape [6, 4] : memref<24xf32> into memref<6x4xf32>
  %3 = memref.expand_shape %2 [[0, 1], [2]] output_shape [2, 3, 4] : memref<6x4xf32> into memref<2x3x4xf32>
  return %1, %3 : memref<24xf32>, memref<2x3x4xf32>
}

// CHECK-LABEL: func.func @taken_apart_and_put_together
func.func @taken_apart_and_put_together(%m: memref<4x?xf32, strided<[?, 1], offset: ?>>) -> memref<4x?xf32, strided<[?, 1], offset: ?>> {
  // CHECK-NEXT: func.return %m
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m
      : memref<4x?xf32, strided<[?, 1], offset: ?>> -> memref<f32>, index, index, index, index, index
  %0 = memref.reinterpret_cast %base to offset: [%offset], sizes: [4, %sizes#1], strides: [%strides#0, 1]
      : memref<f32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
  return %0 : memref<4x?xf32, strided<[?, 1], offset: ?>>
}

// CHECK-LABEL: func.func @reinterpret_cast
func.func @reinterpret_cast(%m: memref<16xf32>, %n: index) -> (memref<?xf32, strided<[?], offset: ?>>, memref<2xf32>) {
  // CHECK-NEXT: %0 = memref.reinterpret_cast %m to offset: [2], sizes: [2], strides: [2] : memref<16xf32> to memref<2xf32, strided<[2], offset: 2>>
  // CHECK-NEXT: %1 = memref.cast %0 : memref<2xf32, strided<[2], offset: 2>> to memref<?xf32, strided<[?], offset: ?>>
  // CHECK-NEXT: %2 = memref.reinterpret_cast %m to offset: [0], sizes: [2], strides: [1] : memref<16xf32> to memref<2xf32>
  // CHECK-NEXT: func.return %1, %2
  %c2 = arith.constant 2 : index
  %0 = memref.reinterpret_cast %m to offset: [%c2], sizes: [%c2], strides: [%c2] : memref<16xf32> to memref<?xf32, strided<[?], offset: ?>>
  %1 = memref.subview %m[0] [4] [2] : memref<16xf32> to memref<4xf32, strided<[2]>>
  %2 = memref.cast %1 : memref<4xf32, strided<[2]>> to memref<?xf32, strided<[2]>>
  %3 = memref.reinterpret_cast %2 to offset: [0], sizes: [2], strides: [1] : memref<?xf32, strided<[2]>> to memref<2xf32>
  return %0, %3 : memref<?xf32, strided<[?], offset: ?>>, memref<2xf32>
}

// CHECK-LABEL: func.func @memory_spaces
func.func @memory_spaces(%m: memref<4xf32>) -> (memref<4xf32>, memref<4xf32, 2>) {
  // CHECK-NEXT: %0 = memref.memory_space_cast %m : memref<4xf32> to memref<4xf32, 2>
  // CHECK-NEXT: func.return %m, %0
  %0 = memref.memory_space_cast %m : memref<4xf32> to memref<4xf32, 1>
  %1 = memref.memory_space_cast %0 : memref<4xf32, 1> to memref<4xf32>
  %2 = memref.memory_space_cast %0 : memref<4xf32, 1> to memref<4xf32, 2>
  return %1, %2 : memref<4xf32>, memref<4xf32, 2>
}

// CHECK-LABEL: func.func @transpose
func.func @transpose(%m: memref<2x3x4xf32>) -> (memref<2x3x4xf32, strided<[12, 4, 1]>>, memref<4x2x3xf32, strided<[1, 12, 4]>>) {
  // CHECK-NEXT: %0 = memref.cast %m : memref<2x3x4xf32> to memref<2x3x4xf32, strided<[12, 4, 1]>>
  // CHECK-NEXT: %1 = memref.transpose %m (d0, d1, d2) -> (d2, d0, d1)
  // CHECK-NEXT: func.return %0, %1
  %0 = memref.transpose %m (i, j, k) -> (j, k, i) : memref<2x3x4xf32> to memref<3x4x2xf32, strided<[4, 1, 12]>>
  %1 = memref.transpose %0 (i, j, k) -> (k, i, j) : memref<3x4x2xf32, strided<[4, 1, 12]>> to memref<2x3x4xf32, strided<[12, 4, 1]>>
  %2 = memref.transpose %0 (i, j, k) -> (j, k, i) : memref<3x4x2xf32, strided<[4, 1, 12]>> to memref<4x2x3xf32, strided<[1, 12, 4]>>
  return %1, %2 : memref<2x3x4xf32, strided<[12, 4, 1]>>, memref<4x2x3xf32, strided<[1, 12, 4]>>
}
