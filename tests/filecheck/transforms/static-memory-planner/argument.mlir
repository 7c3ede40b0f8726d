// RUN: xdsl-opt -t mlir-22 -p "static-memory-planner{arena=argument}" %s --allow-unregistered-dialect | filecheck %s

// The caller's arena has room for that of the callee, next to what lives meanwhile.
// CHECK-LABEL: func.func @caller
// CHECK-SAME: (%n: index, %arena: memref<128xi8>) attributes {arena_bytes = 128 : i64, arena_alignment = 16 : i64}
// CHECK: %a = memref.view %arena
// CHECK: %[[INNER:.*]] = memref.view %arena{{.*}} : memref<128xi8> to memref<64xi8>
// CHECK-NEXT: func.call @callee(%a, %[[INNER]]) : (memref<16xf32>, memref<64xi8>) -> ()
// CHECK-NEXT: return
func.func @caller(%n: index) {
  %a = memref.alloc() : memref<16xf32>
  func.call @callee(%a) : (memref<16xf32>) -> ()
  memref.dealloc %a : memref<16xf32>
  return
}

// CHECK-LABEL: func.func @callee
// CHECK-SAME: (%x: memref<16xf32>, %arena: memref<64xi8>) attributes {arena_bytes = 64 : i64, arena_alignment = 16 : i64}
func.func @callee(%x: memref<16xf32>) {
  %b = memref.alloc() : memref<16xf32>
  "test.use"(%b, %x) : (memref<16xf32>, memref<16xf32>) -> ()
  memref.dealloc %b : memref<16xf32>
  return
}

// Calls that may run at the same time get arenas of their own.
// CHECK-LABEL: func.func @parallel
// CHECK: scf.parallel
// CHECK-NEXT: %[[OWN:.*]] = memref.alloc() {alignment = 16 : i64} : memref<64xi8>
// CHECK-NEXT: func.call @callee(%x, %[[OWN]])
// CHECK-NEXT: memref.dealloc %[[OWN]]
func.func @parallel(%n: index, %x: memref<16xf32>) {
  scf.parallel (%i) = (%n) to (%n) step (%n) {
    func.call @callee(%x) : (memref<16xf32>) -> ()
  }
  return
}

// A recursive function cannot have room for itself.
// CHECK-LABEL: func.func @recursive()
// CHECK-NEXT: memref.alloc()
func.func @recursive() {
  %a = memref.alloc() : memref<16xf32>
  func.call @recursive() : () -> ()
  memref.dealloc %a : memref<16xf32>
  return
}
