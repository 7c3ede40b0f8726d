// RUN: xbuf opt %s | xbuf opt | filecheck %s

// What convert-scf-to-openmp makes is read in the form that MLIR prints.

// CHECK: "omp.parallel"
// CHECK: "omp.wsloop"
// CHECK: "omp.loop_nest"(%c0, %n, %c1) ({
// CHECK-NEXT: ^bb0(%i: index):
// CHECK-NEXT: memref.store %f, %m[%i] : memref<?xf32>
// CHECK-NEXT: omp.yield
// CHECK: "omp.loop_nest"(%c0, %c0, %n, %n, %c1, %c1) <{loop_inclusive}> ({
// CHECK: "omp.terminator"() : () -> ()
func.func @loop(%n: index, %m: memref<?xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        memref.store %f, %m[%i] : memref<?xf32>
        omp.yield
      }
    }
    omp.wsloop {
      omp.loop_nest (%i, %j) : index = (%c0, %c0) to (%n, %n) inclusive step (%c1, %c1) {
        omp.yield
      }
    }
    omp.terminator
  }
  return
}
