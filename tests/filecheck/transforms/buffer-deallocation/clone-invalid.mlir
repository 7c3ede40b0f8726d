// RUN: %custom-opt -p "buffer-deallocation{strategy=clone}" %s --split-input-file --verify-diagnostics --allow-unregistered-dialect | filecheck %s

func.func @frees(%a: memref<4xf32>) {
  // CHECK: "memref.dealloc"(%a)
  // CHECK-NEXT: ^^^^^^^^^^^^
  // CHECK-NEXT: 'memref.dealloc' frees memory that deallocation would free again; remove the op (deallocation inserts what is needed)
  memref.dealloc %a : memref<4xf32>
  return
}

// -----

func.func @replaces() {
  %a = memref.alloc() : memref<4xf32>
  // CHECK: "memref.realloc"(%a)
  // CHECK: 'memref.realloc' frees its operand only if it moves the memory, which cannot be known; run expand-realloc{emit-deallocs=false} before
  %b = memref.realloc %a : memref<4xf32> to memref<8xf32>
  return
}

// -----

func.func @unknown() {
  // CHECK: "test.make"
  // CHECK: returns a buffer and does not say where its memory comes from; attach a model of BufferDeallocationOpInterface to it, or of RegionBranchOpInterface if its regions yield it
  %a = "test.make"() : () -> memref<4xf32>
  return
}

// -----

func.func @region() {
  // CHECK: "test.op"
  // CHECK: passes a buffer to its region and does not say which; attach a model of RegionBranchOpInterface to it
  "test.op"() ({
  ^bb0(%a: memref<4xf32>):
    "test.termop"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @end() {
  "test.op"() ({
    %a = memref.alloc() : memref<4xf32>
    // CHECK: "test.termop"
    // CHECK: ends a region with a buffer, and what becomes of it is not known; attach a model of RegionBranchOpInterface to the op around it
    "test.termop"(%a) : (memref<4xf32>) -> ()
  }) : () -> ()
  return
}

// -----

func.func @unregistered() {
  // CHECK: "somebody.elses"
  // CHECK: 'somebody.elses' is not registered, and what its regions do with buffers is not known; load its dialect
  "somebody.elses"() ({
    %a = memref.alloc() : memref<4xf32>
    "somebody.ends"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @branch() {
  // CHECK: "test.jump"
  // CHECK: leads to other blocks and does not say what it passes to them; attach a model of BranchOpInterface to it
  "test.jump"() [^bb1] : () -> ()
^bb1:
  return
}

// -----

func.func @forwarded_twice(%c: i1) {
  scf.while (%x = %c) : (i1) -> (memref<4xf32>, memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    scf.condition(%x) %a, %a : memref<4xf32>, memref<4xf32>
  } do {
  ^bb0(%y: memref<4xf32>, %z: memref<4xf32>):
    scf.yield %c : i1
  }
  return
}

// CHECK-LABEL: func.func @forwarded_twice
// CHECK: bufferization.clone
// CHECK: bufferization.clone

// -----

func.func @written(%c: i1, %i: index, %x: f32) -> f32 {
  %a = memref.alloc() : memref<4xf32>
  %r = scf.if %c -> (memref<4xf32>) {
    // CHECK: "scf.yield"(%a)
    // CHECK: 'scf.yield' operand 0 would be copied, and the buffer or its copy is written to while both are in use; use strategy=ownership, or write to buffers only before they are passed on
    scf.yield %a : memref<4xf32>
  } else {
    %n = memref.alloc() : memref<4xf32>
    scf.yield %n : memref<4xf32>
  }
  memref.store %x, %r[%i] : memref<4xf32>
  %y = memref.load %a[%i] : memref<4xf32>
  return %y : f32
}

// -----

func.func @reduces_what_is_freed(%o: memref<4xf32>, %zero: index, %n: index, %one: index, %f: f32) {
  %r = scf.parallel (%i) = (%zero) to (%n) step (%one) init (%f) -> f32 {
    %t = memref.alloc() : memref<2xf32>
    %w = memref.subview %t[0] [1] [1] : memref<2xf32> to memref<1xf32>
    scf.reduce(%f : f32) {
    ^bb0(%x: f32, %y: f32):
      // CHECK: "memref.load"(%w, %zero)
      // CHECK: 'memref.load' operand 0 is a buffer that is freed before 'scf.reduce', which runs after the iteration that the buffer belongs to; read the number before and pass it as an operand of 'scf.reduce'
      %u = memref.load %w[%zero] : memref<1xf32>
      %s = arith.addf %x, %u : f32
      scf.reduce.return %s : f32
    }
  }
  memref.store %r, %o[%zero] : memref<4xf32>
  return
}
