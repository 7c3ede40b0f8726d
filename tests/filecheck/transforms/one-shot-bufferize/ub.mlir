// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true}' %s | filecheck %s

// Any value will do, but no buffer is read that nobody has written.

// CHECK-LABEL: @poison
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[P:.*]] = memref.alloc() {{.*}} : memref<4xf32>
// CHECK-NEXT: linalg.fill ins(%[[ZERO]] : f32) outs(%[[P]] : memref<4xf32>)
// CHECK-NEXT: return %[[P]]
func.func @poison() -> tensor<4xf32> {
  %p = ub.poison : tensor<4xf32>
  return %p : tensor<4xf32>
}

// A scalar has no buffer.

// CHECK-LABEL: @scalar
// CHECK-NEXT: ub.poison : i32
func.func @scalar() -> i32 {
  %p = ub.poison : i32
  return %p : i32
}
