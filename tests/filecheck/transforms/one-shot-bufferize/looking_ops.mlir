// RUN: xbuf opt -p 'one-shot-bufferize{bufferize-function-boundaries}' %s | filecheck %s

// An op that only looks at tensors does so on buffers, and keeps a later write apart.
// CHECK-LABEL: func.func @looked_at_after_a_write
// CHECK-NEXT: %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT: memref.copy %a, %0 : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32>
// CHECK-NEXT: memref.store %x, %0[%i] : memref<4xf32>
// CHECK-NEXT: check.expect_sane(%a) : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT: func.return %0 : memref<4xf32>
func.func @looked_at_after_a_write(%a: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {
  %0 = tensor.insert %x into %a[%i] : tensor<4xf32>
  check.expect_sane(%a) : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @looked_at_before_a_write
// CHECK-NEXT: check.expect_almost_eq(%a, %b, %t) : memref<4xf32, strided<[?], offset: ?>>, memref<4xf32, strided<[?], offset: ?>>, f32
// CHECK-NEXT: perf.sink(%a) : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT: memref.store %t, %a[%i] : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT: func.return %a : memref<4xf32, strided<[?], offset: ?>>
func.func @looked_at_before_a_write(%a: tensor<4xf32>, %b: tensor<4xf32>, %t: f32, %i: index) -> tensor<4xf32> {
  check.expect_almost_eq(%a, %b, %t) : tensor<4xf32>, tensor<4xf32>, f32
  perf.sink(%a) : tensor<4xf32>
  %0 = tensor.insert %t into %a[%i] : tensor<4xf32>
  return %0 : tensor<4xf32>
}
