// A buffer was padded to the width of the hardware. Its initial value will be.
//
// MLIR refuses: initial value shape expected to be 4 but was 3

// RUN: xdsl-opt -p 'canonicalize,buffer-deallocation-pipeline,cse' %s | filecheck %s

// CHECK:       type = memref<4xi32>, initial_value = dense<[1, 2, 3]> : tensor<3xi32>
"memref.global"() <{sym_name = "g", type = memref<4xi32>, initial_value = dense<[1, 2, 3]> : tensor<3xi32>, sym_visibility = "private"}> : () -> ()
func.func @f() -> memref<4xi32> {
  %0 = memref.get_global @g : memref<4xi32>
  return %0 : memref<4xi32>
}
