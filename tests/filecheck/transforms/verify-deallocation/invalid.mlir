// RUN: xbuf opt -p verify-deallocation --verify-diagnostics --split-input-file %s | filecheck %s

// CHECK: the buffer of 'memref.alloc' at line 7 is used after it was freed at line 9 when %c is true
func.func @use_after_free(%c: i1, %i: index) -> f32 {
  // The other path does not free the buffer, and leaks it.
  // The first fault is the error.
  %0 = memref.alloc() : memref<4xf32>
  scf.if %c {
    memref.dealloc %0 : memref<4xf32>
  }
  %x = memref.load %0[%i] : memref<4xf32>
  return %x : f32
}

// -----

// CHECK: the buffer of 'memref.alloc' at line {{[0-9]+}} is freed twice, first at line {{[0-9]+}} when %c is true
func.func @double_free(%c: i1) {
  %0 = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.dealloc %0 : memref<4xf32>
  cf.br ^bb2
^bb2:
  memref.dealloc %0 : memref<4xf32>
  return
}

// -----

// CHECK: the buffer of 'memref.alloc' at line {{[0-9]+}} is never freed when %c is false and %d is true
func.func @leak(%c: i1, %d: i1) {
  scf.if %d {
    %0 = memref.alloc() : memref<4xf32>
    scf.if %c {
      memref.dealloc %0 : memref<4xf32>
    }
  }
  return
}

// -----

// CHECK: an argument is freed, which the function does not own
func.func @argument(%m: memref<4xf32>) {
  memref.dealloc %m : memref<4xf32>
  return
}

// -----

// CHECK: the buffer of 'memref.alloca' at line {{[0-9]+}} on the stack is freed, which the function does not own
func.func @stack() {
  %0 = memref.alloca() : memref<4xf32>
  memref.dealloc %0 : memref<4xf32>
  return
}

// -----

memref.global "private" @table : memref<4xf32> = dense<1.0>

// CHECK: a global is freed, which the function does not own when %c is true
func.func @global(%c: i1) {
  %0 = memref.alloc() : memref<4xf32>
  %1 = memref.get_global @table : memref<4xf32>
  %2 = arith.select %c, %1, %0 : memref<4xf32>
  memref.dealloc %2 : memref<4xf32>
  return
}

// -----

