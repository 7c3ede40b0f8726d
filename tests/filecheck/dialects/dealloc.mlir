// RUN: xdsl-opt %s | xdsl-opt | filecheck %s

// CHECK-LABEL: func.func @dealloc
func.func @dealloc(%a: memref<2xf32>, %b: memref<?xf32, strided<[?], offset: ?>>, %u: memref<*xf32>, %c: i1) -> (i1, i1) {
  // CHECK-NEXT: bufferization.dealloc{{$}}
  bufferization.dealloc
  // CHECK-NEXT: bufferization.dealloc (%a : memref<2xf32>) if (%c){{$}}
  bufferization.dealloc (%a : memref<2xf32>) if (%c)
  // CHECK-NEXT: bufferization.dealloc (%a, %u : memref<2xf32>, memref<*xf32>) if (%c, %c) {hint = 1 : i64}
  bufferization.dealloc (%a, %u : memref<2xf32>, memref<*xf32>) if (%c, %c) {hint = 1 : i64}
  // CHECK-NEXT: %0 = bufferization.dealloc retain (%a : memref<2xf32>){{$}}
  %0 = bufferization.dealloc retain (%a : memref<2xf32>)
  // CHECK-NEXT: %1, %2 = bufferization.dealloc (%a : memref<2xf32>) if (%c) retain (%a, %b : memref<2xf32>, memref<?xf32, strided<[?], offset: ?>>)
  %1:2 = bufferization.dealloc (%a : memref<2xf32>) if (%c) retain (%a, %b : memref<2xf32>, memref<?xf32, strided<[?], offset: ?>>)
  return %1#0, %1#1 : i1, i1
}

// CHECK-LABEL: func.func @dealloc_tensor
func.func @dealloc_tensor(%t: tensor<4x?xf32>) {
  // CHECK-NEXT: bufferization.dealloc_tensor %t : tensor<4x?xf32>
  bufferization.dealloc_tensor %t : tensor<4x?xf32>
  return
}
