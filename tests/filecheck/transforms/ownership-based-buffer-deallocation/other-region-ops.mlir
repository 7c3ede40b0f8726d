// RUN: xdsl-opt -t mlir-22 -p ownership-based-buffer-deallocation %s | filecheck %s

// Any op that answers RegionBranchOpInterface is handled.

// CHECK-LABEL: func.func @execute_region
// CHECK:         %r = scf.execute_region -> {{.*}} {
// CHECK:           bufferization.dealloc (%b : memref<4xf32>) if (%{{.*}}){{$}}
// CHECK-NEXT:      scf.yield %a : memref<4xf32>
// CHECK:         bufferization.dealloc (%{{.*}} : memref<f32>) if (%{{.*}}){{$}}
// CHECK-NEXT:    func.return
func.func @execute_region() {
  %r = scf.execute_region -> (memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    %b = memref.alloc() : memref<4xf32>
    scf.yield %a : memref<4xf32>
  }
  return
}

// CHECK-LABEL: func.func @index_switch
// CHECK-DAG:     %[[TRUE:.*]] = arith.constant true
// CHECK-DAG:     %[[FALSE:.*]] = arith.constant false
// CHECK:         %r, %[[OWN:.*]] = scf.index_switch %i -> memref<4xf32>, i1
// CHECK:           scf.yield %a, %[[TRUE]] : memref<4xf32>, i1
// CHECK:           scf.yield %arg, %[[FALSE]] : memref<4xf32>, i1
// CHECK:         bufferization.dealloc (%{{.*}} : memref<f32>) if (%[[OWN]]){{$}}
func.func @index_switch(%i: index, %arg: memref<4xf32>) {
  %r = "scf.index_switch"(%i) <{cases = array<i64: 1>}> ({
    scf.yield %arg : memref<4xf32>
  }, {
    %a = memref.alloc() : memref<4xf32>
    scf.yield %a : memref<4xf32>
  }) : (index) -> memref<4xf32>
  return
}

// An alloc leaves its branch in two cases: freed there, or by the op that gets it.

// CHECK-LABEL: func.func @affine_if
// CHECK-DAG:     %[[TRUE:.*]] = arith.constant true
// CHECK-DAG:     %[[FALSE:.*]] = arith.constant false
// CHECK:         %r, %[[OWN:.*]] = affine.if {{.*}} -> (memref<4xf32>, i1) {
// CHECK:           bufferization.dealloc (%b : memref<4xf32>) if (%[[TRUE]]){{$}}
// CHECK-NEXT:      affine.yield %a, %[[TRUE]] : memref<4xf32>, i1
// CHECK-NEXT:    } else {
// CHECK-NEXT:      affine.yield %arg, %[[FALSE]] : memref<4xf32>, i1
// CHECK:         bufferization.dealloc (%{{.*}} : memref<f32>) if (%[[OWN]]){{$}}
// CHECK-NEXT:    func.return
func.func @affine_if(%n: index, %arg: memref<4xf32>) {
  %r = affine.if affine_set<(d0) : (d0 - 2 >= 0)>(%n) -> (memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    %b = memref.alloc() : memref<4xf32>
    affine.yield %a : memref<4xf32>
  } else {
    affine.yield %arg : memref<4xf32>
  }
  return
}

// The operands of the loop come in segments, of which the last one grows.

// CHECK-LABEL: func.func @affine_for
// CHECK:         %r, %[[OWN:.*]] = affine.for %i = 0 to 10 iter_args(%x = %arg, %[[OLD:.*]] = %{{.*}}) -> (memref<4xf32>, i1) {
// CHECK:           bufferization.dealloc (%{{.*}} : memref<f32>) if (%[[OLD]]){{$}}
// CHECK-NEXT:      affine.yield %a, %{{.*}} : memref<4xf32>, i1
// CHECK:         bufferization.dealloc (%{{.*}} : memref<f32>) if (%[[OWN]]){{$}}
func.func @affine_for(%arg: memref<4xf32>) {
  %r = affine.for %i = 0 to 10 iter_args(%x = %arg) -> (memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    affine.yield %a : memref<4xf32>
  }
  return
}

// CHECK-LABEL: func.func @affine_parallel
// CHECK:         affine.parallel
// CHECK:           memref.copy
// CHECK-NEXT:      bufferization.dealloc (%a : memref<4xf32>) if (%{{.*}}){{$}}
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
func.func @affine_parallel(%arg: memref<4xf32>) {
  affine.parallel (%i) = (0) to (10) {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %arg, %a : memref<4xf32> to memref<4xf32>
  }
  return
}
