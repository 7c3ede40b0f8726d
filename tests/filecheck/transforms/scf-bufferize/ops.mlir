// RUN: xdsl-opt -t mlir-22 -p scf-bufferize %s | filecheck %s

// What the body writes, it copies, so that the loop need not.
// CHECK:      func.func @for(%t: tensor<4xf32>, %f: f32, %n: index, %s: index) -> tensor<4xf32> {
// CHECK-NEXT:   %0 = bufferization.to_buffer %t {bufferization.core} : tensor<4xf32> to memref<4xf32>
// CHECK-NEXT:   %1 = scf.for %i = %s to %n step %s iter_args(%x = %0) -> (memref<4xf32>) {
// CHECK-NEXT:     %x_1 = bufferization.to_tensor %x : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT:     %2 = tensor.insert %f into %x_1[%i] : tensor<4xf32>
// CHECK-NEXT:     %3 = bufferization.to_buffer %2 {bufferization.core} : tensor<4xf32> to memref<4xf32>
// CHECK-NEXT:     scf.yield %3 : memref<4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   %4 = bufferization.to_tensor %1 : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT:   func.return %4 : tensor<4xf32>
// CHECK-NEXT: }
func.func @for(%t: tensor<4xf32>, %f: f32, %n: index, %s: index) -> tensor<4xf32> {
  %0 = scf.for %i = %s to %n step %s iter_args(%x = %t) -> (tensor<4xf32>) {
    %1 = tensor.insert %f into %x[%i] : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// CHECK:      func.func @while(%t: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:   %0 = bufferization.to_buffer %t {bufferization.core} : tensor<4xf32> to memref<4xf32>
// CHECK-NEXT:   %1 = scf.while (%x = %0) : (memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:     %x_1 = bufferization.to_tensor %x : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT:     %p = "test.op"(%x_1) : (tensor<4xf32>) -> i1
// CHECK-NEXT:     scf.condition(%p) %x : memref<4xf32>
// CHECK-NEXT:   } do {
// CHECK-NEXT:   ^bb0(%y: memref<4xf32>):
// CHECK-NEXT:     scf.yield %y : memref<4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   %2 = bufferization.to_tensor %1 : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT:   func.return %2 : tensor<4xf32>
// CHECK-NEXT: }
func.func @while(%t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = scf.while (%x = %t) : (tensor<4xf32>) -> tensor<4xf32> {
    %p = "test.op"(%x) : (tensor<4xf32>) -> i1
    scf.condition(%p) %x : tensor<4xf32>
  } do {
  ^bb0(%y: tensor<4xf32>):
    scf.yield %y : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// CHECK:      func.func @if(%p: i1, %a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
// CHECK-NEXT:   %0 = bufferization.to_buffer %b {bufferization.core} : tensor<?xf32> to memref<?xf32>
// CHECK-NEXT:   %1 = bufferization.to_buffer %a {bufferization.core} : tensor<?xf32> to memref<?xf32>
// CHECK-NEXT:   %2 = scf.if %p -> (memref<?xf32>) {
// CHECK-NEXT:     scf.yield %1 : memref<?xf32>
// CHECK-NEXT:   } else {
// CHECK-NEXT:     scf.yield %0 : memref<?xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   %3 = bufferization.to_tensor %2 : memref<?xf32> to tensor<?xf32>
// CHECK-NEXT:   func.return %3 : tensor<?xf32>
// CHECK-NEXT: }
func.func @if(%p: i1, %a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = scf.if %p -> (tensor<?xf32>) {
    scf.yield %a : tensor<?xf32>
  } else {
    scf.yield %b : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
