// RUN: xdsl-opt -t mlir-22 -p buffer-hoisting %s --allow-unregistered-dialect | filecheck %s

// The example of the documents of 2020 and 2021.
// CHECK-LABEL: func.func @cond_branch
// CHECK: %new = memref.alloc() : memref<2xf32>
// CHECK-NEXT: cf.cond_br
// CHECK: "test.use"(%new)
// CHECK-NEXT: cf.br ^{{.*}}(%new
func.func @cond_branch(%flag: i1, %in: memref<2xf32>, %out: memref<2xf32>) {
  cf.cond_br %flag, ^bb1, ^bb2
^bb1:
  cf.br ^bb3(%in : memref<2xf32>)
^bb2:
  %new = memref.alloc() : memref<2xf32>
  "test.use"(%new) : (memref<2xf32>) -> ()
  cf.br ^bb3(%new : memref<2xf32>)
^bb3(%either: memref<2xf32>):
  memref.copy %either, %out : memref<2xf32> to memref<2xf32>
  return
}

// Its other example: the size is computed in the branch.
// CHECK-LABEL: func.func @cond_branch_dynamic_type
// CHECK: cf.cond_br
// CHECK: %size = "test.size"
// CHECK-NEXT: %new = memref.alloc(%size)
func.func @cond_branch_dynamic_type(%flag: i1, %in: memref<?xf32>, %out: memref<?xf32>) {
  cf.cond_br %flag, ^bb1, ^bb2
^bb1:
  cf.br ^bb3(%in : memref<?xf32>)
^bb2:
  %size = "test.size"() : () -> index
  %new = memref.alloc(%size) : memref<?xf32>
  cf.br ^bb3(%new : memref<?xf32>)
^bb3(%either: memref<?xf32>):
  memref.copy %either, %out : memref<?xf32> to memref<?xf32>
  return
}

// CHECK-LABEL: func.func @nested_ifs
// CHECK-NEXT: %a = memref.alloc(%n)
// CHECK-NEXT: %b = memref.alloc()
// CHECK-NEXT: %local = memref.alloc(%n)
// CHECK-NEXT: scf.if
func.func @nested_ifs(%flag: i1, %n: index) -> memref<?xf32> {
  %r = scf.if %flag -> (memref<?xf32>) {
    %inner = scf.if %flag -> (memref<?xf32>) {
      %a = memref.alloc(%n) : memref<?xf32>
      scf.yield %a : memref<?xf32>
    } else {
      %b = memref.alloc() : memref<2xf32>
      %v = memref.cast %b : memref<2xf32> to memref<?xf32>
      scf.yield %v : memref<?xf32>
    }
    scf.yield %inner : memref<?xf32>
  } else {
    %local = memref.alloc(%n) : memref<?xf32>
    scf.yield %local : memref<?xf32>
  }
  return %r : memref<?xf32>
}

// Nothing outside of the branch uses it.
// CHECK-LABEL: func.func @stays_in_its_branch
// CHECK-NEXT: scf.if
// CHECK-NEXT: memref.alloc()
func.func @stays_in_its_branch(%flag: i1) {
  scf.if %flag {
    %a = memref.alloc() : memref<2xf32>
    "test.use"(%a) : (memref<2xf32>) -> ()
  }
  return
}

// CHECK-LABEL: func.func @stays_in_its_loop
// CHECK: scf.for
// CHECK-NEXT: memref.alloc()
func.func @stays_in_its_loop(%n: index, %init: memref<2xf32>) -> memref<2xf32> {
  %r = scf.for %i = %n to %n step %n iter_args(%x = %init) -> (memref<2xf32>) {
    %a = memref.alloc() : memref<2xf32>
    scf.yield %a : memref<2xf32>
  }
  return %r : memref<2xf32>
}

// An iteration uses the buffer of the one before beside its own: two buffers, although
// ^bb0 is above all uses. MLIR hoists, and makes them one.
// CHECK-LABEL: func.func @loop_between_blocks
// CHECK: cf.cond_br
// CHECK: ^{{.*}}(%old: memref<2xf32>):
// CHECK-NEXT: %new = memref.alloc()
func.func @loop_between_blocks(%flag: i1, %in: memref<2xf32>) {
  cf.cond_br %flag, ^loop(%in : memref<2xf32>), ^exit(%in : memref<2xf32>)
^loop(%old: memref<2xf32>):
  %new = memref.alloc() : memref<2xf32>
  "test.use"(%old, %new) : (memref<2xf32>, memref<2xf32>) -> ()
  %again = "test.flag"() : () -> i1
  cf.cond_br %again, ^loop(%new : memref<2xf32>), ^exit(%new : memref<2xf32>)
^exit(%last: memref<2xf32>):
  "test.use"(%last) : (memref<2xf32>) -> ()
  return
}
