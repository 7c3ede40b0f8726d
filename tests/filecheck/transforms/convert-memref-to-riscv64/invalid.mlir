// RUN: xbuf opt -p convert-memref-to-riscv64 --verify-diagnostics %s | filecheck %s

// CHECK: the strides of memref<?x?xf32> are not known
func.func @dynamic(%x: memref<?x?xf32>) -> memref<2x2xf32, strided<[?, 1], offset: ?>> {
  %0 = memref.subview %x[1, 1] [2, 2] [1, 1] : memref<?x?xf32> to memref<2x2xf32, strided<[?, 1], offset: ?>>
  return %0 : memref<2x2xf32, strided<[?, 1], offset: ?>>
}
