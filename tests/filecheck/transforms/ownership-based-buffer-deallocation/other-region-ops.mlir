// RUN: xdsl-opt -p ownership-based-buffer-deallocation %s | filecheck %s

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
