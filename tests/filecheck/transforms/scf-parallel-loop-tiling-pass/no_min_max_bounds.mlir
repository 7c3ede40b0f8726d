// RUN: xdsl-opt -t mlir-22 -p 'scf-parallel-loop-tiling-pass{parallel-loop-tile-sizes=4,2 no-min-max-bounds}' %s --allow-unregistered-dialect | filecheck %s

// Blocks are whole. What is behind the end of the loop is left out.

// CHECK-LABEL: func.func @rest
// CHECK:         %c7 = arith
// CHECK-NEXT:    %[[ZERO:.*]] = arith.constant 0 : index
// CHECK:         %[[FOUR:.*]] = arith.constant 4 : index
// CHECK:         %[[TWO:.*]] = arith.constant 2 : index
// CHECK-NOT:     affine.min
// CHECK:         scf.parallel (%[[A:.*]], %[[B:.*]]) = (%c0, %c0) to (%n, %c7) step (%[[FOUR]], %[[TWO]]) {
// CHECK-NEXT:      scf.parallel (%[[C:.*]], %[[D:.*]]) = (%[[ZERO]], %[[ZERO]]) to (%[[FOUR]], %[[TWO]]) step (%c1, %c1) {
// CHECK-NEXT:        %[[I:.*]] = arith.addi %[[C]], %[[A]] : index
// CHECK-NEXT:        %[[J:.*]] = arith.addi %[[D]], %[[B]] : index
// CHECK-NEXT:        %[[P:.*]] = arith.cmpi slt, %[[I]], %n : index
// CHECK-NEXT:        %[[Q:.*]] = arith.cmpi slt, %[[J]], %c7 : index
// CHECK-NEXT:        %[[R:.*]] = arith.andi %[[P]], %[[Q]] : i1
// CHECK-NEXT:        scf.if %[[R]] {
// CHECK-NEXT:          "test.use"(%[[I]], %[[J]])
func.func @rest(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %c7) step (%c1, %c1) {
    "test.use"(%i, %j) : (index, index) -> ()
    scf.reduce
  }
  return
}

// Where the blocks divide the loop, there is nothing to leave out.

// CHECK-LABEL: func.func @divides
// CHECK-NOT:     scf.if
// CHECK:         return
func.func @divides() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    "test.use"(%i) : (index) -> ()
    scf.reduce
  }
  return
}
