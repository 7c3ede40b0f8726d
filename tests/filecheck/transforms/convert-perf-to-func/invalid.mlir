// RUN: xbuf opt -p convert-perf-to-func --split-input-file --verify-diagnostics %s | filecheck %s

func.func @tensor(%a: tensor<4xf32>) {
  // CHECK: 'perf.sink' of a tensor must be bufferized first
  perf.sink(%a) : tensor<4xf32>
  return
}

// -----

func.func @returned() -> !perf.timer {
  %t = perf.start_timer : !perf.timer
  // CHECK: 'func.return' uses a timer; only perf.stop_timer can be lowered
  return %t : !perf.timer
}

// -----

// CHECK: timers need the C library's function @clock_gettime
func.func @clock_gettime() {
  %t = perf.start_timer : !perf.timer
  return
}
