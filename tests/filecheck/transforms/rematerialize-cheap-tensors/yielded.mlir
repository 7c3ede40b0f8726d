// RUN: xdsl-opt -t mlir-22 -p rematerialize-cheap-tensors %s | filecheck %s

// A loop would copy what it yields: that is not the buffer which it was given. It is
// computed again also where nothing else in the program would be copied.

// CHECK-LABEL: @own_alloc_outside
// CHECK:         scf.for
// CHECK-NEXT:      %[[E:.*]] = tensor.empty() : tensor<4xf32>
// CHECK-NEXT:      %[[F:.*]] = linalg.fill ins(%v : f32) outs(%[[E]] :
// CHECK-NEXT:      scf.yield %[[F]]
func.func @own_alloc_outside(%t: tensor<4xf32>, %v: f32, %n: index, %s: index) -> tensor<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  %0 = scf.for %i = %s to %n step %s iter_args(%x = %t) -> (tensor<4xf32>) {
    %1 = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
    %2 = linalg.fill ins(%v : f32) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
