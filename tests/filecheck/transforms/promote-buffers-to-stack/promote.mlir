// RUN: xdsl-opt -t mlir-22 -p promote-buffers-to-stack %s --allow-unregistered-dialect | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p "promote-buffers-to-stack{max-alloc-size-in-bytes=8589934592 max-rank-of-allocated-memref=2}" %s --allow-unregistered-dialect | filecheck %s --check-prefix LARGE

// 1024 bytes are small, 1028 are not; no 32 bits limit what may be asked for.
// CHECK-LABEL: func.func @sizes
// CHECK-NEXT: memref.alloca() {alignment = 64 : i64} : memref<256xf32>
// CHECK-NEXT: memref.alloc() : memref<257xf32>
// CHECK-NEXT: memref.alloc() : memref<1073741824xf32>
// LARGE-LABEL: func.func @sizes
// LARGE-NEXT: memref.alloca() {alignment = 64 : i64} : memref<256xf32>
// LARGE-NEXT: memref.alloca() : memref<257xf32>
// LARGE-NEXT: memref.alloca() : memref<1073741824xf32>
func.func @sizes() {
  %a = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
  %b = memref.alloc() : memref<257xf32>
  %c = memref.alloc() : memref<1073741824xf32>
  "test.use"(%a, %b, %c) : (memref<256xf32>, memref<257xf32>, memref<1073741824xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @unknown_sizes
// CHECK: memref.alloca(%rank) : memref<?xindex>
// CHECK-NEXT: memref.alloc(%rank, %rank)
// CHECK-NEXT: memref.alloc(%n)
// LARGE-LABEL: func.func @unknown_sizes
// LARGE: memref.alloca(%rank) : memref<?xindex>
// LARGE-NEXT: memref.alloca(%rank, %rank)
// LARGE-NEXT: memref.alloc(%n)
func.func @unknown_sizes(%any: memref<*xf32>, %n: index) {
  %rank = memref.rank %any : memref<*xf32>
  %a = memref.alloc(%rank) : memref<?xindex>
  %b = memref.alloc(%rank, %rank) : memref<?x?xindex>
  %c = memref.alloc(%n) : memref<?xindex>
  "test.use"(%a, %b, %c) : (memref<?xindex>, memref<?x?xindex>, memref<?xindex>) -> ()
  return
}

// CHECK-LABEL: func.func @returned
// CHECK-COUNT-3: memref.alloc()
// CHECK: return
func.func @returned(%flag: i1) -> (memref<2xf32>, memref<?xf32>) {
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  %c = memref.alloc() : memref<2xf32>
  %s = arith.select %flag, %a, %b : memref<2xf32>
  %v = memref.cast %c : memref<2xf32> to memref<?xf32>
  return %s, %v : memref<2xf32>, memref<?xf32>
}

// CHECK-LABEL: func.func @returned_by_the_callee
// CHECK-NEXT: memref.alloc()
func.func @returned_by_the_callee() -> memref<2xf32> {
  %a = memref.alloc() : memref<2xf32>
  %r = func.call @identity(%a) : (memref<2xf32>) -> memref<2xf32>
  return %r : memref<2xf32>
}
func.func private @identity(%x: memref<2xf32>) -> memref<2xf32> {
  return %x : memref<2xf32>
}

// CHECK-LABEL: func.func @stored_cloned_or_freed
// CHECK-COUNT-4: memref.alloc()
// CHECK: return
func.func @stored_cloned_or_freed(%table: memref<1xmemref<2xf32>>, %i: index) -> tensor<2xf32> {
  %a = memref.alloc() : memref<2xf32>
  memref.store %a, %table[%i] : memref<1xmemref<2xf32>>
  %b = memref.alloc() : memref<2xf32>
  %clone = bufferization.clone %b : memref<2xf32> to memref<2xf32>
  %c = memref.alloc() : memref<2xf32>
  memref.dealloc %c : memref<2xf32>
  %d = memref.alloc() : memref<2xf32>
  %t = bufferization.to_tensor %d : memref<2xf32> to tensor<2xf32>
  return %t : tensor<2xf32>
}

// The stack does not grow with the iterations. MLIR puts the memory into the loops.
// CHECK-LABEL: func.func @loops
// CHECK-NEXT: %a = memref.alloca()
// CHECK-NEXT: %b = memref.alloca()
// CHECK-NEXT: scf.for
func.func @loops(%n: index, %flag: i1) {
  scf.for %i = %n to %n step %n {
    scf.while : () -> () {
      %a = memref.alloc() : memref<2xf32>
      "test.use"(%a) : (memref<2xf32>) -> ()
      scf.condition(%flag)
    } do {
      scf.if %flag {
        %b = memref.alloc() : memref<2xf32>
        "test.use"(%b) : (memref<2xf32>) -> ()
      }
      scf.yield
    }
  }
  return
}

// Two iterations need two buffers.
// CHECK-LABEL: func.func @carried
// CHECK: scf.for
// CHECK-NEXT: %a = memref.alloc()
func.func @carried(%n: index, %init: memref<2xf32>) {
  %r = scf.for %i = %n to %n step %n iter_args(%x = %init) -> (memref<2xf32>) {
    %a = memref.alloc() : memref<2xf32>
    "test.use"(%a, %x) : (memref<2xf32>, memref<2xf32>) -> ()
    scf.yield %a : memref<2xf32>
  }
  return
}

// CHECK-LABEL: func.func @parallel
// CHECK: scf.parallel
// CHECK-NEXT: %a = memref.alloc()
func.func @parallel(%n: index) {
  scf.parallel (%i) = (%n) to (%n) step (%n) {
    %a = memref.alloc() : memref<2xf32>
    "test.use"(%a) : (memref<2xf32>) -> ()
  }
  return
}

// CHECK-LABEL: func.func @loop_between_blocks
// CHECK: %a = memref.alloca()
// CHECK-NEXT: cf.br
// CHECK: %b = memref.alloc()
func.func @loop_between_blocks(%in: memref<2xf32>) {
  cf.br ^loop(%in : memref<2xf32>)
^loop(%old: memref<2xf32>):
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  %flag = "test.use"(%old, %a, %b) : (memref<2xf32>, memref<2xf32>, memref<2xf32>) -> i1
  cf.cond_br %flag, ^loop(%b : memref<2xf32>), ^exit
^exit:
  return
}

// The scope ends before the function does.
// CHECK-LABEL: func.func @scope
// CHECK: memref.alloca_scope
// CHECK-NEXT: %a = memref.alloca()
// CHECK-NEXT: %b = memref.alloc()
func.func @scope() {
  %r = memref.alloca_scope -> (memref<2xf32>) {
    %a = memref.alloc() : memref<2xf32>
    %b = memref.alloc() : memref<2xf32>
    "test.use"(%a) : (memref<2xf32>) -> ()
    memref.alloca_scope.return %b : memref<2xf32>
  }
  "test.use"(%r) : (memref<2xf32>) -> ()
  return
}

// So may a function that is used as a value, whoever calls it.
// CHECK-LABEL: func.func @returned_by_a_value
// CHECK: memref.alloc() : memref<2xf32>
func.func @returned_by_a_value() -> memref<2xf32> {
  %f = func.constant @identity : (memref<2xf32>) -> memref<2xf32>
  %a = memref.alloc() : memref<2xf32>
  %r = func.call @calls(%f, %a) : ((memref<2xf32>) -> memref<2xf32>, memref<2xf32>) -> memref<2xf32>
  return %r : memref<2xf32>
}
func.func private @calls(%f: (memref<2xf32>) -> memref<2xf32>, %a: memref<2xf32>) -> memref<2xf32> {
  %r = func.call_indirect %f(%a) : (memref<2xf32>) -> memref<2xf32>
  return %r : memref<2xf32>
}
