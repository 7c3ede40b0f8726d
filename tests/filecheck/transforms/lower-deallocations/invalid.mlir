// RUN: xdsl-opt -p lower-deallocations %s --verify-diagnostics | filecheck %s

func.func @unranked(%a: memref<*xf32>, %b: memref<*xf32>, %c: i1) {
  // CHECK: 'bufferization.dealloc' cannot compare the pointers of unranked memrefs; use the ranked memref that each was cast from
  bufferization.dealloc (%a, %b : memref<*xf32>, memref<*xf32>) if (%c, %c)
  return
}
