// RUN: xbuf opt -p 'buffer-results-to-out-params{hoist-dynamic-allocs}' --verify-diagnostics --split-input-file %s | filecheck %s

// CHECK: "func.func"()
// CHECK: cannot create out param for result #0 with unsupported layout strided<[2]>; cast it to an identity or fully dynamic layout
func.func private @layout(%m: memref<5xf32, strided<[2]>>) -> memref<5xf32, strided<[2]>> {
  return %m : memref<5xf32, strided<[2]>>
}

// -----

// CHECK: "func.call"(%n)
// CHECK: cannot create out param for dynamically shaped result #0; set hoist-dynamic-allocs if it is allocated with sizes that are arguments
func.func private @computed_size(%n: index) -> memref<?xf32> {
  %m = arith.addi %n, %n : index
  %0 = memref.alloc(%m) : memref<?xf32>
  return %0 : memref<?xf32>
}
func.func @call(%n: index) -> memref<?xf32> {
  %0 = call @computed_size(%n) : (index) -> memref<?xf32>
  return %0 : memref<?xf32>
}
