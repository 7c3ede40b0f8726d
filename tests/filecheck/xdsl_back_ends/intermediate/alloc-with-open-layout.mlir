// The stride of a new buffer is chosen by a later pass.
//
// MLIR refuses: symbol operand count does not equal memref symbol count: expected 1, got 0

// RUN: xdsl-opt -p 'canonicalize,buffer-hoisting,buffer-deallocation-pipeline,canonicalize,cse' %s | filecheck %s

// CHECK:       [[NEW:%.*]] = {{.*}}memref.alloc{{.*}} memref<4xf32, strided<[?]>>
// CHECK:       memref.dealloc [[NEW]] : memref<4xf32, strided<[?]>>
func.func @f(%i: index, %v: f32) -> f32 {
  %0 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf32, strided<[?]>>
  memref.store %v, %0[%i] : memref<4xf32, strided<[?]>>
  %1 = memref.load %0[%i] : memref<4xf32, strided<[?]>>
  return %1 : f32
}
