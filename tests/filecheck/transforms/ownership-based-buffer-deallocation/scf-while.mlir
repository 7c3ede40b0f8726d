// RUN: xdsl-opt -t mlir-22 -p ownership-based-buffer-deallocation %s | filecheck %s

// The memory goes from one region to the other, and out of the loop.

// CHECK-LABEL: func.func @while
// CHECK:         %r = scf.while (%x = %a)
// CHECK-NOT:       bufferization.dealloc
// CHECK:           scf.condition(%c) %x : memref<4xf32>
// CHECK:         ^{{.*}}(%y: memref<4xf32>):
// CHECK:           %[[BASE:.*]], %{{.*}}, %{{.*}}, %{{.*}} = memref.extract_strided_metadata %y
// CHECK-NEXT:      bufferization.dealloc (%[[BASE]] : memref<f32>) if (%{{.*}}){{$}}
// CHECK-NEXT:      scf.yield %b : memref<4xf32>
// CHECK-NOT:     bufferization.dealloc
// CHECK:         func.return %r
func.func private @condition() -> i1
func.func @while() -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %r = scf.while (%x = %a) : (memref<4xf32>) -> memref<4xf32> {
    %c = func.call @condition() : () -> i1
    scf.condition(%c) %x : memref<4xf32>
  } do {
  ^bb0(%y: memref<4xf32>):
    %b = memref.alloc() : memref<4xf32>
    memref.copy %y, %b : memref<4xf32> to memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  return %r : memref<4xf32>
}

// Three lists get the i1 value of a buffer that was lent.

// CHECK-LABEL: func.func @lent
// CHECK:         %r, %[[OWN:.*]] = scf.while (%x = %arg, %[[BEFORE:.*]] = %{{.*}}) : (memref<4xf32>, i1) -> (memref<4xf32>, i1)
// CHECK:           scf.condition(%c) %x, %[[BEFORE]] : memref<4xf32>, i1
// CHECK:         ^{{.*}}(%y: memref<4xf32>, %[[AFTER:.*]]: i1):
// CHECK:           bufferization.dealloc (%{{.*}} : memref<f32>) if (%[[AFTER]])
// CHECK-NEXT:      scf.yield %b, %{{.*}} : memref<4xf32>, i1
// CHECK:         bufferization.dealloc (%{{.*}} : memref<f32>) if (%[[OWN]]){{$}}
func.func @lent(%arg: memref<4xf32>) {
  %r = scf.while (%x = %arg) : (memref<4xf32>) -> memref<4xf32> {
    %c = func.call @condition() : () -> i1
    scf.condition(%c) %x : memref<4xf32>
  } do {
  ^bb0(%y: memref<4xf32>):
    %b = memref.alloc() : memref<4xf32>
    memref.copy %y, %b : memref<4xf32> to memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  memref.copy %r, %arg : memref<4xf32> to memref<4xf32>
  return
}
