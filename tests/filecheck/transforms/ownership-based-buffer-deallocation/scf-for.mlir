// RUN: xdsl-opt -t mlir-22 -p ownership-based-buffer-deallocation %s | filecheck %s

// A loop that hands one buffer around has nothing to do with its memory.

// CHECK-LABEL: func.func @same_buffer
// CHECK:         %r = scf.for {{.*}} iter_args(%x = %a) -> (memref<4xf32>) {
// CHECK-NOT:     bufferization.dealloc
// CHECK:         func.return %r
func.func @same_buffer(%n: index, %zero: index, %one: index, %f: f32) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %r = scf.for %i = %zero to %n step %one iter_args(%x = %a) -> (memref<4xf32>) {
    memref.store %f, %x[%i] : memref<4xf32>
    scf.yield %x : memref<4xf32>
  }
  return %r : memref<4xf32>
}

// A loop takes over a buffer that is not used afterwards, and frees each but the last.

// CHECK-LABEL: func.func @moved
// CHECK:         %r = scf.for {{.*}} iter_args(%x = %a) -> (memref<4xf32>) {
// CHECK:           %[[BASE:.*]], %{{.*}}, %{{.*}}, %{{.*}} = memref.extract_strided_metadata %x
// CHECK-NEXT:      bufferization.dealloc (%[[BASE]] : memref<f32>) if (%{{.*}}){{$}}
// CHECK-NEXT:      scf.yield %b : memref<4xf32>
// CHECK-NOT:     bufferization.dealloc
// CHECK:         func.return %r
func.func @moved(%n: index, %zero: index, %one: index) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %r = scf.for %i = %zero to %n step %one iter_args(%x = %a) -> (memref<4xf32>) {
    %b = memref.alloc() : memref<4xf32>
    memref.copy %x, %b : memref<4xf32> to memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  return %r : memref<4xf32>
}

// A buffer that is used afterwards is lent. Then an i1 value tells it from the others.

// CHECK-LABEL: func.func @lent
// CHECK-DAG:     %[[TRUE:.*]] = arith.constant true
// CHECK-DAG:     %[[FALSE:.*]] = arith.constant false
// CHECK:         %r, %[[OWN:.*]] = scf.for {{.*}} iter_args(%x = %a, %[[ARG:.*]] = %[[FALSE]]) -> (memref<4xf32>, i1) {
// CHECK:           bufferization.dealloc (%{{.*}} : memref<f32>) if (%[[ARG]]){{$}}
// CHECK-NEXT:      scf.yield %b, %[[TRUE]] : memref<4xf32>, i1
// CHECK:         bufferization.dealloc (%a : memref<4xf32>) if (%[[TRUE]]){{$}}
// CHECK:         bufferization.dealloc (%{{.*}} : memref<f32>) if (%[[OWN]]){{$}}
// CHECK-NEXT:    func.return
func.func @lent(%n: index, %zero: index, %one: index, %arg: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %r = scf.for %i = %zero to %n step %one iter_args(%x = %a) -> (memref<4xf32>) {
    %b = memref.alloc() : memref<4xf32>
    memref.copy %x, %b : memref<4xf32> to memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  memref.copy %r, %arg : memref<4xf32> to memref<4xf32>
  memref.copy %a, %arg : memref<4xf32> to memref<4xf32>
  return
}

// Two buffers that change places belong to the function.

// CHECK-LABEL: func.func @swapped
// CHECK:         scf.for {{.*}} iter_args(%x = %a, %y = %b) -> (memref<4xf32>, memref<4xf32>) {
// CHECK:           scf.yield %y, %x : memref<4xf32>, memref<4xf32>
// CHECK:         bufferization.dealloc (%a : memref<4xf32>) if (%{{.*}}){{$}}
// CHECK-NEXT:    bufferization.dealloc (%b : memref<4xf32>) if (%{{.*}}){{$}}
// CHECK-NEXT:    func.return
func.func @swapped(%n: index, %zero: index, %one: index, %arg: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%x = %a, %y = %b) -> (memref<4xf32>, memref<4xf32>) {
    memref.copy %x, %y : memref<4xf32> to memref<4xf32>
    scf.yield %y, %x : memref<4xf32>, memref<4xf32>
  }
  memref.copy %r#0, %arg : memref<4xf32> to memref<4xf32>
  return
}

// Of two views of one allocation, the first yielded owns it.

// CHECK-LABEL: func.func @yielded_twice
// CHECK:         scf.for {{.*}} iter_args(%x = %a, %y = %b, %[[ARG:.*]] = %{{.*}}) -> (memref<4xf32>, memref<4xf32>, i1) {
// CHECK:           bufferization.dealloc (%{{.*}} : memref<f32>) if (%[[ARG]]){{$}}
// CHECK-NEXT:      scf.yield %c, %c, %{{.*}} : memref<4xf32>, memref<4xf32>, i1
func.func @yielded_twice(%n: index, %zero: index, %one: index, %a: memref<4xf32>, %b: memref<4xf32>) {
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%x = %a, %y = %b) -> (memref<4xf32>, memref<4xf32>) {
    %c = memref.alloc() : memref<4xf32>
    scf.yield %c, %c : memref<4xf32>, memref<4xf32>
  }
  return
}
