// RUN: xdsl-opt -t mlir-22 -p static-memory-planner %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p "static-memory-planner{algorithm=trivial}" %s | filecheck %s --check-prefix TRIVIAL

// %a is freed in both blocks after its own. Afterwards, %b gets its place.

// CHECK-LABEL: func.func @both
// CHECK-NEXT:    %arena = memref.alloc() {{.*}} : memref<32xi8>
// CHECK:         %a = memref.view
// CHECK:         cf.cond_br
// CHECK-NOT:     memref.dealloc
// CHECK:         %b = memref.view
// CHECK:         memref.dealloc %arena
// CHECK-NOT:     memref.dealloc
// TRIVIAL-LABEL: func.func @both
// TRIVIAL-NEXT:    memref.alloc() {{.*}} : memref<64xi8>
func.func @both(%c: i1, %x: f32, %o: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  cf.cond_br %c, ^b, ^c
^b:
  memref.copy %a, %o : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  cf.br ^d
^c:
  memref.dealloc %a : memref<8xf32>
  cf.br ^d
^d:
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>)
  memref.copy %b, %o : memref<8xf32> to memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  return
}

// %a is live around the loop, and %b in each iteration.

// CHECK-LABEL: func.func @loop
// CHECK-NEXT:    memref.alloc() {{.*}} : memref<64xi8>
// CHECK-NOT:     memref.alloc()
// CHECK:         return
func.func @loop(%c: i1, %x: f32, %o: memref<8xf32>) {
  %p = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%p : memref<16xf32>)
  memref.dealloc %p : memref<16xf32>
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  cf.br ^h
^h:
  %b = memref.alloc() : memref<8xf32>
  linalg.exp ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
  memref.copy %b, %o : memref<8xf32> to memref<8xf32>
  cf.cond_br %c, ^again, ^end
^again:
  memref.dealloc %b : memref<8xf32>
  cf.br ^h
^end:
  scf.if %c {
    memref.dealloc %b : memref<8xf32>
  } else {
    memref.dealloc %b : memref<8xf32>
  }
  memref.dealloc %a : memref<8xf32>
  return
}

// One path does not free %a.

// CHECK-LABEL: func.func @one_path
// CHECK:         %a = memref.alloc() : memref<8xf32>
// CHECK:         memref.dealloc %a
func.func @one_path(%c: i1) {
  %a = memref.alloc() : memref<8xf32>
  cf.cond_br %c, ^b, ^c
^b:
  memref.dealloc %a : memref<8xf32>
  cf.br ^c
^c:
  return
}

// The allocation may run again before %a is freed.

// CHECK-LABEL: func.func @again
// CHECK:         %a = memref.alloc() : memref<8xf32>
func.func @again(%c: i1) {
  cf.br ^h
^h:
  %a = memref.alloc() : memref<8xf32>
  cf.cond_br %c, ^h, ^b
^b:
  memref.dealloc %a : memref<8xf32>
  return
}

// An endless loop that %a does not dominate is left alone.

// CHECK-LABEL: func.func @endless
// CHECK:         %a = memref.alloc() : memref<8xf32>
func.func @endless(%c: i1) {
  cf.cond_br %c, ^h, ^e
^h:
  %a = memref.alloc() : memref<8xf32>
  cf.cond_br %c, ^b, ^e
^b:
  memref.dealloc %a : memref<8xf32>
  return
^e:
  cf.br ^e
}

// %a is freed when ^b begins, so that %e gets its memory. In `@apart`, something else is
// allocated as well: the arena would stay allocated while it is.

// CHECK-LABEL: func.func @hole
// CHECK-NEXT:    %arena = memref.alloc() {alignment = 16 : i64} : memref<32xi8>
// CHECK:         %a = memref.view %arena[%0][]
// CHECK:         %1 = arith.constant 0 : index
// CHECK-NEXT:    %e = memref.view %arena[%1][]
// TRIVIAL-LABEL: func.func @hole
// TRIVIAL-NEXT:    memref.alloc() {{.*}} : memref<64xi8>
func.func @hole(%c: i1, %x: f32, %o: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  cf.cond_br %c, ^b, ^c
^b:
  memref.dealloc %a : memref<8xf32>
  %e = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%e : memref<8xf32>)
  cf.cond_br %c, ^d, ^e
^d:
  memref.copy %e, %o : memref<8xf32> to memref<8xf32>
  memref.dealloc %e : memref<8xf32>
  return
^e:
  memref.dealloc %e : memref<8xf32>
  return
^c:
  memref.copy %a, %o : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  return
}

// CHECK-LABEL: func.func @apart
// CHECK-NEXT:    memref.alloc(%n) : memref<?xf32>
// CHECK-NEXT:    %a = memref.alloc() : memref<8xf32>
// TRIVIAL-LABEL: func.func @apart
// TRIVIAL-NEXT:    memref.alloc() {{.*}} : memref<32xi8>
func.func @apart(%c: i1, %n: index) {
  %b = memref.alloc(%n) : memref<?xf32>
  %a = memref.alloc() : memref<8xf32>
  cf.cond_br %c, ^b, ^c
^b:
  memref.dealloc %a : memref<8xf32>
  memref.dealloc %b : memref<?xf32>
  return
^c:
  memref.dealloc %a : memref<8xf32>
  memref.dealloc %b : memref<?xf32>
  return
}
