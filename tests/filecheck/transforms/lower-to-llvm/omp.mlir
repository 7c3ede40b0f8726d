// RUN: xdsl-opt -t mlir-22 -p lower-to-llvm %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p 'lower-to-llvm{threads=3}' %s | filecheck %s --check-prefix=THREE

// What is shared becomes a function of one pointer, to what it uses of the outside.
// A thread has iterations of its own, and takes of the rest as long as there is any.

// CHECK-LABEL: llvm.func internal @line_parallel_
// CHECK-SAME:  ([[DATA:%.*]]: !llvm.ptr) {
// CHECK:       [[ALL:%.*]] = llvm.load [[DATA]] : !llvm.ptr -> !llvm.struct<(i64, f32, !llvm.ptr, !llvm.ptr)>
// CHECK-NEXT:  [[N:%.*]] = llvm.extractvalue [[ALL]][0]
// CHECK-NEXT:  [[X:%.*]] = llvm.extractvalue [[ALL]][1]
// CHECK:       [[ID:%.*]] = llvm.call @omp_get_thread_num() : () -> i32
// CHECK-NEXT:  [[THREAD:%.*]] = llvm.sext [[ID]]
// CHECK-NEXT:  [[COUNT:%.*]] = llvm.call @omp_get_num_threads() : () -> i32
// CHECK-NEXT:  [[TEAM:%.*]] = llvm.sext [[COUNT]]
// CHECK-NEXT:  [[ALONE:%.*]] = llvm.icmp "eq" [[TEAM]], [[C1:%[0-9]+]]
// CHECK-NEXT:  [[PARTS:%.*]] = llvm.mul [[TEAM]], {{%.*}}
// CHECK-NEXT:  [[PART:%.*]] = llvm.udiv [[TOTAL:%.*]], [[PARTS]]
// CHECK-NEXT:  [[SOME:%.*]] = llvm.mul [[PART]], {{%.*}}
// CHECK-NEXT:  [[SIZE:%.*]] = llvm.select [[ALONE]], [[TOTAL]], [[SOME]]
// CHECK-NEXT:  [[OWN:%.*]] = llvm.mul [[TEAM]], [[SIZE]]
// CHECK-NEXT:  [[REST:%.*]] = llvm.sub [[TOTAL]], [[OWN]]
// CHECK:       llvm.br ^[[ROUNDS:[a-z0-9]+]]([[START:%.*]], [[END:%.*]], [[YES:%.*]], [[SIDE:%.*]] :
// CHECK-NEXT:  ^[[ROUNDS]]([[FROM:%.*]]: i64, [[TO:%.*]]: i64, [[ARE_OWN:%.*]]: i1, [[AT:%.*]]: i64):
// CHECK-NEXT:  [[ANY:%.*]] = llvm.icmp "slt" [[FROM]], [[TO]]
// CHECK:       llvm.store [[X]],
// CHECK:       llvm.cond_br [[ARE_OWN]],
// CHECK:       llvm.call @GOMP_loop_ull_dynamic_start({{%.*}}, [[MIDDLE:%.*]], {{%.*}}, [[C1]], {{%.*}}, [[FIRST:%.*]], [[BEHIND:%.*]]) :
// CHECK:       llvm.call @GOMP_loop_ull_dynamic_next([[FIRST]], [[BEHIND]]) :
// CHECK:       llvm.call @GOMP_loop_end_nowait()
// CHECK-NOT:   GOMP_barrier
// CHECK:       llvm.return

// THREE-LABEL: llvm.func @line(
// THREE:       [[TEAM:%.*]] = llvm.mlir.constant(3 : i32) : i32
// THREE:       llvm.call @GOMP_parallel({{%.*}}, {{%.*}}, [[TEAM]], {{%.*}})
func.func @line(%m: memref<64xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        memref.store %x, %m[%i] : memref<64xf32>
        omp.yield
      }
    }
    omp.terminator
  }
  return
}

// Static shares are equal but for one iteration.

