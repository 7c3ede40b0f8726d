// RUN: xdsl-opt -t mlir-22 -p "outline-loop-nests{most-nests=1}" %s | filecheck %s

// No part is taken of a buffer without elements: a part that starts at its end is none.

// CHECK-LABEL: func.func @no_elements(
// CHECK-NOT:     memref.subview
// CHECK:         func.return
func.func @no_elements(%x: memref<0x5x2xi32>, %y: memref<0x5x2xi32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1, 1)>, affine_map<(d0, d1) -> (d0, d1, 1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<0x5x2xi32>) outs(%y : memref<0x5x2xi32>) {
  ^bb0(%a: i32, %b: i32):
    linalg.yield %a : i32
  }
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1, 0)>, affine_map<(d0, d1) -> (d0, d1, 1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<0x5x2xi32>) outs(%y : memref<0x5x2xi32>) {
  ^bb0(%a: i32, %b: i32):
    linalg.yield %a : i32
  }
  return
}

// Indices are numbers as others are.

// CHECK-LABEL: func.func @indices(
// CHECK:         func.call @indices_nest_
// CHECK:         func.call @indices_nest_
func.func @indices(%x: memref<4x5xindex>, %c: index) {
  linalg.fill ins(%c : index) outs(%x : memref<4x5xindex>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, 1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<4x5xindex>) outs(%x : memref<4x5xindex>) {
  ^bb0(%a: index, %b: index):
    linalg.yield %a : index
  }
  return
}
