// RUN: xdsl-opt -t mlir-22 -p 'bufferize-function-signatures{result-conversion=append}' %s | filecheck %s

// CHECK:      func.func @as_its_argument(%n: index, %t: memref<?x4xf32>, %f: f32, %0: memref<?x4xf32>) {
// CHECK-NEXT:   %t_1 = bufferization.to_tensor %t : memref<?x4xf32> to tensor<?x4xf32>
// CHECK-NEXT:   %1 = linalg.fill ins(%f : f32) outs(%t_1 : tensor<?x4xf32>) -> tensor<?x4xf32>
// CHECK-NEXT:   %2 = bufferization.to_buffer %1 : tensor<?x4xf32> to memref<?x4xf32>
// CHECK-NEXT:   memref.copy %2, %0 : memref<?x4xf32> to memref<?x4xf32>
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
func.func @as_its_argument(%n: index, %t: tensor<?x4xf32>, %f: f32) -> tensor<?x4xf32> {
  %0 = linalg.fill ins(%f : f32) outs(%t : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// CHECK:      func.func @as_a_number_says(%n: index, %f: f32, %0: memref<?xf32>) {
// CHECK-NEXT:   %1 = tensor.empty(%n) : tensor<?xf32>
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %2 = tensor.insert %f into %1[%c0] : tensor<?xf32>
// CHECK-NEXT:   %3 = bufferization.to_buffer %2 : tensor<?xf32> to memref<?xf32>
// CHECK-NEXT:   memref.copy %3, %0 : memref<?xf32> to memref<?xf32>
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
func.func @as_a_number_says(%n: index, %f: f32) -> tensor<?xf32> {
  %0 = tensor.empty(%n) : tensor<?xf32>
  %c0 = arith.constant 0 : index
  %1 = tensor.insert %f into %0[%c0] : tensor<?xf32>
  return %1 : tensor<?xf32>
}

// CHECK:      func.func @constant(%t: memref<7xf32>, %0: memref<?xf32>) {
// CHECK-NEXT:   %t_1 = bufferization.to_tensor %t : memref<7xf32> to tensor<7xf32>
// CHECK-NEXT:   %1 = tensor.cast %t_1 : tensor<7xf32> to tensor<?xf32>
// CHECK-NEXT:   %2 = bufferization.to_buffer %1 : tensor<?xf32> to memref<?xf32>
// CHECK-NEXT:   memref.copy %2, %0 : memref<?xf32> to memref<?xf32>
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
func.func @constant(%t: tensor<7xf32>) -> tensor<?xf32> {
  %0 = tensor.cast %t : tensor<7xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK:      func.func @through_a_call(%t: memref<3x?xf32>, %0: memref<?xf32>) {
// CHECK-NEXT:   %t_1 = bufferization.to_tensor %t : memref<3x?xf32> to tensor<3x?xf32>
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %size = tensor.dim %t_1, %c1 : tensor<3x?xf32>
// CHECK-NEXT:   %f = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:   %1 = memref.alloc(%size) : memref<?xf32>
// CHECK-NEXT:   func.call @as_a_number_says(%size, %f, %1) : (index, f32, memref<?xf32>) -> ()
// CHECK-NEXT:   memref.copy %1, %0 : memref<?xf32> to memref<?xf32>
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
func.func @through_a_call(%t: tensor<3x?xf32>) -> tensor<?xf32> {
  %c1 = arith.constant 1 : index
  %size = tensor.dim %t, %c1 : tensor<3x?xf32>
  %f = arith.constant 1.0 : f32
  %0 = call @as_a_number_says(%size, %f) : (index, f32) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK:      func.func @callers(%t: memref<?x4xf32>, %u: memref<3x?xf32>, %v: memref<7xf32>, %n: index, %f: f32) {
// CHECK-NEXT:   %0 = arith.constant 0 : index
// CHECK-NEXT:   %1 = memref.dim %t, %0 : memref<?x4xf32>
// CHECK-NEXT:   %2 = memref.alloc(%1) : memref<?x4xf32>
// CHECK-NEXT:   func.call @as_its_argument(%n, %t, %f, %2) : (index, memref<?x4xf32>, f32, memref<?x4xf32>) -> ()
// CHECK-NEXT:   %3 = memref.alloc(%n) : memref<?xf32>
// CHECK-NEXT:   func.call @as_a_number_says(%n, %f, %3) : (index, f32, memref<?xf32>) -> ()
// CHECK-NEXT:   %4 = arith.constant 7 : index
// CHECK-NEXT:   %5 = memref.alloc(%4) : memref<?xf32>
// CHECK-NEXT:   func.call @constant(%v, %5) : (memref<7xf32>, memref<?xf32>) -> ()
// CHECK-NEXT:   %6 = arith.constant 1 : index
// CHECK-NEXT:   %7 = memref.dim %u, %6 : memref<3x?xf32>
// CHECK-NEXT:   %8 = memref.alloc(%7) : memref<?xf32>
// CHECK-NEXT:   func.call @through_a_call(%u, %8) : (memref<3x?xf32>, memref<?xf32>) -> ()
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
func.func @callers(%t: tensor<?x4xf32>, %u: tensor<3x?xf32>, %v: tensor<7xf32>, %n: index, %f: f32) {
  %0 = call @as_its_argument(%n, %t, %f) : (index, tensor<?x4xf32>, f32) -> tensor<?x4xf32>
  %1 = call @as_a_number_says(%n, %f) : (index, f32) -> tensor<?xf32>
  %2 = call @constant(%v) : (tensor<7xf32>) -> tensor<?xf32>
  %3 = call @through_a_call(%u) : (tensor<3x?xf32>) -> tensor<?xf32>
  return
}
