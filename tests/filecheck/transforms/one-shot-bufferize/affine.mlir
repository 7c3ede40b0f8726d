// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops}' --split-input-file %s | filecheck %s

// A loop goes on in the buffer that it is given.

// CHECK-LABEL: @in_place
// CHECK-NEXT: %[[LOOP:.*]] = affine.for %[[I:.*]] = 0 to 4 iter_args(%[[X:.*]] = %t) -> (memref<4xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT:   memref.store %v, %[[X]][%[[I]]]
// CHECK-NEXT:   affine.yield %[[X]]
// CHECK-NEXT: }
// CHECK-NEXT: func.return %[[LOOP]]
func.func @in_place(%t: tensor<4xf32>, %v: f32) -> tensor<4xf32> {
  %0 = affine.for %i = 0 to 4 iter_args(%x = %t) -> (tensor<4xf32>) {
    %1 = tensor.insert %v into %x[%i] : tensor<4xf32>
    affine.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// What is read after the loop is not to be written by it.

// CHECK-LABEL: @read_after
// CHECK: memref.copy %t, %[[COPY:.*]] :
// CHECK: affine.for %{{.*}} = 0 to 4 iter_args(%{{.*}} = %[[COPY]])
// CHECK: memref.load %t
func.func @read_after(%t: tensor<4xf32>, %v: f32, %j: index) -> (tensor<4xf32>, f32) {
  %0 = affine.for %i = 0 to 4 iter_args(%x = %t) -> (tensor<4xf32>) {
    %1 = tensor.insert %v into %x[%i] : tensor<4xf32>
    affine.yield %1 : tensor<4xf32>
  }
  %2 = tensor.extract %t[%j] : tensor<4xf32>
  return %0, %2 : tensor<4xf32>, f32
}

// -----

// The body runs for sure and reads nothing: a new buffer may have any contents.

// CHECK-LABEL: @runs
// CHECK: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: affine.for
func.func @runs(%t: tensor<4xf32>, %v: f32, %j: index) -> (tensor<4xf32>, f32) {
  %0 = affine.for %i = max affine_map<() -> (0, 1)>() to 4 iter_args(%x = %t) -> (tensor<4xf32>) {
    %1 = linalg.fill ins(%v : f32) outs(%x : tensor<4xf32>) -> tensor<4xf32>
    affine.yield %1 : tensor<4xf32>
  }
  %2 = tensor.extract %t[%j] : tensor<4xf32>
  return %0, %2 : tensor<4xf32>, f32
}

// -----

// Nothing says that the body runs: the result may be what was there before.

// CHECK-LABEL: @may_not_run
// CHECK: memref.copy
// CHECK: affine.for
func.func @may_not_run(%t: tensor<4xf32>, %v: f32, %j: index) -> (tensor<4xf32>, f32) {
  %0 = affine.for %i = 0 to %j iter_args(%x = %t) -> (tensor<4xf32>) {
    %1 = linalg.fill ins(%v : f32) outs(%x : tensor<4xf32>) -> tensor<4xf32>
    affine.yield %1 : tensor<4xf32>
  }
  %2 = tensor.extract %t[%j] : tensor<4xf32>
  return %0, %2 : tensor<4xf32>, f32
}

// -----

// CHECK-LABEL: @branches
// CHECK: affine.if
// CHECK-NEXT: affine.yield %t : memref<4xf32, strided<[?], offset: ?>>
// CHECK: affine.yield %u : memref<4xf32, strided<[?], offset: ?>>
func.func @branches(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: index) -> tensor<4xf32> {
  %0 = affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%i) -> tensor<4xf32> {
    affine.yield %t : tensor<4xf32>
  } else {
    affine.yield %u : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
