// RUN: xdsl-opt -t mlir-22 -p convert-forall-to-parallel %s --allow-unregistered-dialect | filecheck %s

// CHECK-LABEL: func.func @normalized
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK: scf.parallel (%i, %j) = (%[[C0]], %[[C0]]) to (%[[C8]], %n) step (%[[C1]], %[[C1]]) {
// CHECK-NEXT: "test.use"(%i, %j)
// CHECK-NEXT: scf.reduce
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @normalized(%n: index) {
  scf.forall (%i, %j) in (8, %n) {
    "test.use"(%i, %j) : (index, index) -> ()
  }
  return
}

// CHECK-LABEL: func.func @bounds_and_mapping
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[C9:.*]] = arith.constant 9 : index
// CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
// CHECK: scf.parallel (%i) = (%[[C2]]) to (%[[C9]]) step (%[[C3]]) {
// CHECK: } {mapping = [#gpu.block<x>]}
func.func @bounds_and_mapping() {
  scf.forall (%i) = (2) to (9) step (3) {
    "test.use"(%i) : (index) -> ()
  } {mapping = [#gpu.block<x>]}
  return
}

// CHECK-LABEL: func.func @nested
// CHECK: scf.parallel (%i)
// CHECK: scf.parallel (%j)
// CHECK-NOT: scf.forall
func.func @nested() {
  scf.forall (%i) in (8) {
    scf.forall (%j) in (8) {
      "test.use"(%i, %j) : (index, index) -> ()
    }
  }
  return
}
