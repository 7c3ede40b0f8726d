// RUN: xdsl-opt -t mlir-22 -p eliminate-empty-tensors %s | filecheck %s

// CHECK-LABEL: @tensor
// CHECK-NEXT:    %[[F:.*]] = linalg.fill ins(%f : f32) outs(%t : tensor<5xf32>)
// CHECK-NEXT:    bufferization.materialize_in_destination %[[F]] in %t
func.func @tensor(%t: tensor<5xf32>, %f: f32) -> tensor<5xf32> {
  %0 = tensor.empty() : tensor<5xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<5xf32>) -> tensor<5xf32>
  %2 = bufferization.materialize_in_destination %1 in %t : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  return %2 : tensor<5xf32>
}

// `restrict` moves to the tensor that is made of the buffer.

// CHECK-LABEL: @buffer
// CHECK-NEXT:    %[[T:.*]] = bufferization.to_tensor %m restrict writable : memref<5xf32> to tensor<5xf32>
// CHECK-NEXT:    %[[F:.*]] = linalg.fill ins(%f : f32) outs(%[[T]] : tensor<5xf32>)
// CHECK-NEXT:    bufferization.materialize_in_destination %[[F]] in writable %m
func.func @buffer(%m: memref<5xf32>, %f: f32) {
  %0 = tensor.empty() : tensor<5xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<5xf32>) -> tensor<5xf32>
  bufferization.materialize_in_destination %1 in restrict writable %m : (tensor<5xf32>, memref<5xf32>) -> ()
  return
}

// One tensor is made of it, whoever uses it.

// CHECK-LABEL:   @two_uses
// CHECK:           %[[T:.*]] = bufferization.to_tensor %m restrict writable
// CHECK-NOT:       bufferization.to_tensor
// CHECK-COUNT-2:   linalg.fill ins(%f : f32) outs(%[[T]] : tensor<5xf32>)
func.func @two_uses(%m: memref<5xf32>, %f: f32, %c: i1) {
  %0 = tensor.empty() : tensor<5xf32>
  %1 = scf.if %c -> (tensor<5xf32>) {
    %2 = linalg.fill ins(%f : f32) outs(%0 : tensor<5xf32>) -> tensor<5xf32>
    scf.yield %2 : tensor<5xf32>
  } else {
    %3 = linalg.fill ins(%f : f32) outs(%0 : tensor<5xf32>) -> tensor<5xf32>
    scf.yield %3 : tensor<5xf32>
  }
  bufferization.materialize_in_destination %1 in restrict writable %m : (tensor<5xf32>, memref<5xf32>) -> ()
  return
}

// Other tensors might be made of the buffer.

// CHECK-LABEL: @without_restrict
// CHECK-NEXT:    tensor.empty
func.func @without_restrict(%m: memref<5xf32>, %f: f32) {
  %0 = tensor.empty() : tensor<5xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<5xf32>) -> tensor<5xf32>
  bufferization.materialize_in_destination %1 in writable %m : (tensor<5xf32>, memref<5xf32>) -> ()
  return
}
