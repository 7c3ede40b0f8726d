// RUN: xdsl-opt -t mlir-22 -p 'eliminate-empty-tensors,empty-tensor-to-alloc-tensor,one-shot-bufferize{bufferize-function-boundaries},drop-equivalent-buffer-results,buffer-results-to-out-params{hoist-static-allocs}' %s | filecheck %s

// All of one-shot-bufferize's companions in their order: the slice is computed in its
// place, what is returned in place is not returned, and the caller has the memory.

// CHECK:      func.func private @fill_part(%t: memref<8xf32, strided<[?], offset: ?>>, %f: f32) {
// CHECK-NEXT:   %[[S:.*]] = memref.subview %t[2] [4] [1]
// CHECK-NEXT:   linalg.fill ins(%f : f32) outs(%[[S]] :
// CHECK-NEXT:   func.return
func.func private @fill_part(%t: tensor<8xf32>, %f: f32) -> tensor<8xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.insert_slice %1 into %t[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %2 : tensor<8xf32>
}

// CHECK:      func.func private @new(%f: f32, %[[OUT:.*]]: memref<8xf32>) {
// CHECK-NEXT:   linalg.fill ins(%f : f32) outs(%[[OUT]] : memref<8xf32>)
// CHECK-NEXT:   func.return
func.func private @new(%f: f32) -> tensor<8xf32> {
  %0 = tensor.empty() : tensor<8xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// CHECK:      func.func @main(%f: f32, %i: index) -> f32 {
// CHECK-NEXT:   %[[A:.*]] = memref.alloc() : memref<8xf32>
// CHECK-NEXT:   func.call @new(%f, %[[A]])
// CHECK-NEXT:   %[[C:.*]] = memref.cast %[[A]]
// CHECK-NEXT:   func.call @fill_part(%[[C]], %f)
// CHECK-NEXT:   memref.load %[[A]][%i]
func.func @main(%f: f32, %i: index) -> f32 {
  %0 = call @new(%f) : (f32) -> tensor<8xf32>
  %1 = call @fill_part(%0, %f) : (tensor<8xf32>, f32) -> tensor<8xf32>
  %2 = tensor.extract %1[%i] : tensor<8xf32>
  return %2 : f32
}
