// RUN: xdsl-opt -p "one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}" %s | filecheck %s

// An op that looks at tensors and results in none looks at their buffers.

// CHECK-LABEL: func.func @same
// CHECK-NOT: memref.alloc
// CHECK: check.expect_almost_eq(%a, %b, %f) : memref<4xf32>, memref<4xf32>, f32
func.func @same(%a: tensor<4xf32>, %b: tensor<4xf32>, %f: f32) {
  check.expect_almost_eq(%a, %b, %f) : tensor<4xf32>, tensor<4xf32>, f32
  func.return
}
