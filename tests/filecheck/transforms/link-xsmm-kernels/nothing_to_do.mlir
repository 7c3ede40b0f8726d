// RUN: xdsl-opt -t mlir-22 -p link-xsmm-kernels %s | filecheck %s

// CHECK:      builtin.module {
// CHECK-NEXT:   func.func private @other(i64) -> i64
// CHECK-NEXT:   func.func @other_calls_stay(%x: i64) -> i64 {
// CHECK-NEXT:     %0 = func.call @other(%x) : (i64) -> i64
// CHECK-NEXT:     func.return %0 : i64
func.func private @other(i64) -> i64
func.func @other_calls_stay(%x: i64) -> i64 {
  %0 = func.call @other(%x) : (i64) -> i64
  func.return %0 : i64
}
