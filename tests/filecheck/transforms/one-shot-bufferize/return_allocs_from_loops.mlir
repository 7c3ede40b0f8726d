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

// Two arguments must not be one buffer, so that the second is a copy.

// CHECK-LABEL: @new_buffer_twice
// CHECK: scf.for
// CHECK-NEXT: %[[NEW:.*]] = memref.alloc
// CHECK-NEXT: linalg.fill
// CHECK-NEXT: %[[COPY:.*]] = memref.alloc
// CHECK-NEXT: memref.copy %[[NEW]], %[[COPY]]
// CHECK-NEXT: %[[FIRST:.*]] = memref.cast %[[NEW]]
// CHECK-NEXT: %[[SECOND:.*]] = memref.cast %[[COPY]]
// CHECK-NEXT: scf.yield %[[FIRST]], %[[SECOND]]
func.func @new_buffer_twice(%t: tensor<4xf32>, %u: tensor<4xf32>, %v: f32, %n: index, %s: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = scf.for %i = %s to %n step %s iter_args(%x = %t, %y = %u) -> (tensor<4xf32>, tensor<4xf32>) {
    %1 = tensor.empty() : tensor<4xf32>
    %2 = linalg.fill ins(%v : f32) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
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

// A constant is made anew in no iteration.

// CHECK-LABEL: @constant
// CHECK: %[[CONSTANT:.*]] = memref.get_global
// CHECK: memref.copy %[[CONSTANT]], %[[COPY:.*]] :
// CHECK-NEXT: %[[CAST:.*]] = memref.cast %[[COPY]]
// CHECK-NEXT: scf.yield %[[CAST]]
func.func @constant(%t: tensor<4xf32>, %n: index, %s: index) -> tensor<4xf32> {
  %0 = scf.for %i = %s to %n step %s iter_args(%x = %t) -> (tensor<4xf32>) {
    %1 = arith.constant dense<1.0> : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// Nor is what a function may know itself, but what another one makes is.

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
