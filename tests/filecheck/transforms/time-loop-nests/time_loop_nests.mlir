// RUN: xdsl-opt -p time-loop-nests %s | filecheck %s

// Each nest adds its time and one run to its place. What is between nests is not timed.

// CHECK:         memref.global "private" @nest_runs : memref<3xi64>
// CHECK-NEXT:    memref.global "private" @nest_seconds : memref<3xf64>
// CHECK-NEXT:    func.func @nests(
// CHECK-NEXT:      [[T:%.*]] = perf.start_timer : !perf.timer
// CHECK-NEXT:      %a = memref.alloc() : memref<8xf32>
// CHECK-NEXT:      [[S:%.*]] = perf.stop_timer([[T]] : !perf.timer) : f64
// CHECK-NEXT:      [[I:%.*]] = arith.constant 0 : index
// CHECK-NEXT:      [[ONE:%.*]] = arith.constant 1 : i64
// CHECK-NEXT:      [[SECONDS:%.*]] = memref.get_global @nest_seconds : memref<3xf64>
// CHECK-NEXT:      [[OLD:%.*]] = memref.load [[SECONDS]][[[I]]] : memref<3xf64>
// CHECK-NEXT:      [[NEW:%.*]] = arith.addf [[OLD]], [[S]] : f64
// CHECK-NEXT:      memref.store [[NEW]], [[SECONDS]][[[I]]] : memref<3xf64>
// CHECK-NEXT:      [[RUNS:%.*]] = memref.get_global @nest_runs : memref<3xi64>
// CHECK-NEXT:      [[N:%.*]] = memref.load [[RUNS]][[[I]]] : memref<3xi64>
// CHECK-NEXT:      [[M:%.*]] = arith.addi [[N]], [[ONE]] : i64
// CHECK-NEXT:      memref.store [[M]], [[RUNS]][[[I]]] : memref<3xi64>
// CHECK-NEXT:      perf.start_timer
// CHECK-NEXT:      linalg.fill
// CHECK-NEXT:      perf.stop_timer
// CHECK-NOT:       perf.start_timer
// CHECK:           func.call @callee(%a)
// CHECK-NOT:       perf
// CHECK:         func.func private @callee(
// CHECK:           perf.start_timer
// CHECK-NEXT:      linalg.fill
// CHECK-NEXT:      perf.stop_timer
func.func @nests(%x: f32) -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  func.call @callee(%a) : (memref<8xf32>) -> ()
  return %a : memref<8xf32>
}
func.func private @callee(%a: memref<8xf32>) {
  %x = arith.constant 1.0 : f32
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  return
}
