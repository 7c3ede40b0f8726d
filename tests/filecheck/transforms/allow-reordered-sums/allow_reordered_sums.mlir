// RUN: xdsl-opt -t mlir-22 -p allow-reordered-sums %s | filecheck %s

#whole = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Only the sum along the reduction may be reordered: not what it adds up, and no sum of
// two tensors.

// CHECK-LABEL: func.func @f(
// CHECK:         arith.addf %{{.*}}, %{{.*}} : f32
// CHECK-NEXT:    arith.addf %{{.*}}, %{{.*}} fastmath<reassoc> : f32
// CHECK:         arith.addf %{{.*}}, %{{.*}} : f32
func.func @f(%x: memref<4x8xf32>, %s: memref<4xf32>) {
  linalg.generic {indexing_maps = [#whole, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<4x8xf32>) outs(%s : memref<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %d = arith.addf %a, %a : f32
    %r = arith.addf %d, %o : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#whole, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<4x8xf32>) outs(%x : memref<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  }
  return
}
