// RUN: xdsl-opt %s --split-input-file -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}' | filecheck %s
// RUN: xdsl-opt %s --split-input-file -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops function-boundary-type-conversion=identity-layout-map exchange-buffers=false}' | filecheck %s --check-prefix COPIES

// Two buffers change places in each iteration.

func.func @swap(%a: tensor<8xf32>, %b: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b)
      -> (tensor<8xf32>, tensor<8xf32>) {
    %z = linalg.exp ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %z, %x : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @swap
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.exp ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
// CHECK-NEXT:    scf.yield %y, %x
// COPIES-LABEL: func.func @swap
// COPIES:         memref.copy
// COPIES:         memref.copy

// -----

// Three buffers rotate, and a branch decides which way.

func.func @rotate(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8xf32>, %p: i1, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b, %z = %c)
      -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
    %s:3 = scf.if %p -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
      scf.yield %y, %z, %x : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
    } else {
      scf.yield %z, %x, %y : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
    }
    %m = linalg.max ins(%s#0, %s#1 : tensor<8xf32>, tensor<8xf32>) outs(%s#2 : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %s#0, %s#1, %m : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  }
  return %r#0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @rotate
// CHECK-NOT:     memref.alloc
// CHECK:         scf.yield %y, %z, %x
// CHECK:         scf.yield %z, %x, %y
// CHECK-NOT:     memref.alloc
// CHECK:         scf.yield %s, %s_{{[0-9]}}, %s_{{[0-9]}}
// COPIES-LABEL: func.func @rotate

// -----

// A selection and its opposite swap two buffers too.

func.func @selections(%a: tensor<8xf32>, %b: tensor<8xf32>, %p: i1, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b)
      -> (tensor<8xf32>, tensor<8xf32>) {
    %s = arith.select %p, %x, %y : tensor<8xf32>
    %t = arith.select %p, %y, %x : tensor<8xf32>
    %z = linalg.exp ins(%s : tensor<8xf32>) outs(%t : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %s, %z : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @selections
// CHECK-NOT:     memref.alloc
// CHECK:         scf.yield %s, %t
// COPIES-LABEL: func.func @selections

// -----

// The condition and the body of a while loop both swap.

func.func @while(%a: tensor<8xi1>, %b: tensor<8xi1>, %i: index) -> (tensor<8xi1>, tensor<8xi1>) {
  %r:2 = scf.while (%x = %a, %y = %b) : (tensor<8xi1>, tensor<8xi1>) -> (tensor<8xi1>, tensor<8xi1>) {
    %c = tensor.extract %x[%i] : tensor<8xi1>
    scf.condition(%c) %y, %x : tensor<8xi1>, tensor<8xi1>
  } do {
  ^bb0(%x: tensor<8xi1>, %y: tensor<8xi1>):
    %f = arith.constant false
    %z = tensor.insert %f into %y[%i] : tensor<8xi1>
    scf.yield %z, %x : tensor<8xi1>, tensor<8xi1>
  }
  return %r#0, %r#1 : tensor<8xi1>, tensor<8xi1>
}

// CHECK-LABEL: func.func @while
// CHECK-NOT:     memref.alloc
// CHECK:         scf.condition(%c) %y, %x
// CHECK-NOT:     memref.alloc
// CHECK:         scf.yield
// COPIES-LABEL: func.func @while

// -----

// After the loop one result is written, and the other one is read. The two are never
// the same buffer.

func.func @after(%a: tensor<8xf32>, %b: tensor<8xf32>, %n: index, %f: f32) -> (tensor<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b)
      -> (tensor<8xf32>, tensor<8xf32>) {
    scf.yield %y, %x : tensor<8xf32>, tensor<8xf32>
  }
  %w = tensor.insert %f into %r#0[%c0] : tensor<8xf32>
  %e = tensor.extract %r#1[%c0] : tensor<8xf32>
  return %w, %e : tensor<8xf32>, f32
}

// CHECK-LABEL: func.func @after
// CHECK-NOT:     memref.alloc
// CHECK:         memref.store %f, %r[%c0]
// CHECK-NEXT:    memref.load %r_1[%c0]
// COPIES-LABEL: func.func @after

// -----

// Both arguments start as one tensor, which is copied before the loop. In the loop
// nothing is copied.

func.func @once(%a: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %a)
      -> (tensor<8xf32>, tensor<8xf32>) {
    %z = linalg.exp ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %z, %x : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @once
// CHECK:         %[[NEW:.*]] = memref.alloc()
// CHECK-NEXT:    memref.copy %a, %[[NEW]]
// CHECK:         scf.for
// CHECK-NOT:     memref.copy
// CHECK:         scf.yield %y, %x
// COPIES-LABEL: func.func @once
