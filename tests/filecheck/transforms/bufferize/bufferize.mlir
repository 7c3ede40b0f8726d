// RUN: xdsl-opt -t mlir-22 -p bufferize %s | filecheck %s

// From tensors to buffers that are freed after their last use; functions take and return
// buffers of identity layout.

// CHECK-LABEL: @two_products
// CHECK-SAME:    (%x: memref<4x4xf32>) -> memref<4x4xf32>
// CHECK:         %[[FIRST:.*]] = memref.alloc()
// CHECK-NEXT:    linalg.fill ins(%c : f32) outs(%[[FIRST]]
// CHECK-NEXT:    linalg.matmul ins(%x, %x : {{.*}}) outs(%[[FIRST]]
// CHECK-NEXT:    %[[SECOND:.*]] = memref.alloc()
// CHECK-NEXT:    linalg.fill ins(%c : f32) outs(%[[SECOND]]
// CHECK-NEXT:    linalg.matmul ins(%[[FIRST]], %x : {{.*}}) outs(%[[SECOND]]
// CHECK-NEXT:    memref.dealloc %[[FIRST]]
// CHECK-NOT:     memref.dealloc
// CHECK:         return %[[SECOND]]
func.func @two_products(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  // One fill for both: each product gets its own.
  %zeros = linalg.fill ins(%c : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zeros : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.matmul ins(%0, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zeros : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// Both paths end in the argument's buffer, which the caller has: there is nothing to
// return, and nothing to copy.

// CHECK:      func.func private @on_one_path(%t: memref<8xf32>, %p: i1, %v: f32) {
// CHECK-NOT:    memref.alloc
// CHECK:      func.func @twice
// CHECK-NEXT:   func.call @on_one_path(%t, %p, %v) : (memref<8xf32>, i1, f32) -> ()
// CHECK-NEXT:   func.call @on_one_path(%t, %p, %v) : (memref<8xf32>, i1, f32) -> ()
func.func private @on_one_path(%t: tensor<8xf32>, %p: i1, %v: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %r = scf.if %p -> tensor<8xf32> {
    %1 = tensor.insert %v into %t[%c0] : tensor<8xf32>
    scf.yield %1 : tensor<8xf32>
  } else {
    scf.yield %t : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

func.func @twice(%t: tensor<8xf32>, %p: i1, %v: f32) -> tensor<8xf32> {
  %r = func.call @on_one_path(%t, %p, %v) : (tensor<8xf32>, i1, f32) -> tensor<8xf32>
  %s = func.call @on_one_path(%r, %p, %v) : (tensor<8xf32>, i1, f32) -> tensor<8xf32>
  return %s : tensor<8xf32>
}
