// RUN: xdsl-opt -p 'scf-parallel-loop-tiling{parallel-loop-tile-sizes=3,3}' %s | filecheck %s

// xDSL's pass, and not one of the same name.

func.func @tile(%m: memref<9x9xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  "scf.parallel"(%c0, %c0, %c9, %c9, %c1, %c1) <{operandSegmentSizes = array<i32: 2, 2, 2, 0>}> ({
  ^bb0(%i: index, %j: index):
    memref.store %f, %m[%i, %j] : memref<9x9xf32>
    scf.reduce
  }) : (index, index, index, index, index, index) -> ()
  return
}

// CHECK:      builtin.module {
// CHECK-NEXT:   func.func @tile(%m: memref<9x9xf32>, %f: f32) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c9 = arith.constant 9 : index
// CHECK-NEXT:     %0 = arith.constant 0 : index
// CHECK-NEXT:     %1 = arith.constant 3 : index
// CHECK-NEXT:     %2 = arith.constant 3 : index
// CHECK-NEXT:     %3 = arith.muli %c1, %1 : index
// CHECK-NEXT:     %4 = arith.muli %c1, %2 : index
// CHECK-NEXT:     "scf.parallel"(%c0, %c0, %c9, %c9, %3, %4) <{operandSegmentSizes = array<i32: 2, 2, 2, 0>}> ({
// CHECK-NEXT:     ^bb0(%5: index, %6: index):
// CHECK-NEXT:       %7 = affine.min affine_map<(d0, d1, d2) -> (d0, (d1 + (d2 * -1)))> (%1, %c9, %5)
// CHECK-NEXT:       %8 = affine.min affine_map<(d0, d1, d2) -> (d0, (d1 + (d2 * -1)))> (%2, %c9, %6)
// CHECK-NEXT:       "scf.parallel"(%0, %0, %7, %8, %c1, %c1) <{operandSegmentSizes = array<i32: 2, 2, 2, 0>}> ({
// CHECK-NEXT:       ^bb0(%i: index, %j: index):
// CHECK-NEXT:         %9 = arith.addi %5, %i : index
// CHECK-NEXT:         %10 = arith.addi %6, %j : index
// CHECK-NEXT:         memref.store %f, %m[%9, %10] : memref<9x9xf32>
// CHECK-NEXT:         scf.reduce
// CHECK-NEXT:       }) : (index, index, index, index, index, index) -> ()
// CHECK-NEXT:       scf.reduce
// CHECK-NEXT:     }) : (index, index, index, index, index, index) -> ()
// CHECK-NEXT:     func.return
// CHECK-NEXT:   }
// CHECK-NEXT: }
