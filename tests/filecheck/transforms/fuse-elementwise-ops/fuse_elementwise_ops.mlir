// RUN: xdsl-opt -t mlir-22 -p fuse-elementwise-ops %s | filecheck %s

#whole = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>
#column = affine_map<(d0, d1) -> (d1)>

// The difference is computed where it is used. The root is a number for each row. The
// exponential has two users, and is computed once.

// CHECK-LABEL: func.func @chain(
// CHECK:         [[E:%.*]] = linalg.generic {{.*}} ins(%x, %s : tensor<4x16xf32>, tensor<4x1xf32>)
// CHECK:           math.sqrt
// CHECK-NEXT:      arith.subf
// CHECK-NEXT:      math.exp
// CHECK-NEXT:      linalg.yield
// CHECK:         [[SUM:%.*]] = linalg.generic {{.*}} ins([[E]] : tensor<4x16xf32>)
// CHECK:           arith.addf
// CHECK:         linalg.generic {{.*}} ins([[E]], [[SUM]] : tensor<4x16xf32>, tensor<4x1xf32>)
// CHECK-NOT:     linalg.generic
func.func @chain(%x: tensor<4x16xf32>, %s: tensor<4x1xf32>, %z: tensor<4x1xf32>) -> tensor<4x16xf32> {
  %e = tensor.empty() : tensor<4x16xf32>
  %f = tensor.empty() : tensor<4x1xf32>
  %0 = linalg.generic {indexing_maps = [#whole, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<4x1xf32>) outs(%f : tensor<4x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.sqrt %a : f32
    linalg.yield %r : f32
  } -> tensor<4x1xf32>
  %1 = linalg.generic {indexing_maps = [#whole, #row, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%x, %0 : tensor<4x16xf32>, tensor<4x1xf32>) outs(%e : tensor<4x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.subf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<4x16xf32>
  %2 = linalg.generic {indexing_maps = [#whole, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%1 : tensor<4x16xf32>) outs(%e : tensor<4x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.exp %a : f32
    linalg.yield %r : f32
  } -> tensor<4x16xf32>
  %3 = linalg.generic {indexing_maps = [#whole, #row], iterator_types = ["parallel", "reduction"]}
      ins(%2 : tensor<4x16xf32>) outs(%z : tensor<4x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<4x1xf32>
  %4 = linalg.generic {indexing_maps = [#whole, #row, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%2, %3 : tensor<4x16xf32>, tensor<4x1xf32>) outs(%e : tensor<4x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<4x16xf32>
  return %4 : tensor<4x16xf32>
}

// The bias and the ReLU after a product are left to its kernel.

// CHECK-LABEL: func.func @layer(
// CHECK:         linalg.matmul
// CHECK:         arith.addf
// CHECK-NEXT:    linalg.yield
// CHECK:         arith.maximumf
// CHECK-NEXT:    linalg.yield
// CHECK:         math.exp
func.func @layer(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %b: tensor<16xf32>, %c: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  %1 = linalg.generic {indexing_maps = [#whole, #column, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%0, %b : tensor<4x16xf32>, tensor<16xf32>) outs(%e : tensor<4x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %r = arith.addf %p, %q : f32
    linalg.yield %r : f32
  } -> tensor<4x16xf32>
  %2 = linalg.generic {indexing_maps = [#whole, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%1 : tensor<4x16xf32>) outs(%e : tensor<4x16xf32>) {
  ^bb0(%p: f32, %o: f32):
    %r = arith.maximumf %p, %zero : f32
    linalg.yield %r : f32
  } -> tensor<4x16xf32>
  %3 = linalg.generic {indexing_maps = [#whole, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%2 : tensor<4x16xf32>) outs(%e : tensor<4x16xf32>) {
  ^bb0(%p: f32, %o: f32):
    %r = math.exp %p : f32
    linalg.yield %r : f32
  } -> tensor<4x16xf32>
  return %3 : tensor<4x16xf32>
}

// Nobody asks where the maximum is.

// CHECK-LABEL: func.func @place(
// CHECK:         [[M:%.*]] = linalg.generic {{.*}} outs(%m : tensor<4xf32>)
// CHECK-NOT:       linalg.index
// CHECK:           linalg.yield {{%.*}} : f32
func.func @place(%x: tensor<4x16xf32>, %m: tensor<4xf32>, %i: tensor<4xindex>) -> tensor<4xf32> {
  %0:2 = linalg.generic {indexing_maps = [#whole, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x16xf32>) outs(%m, %i : tensor<4xf32>, tensor<4xindex>) {
  ^bb0(%a: f32, %o: f32, %p: index):
    %d = linalg.index 1 : index
    %r = arith.maximumf %a, %o : f32
    %g = arith.cmpf ogt, %a, %o : f32
    %s = arith.select %g, %d, %p : index
    linalg.yield %r, %s : f32, index
  } -> (tensor<4xf32>, tensor<4xindex>)
  return %0#0 : tensor<4xf32>
}
