// RUN: xdsl-opt -t mlir-22 -p loop-invariant-code-motion,cse %s | filecheck %s

// All dispatches leave all loops, and equal ones become one.
// CHECK-LABEL: func.func @f
// CHECK: %[[ZERO:.*]] = xsmm.unary.dispatch zero
// CHECK-NEXT: %[[RELU:.*]] = xsmm.unary.dispatch relu
// CHECK-NEXT: scf.parallel
// CHECK-NEXT: scf.for
// CHECK-NEXT: xsmm.unary zero(data_type = f32, %[[ZERO]]
// CHECK-NEXT: xsmm.unary relu(data_type = f32, %[[RELU]]
// CHECK: scf.forall
// CHECK-NEXT: xsmm.unary zero(data_type = f32, %[[ZERO]]
// CHECK-NOT: dispatch
func.func @f(%m: memref<8x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    scf.for %j = %c0 to %c8 step %c1 {
      %0 = xsmm.unary.dispatch zero [8, 4, 1, 4] flags = (bcast_scalar) data_type = f32
      xsmm.unary zero(data_type = f32, %0, %zero, %m) : (i64, f32, memref<8x4xf32>) -> ()
      %1 = xsmm.unary.dispatch relu [8, 4, 4, 4] flags = (none) data_type = f32
      xsmm.unary relu(data_type = f32, %1, %m, %m) : (i64, memref<8x4xf32>, memref<8x4xf32>) -> ()
    }
    scf.reduce
  }
  scf.forall (%i) in (8) {
    %0 = xsmm.unary.dispatch zero [8, 4, 1, 4] flags = (bcast_scalar) data_type = f32
    xsmm.unary zero(data_type = f32, %0, %zero, %m) : (i64, f32, memref<8x4xf32>) -> ()
  }
  return
}
