// RUN: xdsl-opt -p drop-deallocations --allow-unregistered-dialect %s | filecheck %s

// The caller of a public function is unknown: it may rely on the function.
// CHECK-LABEL: func.func @of_a_caller
// CHECK: memref.dealloc %a
func.func @of_a_caller(%a: memref<4xf32>) {
  memref.dealloc %a : memref<4xf32>
  return
}

// CHECK-LABEL: func.func @perhaps_of_a_caller
// CHECK: memref.dealloc
func.func @perhaps_of_a_caller(%c: i1, %a: memref<4xf32>) {
  %b = memref.alloc() : memref<4xf32>
  %m = arith.select %c, %a, %b : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return
}

// CHECK-LABEL: func.func @of_an_unknown_op
// CHECK: memref.dealloc
func.func @of_an_unknown_op() {
  %a = "test.buffer"() : () -> memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}
