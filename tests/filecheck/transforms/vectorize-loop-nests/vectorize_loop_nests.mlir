// RUN: xdsl-opt -t mlir-22 -p vectorize-loop-nests %s | filecheck %s

#whole = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d0)>
#turned = affine_map<(d0, d1) -> (d1, d0)>

// Two loops over one buffer without gaps are one loop.

// CHECK-LABEL: func.func @flat(
// CHECK:         [[X:%.*]] = memref.collapse_shape %x {{\[\[}}0, 1]] : memref<4x16xf32> into memref<64xf32>
// CHECK:         scf.for [[I:%.*]] =
// CHECK-NEXT:      [[A:%.*]] = vector.load [[X]]{{\[}}[[I]]] : memref<64xf32>, vector<32xf32>
// CHECK-NEXT:      [[B:%.*]] = math.sqrt [[A]] : vector<32xf32>
// CHECK-NEXT:      vector.store [[B]]
// CHECK-NOT:     scf.for
// CHECK:         func.return
func.func @flat(%x: memref<4x16xf32>, %y: memref<4x16xf32>) {
  linalg.generic {indexing_maps = [#whole, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<4x16xf32>) outs(%y : memref<4x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.sqrt %a : f32
    linalg.yield %r : f32
  }
  return
}

// The layout may be a map, if elements of a row are next to each other.

// CHECK-LABEL: func.func @layout_of_a_map(
// CHECK:         vector.load %x
// CHECK:         vector.store
func.func @layout_of_a_map(
    %x: memref<4x16xf32, affine_map<(d0, d1)[s0] -> (d0 * 32 + s0 + d1)>>, %y: memref<4x16xf32>) {
  linalg.generic {indexing_maps = [#whole, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<4x16xf32, affine_map<(d0, d1)[s0] -> (d0 * 32 + s0 + d1)>>)
      outs(%y : memref<4x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.sqrt %a : f32
    linalg.yield %r : f32
  }
  return
}

// What is the same in a row is loaded before the row. The last 5 elements are masked.

// CHECK-LABEL: func.func @broadcast(
// CHECK:         scf.for [[I:%.*]] =
// CHECK:           [[S:%.*]] = memref.load %s{{\[}}[[I]]]
// CHECK:           scf.for
// CHECK:             vector.broadcast [[S]] : f32 to vector<32xf32>
// CHECK:           vector.maskedload %x
// CHECK:           vector.maskedstore %y
func.func @broadcast(%x: memref<4x69xf32>, %s: memref<4xf32>, %y: memref<4x69xf32>) {
  linalg.generic {indexing_maps = [#whole, #column, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : memref<4x69xf32>, memref<4xf32>) outs(%y : memref<4x69xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.mulf %a, %b : f32
    linalg.yield %r : f32
  }
  return
}

// A maximum may be taken in any order; a sum needs the flag.

// CHECK-LABEL: func.func @reductions(
// CHECK:         iter_args({{%.*}} = {{%.*}}) -> (vector<64xf32>)
// CHECK:           arith.maximumf {{%.*}}, {{%.*}} : vector<64xf32>
// CHECK:         vector.extract_strided_slice
// CHECK:         vector.extract {{%.*}}[0] : f32 from vector<1xf32>
// CHECK:         memref.store {{%.*}}, %m
// CHECK:         iter_args({{%.*}} = {{%.*}}) -> (vector<64xf32>)
// CHECK:           arith.addf {{%.*}}, {{%.*}} : vector<64xf32>
// CHECK:         linalg.generic
// CHECK:           arith.addf %{{.*}}, %{{.*}} : f32
func.func @reductions(%x: memref<4x128xf32>, %m: memref<4xf32>, %s: memref<4xf32>) {
  linalg.generic {indexing_maps = [#whole, #column], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<4x128xf32>) outs(%m : memref<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %a, %o : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#whole, #column], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<4x128xf32>) outs(%s : memref<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o fastmath<reassoc> : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#whole, #column], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<4x128xf32>) outs(%s : memref<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  }
  return
}

// These stay: columns are no rows, and a division of integers may fail.

// CHECK-LABEL: func.func @stays(
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK:           arith.divsi
func.func @stays(%x: memref<8x8xf32>, %y: memref<8x8xf32>, %i: memref<8x8xi32>) {
  linalg.generic {indexing_maps = [#turned, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<8x8xf32>) outs(%y : memref<8x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  }
  linalg.generic {indexing_maps = [#whole], iterator_types = ["parallel", "parallel"]}
      outs(%i : memref<8x8xi32>) {
  ^bb0(%o: i32):
    %r = arith.divsi %o, %o : i32
    linalg.yield %r : i32
  }
  return
}

// Eight rows are added to the row of sums at once, in their order; then the last two.

// CHECK-LABEL: func.func @columns(
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             vector.load %s
// CHECK-COUNT-8:     arith.addf
// CHECK:             vector.store
// CHECK:         scf.for
// CHECK:             vector.load %s
// CHECK:             arith.addf
// CHECK-NOT:         arith.addf
// CHECK:             vector.store
func.func @columns(%x: memref<10x64xf32>, %s: memref<64xf32>) {
  linalg.generic {indexing_maps = [#whole, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<10x64xf32>) outs(%s : memref<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  }
  return
}
