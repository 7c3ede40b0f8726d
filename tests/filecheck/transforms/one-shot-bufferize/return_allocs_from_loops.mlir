// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true allow-return-allocs-from-loops=true}' %s | filecheck %s

// Every iteration yields a new buffer; init and yield meet in a layout that fits both.

// CHECK-LABEL: @new_buffer_each_time
// CHECK: scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (memref<4xf32, strided<[?], offset: ?>>) {
// CHECK: %[[NEW:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT: linalg.fill
// CHECK-NEXT: %[[CAST:.*]] = memref.cast %[[NEW]]
// CHECK-NEXT: scf.yield %[[CAST]] : memref<4xf32, strided<[?], offset: ?>>
func.func @new_buffer_each_time(%t: tensor<4xf32>, %v: f32, %n: index, %s: index) -> tensor<4xf32> {
  %0 = scf.for %i = %s to %n step %s iter_args(%c = %t) -> (tensor<4xf32>) {
    %1 = tensor.empty() : tensor<4xf32>
    %2 = linalg.fill ins(%v : f32) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// Two arguments may be one buffer, if neither is written.

// CHECK-LABEL: @new_buffer_twice
// CHECK: scf.for
// CHECK-NEXT: %[[NEW:.*]] = memref.alloc
// CHECK-NEXT: linalg.fill
// CHECK-NEXT: %[[FIRST:.*]] = memref.cast %[[NEW]]
// CHECK-NEXT: %[[SECOND:.*]] = memref.cast %[[NEW]]
// CHECK-NEXT: scf.yield %[[FIRST]], %[[SECOND]]
func.func @new_buffer_twice(%t: tensor<4xf32>, %u: tensor<4xf32>, %v: f32, %n: index, %s: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = scf.for %i = %s to %n step %s iter_args(%x = %t, %y = %u) -> (tensor<4xf32>, tensor<4xf32>) {
    %1 = tensor.empty() : tensor<4xf32>
    %2 = linalg.fill ins(%v : f32) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %2, %2 : tensor<4xf32>, tensor<4xf32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// The second is a copy, if the other argument is written before it is read.

// CHECK-LABEL: @new_buffer_twice_but_written
// CHECK: scf.for
// CHECK: memref.store
// CHECK: %[[NEW:.*]] = memref.alloc
// CHECK-NEXT: linalg.fill
// CHECK-NEXT: %[[COPY:.*]] = memref.alloc
// CHECK-NEXT: memref.copy %[[NEW]], %[[COPY]]
// CHECK-NEXT: %[[FIRST:.*]] = memref.cast %[[NEW]]
// CHECK-NEXT: %[[SECOND:.*]] = memref.cast %[[COPY]]
// CHECK-NEXT: scf.yield %[[FIRST]], %[[SECOND]]
func.func @new_buffer_twice_but_written(%t: tensor<4xf32>, %u: tensor<4xf32>, %v: f32, %n: index, %s: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = scf.for %i = %s to %n step %s iter_args(%x = %t, %y = %u) -> (tensor<4xf32>, tensor<4xf32>) {
    %written = tensor.insert %v into %x[%s] : tensor<4xf32>
    %a = tensor.extract %written[%i] : tensor<4xf32>
    %b = tensor.extract %y[%i] : tensor<4xf32>
    %sum = arith.addf %a, %b : f32
    %1 = tensor.empty() : tensor<4xf32>
    %2 = linalg.fill ins(%sum : f32) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %2, %2 : tensor<4xf32>, tensor<4xf32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// The same if one result is written before the other one is read.

// CHECK-LABEL: @new_buffer_twice_but_one_result_written
// CHECK: scf.for
// CHECK: memref.copy
// CHECK: scf.yield
// CHECK: memref.store
func.func @new_buffer_twice_but_one_result_written(%t: tensor<4xf32>, %u: tensor<4xf32>, %v: f32, %n: index, %s: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = scf.for %i = %s to %n step %s iter_args(%x = %t, %y = %u) -> (tensor<4xf32>, tensor<4xf32>) {
    %1 = tensor.empty() : tensor<4xf32>
    %2 = linalg.fill ins(%v : f32) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %2, %2 : tensor<4xf32>, tensor<4xf32>
  }
  %3 = tensor.insert %v into %0#0[%n] : tensor<4xf32>
  return %3, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// Results that may be one buffer are passed on as one by the loop around as well.

// CHECK-LABEL: @new_buffer_twice_in_two_loops
// CHECK-NOT: memref.copy
// CHECK: scf.yield
// CHECK: scf.yield
func.func @new_buffer_twice_in_two_loops(%t: tensor<4xf32>, %u: tensor<4xf32>, %v: f32, %n: index, %s: index) -> (f32, f32) {
  %0:2 = scf.for %i = %s to %n step %s iter_args(%x = %t, %y = %u) -> (tensor<4xf32>, tensor<4xf32>) {
    %1 = tensor.splat %v : tensor<4xf32>
    %2 = tensor.splat %v : tensor<4xf32>
    %3:2 = scf.for %j = %s to %n step %s iter_args(%p = %1, %q = %2) -> (tensor<4xf32>, tensor<4xf32>) {
      %4 = tensor.splat %v : tensor<4xf32>
      scf.yield %4, %4 : tensor<4xf32>, tensor<4xf32>
    }
    scf.yield %3#0, %3#1 : tensor<4xf32>, tensor<4xf32>
  }
  %a = tensor.extract %0#0[%s] : tensor<4xf32>
  %b = tensor.extract %0#1[%s] : tensor<4xf32>
  return %a, %b : f32, f32
}

// If a value must be copied for one argument, another one may get its buffer.

// CHECK-LABEL: @argument_or_new_buffer
// CHECK: memref.copy
// CHECK-NOT: memref.copy
// CHECK: scf.yield
// CHECK: return
func.func @argument_or_new_buffer(%t: tensor<4xf32>, %u: tensor<4xf32>, %v: f32, %p: i1, %n: index, %s: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = scf.for %i = %s to %n step %s iter_args(%x = %t, %y = %u) -> (tensor<4xf32>, tensor<4xf32>) {
    %1 = tensor.splat %v : tensor<4xf32>
    %2 = arith.select %p, %1, %y : tensor<4xf32>
    scf.yield %2, %2 : tensor<4xf32>, tensor<4xf32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// A buffer that is there before the loop is copied.

// CHECK-LABEL: @buffer_from_outside
// CHECK: memref.copy %u, %[[COPY:.*]] :
// CHECK-NEXT: %[[CAST:.*]] = memref.cast %[[COPY]]
// CHECK-NEXT: scf.yield %[[CAST]]
func.func @buffer_from_outside(%t: tensor<4xf32>, %u: tensor<4xf32>, %n: index, %s: index) -> tensor<4xf32> {
  %0 = scf.for %i = %s to %n step %s iter_args(%x = %t) -> (tensor<4xf32>) {
    scf.yield %u : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// A constant is passed on as it is, if nobody writes to what gets it.

// CHECK-LABEL: @constant
// CHECK: %[[CONSTANT:.*]] = memref.get_global
// CHECK-NEXT: %[[CAST:.*]] = memref.cast %[[CONSTANT]]
// CHECK-NEXT: scf.yield %[[CAST]]
func.func @constant(%t: tensor<4xf32>, %n: index, %s: index) -> tensor<4xf32> {
  %0 = scf.for %i = %s to %n step %s iter_args(%x = %t) -> (tensor<4xf32>) {
    %1 = arith.constant dense<1.0> : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @constant_but_argument_written
// CHECK: memref.store
// CHECK: memref.copy
// CHECK: scf.yield
func.func @constant_but_argument_written(%t: tensor<4xf32>, %v: f32, %n: index, %s: index) -> f32 {
  %0, %r = scf.for %i = %s to %n step %s iter_args(%x = %t, %sum = %v) -> (tensor<4xf32>, f32) {
    %w = tensor.insert %sum into %x[%s] : tensor<4xf32>
    %e = tensor.extract %w[%i] : tensor<4xf32>
    %1 = arith.constant dense<1.0> : tensor<4xf32>
    scf.yield %1, %e : tensor<4xf32>, f32
  }
  return %r : f32
}

// CHECK-LABEL: @constant_but_result_written
// CHECK: memref.copy
// CHECK: scf.yield
// CHECK: memref.store
func.func @constant_but_result_written(%t: tensor<4xf32>, %v: f32, %n: index, %s: index) -> tensor<4xf32> {
  %0 = scf.for %i = %s to %n step %s iter_args(%x = %t) -> (tensor<4xf32>) {
    %1 = arith.constant dense<1.0> : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  %2 = tensor.insert %v into %0[%s] : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// A loop inside that leaves its init as it is does not count as a write.

// CHECK-LABEL: @constant_in_two_loops
// CHECK-NOT: memref.copy
// CHECK: scf.yield
// CHECK: scf.yield
func.func @constant_in_two_loops(%t: tensor<4xf32>, %v: f32, %n: index, %s: index) -> f32 {
  %0 = scf.for %i = %s to %n step %s iter_args(%x = %t) -> (tensor<4xf32>) {
    %1 = scf.for %j = %s to %n step %s iter_args(%y = %x) -> (tensor<4xf32>) {
      %2 = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
      scf.yield %2 : tensor<4xf32>
    }
    scf.yield %1 : tensor<4xf32>
  }
  %3 = tensor.extract %0[%s] : tensor<4xf32>
  return %3 : f32
}

// A result that may be a constant is copied by a caller that writes to it.

func.func private @known_after_a_loop(%t: tensor<4xf32>, %n: index, %s: index) -> tensor<4xf32> {
  %0 = scf.for %i = %s to %n step %s iter_args(%x = %t) -> (tensor<4xf32>) {
    %1 = arith.constant dense<1.0> : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @writes_to_a_result
// CHECK: func.call @known_after_a_loop
// CHECK: memref.copy
// CHECK: memref.store
func.func @writes_to_a_result(%t: tensor<4xf32>, %v: f32, %n: index, %s: index) -> tensor<4xf32> {
  %0 = func.call @known_after_a_loop(%t, %n, %s) : (tensor<4xf32>, index, index) -> tensor<4xf32>
  %1 = tensor.insert %v into %0[%s] : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// What a function without a body returns is copied, and what another one makes is not.

func.func private @known() -> tensor<4xf32>
func.func private @made(%v: f32) -> tensor<4xf32> {
  %0 = tensor.splat %v : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @results_of_calls
// CHECK: %[[KNOWN:.*]] = func.call @known
// CHECK: %[[MADE:.*]] = func.call @made
// CHECK-NOT: memref.copy %[[MADE]]
// CHECK: memref.copy %[[KNOWN]], %{{.*}}
// CHECK: scf.yield
func.func @results_of_calls(%t: tensor<4xf32>, %u: tensor<4xf32>, %v: f32, %n: index, %s: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = scf.for %i = %s to %n step %s iter_args(%x = %t, %y = %u) -> (tensor<4xf32>, tensor<4xf32>) {
    %1 = func.call @known() : () -> tensor<4xf32>
    %2 = func.call @made(%v) : (f32) -> tensor<4xf32>
    scf.yield %1, %2 : tensor<4xf32>, tensor<4xf32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// Buffers that change places are not copied.

// CHECK-LABEL: @swap
// CHECK: scf.for %{{.*}} iter_args(%[[X:.*]] = %{{.*}}, %[[Y:.*]] = %{{.*}}) -> (memref<4xf32, strided<[?], offset: ?>>, memref<4xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT: scf.yield %[[Y]], %[[X]]
func.func @swap(%a: tensor<4xf32>, %b: tensor<4xf32>, %n: index, %s: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = scf.for %i = %s to %n step %s iter_args(%x = %a, %y = %b) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %y, %x : tensor<4xf32>, tensor<4xf32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// A buffer of the program's own that is made in the iteration is as new as one of ours.

// CHECK-LABEL: @own_alloc
// CHECK: %[[OWN:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT: linalg.fill {{.*}} outs(%[[OWN]]
// CHECK-NEXT: %[[CAST:.*]] = memref.cast %[[OWN]]
// CHECK-NEXT: scf.yield %[[CAST]]
func.func @own_alloc(%t: tensor<4xf32>, %v: f32, %n: index, %s: index) -> tensor<4xf32> {
  %0 = scf.for %i = %s to %n step %s iter_args(%x = %t) -> (tensor<4xf32>) {
    %m = memref.alloc() : memref<4xf32>
    %1 = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
    %2 = linalg.fill ins(%v : f32) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// One that was allocated before is the same in each iteration.

// CHECK-LABEL: @own_alloc_outside
// CHECK: %[[OWN:.*]] = memref.alloc() : memref<4xf32>
// CHECK: scf.for
// CHECK-NEXT: linalg.fill {{.*}} outs(%[[OWN]]
// CHECK-NEXT: memref.alloc
// CHECK-NEXT: memref.copy %[[OWN]]
func.func @own_alloc_outside(%t: tensor<4xf32>, %v: f32, %n: index, %s: index) -> tensor<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  %0 = scf.for %i = %s to %n step %s iter_args(%x = %t) -> (tensor<4xf32>) {
    %1 = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
    %2 = linalg.fill ins(%v : f32) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// What nobody may write is passed on only if the next iteration does not write it either.

// CHECK-LABEL: @read_only
// CHECK: %[[OWN:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT: %[[CAST:.*]] = memref.cast %[[OWN]]
// CHECK-NEXT: scf.yield %[[CAST]]
func.func @read_only(%t: tensor<4xf32>, %n: index, %s: index) -> (tensor<4xf32>, f32) {
  %c = arith.constant 0.0 : f32
  %0, %1 = scf.for %i = %s to %n step %s iter_args(%x = %t, %y = %c) -> (tensor<4xf32>, f32) {
    %read = tensor.extract %x[%s] : tensor<4xf32>
    %m = memref.alloc() : memref<4xf32>
    %2 = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
    scf.yield %2, %read : tensor<4xf32>, f32
  }
  return %0, %1 : tensor<4xf32>, f32
}

// CHECK-LABEL: @read_only_but_written
// CHECK: memref.store
// CHECK: %[[OWN:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT: %[[COPY:.*]] = memref.alloc
// CHECK-NEXT: memref.copy %[[OWN]], %[[COPY]]
func.func @read_only_but_written(%t: tensor<4xf32>, %v: f32, %n: index, %s: index) -> tensor<4xf32> {
  %0 = scf.for %i = %s to %n step %s iter_args(%x = %t) -> (tensor<4xf32>) {
    %1 = tensor.insert %v into %x[%s] : tensor<4xf32>
    %m = memref.alloc() : memref<4xf32>
    %2 = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @read_only_but_written_by_another_loop
// CHECK: memref.store
// CHECK: %[[OWN:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT: %[[COPY:.*]] = memref.alloc
// CHECK-NEXT: memref.copy %[[OWN]], %[[COPY]]
func.func @read_only_but_written_by_another_loop(%t: tensor<4xf32>, %v: f32, %n: index, %s: index) -> tensor<4xf32> {
  %0 = scf.for %i = %s to %n step %s iter_args(%x = %t) -> (tensor<4xf32>) {
    %1 = scf.for %j = %s to %n step %s iter_args(%y = %x) -> (tensor<4xf32>) {
      %3 = tensor.insert %v into %y[%j] : tensor<4xf32>
      scf.yield %3 : tensor<4xf32>
    }
    %m = memref.alloc() : memref<4xf32>
    %2 = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
