// RUN: xbuf opt %s | xbuf opt | filecheck %s
// RUN: xbuf opt -p canonicalize,cse %s | filecheck %s

// CHECK-LABEL: @timer
// CHECK-NEXT:    %[[T:.*]] = perf.start_timer : !perf.timer
// CHECK-NEXT:    %[[U:.*]] = perf.start_timer : !perf.timer
// CHECK-NEXT:    %[[D:.*]] = perf.stop_timer(%[[T]] : !perf.timer) : f64
// CHECK-NEXT:    %{{.*}} = perf.stop_timer(%[[U]] : !perf.timer) : f64
// CHECK-NEXT:    return %[[D]]
func.func @timer() -> f64 {
  %t = perf.start_timer : !perf.timer
  %u = perf.start_timer : !perf.timer
  %d = perf.stop_timer(%t : !perf.timer) : f64
  %e = perf.stop_timer(%u : !perf.timer) : f64
  return %d : f64
}

// CHECK-LABEL: @bench
// CHECK:         %[[S:.*]] = perf.bench (%n : i64) -> f64 {
// CHECK-NEXT:      %[[E:.*]] = linalg.exp
// CHECK-NEXT:      perf.sink(%[[E]]) : tensor<4xf32>
// CHECK-NEXT:    }
func.func @bench(%n: i64, %a: tensor<4xf32>) -> f64 {
  %s = perf.bench (%n : i64) -> f64 {
    %e = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    perf.sink(%e) : tensor<4xf32>
    perf.yield
  }
  return %s : f64
}

// CHECK-LABEL: @bench_with_results
// CHECK:         %[[S:.*]], %[[R:.*]], %{{.*}} = perf.bench (%n : i64) iter_args(%[[X:.*]] = %n, %{{.*}} = %b) -> (f64, i64, i1) {
// CHECK-NEXT:      %[[Y:.*]] = arith.addi %[[X]], %n : i64
// CHECK-NEXT:      perf.yield %[[Y]], %b : i64, i1
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[S]], %[[R]]
func.func @bench_with_results(%n: i64, %b: i1) -> (f64, i64) {
  %s, %r, %q = perf.bench (%n : i64) iter_args(%x = %n, %c = %b) -> (f64, i64, i1) {
    %y = arith.addi %x, %n : i64
    perf.yield %y, %b : i64, i1
  }
  return %s, %r : f64, i64
}

// CHECK-LABEL: @statistics
// CHECK-NEXT:    %[[M:.*]] = perf.mean(%d : memref<?xf64>) : f64
// CHECK-NEXT:    %{{.*}} = perf.stdev(%d : memref<?xf64>, %[[M]] : f64) : f64
func.func @statistics(%d: memref<?xf64>) -> (f64, f64) {
  %m = perf.mean(%d : memref<?xf64>) : f64
  %s = perf.stdev(%d : memref<?xf64>, %m : f64) : f64
  return %m, %s : f64, f64
}
