// RUN: xdsl-opt -t mlir-22 -p static-memory-planner %s --allow-unregistered-dialect | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p "static-memory-planner{algorithm=trivial}" %s --allow-unregistered-dialect | filecheck %s --check-prefix TRIVIAL

// %c gets the memory of %a.
// CHECK-LABEL: func.func @share
// CHECK-NEXT: %arena = memref.alloc() {alignment = 16 : i64} : memref<128xi8>
// CHECK: %[[A:.*]] = arith.constant 0 : index
// CHECK-NEXT: %a = memref.view %arena[%[[A]]][] : memref<128xi8> to memref<16xf32>
// CHECK: %[[B:.*]] = arith.constant 64 : index
// CHECK-NEXT: %b = memref.view %arena[%[[B]]][]
// CHECK-NEXT: "test.use"(%a, %b)
// CHECK-NEXT: %[[C:.*]] = arith.constant 0 : index
// CHECK-NEXT: %c = memref.view %arena[%[[C]]][] : memref<128xi8> to memref<8xf64>
// CHECK-NEXT: "test.use"(%b, %c)
// CHECK-NEXT: memref.dealloc %arena
// CHECK-NEXT: return
// TRIVIAL-LABEL: func.func @share
// TRIVIAL-NEXT: memref<192xi8>
func.func @share() {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  "test.use"(%a, %b) : (memref<16xf32>, memref<16xf32>) -> ()
  memref.dealloc %a : memref<16xf32>
  %c = memref.alloc() : memref<8xf64>
  "test.use"(%b, %c) : (memref<16xf32>, memref<8xf64>) -> ()
  memref.dealloc %b : memref<16xf32>
  memref.dealloc %c : memref<8xf64>
  return
}

// All offsets keep the largest alignment.
// CHECK-LABEL: func.func @alignment
// CHECK: {alignment = 64 : i64} : memref<128xi8>
// CHECK: arith.constant 64 : index
func.func @alignment() {
  %a = memref.alloc() : memref<1xf32>
  %b = memref.alloc() {alignment = 64 : i64} : memref<1xf32>
  memref.dealloc %b : memref<1xf32>
  memref.dealloc %a : memref<1xf32>
  return
}

// The branches share; the iteration of a loop lives together with what is around it.
// CHECK-LABEL: func.func @nested
// CHECK-NEXT: memref<128xi8>
func.func @nested(%n: index, %flag: i1) {
  %a = memref.alloc() : memref<16xf32>
  scf.for %i = %n to %n step %n {
    scf.if %flag {
      %b = memref.alloc() : memref<16xf32>
      "test.use"(%a, %b) : (memref<16xf32>, memref<16xf32>) -> ()
      memref.dealloc %b : memref<16xf32>
    } else {
      %c = memref.alloc() : memref<16xf32>
      "test.use"(%a, %c) : (memref<16xf32>, memref<16xf32>) -> ()
      memref.dealloc %c : memref<16xf32>
    }
  }
  memref.dealloc %a : memref<16xf32>
  return
}

// CHECK-LABEL: func.func @freed_in_branches
// CHECK-NEXT: %arena
// CHECK: scf.if
// CHECK-NEXT: "test.use"
// CHECK-NEXT: } else {
// CHECK-NEXT: }
// CHECK-NEXT: memref.dealloc %arena
func.func @freed_in_branches(%flag: i1) {
  %a = memref.alloc() : memref<16xf32>
  scf.if %flag {
    memref.dealloc %a : memref<16xf32>
    "test.use"() : () -> ()
  } else {
    memref.dealloc %a : memref<16xf32>
  }
  return
}

// CHECK-LABEL: func.func @not_planned
// CHECK-NOT: arena
// CHECK: return
func.func @not_planned(%n: index, %flag: i1) -> memref<4xf32> {
  %dynamic = memref.alloc(%n) : memref<?xf32>
  memref.dealloc %dynamic : memref<?xf32>
  %returned = memref.alloc() : memref<4xf32>
  %maybe = memref.alloc() : memref<4xf32>
  scf.if %flag {
    memref.dealloc %maybe : memref<4xf32>
  }
  %space = memref.alloc() : memref<4xf32, 1>
  memref.dealloc %space : memref<4xf32, 1>
  scf.parallel (%i) = (%n) to (%n) step (%n) {
    %each = memref.alloc() : memref<4xf32>
    "test.use"(%each) : (memref<4xf32>) -> ()
    memref.dealloc %each : memref<4xf32>
  }
  return %returned : memref<4xf32>
}

// CHECK-LABEL: func.func @several_returns
// CHECK-COUNT-2: memref.dealloc %arena
func.func @several_returns(%flag: i1) {
  %a = memref.alloc() : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  cf.cond_br %flag, ^one, ^two
^one:
  return
^two:
  return
}