// CHECK: a view is freed, and not the buffer itself; free the base buffer of 'memref.extract_strided_metadata'
func.func @view() {
  %0 = memref.alloc() : memref<4xf32>
  %1 = memref.subview %0[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  memref.dealloc %1 : memref<2xf32, strided<[1]>>
  return
}

// -----

// A loop passes on a buffer that was freed, and reads it.

// CHECK: the buffer of 'memref.alloc' at line {{[0-9]+}} is used after it was freed at line {{[0-9]+}}
func.func @read_in_a_loop(%n: index, %i: index, %m: memref<4xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  %0:2 = scf.for %j = %i to %n step %n iter_args(%x = %a, %s = %zero) -> (memref<4xf32>, f32) {
    %y = memref.load %x[%i] : memref<4xf32>
    %z = arith.addf %s, %y : f32
    scf.yield %x, %z : memref<4xf32>, f32
  }
  return %0#1 : f32
}

// -----

// CHECK: result 0 is an argument, which the caller would free
func.func @returned_argument(%m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}

// -----

// MLIR's pass of 2023 leaves this: the caller frees one allocation twice.

// CHECK: result 1 is the buffer of 'memref.alloc' at line {{[0-9]+}}, which is another result, too
func.func @returned_twice() -> (memref<2xf32, strided<[1]>>, memref<2xf32, strided<[1], offset: 2>>) {
  %0 = memref.alloc() : memref<4xf32>
  %1 = memref.subview %0[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  %2 = memref.subview %0[2] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 2>>
  return %1, %2 : memref<2xf32, strided<[1]>>, memref<2xf32, strided<[1], offset: 2>>
}

// -----

// CHECK: the buffer of 'memref.alloc' at line {{[0-9]+}} is used after it was freed at line {{[0-9]+}}
func.func @returned_tensor() -> tensor<4xf32> {
  %0 = memref.alloc() : memref<4xf32>
  %1 = bufferization.to_tensor %0 : memref<4xf32> to tensor<4xf32>
  memref.dealloc %0 : memref<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// The buffer that an iteration yields is freed at its end: the next one uses it.

// CHECK: the buffer of 'memref.alloc' at line {{[0-9]+}} is used after it was freed at line {{[0-9]+}} of an earlier iteration
func.func @loop(%n: index, %i: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.alloc() : memref<4xf32>
  %1 = scf.for %j = %c0 to %n step %c1 iter_args(%old = %0) -> (memref<4xf32>) {
    memref.store %x, %old[%i] : memref<4xf32>
    %new = memref.alloc() : memref<4xf32>
    memref.dealloc %old : memref<4xf32>
    memref.dealloc %new : memref<4xf32>
    scf.yield %new : memref<4xf32>
  }
  return
}

// -----

// CHECK: the buffer of 'memref.alloc' at line {{[0-9]+}} is never freed, and cannot be reached after the loop or iteration at line {{[0-9]+}} when %own is false
func.func @lost_in_a_loop(%n: index, %i: index, %own: i1) {
  scf.for %j = %i to %n step %n {
    %new = memref.alloc() : memref<4xf32>
    bufferization.dealloc (%new : memref<4xf32>) if (%own)
  }
  return
}

// -----

// What is freed in the first iteration is freed again in the second.

// CHECK: the buffer of 'memref.alloc' at line {{[0-9]+}} is freed twice, first at line {{[0-9]+}}
func.func @freed_in_each_iteration(%n: index, %i: index) {
  %0 = memref.alloc() : memref<4xf32>
  scf.for %j = %i to %n step %n {
    memref.dealloc %0 : memref<4xf32>
  }
  return
}

// -----

// The indicator of ownership is wrong: it is true of what the argument is.

// CHECK: an argument is freed, which the function does not own when %c is true
func.func @wrong_indicator(%c: i1, %m: memref<4xf32>) {
  %true = arith.constant true
  %0:2 = scf.if %c -> (memref<4xf32>, i1) {
    scf.yield %m, %true : memref<4xf32>, i1
  } else {
    %1 = memref.alloc() : memref<4xf32>
    scf.yield %1, %true : memref<4xf32>, i1
  }
  bufferization.dealloc (%0#0 : memref<4xf32>) if (%0#1)
  return
}

// -----

// A loop with two entries.

// CHECK: the buffer of 'memref.alloc' at line {{[0-9]+}} is freed twice
func.func @two_entries(%c: i1, %d: i1, %e: i1) {
  %0 = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.dealloc %0 : memref<4xf32>
  cf.cond_br %d, ^bb2, ^bb3
^bb2:
  cf.cond_br %e, ^bb1, ^bb2
^bb3:
  return
}

// -----

// CHECK: the buffer of 'memref.alloc' at line {{[0-9]+}} is freed twice, first at line {{[0-9]+}}
func.func @realloc() {
  %0 = memref.alloc() : memref<4xf32>
  %1 = memref.realloc %0 : memref<4xf32> to memref<8xf32>
  memref.dealloc %0 : memref<4xf32>
  memref.dealloc %1 : memref<8xf32>
  return
}

// -----

func.func private @make() -> memref<4xf32>

// CHECK: the buffer of 'func.call' at line {{[0-9]+}} is never freed
func.func @result_of_a_call() {
  %0 = call @make() : () -> memref<4xf32>
  return
}

// -----

// A private function says by a number who owns its result, and the number is wrong.

// CHECK: result 0 is returned as the caller's, and is not when %c is true
func.func private @dynamic(%c: i1, %m: memref<4xf32>) -> (memref<4xf32>, i1) {
  %true = arith.constant true
  %0 = memref.alloc() : memref<4xf32>
  %1 = arith.select %c, %m, %0 : memref<4xf32>
  %2 = bufferization.dealloc (%0 : memref<4xf32>) if (%true) retain (%1 : memref<4xf32>)
  return %1, %true : memref<4xf32>, i1
}

// -----

// A second indicator that is false hides the first: `mlir-opt` writes such helpers.

// CHECK: the buffer of 'memref.alloc' at line {{[0-9]+}} is never freed
func.func @helper_forgets_a_condition() {
  %true = arith.constant true
  %false = arith.constant false
  %0 = memref.alloc() : memref<4xf32>
  %p = memref.extract_aligned_pointer_as_index %0 : memref<4xf32> -> index
  %f:2 = call @helper(%p, %p, %false, %true) : (index, index, i1, i1) -> (i1, i1)
  scf.if %f#0 {
    memref.dealloc %0 : memref<4xf32>
  }
  scf.if %f#1 {
    memref.dealloc %0 : memref<4xf32>
  }
  return
}
func.func private @helper(%p: index, %q: index, %c: i1, %d: i1) -> (i1, i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %pointers = memref.alloca() : memref<2xindex>
  %due = memref.alloca() : memref<2xi1>
  %free = memref.alloca() : memref<2xi1>
  memref.store %p, %pointers[%c0] : memref<2xindex>
  memref.store %q, %pointers[%c1] : memref<2xindex>
  memref.store %c, %due[%c0] : memref<2xi1>
  memref.store %d, %due[%c1] : memref<2xi1>
  scf.for %i = %c0 to %c2 step %c1 {
    %this = memref.load %pointers[%i] : memref<2xindex>
    %first = scf.for %j = %c0 to %i step %c1 iter_args(%so_far = %true) -> (i1) {
      %other = memref.load %pointers[%j] : memref<2xindex>
      %differ = arith.cmpi ne, %other, %this : index
      %and = arith.andi %so_far, %differ : i1
      scf.yield %and : i1
    }
    %is_due = memref.load %due[%i] : memref<2xi1>
    %is_free = arith.andi %first, %is_due : i1
    memref.store %is_free, %free[%i] : memref<2xi1>
  }
  %0 = memref.load %free[%c0] : memref<2xi1>
  %1 = memref.load %free[%c1] : memref<2xi1>
  return %0, %1 : i1, i1
}

// -----

// CHECK: the buffer of 'memref.alloc' at line {{[0-9]+}} is used after it was freed at line {{[0-9]+}}
func.func @after_the_tenth(%m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %c20 = arith.constant 20 : index
  %a = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %c20 step %c1 {
    memref.copy %a, %m : memref<4xf32> to memref<4xf32>
    %is_ten = arith.cmpi eq, %i, %c10 : index
    scf.if %is_ten {
      memref.dealloc %a : memref<4xf32>
    }
  }
  return
}

// -----

// There may be fewer iterations.

// CHECK: the buffer of 'memref.alloc' at line {{[0-9]+}} is never freed
func.func @perhaps_no_tenth(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %a = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %is_ten = arith.cmpi eq, %i, %c10 : index
    scf.if %is_ten {
      memref.dealloc %a : memref<4xf32>
    }
  }
  return
}
