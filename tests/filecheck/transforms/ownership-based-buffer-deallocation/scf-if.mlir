// RUN: xdsl-opt -t mlir-22 -p ownership-based-buffer-deallocation %s | filecheck %s

// Both branches allocate: the result is owned, and no i1 value is needed.

// CHECK-LABEL: func.func @both_allocate
// CHECK:         %r = scf.if %c -> (memref<4xf32>) {
// CHECK:         bufferization.dealloc (%{{.*}} : memref<f32>) if (%{{.*}}){{$}}
// CHECK-NEXT:    func.return
func.func @both_allocate(%c: i1, %arg: memref<4xf32>) {
  %r = scf.if %c -> (memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    %b = memref.alloc() : memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  memref.copy %r, %arg : memref<4xf32> to memref<4xf32>
  return
}

// One branch lends: an i1 value says which it was.

// CHECK-LABEL: func.func @one_allocates
// CHECK-DAG:     %[[TRUE:.*]] = arith.constant true
// CHECK-DAG:     %[[FALSE:.*]] = arith.constant false
// CHECK:         %r, %[[OWN:.*]] = scf.if %c -> (memref<4xf32>, i1) {
// CHECK-NEXT:      scf.yield %a, %[[FALSE]] : memref<4xf32>, i1
// CHECK:           scf.yield %b, %[[TRUE]] : memref<4xf32>, i1
// CHECK:         bufferization.dealloc (%a : memref<4xf32>) if (%[[TRUE]]){{$}}
// CHECK:         bufferization.dealloc (%{{.*}} : memref<f32>) if (%[[OWN]]){{$}}
func.func @one_allocates(%c: i1, %arg: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %r = scf.if %c -> (memref<4xf32>) {
    scf.yield %a : memref<4xf32>
  } else {
    %b = memref.alloc() : memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  memref.copy %r, %arg : memref<4xf32> to memref<4xf32>
  return
}

// Nobody asks who owned it: the result is returned, and owned either way.

// CHECK-LABEL: func.func @returned
// CHECK:         %r = scf.if %c -> (memref<4xf32>) {
// CHECK:         %{{.*}} = bufferization.dealloc (%a : memref<4xf32>) if (%{{.*}}) retain (%r : memref<4xf32>)
// CHECK-NEXT:    func.return %r
func.func @returned(%c: i1) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %r = scf.if %c -> (memref<4xf32>) {
    scf.yield %a : memref<4xf32>
  } else {
    %b = memref.alloc() : memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  return %r : memref<4xf32>
}

// What a branch allocates for itself it frees itself.

// CHECK-LABEL: func.func @no_results
// CHECK:         scf.if %c {
// CHECK:           bufferization.dealloc (%a : memref<4xf32>) if (%{{.*}}){{$}}
// CHECK:         func.return
func.func @no_results(%c: i1, %arg: memref<4xf32>) {
  scf.if %c {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %arg, %a : memref<4xf32> to memref<4xf32>
  }
  return
}
