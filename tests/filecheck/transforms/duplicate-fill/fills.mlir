// RUN: xdsl-opt -t mlir-22 -p duplicate-fill %s | filecheck %s

// CHECK-LABEL: @two_products
// CHECK:         %[[F:.*]] = linalg.fill
// CHECK-NEXT:    %[[A:.*]] = linalg.matmul ins(%a, %a : {{.*}}) outs(%[[F]] :
// CHECK-NEXT:    %[[E:.*]] = tensor.empty() : tensor<4x4xf32>
// CHECK-NEXT:    %[[G:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%[[E]] :
// CHECK-NEXT:    linalg.matmul ins(%a, %[[A]] : {{.*}}) outs(%[[G]] :
func.func @two_products(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<4x4xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%1 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = linalg.matmul ins(%a, %2 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%1 : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %3 : tensor<4x4xf32>
}

// What is read keeps what was filled first. Sizes that are not known are the same.

// CHECK-LABEL: @also_read
// CHECK:         %[[F:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%d : tensor<?xf32>)
// CHECK:         %[[N:.*]] = tensor.dim %d
// CHECK:         %[[E:.*]] = tensor.empty(%[[N]]) : tensor<?xf32>
// CHECK-NEXT:    %[[G:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%[[E]] :
// CHECK-NEXT:    linalg.exp ins(%[[F]] : {{.*}}) outs(%[[G]] :
func.func @also_read(%d: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%zero : f32) outs(%d : tensor<?xf32>) -> tensor<?xf32>
  %1 = linalg.exp ins(%0 : tensor<?xf32>) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// In a loop it is filled for each iteration.

// CHECK-LABEL: @loop
// CHECK:         scf.for
// CHECK-NEXT:      tensor.empty
// CHECK-NEXT:      %[[G:.*]] = linalg.fill
// CHECK-NEXT:      linalg.matmul {{.*}} outs(%[[G]] :
func.func @loop(%a: tensor<4x4xf32>, %n: index) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.empty() : tensor<4x4xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> (tensor<4x4xf32>) {
    %2 = linalg.matmul ins(%a, %t : tensor<4x4xf32>, tensor<4x4xf32>) outs(%1 : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %2 : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}

// CHECK-LABEL: @one_use
// CHECK:         linalg.fill
// CHECK-NEXT:    linalg.matmul
// CHECK-NEXT:    return
func.func @one_use(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<4x4xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%1 : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}