// CHECK-LABEL: llvm.func internal @equal_parallel_
// CHECK:       [[ID:%.*]] = llvm.call @omp_get_thread_num() : () -> i32
// CHECK-NEXT:  [[THREAD:%.*]] = llvm.sext [[ID]]
// CHECK-NEXT:  [[COUNT:%.*]] = llvm.call @omp_get_num_threads() : () -> i32
// CHECK-NEXT:  [[TEAM:%.*]] = llvm.sext [[COUNT]]
// CHECK-NEXT:  [[SIZE:%.*]] = llvm.udiv {{%.*}}, [[TEAM]]
// CHECK-NEXT:  [[REST:%.*]] = llvm.urem {{%.*}}, [[TEAM]]
// CHECK-NEXT:  [[EXTRA:%.*]] = llvm.call_intrinsic "llvm.smin.i64"([[THREAD]], [[REST]])
// CHECK-NEXT:  [[PRODUCT:%.*]] = llvm.mul [[THREAD]], [[SIZE]]
// CHECK-NEXT:  [[START:%.*]] = llvm.add [[PRODUCT]], [[EXTRA]]
// CHECK-NEXT:  [[GETS_MORE:%.*]] = llvm.icmp "slt" [[THREAD]], [[REST]]
// CHECK-NEXT:  [[MORE:%.*]] = llvm.zext [[GETS_MORE]]
// CHECK-NEXT:  [[SUM:%.*]] = llvm.add [[START]], [[SIZE]]
// CHECK-NEXT:  [[END:%.*]] = llvm.add [[SUM]], [[MORE]]
// CHECK:       llvm.store
// CHECK-NOT:   GOMP_loop
// CHECK:       llvm.return
func.func @equal(%m: memref<64xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel {
    "omp.wsloop"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0>, schedule_kind = #omp<schedulekind static>}> ({
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        memref.store %x, %m[%i] : memref<64xf32>
        omp.yield
      }
    }) : () -> ()
    omp.terminator
  }
  return
}

// A row of the grid is divided out once, and its part is a loop of its own. Constants
// are known inside.

// CHECK-LABEL: llvm.func internal @grid_parallel_
// CHECK:       [[C32:%.*]] = llvm.mlir.constant(32) : i64
// CHECK:       llvm.load {{%.*}} : !llvm.ptr -> !llvm.struct<(f32, !llvm.ptr, !llvm.ptr)>
// CHECK:       llvm.udiv [[START:%.*]], [[C32]]
// CHECK:       ^{{.*}}([[ROW:%.*]]: i64):
// CHECK:       [[BEFORE:%.*]] = llvm.mul [[ROW]], [[C32]]
// CHECK-NEXT:  [[FROM:%.*]] = llvm.sub [[START]], [[BEFORE]]
// CHECK-NEXT:  llvm.call_intrinsic "llvm.smax.i64"([[FROM]],
// CHECK-NEXT:  [[TO:%.*]] = llvm.sub {{%.*}}, [[BEFORE]]
// CHECK-NEXT:  llvm.call_intrinsic "llvm.smin.i64"([[TO]], [[C32]])
// CHECK-NOT:   div
// CHECK:       llvm.return
func.func @grid(%m: memref<8x32xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i, %j) : index = (%c0, %c0) to (%c8, %c32) step (%c1, %c1) {
        memref.store %x, %m[%i, %j] : memref<8x32xf32>
        omp.yield
      }
    }
    omp.terminator
  }
  return
}

// Where the team goes on after a loop, its threads wait for each other.

// CHECK-LABEL: llvm.func internal @two_parallel_
// CHECK:       llvm.call @GOMP_barrier() : () -> ()
// CHECK-NOT:   GOMP_barrier
// CHECK:       llvm.return
func.func @two(%m: memref<?xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        omp.yield
      }
    }
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        omp.yield
      }
    }
    omp.terminator
  }
  return
}

// Functions that are added come first.

// CHECK-LABEL: llvm.func @line(
// CHECK:       [[SLOT:%.*]] = llvm.alloca {{%.*}} x !llvm.struct<(i64, f32, !llvm.ptr, !llvm.ptr)>
// CHECK-NEXT:  [[ANY:%.*]] = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:  [[NAME:%.*]] = llvm.mlir.addressof @line_parallel_
// CHECK-NEXT:  [[FUNCTION:%.*]] = llvm.bitcast [[NAME]]
// CHECK-NEXT:  [[PLACE:%.*]] = llvm.bitcast [[SLOT]]
// CHECK:       llvm.store {{%.*}}, [[PLACE]]
// CHECK-NEXT:  llvm.call @GOMP_parallel([[FUNCTION]], [[PLACE]], [[ANY]], [[ANY]])
// CHECK-NEXT:  llvm.return
