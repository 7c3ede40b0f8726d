// RUN: xdsl-opt -t mlir-22 -p split-parallel-reductions %s | filecheck %s

// A loop without a reduction.
// CHECK-LABEL: func.func @no_reduction(
// CHECK-NOT:   memref.alloca
// CHECK:       scf.parallel (%i) = (%n) to (%n) step (%n) {
func.func @no_reduction(%n: index) {
  scf.parallel (%i) = (%n) to (%n) step (%n) {
    scf.reduce
  }
  return
}

// The iterations of a loop in another one run on one thread.
// CHECK-LABEL: func.func @inner(
// CHECK-NOT:   memref.alloca
// CHECK:       scf.parallel (%j) = (%n) to (%n) step (%n) init (%x) -> f32 {
func.func @inner(%n: index, %x: f32) {
  scf.parallel (%i) = (%n) to (%n) step (%n) {
    %r = scf.parallel (%j) = (%n) to (%n) step (%n) init (%x) -> f32 {
      scf.reduce(%x : f32) {
      ^bb0(%a: f32, %b: f32):
        scf.reduce.return %b : f32
      }
    }
    scf.reduce
  }
  return
}

// There are no buffers of such values.
// CHECK-LABEL: func.func @buffers(
// CHECK-NOT:   memref.alloca
// CHECK:       scf.parallel (%i) = (%n) to (%n) step (%n) init (%m) -> memref<4xf32> {
func.func @buffers(%n: index, %m: memref<4xf32>) -> memref<4xf32> {
  %r = scf.parallel (%i) = (%n) to (%n) step (%n) init (%m) -> memref<4xf32> {
    scf.reduce(%m : memref<4xf32>) {
    ^bb0(%a: memref<4xf32>, %b: memref<4xf32>):
      scf.reduce.return %a : memref<4xf32>
    }
  }
  return %r : memref<4xf32>
}

// What is combined depends on the iteration: blocks cannot be combined with each other.
// CHECK-LABEL: func.func @with_the_iteration(
// CHECK-NOT:   memref.alloca
// CHECK:       scf.parallel (%i) = (%n) to (%n) step (%n) init (%x) -> f32 {
func.func @with_the_iteration(%n: index, %x: f32, %m: memref<?xf32>) -> f32 {
  %r = scf.parallel (%i) = (%n) to (%n) step (%n) init (%x) -> f32 {
    %v = memref.load %m[%i] : memref<?xf32>
    %w = arith.mulf %v, %v : f32
    scf.reduce(%v : f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %w : f32
      scf.reduce.return %s : f32
    }
  }
  return %r : f32
}
