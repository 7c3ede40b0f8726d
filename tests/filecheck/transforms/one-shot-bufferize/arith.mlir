// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true}' %s | filecheck %s

// Equal constants are one global; a name that is taken gets a number.

// CHECK: memref.global "private" constant @__constant_2xf32_0 : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]> {alignment = 64 : i64}
// CHECK-NEXT: memref.global "private" constant @__constant_2xf32_1 : memref<2xf32> = dense<3.000000e+00>
// CHECK-NEXT: func.func private @__constant_2xf32
func.func private @__constant_2xf32()

// CHECK-LABEL: @constants
// CHECK: memref.get_global @__constant_2xf32_0 : memref<2xf32>
// CHECK: memref.get_global @__constant_2xf32_0 : memref<2xf32>
// CHECK: memref.get_global @__constant_2xf32_1 : memref<2xf32>
func.func @constants(%i: index) -> (f32, f32, f32) {
  %0 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %2 = arith.constant dense<3.0> : tensor<2xf32>
  %3 = tensor.extract %0[%i] : tensor<2xf32>
  %4 = tensor.extract %1[%i] : tensor<2xf32>
  %5 = tensor.extract %2[%i] : tensor<2xf32>
  return %3, %4, %5 : f32, f32, f32
}

// A constant is copied before it is written.

// CHECK-LABEL: @written_constant
// CHECK: %[[GLOBAL:.*]] = memref.get_global
// CHECK: %[[COPY:.*]] = memref.alloc() {alignment = 64 : i64} : memref<2xf32>
// CHECK-NEXT: memref.copy %[[GLOBAL]], %[[COPY]]
// CHECK-NEXT: memref.store %{{.*}}, %[[COPY]]
// CHECK-NEXT: return %[[COPY]]
func.func @written_constant(%v: f32, %i: index) -> tensor<2xf32> {
  %0 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = tensor.insert %v into %0[%i] : tensor<2xf32>
  return %1 : tensor<2xf32>
}

// The two buffers of a select meet in a layout that fits both.

// CHECK-LABEL: @select
// CHECK-SAME: (%[[FLAG:.*]]: i1, %[[A:.*]]: memref<4xf32, strided<[?], offset: ?>>)
// CHECK: %[[B:.*]] = memref.alloc
// CHECK: %[[CAST:.*]] = memref.cast %[[B]] : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT: arith.select %[[FLAG]], %[[A]], %[[CAST]] : memref<4xf32, strided<[?], offset: ?>>
func.func @select(%flag: i1, %a: tensor<4xf32>) -> tensor<4xf32> {
  %b = bufferization.alloc_tensor() : tensor<4xf32>
  %0 = arith.select %flag, %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @same_layout
// CHECK-NOT: memref.cast
func.func @same_layout(%flag: i1, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.select %flag, %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}
