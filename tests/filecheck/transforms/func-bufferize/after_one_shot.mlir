// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{allow-unknown-ops dialect-filter=tensor,bufferization},func-bufferize,finalizing-bufferize' %s | filecheck %s

// What @id returns is what it is passed, a copy here: its buffer is written after the call.
// CHECK:      func.func @id(%a: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:   func.return %a : memref<4xf32>
// CHECK-NEXT: }
func.func @id(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// CHECK:      func.func @written_later(%x: memref<4xf32>, %f: f32, %i: index) -> (f32, f32) {
// CHECK-NEXT:   %0 = memref.cast %x : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   %t = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:   memref.copy %0, %t : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32>
// CHECK-NEXT:   %1 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:   memref.copy %t, %1 : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:   %u = func.call @id(%1) : (memref<4xf32>) -> memref<4xf32>
// CHECK-NEXT:   %2 = memref.cast %u : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   memref.store %f, %t[%i] : memref<4xf32>
// CHECK-NEXT:   %r = memref.load %2[%i] : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   %s = memref.load %t[%i] : memref<4xf32>
// CHECK-NEXT:   func.return %r, %s : f32, f32
// CHECK-NEXT: }
func.func @written_later(%x: tensor<4xf32>, %f: f32, %i: index) -> (f32, f32) {
  %t = bufferization.alloc_tensor() copy(%x) : tensor<4xf32>
  %u = func.call @id(%t) : (tensor<4xf32>) -> tensor<4xf32>
  %w = tensor.insert %f into %t[%i] : tensor<4xf32>
  %r = tensor.extract %u[%i] : tensor<4xf32>
  %s = tensor.extract %w[%i] : tensor<4xf32>
  return %r, %s : f32, f32
}

// CHECK:      func.func @written_before(%x: memref<4xf32>, %f: f32, %i: index) -> f32 {
// CHECK-NEXT:   %0 = memref.cast %x : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   %t = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:   memref.copy %0, %t : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32>
// CHECK-NEXT:   memref.store %f, %t[%i] : memref<4xf32>
// CHECK-NEXT:   %u = func.call @id(%t) : (memref<4xf32>) -> memref<4xf32>
// CHECK-NEXT:   %1 = memref.cast %u : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   %r = memref.load %1[%i] : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   func.return %r : f32
// CHECK-NEXT: }
func.func @written_before(%x: tensor<4xf32>, %f: f32, %i: index) -> f32 {
  %t = bufferization.alloc_tensor() copy(%x) : tensor<4xf32>
  %w = tensor.insert %f into %t[%i] : tensor<4xf32>
  %u = func.call @id(%w) : (tensor<4xf32>) -> tensor<4xf32>
  %r = tensor.extract %u[%i] : tensor<4xf32>
  return %r : f32
}
