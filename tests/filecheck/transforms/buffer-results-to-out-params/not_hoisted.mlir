// RUN: xbuf opt -p buffer-results-to-out-params --verify-diagnostics %s | filecheck %s

// CHECK: "func.call"(%n)
// CHECK: cannot create out param for dynamically shaped result #0 of @f: set hoist-dynamic-allocs, with which callers allocate it if they can compute its sizes from the arguments
func.func private @f(%n: index) -> memref<?xf32> {
  %0 = memref.alloc(%n) : memref<?xf32>
  return %0 : memref<?xf32>
}
func.func @call(%n: index) -> memref<?xf32> {
  %0 = call @f(%n) : (index) -> memref<?xf32>
  return %0 : memref<?xf32>
}
