// RUN: xbuf opt %s | filecheck %s

// linalg.yield ends bodies of other dialects' structured ops, too.

// CHECK-LABEL: @negate
// CHECK: memref_stream.generic
// CHECK: linalg.yield
func.func @negate(%from: memref<4xf64>, %to: memref<4xf64>) {
  memref_stream.generic {
      bounds = [4],
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]
  } ins(%from : memref<4xf64>) outs(%to : memref<4xf64>) {
  ^bb0(%in: f64, %out: f64):
    %0 = arith.negf %in : f64
    linalg.yield %0 : f64
  }
  return
}
