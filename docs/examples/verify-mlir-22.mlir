// xdsl-opt -p verify-mlir-22
memref.global "private" @g : memref<4xi8> = dense<1>
func.func @f() -> memref<4xi8, "L3"> {
  %0 = memref.get_global @g : memref<4xi8, "L3">
  return %0 : memref<4xi8, "L3">
}
