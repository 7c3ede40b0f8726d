// RUN: xdsl-opt -t mlir-22 -p buffer-reuse %s --allow-unregistered-dialect | filecheck %s

// CHECK-LABEL: func.func @takes_over
// CHECK-NEXT: %a = memref.alloc()
// CHECK-NEXT: "test.first"(%a)
// CHECK-NEXT: "test.second"(%a)
// CHECK-NEXT: memref.dealloc %a
// CHECK-NEXT: return
func.func @takes_over() {
  %a = memref.alloc() : memref<4xf32>
  "test.first"(%a) : (memref<4xf32>) -> ()
  memref.dealloc %a : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  "test.second"(%b) : (memref<4xf32>) -> ()
  memref.dealloc %b : memref<4xf32>
  return
}

// Two buffers are enough for a chain.
// CHECK-LABEL: func.func @ping_pong
// CHECK: "test.step"(%a, %b)
// CHECK-NEXT: "test.step"(%b, %a)
// CHECK-NEXT: "test.step"(%a, %b)
// CHECK-NEXT: memref.dealloc %a
// CHECK-NEXT: return %b
func.func @ping_pong() -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  "test.step"(%a, %b) : (memref<4xf32>, memref<4xf32>) -> ()
  memref.dealloc %a : memref<4xf32>
  %c = memref.alloc() : memref<4xf32>
  "test.step"(%b, %c) : (memref<4xf32>, memref<4xf32>) -> ()
  memref.dealloc %b : memref<4xf32>
  %d = memref.alloc() : memref<4xf32>
  "test.step"(%c, %d) : (memref<4xf32>, memref<4xf32>) -> ()
  memref.dealloc %c : memref<4xf32>
  return %d : memref<4xf32>
}

// Neither another type nor another alignment nor another size.
// CHECK-LABEL: func.func @different
// CHECK-COUNT-4: memref.alloc
// CHECK: return
func.func @different(%n: index, %m: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  %b = memref.alloc(%m) : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  %c = memref.alloc(%n) {alignment = 64 : i64} : memref<?xf32>
  memref.dealloc %c : memref<?xf32>
  %d = memref.alloc(%n) : memref<?xi32>
  memref.dealloc %d : memref<?xi32>
  return
}

// CHECK-LABEL: func.func @equal_dynamic_size
// CHECK-NEXT: %a = memref.alloc(%n)
// CHECK-NEXT: memref.dealloc %a
// CHECK-NEXT: return
func.func @equal_dynamic_size(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  return
}

// To keep %a for %b would raise the peak from 800 bytes to 1200.
// CHECK-LABEL: func.func @peak
// CHECK: memref.dealloc %a
// CHECK: %b = memref.alloc() : memref<100xf32>
// CHECK: return
func.func @peak() {
  %a = memref.alloc() : memref<100xf32>
  "test.use"(%a) : (memref<100xf32>) -> ()
  memref.dealloc %a : memref<100xf32>
  %big = memref.alloc() : memref<200xf32>
  "test.use"(%big) : (memref<200xf32>) -> ()
  memref.dealloc %big : memref<200xf32>
  %b = memref.alloc() : memref<100xf32>
  "test.use"(%b) : (memref<100xf32>) -> ()
  memref.dealloc %b : memref<100xf32>
  return
}

// CHECK-LABEL: func.func @in_a_loop
// CHECK-NEXT: %a = memref.alloc()
// CHECK-NEXT: "test.use"(%a)
// CHECK-NEXT: scf.for
// CHECK-NEXT: "test.use"(%a)
// CHECK-NEXT: scf.if
// CHECK-NEXT: "test.use"(%a)
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: memref.dealloc %a
// CHECK-NEXT: return
func.func @in_a_loop(%n: index, %flag: i1) {
  %a = memref.alloc() : memref<4xf32>
  "test.use"(%a) : (memref<4xf32>) -> ()
  memref.dealloc %a : memref<4xf32>
  scf.for %i = %n to %n step %n {
    %b = memref.alloc() : memref<4xf32>
    "test.use"(%b) : (memref<4xf32>) -> ()
    memref.dealloc %b : memref<4xf32>
    scf.if %flag {
      %c = memref.alloc() : memref<4xf32>
      "test.use"(%c) : (memref<4xf32>) -> ()
      memref.dealloc %c : memref<4xf32>
    }
  }
  return
}

// A buffer that leaves its iteration cannot be the same in the next one.
// CHECK-LABEL: func.func @leaves_its_iteration
// CHECK: memref.dealloc %a
// CHECK: scf.for
// CHECK-NEXT: %b = memref.alloc()
func.func @leaves_its_iteration(%n: index, %init: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  "test.use"(%a) : (memref<4xf32>) -> ()
  memref.dealloc %a : memref<4xf32>
  %r = scf.for %i = %n to %n step %n iter_args(%x = %init) -> (memref<4xf32>) {
    %b = memref.alloc() : memref<4xf32>
    "test.use"(%b, %x) : (memref<4xf32>, memref<4xf32>) -> ()
    memref.dealloc %x : memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  memref.dealloc %r : memref<4xf32>
  return
}

// Iterations that run at the same time need a buffer each.
// CHECK-LABEL: func.func @in_parallel
// CHECK: memref.dealloc %a
// CHECK: scf.parallel
// CHECK-NEXT: %b = memref.alloc()
func.func @in_parallel(%n: index) {
  %a = memref.alloc() : memref<4xf32>
  "test.use"(%a) : (memref<4xf32>) -> ()
  memref.dealloc %a : memref<4xf32>
  scf.parallel (%i) = (%n) to (%n) step (%n) {
    %b = memref.alloc() : memref<4xf32>
    "test.use"(%b) : (memref<4xf32>) -> ()
    memref.dealloc %b : memref<4xf32>
  }
  return
}
