// xdsl-opt -p lower-to-riscv
func.func @store(%m: memref<4xf32>, %f: f32) {
  %c2 = arith.constant 2 : index
  memref.store %f, %m[%c2] : memref<4xf32>
  return
}
