// RUN: xdsl-opt %s -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops}' | filecheck %s

// The oldest of two tensors is dropped in each iteration, and a new one comes. The
// other one only changes its place.

func.func @drop(%a: tensor<8xf32>, %b: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b)
      -> (tensor<8xf32>, tensor<8xf32>) {
    %e = tensor.empty() : tensor<8xf32>
    %z = linalg.max ins(%x, %y : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %y, %z : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @drop
// CHECK-NOT:     memref.copy
// CHECK:         linalg.max ins(%x, %y
// CHECK-NEXT:    %[[E:.*]] = memref.cast %e
// CHECK-NEXT:    scf.yield %y, %[[E]]
