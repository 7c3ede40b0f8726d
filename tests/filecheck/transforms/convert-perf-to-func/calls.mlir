// RUN: xdsl-opt -t mlir-22 -p convert-perf-to-func %s | filecheck %s

// CHECK:       func.func private @clock_gettime(i32, !llvm.ptr) -> i32

// CHECK-LABEL: @timer
// CHECK:         %[[START:.*]] = memref.alloca_scope -> (i64) {
// CHECK:           func.call @clock_gettime
// CHECK:           memref.alloca_scope.return
// CHECK:         "test.op"
// CHECK:         %[[STOP:.*]] = memref.alloca_scope -> (i64) {
// CHECK:           func.call @clock_gettime
// CHECK:         %[[PASSED:.*]] = arith.subi %[[STOP]], %[[START]] : i64
// CHECK-NEXT:    %[[FLOAT:.*]] = arith.sitofp %[[PASSED]] : i64 to f64
// CHECK-NEXT:    %[[BILLION:.*]] = arith.constant 1.000000e+09 : f64
// CHECK-NEXT:    %[[SECONDS:.*]] = arith.divf %[[FLOAT]], %[[BILLION]] : f64
// CHECK-NEXT:    return %[[SECONDS]]
func.func @timer() -> f64 {
  %t = perf.start_timer : !perf.timer
  "test.op"() : () -> ()
  %d = perf.stop_timer(%t : !perf.timer) : f64
  return %d : f64
}

// CHECK-LABEL: @sinks
// CHECK:         memref.extract_aligned_pointer_as_index %m
// CHECK:         llvm.inline_asm has_side_effects "", "r,~{memory}" %{{.*}} : (i64) -> ()
// CHECK:         memref.alloca() : memref<f32>
// CHECK:         memref.store %x
// CHECK:         llvm.inline_asm has_side_effects "", "r,~{memory}"
func.func @sinks(%m: memref<4xf32>, %x: f32) {
  perf.sink(%m) : memref<4xf32>
  perf.sink(%x) : f32
  return
}
