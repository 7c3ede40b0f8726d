// RUN: xbuf opt %s | xbuf opt | filecheck %s
// RUN: xbuf opt %s -p 'canonicalize,cse,one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}' | filecheck %s --check-prefix BUFFERS

// CHECK-LABEL: @checks
// CHECK-NEXT:    check.expect_true(%ok) : i1
// CHECK-NEXT:    check.expect_almost_eq(%a, %b, %limit) : tensor<4x?xf32>, tensor<4x?xf32>, f32
// CHECK-NEXT:    check.expect_sane(%a) {note = "input"} : tensor<4x?xf32>

// A check is never removed, and copies nothing.

// BUFFERS-LABEL: @checks
// BUFFERS-NEXT:    check.expect_true(%ok) : i1
// BUFFERS-NEXT:    check.expect_almost_eq(%a, %b, %limit) : memref<4x?xf32>, memref<4x?xf32>, f32
// BUFFERS-NEXT:    check.expect_sane(%a) {note = "input"} : memref<4x?xf32>
// BUFFERS-NEXT:    return
func.func @checks(%ok: i1, %a: tensor<4x?xf32>, %b: tensor<4x?xf32>, %limit: f32) {
  check.expect_true(%ok) : i1
  check.expect_almost_eq(%a, %b, %limit) : tensor<4x?xf32>, tensor<4x?xf32>, f32
  check.expect_sane(%a) {note = "input"} : tensor<4x?xf32>
  return
}

// What is compared later must stay as it is until then.

// BUFFERS-LABEL: @before_and_after
// BUFFERS:         memref.alloc
// BUFFERS:         linalg.exp ins(%[[A:.*]] : {{.*}}) outs(%[[B:.*]] : memref<4xf32>)
// BUFFERS-NEXT:    check.expect_almost_eq(%[[A]], %[[B]], %limit)
func.func @before_and_after(%a: tensor<4xf32>, %limit: f32) {
  %b = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq(%a, %b, %limit) : tensor<4xf32>, tensor<4xf32>, f32
  return
}
