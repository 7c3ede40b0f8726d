// RUN: xdsl-opt -t mlir-22 -p rematerialize-cheap-tensors %s | filecheck %s

// One product would copy the zeros. Now each fills a tensor of its own.

// CHECK-LABEL: @two_products
// CHECK:         %[[Z:.*]] = linalg.fill
// CHECK-NEXT:    %[[E:.*]] = tensor.empty() : tensor<4x4xf32>
// CHECK-NEXT:    %[[F:.*]] = linalg.fill ins(%zero : f32) outs(%[[E]] :
// CHECK-NEXT:    %[[A:.*]] = linalg.matmul ins(%a, %a : {{.*}}) outs(%[[F]] :
// CHECK-NEXT:    linalg.matmul ins(%a, %[[A]] : {{.*}}) outs(%[[Z]] :
func.func @two_products(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<4x4xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%1 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = linalg.matmul ins(%a, %2 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%1 : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %3 : tensor<4x4xf32>
}

// A constant may not be written. If its elements are equal, it is filled, and the
// constant goes. A part of it is a smaller fill.

// CHECK-LABEL: @constant
// CHECK-NEXT:    %[[E:.*]] = tensor.empty() : tensor<4xf32>
// CHECK-NEXT:    %[[X:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:    %[[F:.*]] = linalg.fill ins(%[[X]] : f32) outs(%[[E]] :
// CHECK-NEXT:    tensor.insert %f into %[[F]][%i]
// CHECK-NEXT:    %[[E2:.*]] = tensor.empty() : tensor<2xf32>
// CHECK-NEXT:    %[[X2:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:    %[[F2:.*]] = linalg.fill ins(%[[X2]] : f32) outs(%[[E2]] :
// CHECK-NEXT:    tensor.insert %f into %[[F2]][%i]
// CHECK-NEXT:    return
func.func @constant(%f: f32, %i: index) -> (tensor<4xf32>, tensor<2xf32>) {
  %c = arith.constant dense<1.0> : tensor<4xf32>
  %0 = tensor.insert %f into %c[%i] : tensor<4xf32>
  %s = tensor.extract_slice %c[1] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %1 = tensor.insert %f into %s[%i] : tensor<2xf32>
  return %0, %1 : tensor<4xf32>, tensor<2xf32>
}

// In a loop, each iteration would copy. Sizes that are not known are the same.

// CHECK-LABEL: @loop
// CHECK:         %[[S:.*]] = linalg.fill ins(%f : f32)
// CHECK:         scf.for
// CHECK-NEXT:      %[[E:.*]] = tensor.empty(%n) : tensor<?xf32>
// CHECK-NEXT:      %[[F:.*]] = linalg.fill ins(%f : f32) outs(%[[E]] :
// CHECK-NEXT:      tensor.insert %s into %[[F]][%i]
func.func @loop(%n: index, %f: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.fill ins(%f : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %f) -> f32 {
    %1 = tensor.insert %s into %0[%i] : tensor<?xf32>
    %2 = tensor.extract %1[%c0] : tensor<?xf32>
    scf.yield %2 : f32
  }
  %x = tensor.extract %0[%c0] : tensor<?xf32>
  %y = arith.addf %r, %x : f32
  return %y : f32
}

// xDSL's constructor of a fill takes floats and integers alone.
// CHECK-LABEL: @constant_of_indices
// CHECK: %[[C:.*]] = arith.constant 4 : index
// CHECK-NEXT: linalg.fill ins(%[[C]] : index)
// CHECK: return
func.func @constant_of_indices(%i: index) -> (tensor<4xindex>, tensor<4xindex>) {
  %c = arith.constant dense<4> : tensor<4xindex>
  %a = tensor.insert %i into %c[%i] : tensor<4xindex>
  return %a, %c : tensor<4xindex>, tensor<4xindex>
}
