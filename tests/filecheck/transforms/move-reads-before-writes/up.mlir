// RUN: xdsl-opt -t mlir-22 -p move-reads-before-writes %s | filecheck %s

// Two reads of a tensor, before and after a write. In this order nothing is copied.

// CHECK-LABEL: @swapped
// CHECK-NEXT:    %c = tensor.extract %a[%j]
// CHECK-NEXT:    %b = tensor.insert %f into %a[%i]
// CHECK-NEXT:    %d = tensor.extract %b[%j]
func.func @swapped(%a: tensor<?xf32>, %f: f32, %i: index, %j: index) -> (f32, f32) {
  %b = tensor.insert %f into %a[%i] : tensor<?xf32>
  %c = tensor.extract %a[%j] : tensor<?xf32>
  %d = tensor.extract %b[%j] : tensor<?xf32>
  return %c, %d : f32, f32
}

// All that the read needs moves along, across any number of ops.

// CHECK-LABEL: @with_index
// CHECK-NEXT:    %k = arith.addi %i, %j
// CHECK-NEXT:    %x = tensor.extract %a[%k]
// CHECK-NEXT:    %b = tensor.insert %f into %a[%i]
// CHECK-NEXT:    %c = tensor.insert %f into %b[%j]
func.func @with_index(%a: tensor<8xf32>, %f: f32, %i: index, %j: index) -> (f32, f32) {
  %b = tensor.insert %f into %a[%i] : tensor<8xf32>
  %c = tensor.insert %f into %b[%j] : tensor<8xf32>
  %k = arith.addi %i, %j : index
  %x = tensor.extract %a[%k] : tensor<8xf32>
  %y = tensor.extract %c[%i] : tensor<8xf32>
  return %x, %y : f32, f32
}

// A read in a branch moves with the whole op around it.

// CHECK-LABEL: @branch
// CHECK-NEXT:    scf.if %p
// CHECK:         tensor.insert
func.func @branch(%a: tensor<8xf32>, %f: f32, %p: i1, %i: index) -> (f32, f32) {
  %b = tensor.insert %f into %a[%i] : tensor<8xf32>
  %x = scf.if %p -> f32 {
    %y = tensor.extract %a[%i] : tensor<8xf32>
    scf.yield %y : f32
  } else {
    scf.yield %f : f32
  }
  %z = tensor.extract %b[%i] : tensor<8xf32>
  return %x, %z : f32, f32
}

// In a loop, each iteration would copy.

// CHECK-LABEL: @loop
// CHECK:         scf.for
// CHECK-NEXT:      tensor.extract %t[%i]
// CHECK-NEXT:      tensor.insert %s into %t[%i]
func.func @loop(%a: tensor<8xf32>, %f: f32, %n: index) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a, %s = %f) -> (tensor<8xf32>, f32) {
    %b = tensor.insert %s into %t[%i] : tensor<8xf32>
    %x = tensor.extract %t[%i] : tensor<8xf32>
    scf.yield %b, %x : tensor<8xf32>, f32
  }
  %y = tensor.extract %r#0[%c0] : tensor<8xf32>
  return %r#1, %y : f32, f32
}

// What is computed from the read is as large as the copy that is saved, and no larger.

// CHECK-LABEL: @tensor
// CHECK-NEXT:    tensor.empty
// CHECK-NEXT:    %d = linalg.exp ins(%a
// CHECK-NEXT:    linalg.add {{.*}} outs(%a
func.func @tensor(%a: tensor<8xf32>, %c: tensor<8xf32>, %i: index) -> (tensor<8xf32>, f32) {
  %b = linalg.add ins(%c, %a : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %d = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %z = tensor.extract %b[%i] : tensor<8xf32>
  return %d, %z : tensor<8xf32>, f32
}
