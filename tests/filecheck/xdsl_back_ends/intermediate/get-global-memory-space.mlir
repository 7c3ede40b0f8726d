// A lowering has said that constants are in L3, where they are used. The global itself has
// no memory space yet. (This is how snax-mlir assigns memory spaces.)
//
// MLIR refuses: does not match type 'memref<4xi8>' of the global memref @g

// RUN: xdsl-opt -p 'canonicalize,buffer-hoisting,cse,buffer-deallocation-pipeline,canonicalize' %s | filecheck %s

// CHECK:       type = memref<4xi8>
// CHECK:       %0 = memref.get_global @g : memref<4xi8, "L3">
// CHECK-NEXT:  %1 = memref.alloc() : memref<4xi8, "L3">
// CHECK-NEXT:  "memref.copy"(%0, %1) : (memref<4xi8, "L3">, memref<4xi8, "L3">) -> ()
"memref.global"() <{sym_name = "g", type = memref<4xi8>, initial_value = dense<1> : tensor<4xi8>, sym_visibility = "private"}> : () -> ()
func.func @f() -> memref<4xi8, "L3"> {
  %0 = memref.get_global @g : memref<4xi8, "L3">
  return %0 : memref<4xi8, "L3">
}
