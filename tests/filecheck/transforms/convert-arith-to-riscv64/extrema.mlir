// RUN: xdsl-opt -t mlir-22 -p convert-arith-to-riscv64 %s | filecheck %s

// NaN if one is NaN, which fmax.s alone would not give.

// CHECK-LABEL: @maximum
// CHECK:         %[[NUMBER:.*]] = riscv.fmax.s %[[X:.*]], %[[Y:.*]] :
// CHECK-NEXT:    %[[SUM:.*]] = riscv.fadd.s %[[X]], %[[Y]] :
// CHECK-NEXT:    %[[X_ORDERED:.*]] = riscv.feq.s %[[X]], %[[X]] :
// CHECK-NEXT:    %[[Y_ORDERED:.*]] = riscv.feq.s %[[Y]], %[[Y]] :
// CHECK-NEXT:    %[[BOTH:.*]] = riscv.and %[[X_ORDERED]], %[[Y_ORDERED]]
func.func @maximum(%x: f32, %y: f32) -> f32 {
  %0 = arith.maximumf %x, %y : f32
  return %0 : f32
}

// CHECK-LABEL: @minimum
// CHECK:         riscv.fmin.s
func.func @minimum(%x: f32, %y: f32) -> f32 {
  %0 = arith.minimumf %x, %y : f32
  return %0 : f32
}

// CHECK-LABEL: @others_stay
// CHECK:         arith.addf
func.func @others_stay(%x: f32, %y: f32) -> f32 {
  %0 = arith.addf %x, %y : f32
  return %0 : f32
}
