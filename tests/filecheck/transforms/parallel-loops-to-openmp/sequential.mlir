// RUN: xdsl-opt -t mlir-22 -p parallel-loops-to-openmp %s | filecheck %s

// Loops whose iterations have an order are not shared out.
// CHECK-NOT: omp.
func.func @in_order(%m: memref<8xf32>, %n: index, %x: f32) {
  scf.for %i = %n to %n step %n {
    memref.store %x, %m[%i] : memref<8xf32>
  }
  return
}
