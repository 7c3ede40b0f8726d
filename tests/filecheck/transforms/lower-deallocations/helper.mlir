// RUN: xdsl-opt -t mlir-22 -p lower-deallocations %s | filecheck %s

// Long lists are compared by a function with loops, one for each pair of lengths.

// CHECK-LABEL: func.func @long
// CHECK:         func.call @dealloc_helper_6_1(
// CHECK-COUNT-6: memref.dealloc
// CHECK:         func.call @dealloc_helper_6_1(
// CHECK:         func.return

// CHECK:       func.func private @dealloc_helper_6_1(
// CHECK-NOT:     memref.alloc()
// CHECK:         scf.for
// CHECK:         func.return
// CHECK-NOT:   func.func
func.func @long(%a: memref<2xf32>, %b: memref<2xf32>, %c: memref<2xf32>, %r: memref<2xf32>, %p: i1) -> i1 {
  %o = bufferization.dealloc (%a, %b, %c, %a, %b, %c : memref<2xf32>, memref<2xf32>, memref<2xf32>, memref<2xf32>, memref<2xf32>, memref<2xf32>) if (%p, %p, %p, %p, %p, %p) retain (%r : memref<2xf32>)
  %q = bufferization.dealloc (%a, %b, %c, %a, %b, %c : memref<2xf32>, memref<2xf32>, memref<2xf32>, memref<2xf32>, memref<2xf32>, memref<2xf32>) if (%o, %p, %p, %p, %p, %p) retain (%r : memref<2xf32>)
  return %q : i1
}
