// RUN: xbuf opt -p canonicalize %s | filecheck %s

// CHECK-LABEL: func.func @copy_of_unknown_size
// CHECK-NEXT:    [[C1:%.*]] = arith.constant 1 : index
// CHECK-NEXT:    [[N:%.*]] = memref.dim %m, [[C1]] : memref<4x?xf32, 2>
// CHECK-NEXT:    [[A:%.*]] = memref.alloc([[N]]) : memref<4x?xf32, 3>
// CHECK-NEXT:    memref.copy %m, [[A]] : memref<4x?xf32, 2> to memref<4x?xf32, 3>
// CHECK-NEXT:    func.return [[A]]
func.func @copy_of_unknown_size(%m: memref<4x?xf32, 2>) -> memref<4x?xf32, 3> {
  %0 = bufferization.to_tensor %m : memref<4x?xf32, 2> to tensor<4x?xf32>
  %1 = bufferization.to_buffer %0 : tensor<4x?xf32> to memref<4x?xf32, 3>
  return %1 : memref<4x?xf32, 3>
}

// CHECK-LABEL: func.func @cast_to_unranked
// CHECK-NEXT:    %0 = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32, 1>
// CHECK-NEXT:    %1 = memref.cast %0 : memref<4xf32, 1> to memref<*xf32, 1>
// CHECK-NEXT:    func.return %1
func.func @cast_to_unranked(%t: tensor<4xf32>) -> memref<*xf32, 1> {
  %0 = tensor.cast %t : tensor<4xf32> to tensor<*xf32>
  %1 = bufferization.to_buffer %0 : tensor<*xf32> to memref<*xf32, 1>
  return %1 : memref<*xf32, 1>
}

// CHECK-LABEL: func.func @cast_with_layout
// CHECK-NEXT:    %0 = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    %1 = memref.cast %0
// CHECK-NEXT:    func.return %1
func.func @cast_with_layout(%t: tensor<4xf32>) -> memref<?xf32, strided<[?], offset: ?>> {
  %0 = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %1 = bufferization.to_buffer %0 : tensor<?xf32> to memref<?xf32, strided<[?], offset: ?>>
  return %1 : memref<?xf32, strided<[?], offset: ?>>
}

// CHECK-LABEL: func.func @loads
// CHECK-NEXT:    %0 = tensor.extract %t[%i] : tensor<4xf32>
// CHECK-NEXT:    %1 = tensor.extract %t[%j] : tensor<4xf32>
// CHECK-NEXT:    func.return %0, %1
func.func @loads(%t: tensor<4xf32>, %i: index, %j: index) -> (f32, f32) {
  %0 = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  %1 = memref.load %0[%i] : memref<4xf32>
  %2 = memref.load %0[%j] : memref<4xf32>
  return %1, %2 : f32, f32
}

// The load reads what was stored. MLIR makes an element of the tensor of it.
// CHECK-LABEL: func.func @load_after_store
// CHECK-NEXT:    %0 = bufferization.to_buffer %t
// CHECK-NEXT:    memref.store %x, %0[%i]
// CHECK-NEXT:    %1 = memref.load %0[%i]
// CHECK-NEXT:    func.return %1
func.func @load_after_store(%t: tensor<4xf32>, %x: f32, %i: index) -> f32 {
  %0 = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  memref.store %x, %0[%i] : memref<4xf32>
  %1 = memref.load %0[%i] : memref<4xf32>
  return %1 : f32
}

// Somebody else writes to the buffer of the tensor.
// CHECK-LABEL: func.func @load_after_store_elsewhere
// CHECK:         memref.load
func.func @load_after_store_elsewhere(%t: tensor<4xf32>, %x: f32, %i: index) -> f32 {
  %0 = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  %1 = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  memref.store %x, %1[%i] : memref<4xf32>
  %2 = memref.load %0[%i] : memref<4xf32>
  return %2 : f32
}

// CHECK-LABEL: func.func @size_of_contents
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %0 = memref.dim %m, %c0 : memref<?xf32>
// CHECK-NEXT:    func.return %0
func.func @size_of_contents(%m: memref<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = bufferization.to_tensor %m : memref<?xf32> to tensor<?xf32>
  %1 = tensor.dim %0, %c0 : tensor<?xf32>
  return %1 : index
}
