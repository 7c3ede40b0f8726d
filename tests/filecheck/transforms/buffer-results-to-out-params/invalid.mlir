// RUN: xbuf opt -p 'buffer-results-to-out-params{hoist-dynamic-allocs}' --verify-diagnostics --split-input-file %s | filecheck %s

// CHECK: "func.func"()
// CHECK: cannot create out param for result #0 with unsupported layout strided<[2]>; cast it to an identity or fully dynamic layout
func.func private @layout(%m: memref<5xf32, strided<[2]>>) -> memref<5xf32, strided<[2]>> {
  return %m : memref<5xf32, strided<[2]>>
}

// -----

// CHECK: "func.call"(%m)
// CHECK: cannot create out param for dynamically shaped result #0 of @loaded: its dynamic size #1 is computed from %n, a result of 'memref.load', which the caller cannot compute from the arguments
func.func private @loaded(%m: memref<index>) -> memref<?x?xf32> {
  %c4 = arith.constant 4 : index
  %n = memref.load %m[] : memref<index>
  %t = arith.addi %n, %n : index
  %0 = memref.alloc(%c4, %t) : memref<?x?xf32>
  return %0 : memref<?x?xf32>
}
func.func @call(%m: memref<index>) -> memref<?x?xf32> {
  %0 = call @loaded(%m) : (memref<index>) -> memref<?x?xf32>
  return %0 : memref<?x?xf32>
}

// -----

// The caller would divide by zero where the function ends with a message.

// CHECK: "func.call"(%n)
// CHECK: of @checked: its dynamic size #0 is computed from %q, a result of 'arith.divui'
func.func private @checked(%n: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %ok = arith.cmpi ne, %n, %c0 : index
  cf.assert %ok, "nothing to divide by"
  %q = arith.divui %c8, %n : index
  %0 = memref.alloc(%q) : memref<?xf32>
  return %0 : memref<?xf32>
}
func.func @call(%n: index) -> memref<?xf32> {
  %0 = call @checked(%n) : (index) -> memref<?xf32>
  return %0 : memref<?xf32>
}

// -----

// CHECK: "func.call"(%m)
// CHECK: of @same: what is returned is not allocated by the function
func.func private @same(%m: memref<?xf32>) -> memref<?xf32> {
  return %m : memref<?xf32>
}
func.func @call(%m: memref<?xf32>) -> memref<?xf32> {
  %0 = call @same(%m) : (memref<?xf32>) -> memref<?xf32>
  return %0 : memref<?xf32>
}

// -----

// CHECK: "func.call"(%n, %c)
// CHECK: of @other: it has other sizes at each return
func.func private @other(%n: index, %c: i1) -> memref<?xf32> {
  %m = arith.muli %n, %n : index
  cf.cond_br %c, ^a, ^b
^a:
  %0 = memref.alloc(%n) : memref<?xf32>
  return %0 : memref<?xf32>
^b:
  %1 = memref.alloc(%m) : memref<?xf32>
  return %1 : memref<?xf32>
}
func.func @call(%n: index, %c: i1) -> memref<?xf32> {
  %0 = call @other(%n, %c) : (index, i1) -> memref<?xf32>
  return %0 : memref<?xf32>
}

// -----

// CHECK: "func.call"(%n)
// CHECK: of @mapped: its dynamic size #0 is computed from %q, a result of 'affine.apply'
func.func private @mapped(%n: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %ok = arith.cmpi ne, %n, %c0 : index
  cf.assert %ok, "nothing to divide by"
  %q = affine.apply affine_map<()[s0] -> (8 floordiv s0)>()[%n]
  %0 = memref.alloc(%q) : memref<?xf32>
  return %0 : memref<?xf32>
}
func.func @call(%n: index) -> memref<?xf32> {
  %0 = call @mapped(%n) : (index) -> memref<?xf32>
  return %0 : memref<?xf32>
}

// -----

// CHECK: "func.call"(%n)
// CHECK: of @least: its dynamic size #0 is computed from %q, a result of 'arith.divsi'
func.func private @least(%n: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %m = arith.constant -1 : index
  %ok = arith.cmpi slt, %n, %c0 : index
  cf.assert %ok, "no negative number"
  %q = arith.divsi %n, %m : index
  %0 = memref.alloc(%q) : memref<?xf32>
  return %0 : memref<?xf32>
}
func.func @call(%n: index) -> memref<?xf32> {
  %0 = call @least(%n) : (index) -> memref<?xf32>
  return %0 : memref<?xf32>
}
