// RUN: xbuf opt -p canonicalize %s | filecheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#swapped = affine_map<(d0, d1) -> (d1, d0)>

// CHECK-LABEL: func.func @elements_yielded_where_they_were_read
func.func @elements_yielded_where_they_were_read(%a: tensor<4x8xf32>, %o: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x8xf32>) outs(%o : tensor<4x8xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x8xf32>) outs(%o : tensor<4x8xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %y : f32
  } -> tensor<4x8xf32>
  // CHECK-NEXT: return %a, %o
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}

// CHECK-LABEL: func.func @elements_yielded_elsewhere
func.func @elements_yielded_elsewhere(%a: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK-NEXT: %0 = linalg.generic
  %0 = linalg.generic {indexing_maps = [#id, #swapped], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4x4xf32>
  // CHECK: return %0
  return %0 : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @one_value_yielded_everywhere
func.func @one_value_yielded_everywhere(%f: f32, %a: tensor<4x8xf32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK-NEXT: %0 = linalg.generic
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x8xf32>) outs(%o : tensor<4x8xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %f : f32
  } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @buffers_copied_to_themselves
func.func @buffers_copied_to_themselves(%a: memref<4x8xf32>, %b: memref<4x8xf32>) {
  linalg.copy ins(%a : memref<4x8xf32>) outs(%a : memref<4x8xf32>)
  // CHECK-NEXT: linalg.copy ins(%a : memref<4x8xf32>) outs(%b : memref<4x8xf32>)
  linalg.copy ins(%a : memref<4x8xf32>) outs(%b : memref<4x8xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : memref<4x8xf32>) outs(%b : memref<4x8xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %y : f32
  }
  // CHECK-NEXT: linalg.generic
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : memref<4x8xf32>) outs(%b : memref<4x8xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  // CHECK: return
  return
}

// CHECK-LABEL: func.func @a_copy_of_a_tensor_is_asked_for
func.func @a_copy_of_a_tensor_is_asked_for(%a: tensor<4x8xf32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK-NEXT: linalg.copy
  %0 = linalg.copy ins(%a : tensor<4x8xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @dimensions_that_stay
func.func @dimensions_that_stay(%a: tensor<4x8xf32>, %o: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = linalg.transpose ins(%a : tensor<4x8xf32>) outs(%o : tensor<4x8xf32>) permutation = [0, 1]
  %1 = linalg.broadcast ins(%a : tensor<4x8xf32>) outs(%o : tensor<4x8xf32>) dimensions = []
  // CHECK-NEXT: return %a, %a
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}

// CHECK-LABEL: func.func @transposed_back
func.func @transposed_back(%a: tensor<4x8xf32>, %o: tensor<4x8xf32>, %p: tensor<8x4xf32>) -> tensor<4x8xf32> {
  %0 = linalg.transpose ins(%a : tensor<4x8xf32>) outs(%p : tensor<8x4xf32>) permutation = [1, 0]
  %1 = linalg.transpose ins(%0 : tensor<8x4xf32>) outs(%o : tensor<4x8xf32>) permutation = [1, 0]
  // CHECK-NEXT: return %a
  return %1 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @transposed_twice
func.func @transposed_twice(%a: tensor<2x3x4xf32>, %o: tensor<3x4x2xf32>, %p: tensor<4x2x3xf32>) -> tensor<4x2x3xf32> {
  // CHECK-NEXT: %0 = linalg.transpose ins(%a : tensor<2x3x4xf32>) outs(%p : tensor<4x2x3xf32>) permutation = [2, 0, 1]
  %0 = linalg.transpose ins(%a : tensor<2x3x4xf32>) outs(%o : tensor<3x4x2xf32>) permutation = [1, 2, 0]
  %1 = linalg.transpose ins(%0 : tensor<3x4x2xf32>) outs(%p : tensor<4x2x3xf32>) permutation = [1, 2, 0]
  // CHECK-NEXT: return %0
  return %1 : tensor<4x2x3xf32>
}

// CHECK-LABEL: func.func @unpacked_as_packed
func.func @unpacked_as_packed(%a: tensor<8x8xf32>, %o: tensor<8x8xf32>, %p: tensor<2x2x4x4xf32>) -> tensor<8x8xf32> {
  %0 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %p : tensor<8x8xf32> -> tensor<2x2x4x4xf32>
  %1 = linalg.unpack %0 inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %o : tensor<2x2x4x4xf32> -> tensor<8x8xf32>
  // CHECK-NEXT: return %a
  return %1 : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @packed_as_unpacked
func.func @packed_as_unpacked(%a: tensor<2x2x4x4xf32>, %o: tensor<8x8xf32>, %p: tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32> {
  %0 = linalg.unpack %a inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %o : tensor<2x2x4x4xf32> -> tensor<8x8xf32>
  %1 = linalg.pack %0 inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %p : tensor<8x8xf32> -> tensor<2x2x4x4xf32>
  // CHECK-NEXT: return %a
  return %1 : tensor<2x2x4x4xf32>
}

// CHECK-LABEL: func.func @unpacked_in_another_order
func.func @unpacked_in_another_order(%a: tensor<8x8xf32>, %o: tensor<8x8xf32>, %p: tensor<2x2x4x4xf32>) -> tensor<8x8xf32> {
  // CHECK-NEXT: linalg.pack
  %0 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %p : tensor<8x8xf32> -> tensor<2x2x4x4xf32>
  // CHECK-NEXT: linalg.unpack
  %1 = linalg.unpack %0 outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [4, 4] into %o : tensor<2x2x4x4xf32> -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @padding_stays
func.func @padding_stays(%a: tensor<2x4xf32>, %f: f32, %o: tensor<7xf32>, %p: tensor<2x4xf32>) -> tensor<2x4xf32> {
  // CHECK-NEXT: linalg.unpack
  %0 = linalg.unpack %a inner_dims_pos = [0] inner_tiles = [4] into %o : tensor<2x4xf32> -> tensor<7xf32>
  // CHECK-NEXT: linalg.pack
  %1 = linalg.pack %0 padding_value(%f : f32) inner_dims_pos = [0] inner_tiles = [4] into %p : tensor<7xf32> -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @tiles_of_constant_sizes
// CHECK:         %[[D:.*]] = tensor.cast %e : tensor<2x?x?x?xi32> to tensor<2x?x4x?xi32>
// CHECK-NEXT:    %[[P:.*]] = linalg.pack %a padding_value(%p : i32) inner_dims_pos = [0, 1] inner_tiles = [4, %n] into %[[D]] : tensor<8x?xi32> -> tensor<2x?x4x?xi32>
// CHECK-NEXT:    %[[R:.*]] = tensor.cast %[[P]] : tensor<2x?x4x?xi32> to tensor<2x?x?x?xi32>
// CHECK-NEXT:    %[[S:.*]] = tensor.cast %e : tensor<2x?x?x?xi32> to tensor<2x?x4x?xi32>
// CHECK-NEXT:    %[[U:.*]] = linalg.unpack %[[S]] inner_dims_pos = [0, 1] inner_tiles = [4, %n] into %a : tensor<2x?x4x?xi32> -> tensor<8x?xi32>
// CHECK-NEXT:    return %[[R]], %[[U]]
func.func @tiles_of_constant_sizes(%a: tensor<8x?xi32>, %e: tensor<2x?x?x?xi32>, %p: i32, %n: index) -> (tensor<2x?x?x?xi32>, tensor<8x?xi32>) {
  %c4 = arith.constant 4 : index
  %0 = linalg.pack %a padding_value(%p : i32) inner_dims_pos = [0, 1] inner_tiles = [%c4, %n] into %e : tensor<8x?xi32> -> tensor<2x?x?x?xi32>
  %1 = linalg.unpack %e inner_dims_pos = [0, 1] inner_tiles = [%c4, %n] into %a : tensor<2x?x?x?xi32> -> tensor<8x?xi32>
  return %0, %1 : tensor<2x?x?x?xi32>, tensor<8x?xi32>
}
