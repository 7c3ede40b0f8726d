// RUN: xdsl-opt -t mlir-22 -p optimize-allocation-liveness %s | filecheck %s

// One deallocation on each path to the block that had it.

// CHECK-LABEL: func.func @in_each_successor
// CHECK: cf.cond_br %c, ^[[USED:.*]], ^[[UNUSED:.*]]
// CHECK-NEXT: ^[[USED]]:
// CHECK-NEXT: "test.op"(%a)
// CHECK-NEXT: memref.dealloc %a
// CHECK-NEXT: cf.br
// CHECK-NEXT: ^[[UNUSED]]:
// CHECK-NEXT: memref.dealloc %a
// CHECK-NEXT: cf.br
// CHECK-NEXT: ^{{.*}}:
// CHECK-NEXT: "test.op"()
// CHECK-NEXT: func.return
func.func @in_each_successor(%c: i1) {
  %a = memref.alloc() : memref<2xf32>
  "test.op"(%a) : (memref<2xf32>) -> ()
  cf.cond_br %c, ^used, ^unused
^used:
  "test.op"(%a) : (memref<2xf32>) -> ()
  cf.br ^join
^unused:
  cf.br ^join
^join:
  "test.op"() : () -> ()
  memref.dealloc %a : memref<2xf32>
  return
}

// The path past ^used gets a block of its own.

// CHECK-LABEL: func.func @on_an_edge
// CHECK: cf.cond_br %c, ^[[USED:.*]], ^[[PAST:.*]](%x : index)
// CHECK-NEXT: ^[[PAST]](%[[Y:.*]]: index):
// CHECK-NEXT: memref.dealloc %a
// CHECK-NEXT: cf.br ^[[JOIN:.*]](%[[Y]] : index)
// CHECK-NEXT: ^[[USED]]:
// CHECK-NEXT: "test.op"(%a)
// CHECK-NEXT: memref.dealloc %a
// CHECK-NEXT: cf.br ^[[JOIN]](%x : index)
// CHECK-NEXT: ^[[JOIN]]
// CHECK-NEXT: "test.op"(%z)
// CHECK-NEXT: func.return
func.func @on_an_edge(%c: i1, %x: index) {
  %a = memref.alloc() : memref<2xf32>
  "test.op"(%a) : (memref<2xf32>) -> ()
  cf.cond_br %c, ^used, ^join(%x : index)
^used:
  "test.op"(%a) : (memref<2xf32>) -> ()
  cf.br ^join(%x : index)
^join(%z: index):
  "test.op"(%z) : (index) -> ()
  memref.dealloc %a : memref<2xf32>
  return
}

// A loop that uses the buffer keeps it, one that does not gets it no more.

// CHECK-LABEL: func.func @between_loops
// CHECK: cf.br ^[[FIRST:.*]]
// CHECK-NEXT: ^[[FIRST]]:
// CHECK-NEXT: "test.op"(%a)
// CHECK-NEXT: cf.cond_br %c, ^[[FIRST]], ^[[BETWEEN:.*]]
// CHECK-NEXT: ^[[BETWEEN]]:
// CHECK-NEXT: memref.dealloc %a
// CHECK-NEXT: cf.br ^[[SECOND:.*]]
// CHECK-NEXT: ^[[SECOND]]:
// CHECK-NEXT: cf.cond_br %c, ^[[SECOND]], ^{{.*}}
// CHECK-NEXT: ^{{.*}}:
// CHECK-NEXT: func.return
func.func @between_loops(%c: i1) {
  %a = memref.alloc() : memref<2xf32>
  cf.br ^first
^first:
  "test.op"(%a) : (memref<2xf32>) -> ()
  cf.cond_br %c, ^first, ^between
^between:
  cf.br ^second
^second:
  cf.cond_br %c, ^second, ^exit
^exit:
  memref.dealloc %a : memref<2xf32>
  return
}

// On the path to ^other a call frees it: the deallocation stays where it is.

// CHECK-LABEL: func.func @freed_on_some_paths
// CHECK: cf.cond_br %c, ^[[HERE:.*]], ^[[OTHER:.*]]
// CHECK-NEXT: ^[[HERE]]:
// CHECK-NEXT: memref.dealloc %a
// CHECK-NEXT: func.return
// CHECK-NEXT: ^[[OTHER]]:
// CHECK-NEXT: func.call @frees
func.func @freed_on_some_paths(%c: i1) {
  %a = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^here, ^other
^here:
  memref.dealloc %a : memref<2xf32>
  return
^other:
  func.call @frees(%a) : (memref<2xf32>) -> ()
  return
}
func.func private @frees(memref<2xf32>)

// The buffer of an iteration is freed in that iteration.

// CHECK-LABEL: func.func @in_a_loop
// CHECK: %a = memref.alloc()
// CHECK-NEXT: "test.op"(%a)
// CHECK-NEXT: memref.dealloc %a
// CHECK-NEXT: cf.br ^[[LATCH:.*]]
// CHECK-NEXT: ^[[LATCH]]:
// CHECK-NEXT: cf.cond_br
func.func @in_a_loop(%c: i1) {
  cf.br ^head
^head:
  %a = memref.alloc() : memref<2xf32>
  "test.op"(%a) : (memref<2xf32>) -> ()
  cf.br ^latch
^latch:
  memref.dealloc %a : memref<2xf32>
  cf.cond_br %c, ^head, ^exit
^exit:
  return
}
