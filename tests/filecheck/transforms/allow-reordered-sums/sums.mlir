// RUN: xdsl-opt -t mlir-22 -p allow-reordered-sums %s | filecheck %s

// Sums along a reduction may be added up in another order. The product of two elements
// is no sum, and keeps its order.

// CHECK-LABEL: func.func @squares
// CHECK:         %square = arith.mulf %x, %x : f32
// CHECK-NEXT:    %more = arith.addf %square, %sum fastmath<reassoc> : f32
func.func @squares(%a: memref<8xf32>, %out: memref<f32>) {
  linalg.generic {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>],
    iterator_types = ["reduction"]
  } ins(%a : memref<8xf32>) outs(%out : memref<f32>) {
  ^bb0(%x: f32, %sum: f32):
    %square = arith.mulf %x, %x : f32
    %more = arith.addf %square, %sum : f32
    linalg.yield %more : f32
  }
  return
}

// Nothing is summed here.

// CHECK-LABEL: func.func @elementwise
// CHECK:         arith.addf %x, %y : f32
func.func @elementwise(%a: memref<8xf32>, %out: memref<8xf32>) {
  linalg.generic {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
    iterator_types = ["parallel"]
  } ins(%a : memref<8xf32>) outs(%out : memref<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %sum = arith.addf %x, %y : f32
    linalg.yield %sum : f32
  }
  return
}
