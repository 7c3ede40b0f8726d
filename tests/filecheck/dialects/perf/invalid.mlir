// RUN: xbuf opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

func.func @no_types(%n: i64) {
  // CHECK: expected '->' and the types of the results
  %s = perf.bench (%n : i64) {
  }
  return
}

// -----

func.func @too_few_types(%n: i64) {
  // CHECK: expected 2 results, the time and one for each of iter_args, but got 1 types
  %s = perf.bench (%n : i64) iter_args(%x = %n) -> f64 {
  }
  return
}

// -----

func.func @wrong_yield(%n: i64, %b: i32) {
  // CHECK: failed to verify that iter_args types match types of yield
  %s, %r = perf.bench (%n : i64) iter_args(%x = %n) -> (f64, i64) {
    perf.yield %b : i32
  }
  return
}

// -----

func.func @wrong_time(%n: i64) {
  // CHECK: expected the results to be an f64 and one for each of iter_args
  %s = perf.bench (%n : i64) -> f32 {
  }
  return
}

// -----

func.func @stopped_twice() {
  %t = perf.start_timer : !perf.timer
  // CHECK: timer stopped multiple times
  %d = perf.stop_timer(%t : !perf.timer) : f64
  %e = perf.stop_timer(%t : !perf.timer) : f64
  return
}

// -----

func.func @never_started(%t: !perf.timer) {
  // CHECK: invalid timer input: expected the result of a perf.start_timer
  %d = perf.stop_timer(%t : !perf.timer) : f64
  return
}

// -----

func.func @times(%d: memref<4xf32>) -> f64 {
  // CHECK: expected the times to be a memref<?xf64>, not memref<4xf32>
  %m = perf.mean(%d : memref<4xf32>) : f64
  return %m : f64
}
