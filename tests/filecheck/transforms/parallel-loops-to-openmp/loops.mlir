// RUN: xdsl-opt -t mlir-22 -p parallel-loops-to-openmp %s | filecheck %s

// CHECK-LABEL: func.func @forall(
// CHECK:       "omp.parallel"
// CHECK:       "omp.wsloop"
// CHECK:       "omp.loop_nest"(%{{.*}}, %{{.*}}, %{{.*}}, %n, %{{.*}}, %{{.*}}) ({
// CHECK-NEXT:  ^bb0(%i: index, %j: index):
// CHECK-NEXT:    memref.alloca_scope
// CHECK-NEXT:      memref.store %x, %m[%i, %j] : memref<8x?xf32>
func.func @forall(%m: memref<8x?xf32>, %n: index, %x: f32) {
  scf.forall (%i, %j) in (8, %n) {
    memref.store %x, %m[%i, %j] : memref<8x?xf32>
  }
  return
}

// Of nested loops the outermost is shared out.
// CHECK-LABEL: func.func @nested(
// CHECK:       "omp.loop_nest"
// CHECK-NOT:   omp.loop_nest
// CHECK:       scf.parallel
func.func @nested(%m: memref<8x?xf32>, %n: index, %x: f32) {
  scf.forall (%i) in (8) {
    scf.forall (%j) in (%n) {
      memref.store %x, %m[%i, %j] : memref<8x?xf32>
    }
  }
  return
}

// So are the blocks of a reduction.
// CHECK-LABEL: func.func @reduction(
// CHECK:       memref.alloca() : memref<256xf32>
// CHECK:       "omp.loop_nest"
// CHECK:       scf.for
// CHECK:       scf.for
func.func @reduction(%m: memref<?xf32>, %n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%x) -> f32 {
    %y = memref.load %m[%i] : memref<?xf32>
    scf.reduce(%y : f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      scf.reduce.return %s : f32
    }
  }
  return %r : f32
}
