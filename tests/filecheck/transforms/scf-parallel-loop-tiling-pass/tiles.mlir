// RUN: xdsl-opt -t mlir-22 -p 'scf-parallel-loop-tiling-pass{parallel-loop-tile-sizes=4,2}' %s --allow-unregistered-dialect | filecheck %s

// CHECK-LABEL: func.func @divides
// CHECK: %c8 = arith
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[FOUR:.*]] = arith.constant 4 : index
// CHECK-NEXT: %[[TWO:.*]] = arith.constant 2 : index
// CHECK-NEXT: scf.parallel (%[[B0:.*]], %[[B1:.*]]) = (%c0, %c0) to (%c8, %c8) step (%[[FOUR]], %[[TWO]]) {
// CHECK-NEXT: scf.parallel (%[[O0:.*]], %[[O1:.*]]) = (%[[ZERO]], %[[ZERO]]) to (%[[FOUR]], %[[TWO]]) step (%c1, %c1) {
// CHECK-NEXT: %[[I:.*]] = arith.addi %[[O0]], %[[B0]] : index
// CHECK-NEXT: %[[J:.*]] = arith.addi %[[O1]], %[[B1]] : index
// CHECK-NEXT: "test.use"(%[[I]], %[[J]])
func.func @divides() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c8) step (%c1, %c1) {
    "test.use"(%i, %j) : (index, index) -> ()
    scf.reduce
  }
  return
}

// A block has four iterations, whatever the step; the last one may have fewer.
// CHECK-LABEL: func.func @rest
// CHECK: %c3 = arith
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[SIZE:.*]] = arith.constant 12 : index
// CHECK-NEXT: scf.parallel (%[[B:.*]]) = (%c0) to (%n) step (%[[SIZE]]) {
// CHECK-NEXT: %[[END:.*]] = affine.min affine_map<(d0, d1, d2) -> (d0, d1 - d2)>(%[[SIZE]], %n, %[[B]])
// CHECK-NEXT: scf.parallel (%{{.*}}) = (%[[ZERO]]) to (%[[END]]) step (%c3) {
func.func @rest(%n: index) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c3) {
    "test.use"(%i) : (index) -> ()
    scf.reduce
  }
  return
}

// CHECK-LABEL: func.func @innermost_only
// CHECK: scf.parallel (%i)
// CHECK: scf.parallel (
// CHECK: scf.parallel (
// CHECK-NOT: scf.parallel
// CHECK: "test.use"
func.func @innermost_only(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.parallel (%j) = (%c0) to (%n) step (%c1) {
      "test.use"(%i, %j) : (index, index) -> ()
      scf.reduce
    }
    scf.reduce
  }
  return
}

// CHECK-LABEL: func.func @reduction
// CHECK: scf.parallel
// CHECK-NOT: scf.parallel
// CHECK: return
func.func @reduction(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%x) -> f32 {
    scf.reduce(%x : f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      scf.reduce.return %s : f32
    }
  }
  return %0 : f32
}
