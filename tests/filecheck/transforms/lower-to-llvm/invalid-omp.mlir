// RUN: xbuf opt -p lower-to-llvm --verify-diagnostics --split-input-file %s | filecheck %s

// CHECK: clause 'ordered' of omp.wsloop has no lowering; write what it says as ops
func.func @clause(%n: index) {
  "omp.wsloop"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0>, ordered = 0 : i64}> ({
    "omp.loop_nest"(%n, %n, %n) ({
    ^bb0(%i: index):
      omp.yield
    }) : (index, index, index) -> ()
  }) : () -> ()
  return
}

// -----

// CHECK: schedule_chunk 0 is not positive
func.func @schedule(%n: index) {
  %c0 = arith.constant 0 : i64
  "omp.wsloop"(%c0) <{operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 1>, schedule_kind = #omp<schedulekind dynamic>}> ({
    "omp.loop_nest"(%n, %n, %n) ({
    ^bb0(%i: index):
      omp.yield
    }) : (index, index, index) -> ()
  }) : (i64) -> ()
  return
}

// -----

// CHECK: schedule_chunk -2 is not positive
func.func @narrow_schedule(%n: index) {
  %chunk = arith.constant -2 : i32
  "omp.wsloop"(%chunk) <{operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 1>, schedule_kind = #omp<schedulekind static>}> ({
    "omp.loop_nest"(%n, %n, %n) ({
    ^bb0(%i: index):
      omp.yield
    }) : (index, index, index) -> ()
  }) : (i32) -> ()
  return
}

// -----

// CHECK: step -1 is not positive
func.func @down(%n: index) {
  %down = arith.constant -1 : index
  omp.wsloop {
    omp.loop_nest (%i) : index = (%n) to (%n) step (%down) {
      omp.yield
    }
  }
  return
}

// -----

// CHECK: 'omp.taskyield' has no lowering to the llvm dialect
func.func @task() {
  "omp.taskyield"() : () -> ()
  return
}
