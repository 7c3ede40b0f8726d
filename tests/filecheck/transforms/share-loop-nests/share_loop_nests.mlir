// RUN: xdsl-opt -t mlir-22 -p "share-loop-nests{least-work=1000}" %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p "share-loop-nests{least-work=1}" %s | filecheck %s --check-prefix LITTLE

// Each iteration has a row.

// CHECK-LABEL: func.func @rows(
// CHECK:         scf.parallel ([[I:%.*]]) = (%{{.*}}) to (%{{.*}}) step (%{{.*}})
// CHECK-NEXT:      [[X:%.*]] = memref.subview %x[[[I]], 0] [1, 640] [1, 1]
// CHECK-NEXT:      [[Y:%.*]] = memref.subview %y[[[I]], 0] [1, 640] [1, 1]
// CHECK-NEXT:      linalg.exp ins([[X]] : {{.*}}) outs([[Y]] : {{.*}})
func.func @rows(%x: memref<13x640xf32>, %y: memref<13x640xf32>) {
  linalg.exp ins(%x : memref<13x640xf32>) outs(%y : memref<13x640xf32>)
  return
}

// A single row is cut. The index that the body asks for is that of the whole row.

// CHECK-LABEL: func.func @one_row(
// CHECK-DAG:     [[END:%.*]] = arith.constant 1920 : index
// CHECK-DAG:     [[STEP:%.*]] = arith.constant 320 : index
// CHECK:         scf.parallel ([[I:%.*]]) = (%{{.*}}) to ([[END]]) step ([[STEP]])
// CHECK-NEXT:      [[X:%.*]] = memref.subview %x[[[I]]] [320] [1]
// CHECK-NEXT:      linalg.generic
// CHECK-SAME:        outs([[X]] : memref<320xindex, strided<[1], offset: ?>>)
// CHECK:             [[J:%.*]] = linalg.index 0 : index
// CHECK-NEXT:        [[K:%.*]] = arith.addi [[J]], [[I]] : index
// CHECK-NEXT:        linalg.yield [[K]] : index
func.func @one_row(%x: memref<1920xindex>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      outs(%x : memref<1920xindex>) {
  ^bb0(%a: index):
    %i = linalg.index 0 : index
    linalg.yield %i : index
  }
  return
}

// The loops are those of the result, whatever the order of the input is. A row of the
// input is cut at whole vectors.

// CHECK-LABEL: func.func @transposed(
// CHECK:         scf.parallel ([[I:%.*]]) =
// CHECK-NEXT:      [[X:%.*]] = memref.subview %x[0, [[I]]] [64, 16] [1, 1]
// CHECK-NEXT:      [[Y:%.*]] = memref.subview %y[[[I]], 0] [16, 64] [1, 1]
// CHECK-NEXT:      linalg.transpose ins([[X]] : {{.*}}) outs([[Y]] : {{.*}}) permutation = [1, 0]
func.func @transposed(%x: memref<64x128xf32>, %y: memref<128x64xf32>) {
  linalg.transpose ins(%x : memref<64x128xf32>) outs(%y : memref<128x64xf32>) permutation = [1, 0]
  return
}

// Sums of rows are shared row by row.

// CHECK-LABEL: func.func @sums(
// CHECK:         scf.parallel ([[I:%.*]]) =
// CHECK-NEXT:      memref.subview %x[[[I]], 0] [1, 640] [1, 1]
// CHECK-NEXT:      memref.subview %y[[[I]]] [1] [1]
func.func @sums(%x: memref<13x640xf32>, %y: memref<13xf32>) {
  linalg.reduce { arith.addf } ins(%x : memref<13x640xf32>) outs(%y : memref<13xf32>) dimensions = [1]
  return
}

// These stay as they are: too little work, a sum that all share, an op of which several
// iterations write one element, sizes that are not known, and an op that is in a parallel
// loop already.

// CHECK-LABEL: func.func @left(
// CHECK-NOT:     scf.parallel
// CHECK:         scf.forall
// CHECK-NOT:     scf.parallel
// CHECK:         func.return
func.func @left(%x: memref<13x640xf32>, %y: memref<640xf32>, %s: memref<4x8xf32>, %d: memref<?xf32>) {
  linalg.exp ins(%s : memref<4x8xf32>) outs(%s : memref<4x8xf32>)
  linalg.reduce { arith.addf } ins(%x : memref<13x640xf32>) outs(%y : memref<640xf32>) dimensions = [0]
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<13x640xf32>) outs(%y : memref<640xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  linalg.exp ins(%d : memref<?xf32>) outs(%d : memref<?xf32>)
  scf.forall (%i) in (2) {
    linalg.exp ins(%x : memref<13x640xf32>) outs(%x : memref<13x640xf32>)
  }
  return
}

// An op without loops has nothing to share, whatever the least work is.

// LITTLE-LABEL: func.func @no_loops(
// LITTLE-NEXT:    linalg.generic
func.func @no_loops(%x: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<() -> ()>], iterator_types = []} outs(%x : memref<f32>) {
  ^bb0(%a: f32):
    linalg.yield %a : f32
  }
  return
}

// A size that one operand leaves open is that of another one.

// CHECK-LABEL: func.func @open_size(
// CHECK:         scf.parallel ([[I:%.*]]) = (%{{.*}}) to (%{{.*}}) step (%{{.*}})
// CHECK-NEXT:      memref.subview %x[[[I]], 0] [1, 640] [1, 1] : memref<13x?xf32> to memref<1x640xf32, strided<[?, 1], offset: ?>>
// CHECK-NEXT:      memref.subview %y[[[I]], 0] [1, 640] [1, 1]
func.func @open_size(%x: memref<13x?xf32>, %y: memref<13x640xf32>) {
  linalg.exp ins(%x : memref<13x?xf32>) outs(%y : memref<13x640xf32>)
  return
}

// A size that is that of no loop is not known.

// CHECK-LABEL: func.func @open_column(
// CHECK-NEXT:    linalg.generic
func.func @open_column(%x: memref<13x?xf32>, %y: memref<13x640xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, 1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<13x?xf32>) outs(%y : memref<13x640xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}
