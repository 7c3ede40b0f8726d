// RUN: xbuf opt -p ownership-based-buffer-deallocation %s --split-input-file --verify-diagnostics | filecheck %s

func.func @frees(%a: memref<4xf32>) {
  // CHECK: "memref.dealloc"(%a)
  // CHECK-NEXT: ^^^^^^^^^^^^
  // CHECK-NEXT: 'memref.dealloc' frees memory that deallocation would free again; remove the op (deallocation inserts what is needed)
  memref.dealloc %a : memref<4xf32>
  return
}

// -----

func.func @frees_what_has_an_owner() {
  // CHECK: "memref.dealloc"(%0)
  // CHECK: 'memref.dealloc' may free a buffer that deallocation frees as well; mark the allocation by bufferization.manual_deallocation, too, or remove the op
  %0 = memref.alloc() : memref<4xf32>
  memref.dealloc %0 {bufferization.manual_deallocation} : memref<4xf32>
  return
}

// -----

func.func @branches(%a: memref<4xf32>) {
  // CHECK: "test.termop"
  // CHECK: 'test.termop' leads to other blocks and does not say what it passes to them; attach a model of BranchOpInterface to it
  "test.termop"() [^bb1] : () -> ()
^bb1:
  return
}

// -----

func.func @unknown() {
  // CHECK: "test.op"
  // CHECK: returns a buffer and does not say where its memory comes from; attach a model of BufferDeallocationOpInterface to it, or of RegionBranchOpInterface if its regions yield it
  %a = "test.op"() : () -> memref<4xf32>
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

func.func @moved_pointer(%c: i1, %i: index) -> memref<4xf32> {
  %a = memref.alloc() : memref<64xi8>
  %b = memref.alloc() : memref<64xi8>
  // CHECK: "memref.view"
  // CHECK: 'memref.view' hides from which allocation its result is, and the result is passed on where that matters; pass its source on and take the view afterwards
  %v = memref.view %a[%i][] : memref<64xi8> to memref<4xf32>
  %w = memref.view %b[%i][] : memref<64xi8> to memref<4xf32>
  %s = arith.select %c, %v, %w : memref<4xf32>
  return %s : memref<4xf32>
}

// -----

func.func @moves_memory(%n: index) {
  %a = memref.alloc() : memref<2xf32>
  // CHECK: "memref.realloc"
  // CHECK: 'memref.realloc' frees its operand only if it moves the memory, which cannot be known; run expand-realloc{emit-deallocs=false} before
  %b = memref.realloc %a : memref<2xf32> to memref<4xf32>
  return
}

// -----

func.func @ends_for_no_known_purpose() {
  "test.op"() ({
    %a = memref.alloc() : memref<4xf32>
    // CHECK: "test.termop"
    // CHECK: operand 0 is a buffer of the region that ends here, and what becomes of it is not known; attach a model of RegionBranchOpInterface to the op around it
    "test.termop"(%a) : (memref<4xf32>) -> ()
  }) : () -> ()
  return
}

// -----

func.func @stored_on_some_paths(%c: i1, %table: memref<memref<4xf32>>) {
  %a = memref.alloc() : memref<4xf32>
  scf.if %c {
    // CHECK: memref.store
    // CHECK: 'memref.store' makes operand 0 reachable by other means than memrefs, and only on some of the paths to where that buffer is freed; do it in the block that defines the buffer, or with a bufferization.clone of the buffer
    memref.store %a, %table[] : memref<memref<4xf32>>
  }
  return
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
