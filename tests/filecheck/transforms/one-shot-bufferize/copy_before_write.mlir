// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true copy-before-write=true}' %s | filecheck %s

// Without an analysis, every write goes to a copy.

// CHECK-LABEL: @two_writes
// CHECK-SAME: (%[[T:.*]]: memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT: %[[A:.*]] = memref.alloc
// CHECK-NEXT: memref.copy %[[T]], %[[A]]
// CHECK-NEXT: memref.store %{{.*}}, %[[A]]
// CHECK-NEXT: %[[B:.*]] = memref.alloc
// CHECK-NEXT: memref.copy %[[A]], %[[B]]
// CHECK-NEXT: memref.store %{{.*}}, %[[B]]
// CHECK-NEXT: return %[[B]]
func.func @two_writes(%t: tensor<4xf32>, %v: f32, %i: index, %j: index) -> tensor<4xf32> {
  %0 = tensor.insert %v into %t[%i] : tensor<4xf32>
  %1 = tensor.insert %v into %0[%j] : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// What is overwritten without being read need not be copied.

// CHECK-LABEL: @overwritten
// CHECK-SAME: (%{{.*}}: memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT: %[[A:.*]] = memref.alloc
// CHECK-NEXT: linalg.fill ins(%{{.*}}) outs(%[[A]]
// CHECK-NEXT: return %[[A]]
func.func @overwritten(%t: tensor<4xf32>, %v: f32) -> tensor<4xf32> {
  %0 = linalg.fill ins(%v : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Nor what a loop is given to start with, where it runs and only overwrites that.

// CHECK-LABEL: @overwritten_in_a_loop
// CHECK: %[[INIT:.*]] = memref.alloc
// CHECK-NEXT: scf.for {{.*}} iter_args(%{{.*}} = %[[INIT]])
// CHECK-NEXT: %[[A:.*]] = memref.alloc
// CHECK-NEXT: linalg.fill ins(%{{.*}}) outs(%[[A]]
// CHECK-NEXT: scf.yield %[[A]]
// CHECK-NOT: memref.copy
func.func @overwritten_in_a_loop(%t: tensor<4xf32>, %v: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %t) -> (tensor<4xf32>) {
    %1 = linalg.fill ins(%v : f32) outs(%x : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// But if a slice of it is read, it is.

// CHECK-LABEL: @read_as_a_slice
// CHECK: %[[INIT:.*]] = memref.alloc
// CHECK-NEXT: memref.copy %{{.*}}, %[[INIT]]
// CHECK-NEXT: scf.for {{.*}} iter_args(%{{.*}} = %[[INIT]])
func.func @read_as_a_slice(%t: tensor<4xf32>, %v: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %t) -> (tensor<4xf32>) {
    %1 = tensor.extract_slice %x[1] [2] [1] : tensor<4xf32> to tensor<2xf32>
    %2 = tensor.extract %1[%c0] : tensor<2xf32>
    %3 = linalg.fill ins(%2 : f32) outs(%x : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %3 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
