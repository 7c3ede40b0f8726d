// RUN: xbuf opt -p canonicalize %s | filecheck %s

// No op of the memref dialect is in the text, whose definitions are amended all the same.

// CHECK-LABEL: func.func @to_cast
// CHECK-NEXT: memref.cast %{{.*}} : memref<?xf32, strided<[1], offset: 3>> to memref<?xf32, strided<[1], offset: ?>>
func.func @to_cast(%arg0: memref<?xf32, strided<[1], offset: 3>>) -> memref<?xf32, strided<[1], offset: ?>> {
  %0 = bufferization.to_tensor %arg0 : memref<?xf32, strided<[1], offset: 3>> to tensor<?xf32>
  %1 = bufferization.to_buffer %0 : tensor<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  return %1 : memref<?xf32, strided<[1], offset: ?>>
}
