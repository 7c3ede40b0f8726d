// RUN: xdsl-opt -t mlir-22 -p memory-stats %s --allow-unregistered-dialect 2>&1 | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p "memory-stats{format=json}" %s --allow-unregistered-dialect 2>&1 | filecheck %s --check-prefix JSON

// CHECK: @straight: 2 allocations, 192 bytes; peak 192 bytes, lower bound 128 bytes
// CHECK-NEXT: @one_of_two: 2 allocations, 192 bytes; peak 128 bytes, lower bound 128 bytes
// CHECK-NEXT: @in_a_loop: 1 allocation, 64 bytes; peak 64 bytes, lower bound 64 bytes
// CHECK-NEXT: @carried: 2 allocations, 128 bytes; peak 128 bytes, lower bound 128 bytes
// CHECK-NEXT: @unknown: 2 allocations (1 of unknown size, 1 never freed), 64 bytes; peak 64 bytes, lower bound 64 bytes
// CHECK-NEXT: @caller: 1 allocation, 64 bytes; peak 192 bytes, lower bound 128 bytes
// CHECK-NEXT: @callee: 2 allocations, 128 bytes; peak 128 bytes, lower bound 128 bytes

// JSON: "name": "straight"
// JSON-NEXT: "allocations": 2
// JSON-NEXT: "dynamic_allocations": 0
// JSON-NEXT: "never_freed": 0
// JSON-NEXT: "total_bytes": 192
// JSON-NEXT: "peak_bytes": 192
// JSON-NEXT: "lower_bound_bytes": 128

func.func @straight() {
  %a = memref.alloc() : memref<16xf32>
  "test.use"(%a) : (memref<16xf32>) -> ()
  %b = memref.alloc() : memref<32xf32>
  "test.use"(%b) : (memref<32xf32>) -> ()
  memref.dealloc %a : memref<16xf32>
  memref.dealloc %b : memref<32xf32>
  return
}

// Only one branch runs; what it returns counts as its larger buffer.
func.func @one_of_two(%flag: i1) {
  %r = scf.if %flag -> (memref<?xf32>) {
    %a = memref.alloc() : memref<16xf32>
    "test.use"(%a) : (memref<16xf32>) -> ()
    %v = memref.cast %a : memref<16xf32> to memref<?xf32>
    scf.yield %v : memref<?xf32>
  } else {
    %b = memref.alloc() : memref<32xf32>
    %v = memref.cast %b : memref<32xf32> to memref<?xf32>
    scf.yield %v : memref<?xf32>
  }
  "test.use"(%r) : (memref<?xf32>) -> ()
  memref.dealloc %r : memref<?xf32>
  return
}

func.func @in_a_loop(%n: index) {
  scf.for %i = %n to %n step %n {
    %a = memref.alloc() : memref<16xf32>
    "test.use"(%a) : (memref<16xf32>) -> ()
    memref.dealloc %a : memref<16xf32>
  }
  return
}

// The buffer of the last iteration and that of this one.
func.func @carried(%n: index) -> memref<16xf32> {
  %a = memref.alloc() : memref<16xf32>
  %r = scf.for %i = %n to %n step %n iter_args(%x = %a) -> (memref<16xf32>) {
    %b = memref.alloc() : memref<16xf32>
    "test.use"(%b, %x) : (memref<16xf32>, memref<16xf32>) -> ()
    memref.dealloc %x : memref<16xf32>
    scf.yield %b : memref<16xf32>
  }
  return %r : memref<16xf32>
}

func.func @unknown(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc() : memref<16xf32>
  "test.use"(%a, %b) : (memref<?xf32>, memref<16xf32>) -> ()
  memref.dealloc %a : memref<?xf32>
  return
}

// With what the callee allocates for a while, and what it returns.
func.func @caller() {
  %a = memref.alloc() : memref<16xf32>
  %b = func.call @callee() : () -> memref<16xf32>
  "test.use"(%a, %b) : (memref<16xf32>, memref<16xf32>) -> ()
  memref.dealloc %a : memref<16xf32>
  memref.dealloc %b : memref<16xf32>
  return
}
func.func @callee() -> memref<16xf32> {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  "test.use"(%a, %b) : (memref<16xf32>, memref<16xf32>) -> ()
  memref.dealloc %a : memref<16xf32>
  return %b : memref<16xf32>
}
