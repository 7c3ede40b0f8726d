// RUN: xdsl-opt -t mlir-22 -p 'scf-parallel-loop-tiling-pass{parallel-loop-tile-sizes=0,2}' %s --allow-unregistered-dialect | filecheck %s

// A dimension of size 0 is in the inner loop alone.

// CHECK-LABEL: func.func @second
// CHECK: scf.parallel (%[[B:.*]]) = (%c0) to (%n) step (%{{.*}}) {
// CHECK: scf.parallel (%i, %[[J:.*]]) = (%c0, %{{.*}}) to (%n, %{{.*}}) step (%c1, %c1) {
// CHECK-NEXT: %[[AT:.*]] = arith.addi %[[J]], %[[B]] : index
// CHECK-NEXT: "test.use"(%i, %[[AT]])
func.func @second(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
    "test.use"(%i, %j) : (index, index) -> ()
    scf.reduce
  }
  return
}

// Nothing is left to cut.

// CHECK-LABEL: func.func @first
// CHECK: scf.parallel (%i) = (%c0) to (%n) step (%c1) {
// CHECK-NEXT: "test.use"(%i)
func.func @first(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    "test.use"(%i) : (index) -> ()
    scf.reduce
  }
  return
}
