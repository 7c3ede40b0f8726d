// xdsl-opt -p convert-memref-to-riscv64
func.func @row(%m: memref<4x8xf32>) -> memref<8xf32, strided<[1], offset: 16>> {
  %0 = memref.subview %m[2, 0] [1, 8] [1, 1] : memref<4x8xf32> to memref<8xf32, strided<[1], offset: 16>>
  return %0 : memref<8xf32, strided<[1], offset: 16>>
}
