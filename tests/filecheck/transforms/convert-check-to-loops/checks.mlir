// RUN: xdsl-opt -t mlir-22 -p convert-check-to-loops %s | filecheck %s

// CHECK-LABEL: @condition
// CHECK-NEXT:    cf.assert %ok, "the condition is false"
// CHECK-NEXT:    return
func.func @condition(%ok: i1) {
  check.expect_true(%ok) : i1
  return
}

// CHECK-LABEL: @matrices
// CHECK:         scf.for %[[I:.*]] = {{.*}} {
// CHECK:           scf.for %[[J:.*]] = {{.*}} {
// CHECK-NEXT:        %[[A:.*]] = memref.load %a[%[[I]], %[[J]]]
// CHECK-NEXT:        %[[B:.*]] = memref.load %b[%[[I]], %[[J]]]
// CHECK-NEXT:        %[[D:.*]] = arith.subf %[[A]], %[[B]] : f32
// CHECK-NEXT:        %[[S:.*]] = math.absf %[[D]] : f32
// CHECK-NEXT:        %[[C:.*]] = arith.cmpf ole, %[[S]], %limit : f32
// CHECK-NEXT:        cf.assert %[[C]], "two elements differ by more than the threshold"
func.func @matrices(%a: memref<4x8xf32>, %b: memref<4x8xf32, strided<[8, 1], offset: ?>>, %limit: f32) {
  check.expect_almost_eq(%a, %b, %limit) : memref<4x8xf32>, memref<4x8xf32, strided<[8, 1], offset: ?>>, f32
  return
}

// CHECK-LABEL: @dynamic
// CHECK:         %[[A:.*]] = memref.dim %a
// CHECK:         %[[B:.*]] = memref.dim %b
// CHECK:         %[[C:.*]] = arith.cmpi eq, %[[A]], %[[B]] : index
// CHECK-NEXT:    cf.assert %[[C]], "the two operands have different shapes"
func.func @dynamic(%a: memref<?xf32>, %b: memref<?xf32>, %limit: f32) {
  check.expect_almost_eq(%a, %b, %limit) : memref<?xf32>, memref<?xf32>, f32
  return
}

// The narrower type is extended; integers are compared as numbers of the threshold.

// CHECK-LABEL: @types
// CHECK-COUNT-2:   arith.extf {{.*}} : bf16 to f32
// CHECK-COUNT-2:   arith.sitofp {{.*}} : i32 to f32
func.func @types(%a: memref<4xbf16>, %i: memref<4xi32>, %limit: f32) {
  check.expect_almost_eq(%a, %a, %limit) : memref<4xbf16>, memref<4xbf16>, f32
  check.expect_almost_eq(%i, %i, %limit) : memref<4xi32>, memref<4xi32>, f32
  return
}

// CHECK-LABEL: @sane
// CHECK:         %[[S:.*]] = math.absf %{{.*}} : f16
// CHECK:         %[[L:.*]] = arith.constant 0x7C00 : f16
// CHECK:         %[[C:.*]] = arith.cmpf olt, %[[S]], %[[L]] : f16
// CHECK:         cf.assert %[[C]], "an element is NaN or infinite"
func.func @sane(%a: memref<4xf16>) {
  check.expect_sane(%a) : memref<4xf16>
  return
}
