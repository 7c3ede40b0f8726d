// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{allow-return-allocs-from-loops=true bufferize-function-boundaries=true test-analysis-only=true}' %s | filecheck %s

// What is read is not what is written: nothing is copied.

// CHECK-LABEL: @halves
// CHECK-NOT: false
func.func @halves(%t: tensor<8xf32>, %v: f32, %i: index) -> (tensor<8xf32>, f32) {
  %low = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %high = tensor.extract_slice %t[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %filled = linalg.fill ins(%v : f32) outs(%low : tensor<4xf32>) -> tensor<4xf32>
  %0 = tensor.insert_slice %filled into %t[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %1 = tensor.extract %high[%i] : tensor<4xf32>
  return %0, %1 : tensor<8xf32>, f32
}

// CHECK-LABEL: @slices_meet
// CHECK: tensor.extract_slice %{{.*}}[3] {{.*}} {__inplace_operands_attr__ = ["false"]}
func.func @slices_meet(%t: tensor<8xf32>, %v: f32, %i: index) -> (tensor<8xf32>, f32) {
  %low = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %high = tensor.extract_slice %t[3] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %filled = linalg.fill ins(%v : f32) outs(%low : tensor<4xf32>) -> tensor<4xf32>
  %0 = tensor.insert_slice %filled into %t[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %1 = tensor.extract %high[%i] : tensor<4xf32>
  return %0, %1 : tensor<8xf32>, f32
}

// CHECK-LABEL: @slices_of_slices
// CHECK-NOT: false
func.func @slices_of_slices(%t: tensor<8x8xf32>, %v: f32) -> (tensor<8x8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %row = tensor.extract_slice %t[2, 0] [1, 8] [1, 1] : tensor<8x8xf32> to tensor<8xf32>
  %part = tensor.extract_slice %row[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %block = tensor.extract_slice %t[0, 4] [4, 2] [1, 1] : tensor<8x8xf32> to tensor<4x2xf32>
  %filled = linalg.fill ins(%v : f32) outs(%block : tensor<4x2xf32>) -> tensor<4x2xf32>
  %0 = tensor.insert_slice %filled into %t[0, 4] [4, 2] [1, 1] : tensor<4x2xf32> into tensor<8x8xf32>
  %1 = tensor.extract %part[%c2] : tensor<4xf32>
  return %0, %1 : tensor<8x8xf32>, f32
}

// CHECK-LABEL: @even_and_odd
// CHECK-NOT: false
func.func @even_and_odd(%t: tensor<8xf32>, %s: tensor<4xf32>, %i: index) -> (tensor<8xf32>, f32) {
  %odd = tensor.extract_slice %t[1] [4] [2] : tensor<8xf32> to tensor<4xf32>
  %0 = tensor.insert_slice %s into %t[0] [4] [2] : tensor<4xf32> into tensor<8xf32>
  %1 = tensor.extract %odd[%i] : tensor<4xf32>
  return %0, %1 : tensor<8xf32>, f32
}

// CHECK-LABEL: @transfers
// CHECK-NOT: false
func.func @transfers(%t: tensor<8xf32>, %v: f32, %x: vector<4xf32>, %i: index) -> (tensor<8xf32>, vector<4xf32>) {
  %j = affine.apply affine_map<(d0) -> (d0 + 4)>(%i)
  %0 = vector.transfer_write %x, %t[%i] : vector<4xf32>, tensor<8xf32>
  %1 = vector.transfer_read %t[%j], %v : tensor<8xf32>, vector<4xf32>
  return %0, %1 : tensor<8xf32>, vector<4xf32>
}

// CHECK-LABEL: @neighbour
// CHECK-NOT: false
func.func @neighbour(%t: tensor<8xf32>, %v: f32, %n: index) -> (tensor<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %sum = %v) -> (tensor<8xf32>, f32) {
    %j = arith.addi %i, %c1 : index
    %1 = tensor.insert %sum into %a[%i] : tensor<8xf32>
    %2 = tensor.extract %a[%j] : tensor<8xf32>
    scf.yield %1, %2 : tensor<8xf32>, f32
  }
  return %0#0, %0#1 : tensor<8xf32>, f32
}

// The next iteration writes what this one reads: its index is another one.

// CHECK-LABEL: @neighbour_in_the_next_iteration
// CHECK: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "false", "none"]}
func.func @neighbour_in_the_next_iteration(%t: tensor<8xf32>, %v: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %v) -> (f32) {
    %j = arith.addi %i, %c1 : index
    %1 = tensor.extract %t[%j] : tensor<8xf32>
    %2 = tensor.insert %sum into %t[%i] : tensor<8xf32>
    %3 = tensor.extract %2[%i] : tensor<8xf32>
    %4 = arith.addf %1, %3 : f32
    scf.yield %4 : f32
  }
  return %0 : f32
}

// CHECK-LABEL: @same_place_in_every_iteration
// CHECK-NOT: false
func.func @same_place_in_every_iteration(%t: tensor<8xf32>, %v: f32, %n: index, %k: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %j = arith.addi %k, %c1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %v) -> (f32) {
    %1 = tensor.extract %t[%j] : tensor<8xf32>
    %2 = tensor.insert %sum into %t[%k] : tensor<8xf32>
    %3 = tensor.extract %2[%k] : tensor<8xf32>
    %4 = arith.addf %1, %3 : f32
    scf.yield %4 : f32
  }
  return %0 : f32
}

// Nothing is known of how two values relate.

// CHECK-LABEL: @unrelated
// CHECK: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "false", "none"]}
func.func @unrelated(%t: tensor<8xf32>, %v: f32, %i: index, %j: index) -> (tensor<8xf32>, f32) {
  %0 = tensor.insert %v into %t[%i] : tensor<8xf32>
  %1 = tensor.extract %t[%j] : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, f32
}

// In the order of a flat tensor the two meet.

// CHECK-LABEL: @collapsed
// CHECK: tensor.collapse_shape {{.*}} {__inplace_operands_attr__ = ["false"]}
func.func @collapsed(%t: tensor<2x4xf32>, %v: f32) -> (tensor<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %flat = tensor.collapse_shape %t [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
  %0 = tensor.insert %v into %flat[%c4] : tensor<8xf32>
  %1 = tensor.extract %t[%c1, %c0] : tensor<2x4xf32>
  return %0, %1 : tensor<8xf32>, f32
}
