// The size of a constant is not known yet.
//
// MLIR refuses: type should be static shaped memref, but got 'memref<?xi8>'

// RUN: xdsl-opt -p 'canonicalize,buffer-hoisting,cse' %s | filecheck %s

// CHECK:       type = memref<?xi8>
// CHECK:       %0 = memref.get_global @g : memref<?xi8>
"memref.global"() <{sym_name = "g", type = memref<?xi8>, initial_value, sym_visibility = "private"}> : () -> ()
func.func @f() -> memref<?xi8> {
  %0 = memref.get_global @g : memref<?xi8>
  return %0 : memref<?xi8>
}
