// RUN: xdsl-opt -t mlir-22 -p convert-perf-to-loops %s | filecheck %s

// CHECK-LABEL: @bench
// CHECK:         %[[N:.*]] = arith.index_cast %n : i64 to index
// CHECK:         %[[T:.*]] = perf.start_timer : !perf.timer
// CHECK:         %[[R:.*]] = scf.for %{{.*}} = %{{.*}} to %[[N]] step %{{.*}} iter_args(%[[X:.*]] = %t) -> (tensor<4xf32>) {
// CHECK-NEXT:      %[[Y:.*]] = linalg.exp ins(%[[X]] : tensor<4xf32>)
// CHECK-NEXT:      scf.yield %[[Y]] : tensor<4xf32>
// CHECK:         %[[S:.*]] = perf.stop_timer(%[[T]] : !perf.timer) : f64
// CHECK:         return %[[S]], %[[R]]
func.func @bench(%n: i64, %t: tensor<4xf32>) -> (f64, tensor<4xf32>) {
  %s, %r = perf.bench (%n : i64) iter_args(%x = %t) -> (f64, tensor<4xf32>) {
    %y = linalg.exp ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
    perf.yield %y : tensor<4xf32>
  }
  return %s, %r : f64, tensor<4xf32>
}

// CHECK-LABEL: @inside_of_another
// CHECK-COUNT-2: perf.start_timer
// CHECK-COUNT-2: perf.stop_timer
func.func @inside_of_another(%n: i64) {
  %s = perf.bench (%n : i64) -> f64 {
    %t = perf.bench (%n : i64) -> f64 {
      perf.sink(%n) : i64
    }
  }
  return
}

// CHECK-LABEL: @statistics
// CHECK:         scf.for
// CHECK:           arith.addf
// CHECK:         %[[M:.*]] = arith.divf
// CHECK:         scf.for
// CHECK:           %[[D:.*]] = arith.subf %{{.*}}, %[[M]] : f64
// CHECK-NEXT:      arith.mulf %[[D]], %[[D]] : f64
// CHECK:         math.sqrt
func.func @statistics(%d: memref<?xf64>) -> (f64, f64) {
  %m = perf.mean(%d : memref<?xf64>) : f64
  %s = perf.stdev(%d : memref<?xf64>, %m : f64) : f64
  return %m, %s : f64, f64
}
