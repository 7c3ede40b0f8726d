// RUN: xdsl-opt -t mlir-22 -p memory-stats %s 2>&1 | filecheck %s

// A complex number takes the bytes of its two parts. No two of the buffers are in use at
// the same time, so that the largest one is the lower bound.
// CHECK: @sizes: 3 allocations, 112 bytes; peak 112 bytes, lower bound 64 bytes
func.func @sizes(%z: complex<f32>, %d: complex<f64>, %h: complex<bf16>, %i: index) {
  %0 = memref.alloc() : memref<4xcomplex<f32>>
  %1 = memref.alloc() : memref<4xcomplex<f64>>
  %2 = memref.alloc() : memref<4xcomplex<bf16>>
  memref.store %z, %0[%i] : memref<4xcomplex<f32>>
  memref.store %d, %1[%i] : memref<4xcomplex<f64>>
  memref.store %h, %2[%i] : memref<4xcomplex<bf16>>
  memref.dealloc %0 : memref<4xcomplex<f32>>
  memref.dealloc %1 : memref<4xcomplex<f64>>
  memref.dealloc %2 : memref<4xcomplex<bf16>>
  return
}
