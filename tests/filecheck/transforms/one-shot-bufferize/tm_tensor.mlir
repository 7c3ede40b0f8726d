// RUN: xbuf opt -p "one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}" %s | filecheck %s

// An inclusive scan overwrites its output, and the accumulator as well.
// CHECK-LABEL: func.func @scan
// CHECK-SAME:      (%x: memref<4x3xf32>) -> (memref<4x3xf32>, memref<4x3xf32>, memref<3xf32>) {
// CHECK-DAG:     %[[O:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4x3xf32>
// CHECK-DAG:     %[[A:.*]] = memref.alloc() {alignment = 64 : i64} : memref<3xf32>
// CHECK-NOT:     memref.copy
// CHECK:         tm_tensor.scan dimension(0) inclusive(true) ins(%x : memref<4x3xf32>) outs(%[[O]], %[[A]] : memref<4x3xf32>, memref<3xf32>) {
// CHECK-NEXT:    ^{{.*}}(%p: f32, %e: f32):
// CHECK-NEXT:      %s = arith.addf %p, %e : f32
// CHECK-NEXT:      tm_tensor.yield %s : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    return %x, %[[O]], %[[A]]
func.func @scan(%x: tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<4x3xf32>, tensor<3xf32>) {
  %a = tensor.empty() : tensor<3xf32>
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<4x3xf32>) outs(%x, %a : tensor<4x3xf32>, tensor<3xf32>) {
  ^bb0(%p: f32, %e: f32):
    %s = arith.addf %p, %e : f32
    tm_tensor.yield %s : f32
  } -> tensor<4x3xf32>, tensor<3xf32>
  return %x, %0#0, %0#1 : tensor<4x3xf32>, tensor<4x3xf32>, tensor<3xf32>
}

// An exclusive scan reads the accumulator, so that one in use is copied.
// CHECK-LABEL: func.func @exclusive_scan
// CHECK:         %[[A:.*]] = memref.alloc() {alignment = 64 : i64} : memref<f32>
// CHECK:         memref.copy %a, %[[A]]
// CHECK:         tm_tensor.scan dimension(0) inclusive(false) ins(%x : memref<4xf32>) outs(%{{.*}}, %[[A]] : memref<4xf32>, memref<f32>)
func.func @exclusive_scan(%x: tensor<4xf32>, %a: tensor<f32>) -> (tensor<4xf32>, tensor<f32>, tensor<f32>) {
  %o = tensor.empty() : tensor<4xf32>
  %0:2 = tm_tensor.scan dimension(0) inclusive(false) ins(%x : tensor<4xf32>) outs(%o, %a : tensor<4xf32>, tensor<f32>) {
  ^bb0(%p: f32, %e: f32):
    %s = arith.addf %p, %e : f32
    tm_tensor.yield %s : f32
  } -> tensor<4xf32>, tensor<f32>
  return %0#0, %0#1, %a : tensor<4xf32>, tensor<f32>, tensor<f32>
}

// In a dimension that may have fewer than two elements the accumulator stays.
// CHECK-LABEL: func.func @scan_of_any_size
// CHECK:         memref.copy %a, %{{.*}} : memref<f32> to memref<f32>
func.func @scan_of_any_size(%x: tensor<?xf32>, %o: tensor<?xf32>, %a: tensor<f32>) -> (tensor<?xf32>, tensor<f32>, tensor<f32>) {
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<?xf32>) outs(%o, %a : tensor<?xf32>, tensor<f32>) {
  ^bb0(%p: f32, %e: f32):
    %s = arith.addf %p, %e : f32
    tm_tensor.yield %s : f32
  } -> tensor<?xf32>, tensor<f32>
  return %0#0, %0#1, %a : tensor<?xf32>, tensor<f32>, tensor<f32>
}

// A scatter keeps what it does not write.
// CHECK-LABEL: func.func @scatter
// CHECK-NOT:     memref.alloc
// CHECK:         tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : memref<3xi64>, memref<3x1xi64>) outs(%x : memref<8xi64>)
// CHECK:         return %x
func.func @scatter(%x: tensor<8xi64>, %i: tensor<3x1xi64>, %u: tensor<3xi64>) -> tensor<8xi64> {
  %r = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : tensor<3xi64>, tensor<3x1xi64>) outs(%x : tensor<8xi64>) {
  ^bb0(%p: i64, %q: i64):
    tm_tensor.yield %p : i64
  } -> tensor<8xi64>
  return %r : tensor<8xi64>
}

// CHECK-LABEL: func.func @scatter_of_a_tensor_in_use
// CHECK:         %[[N:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8xi64>
// CHECK:         memref.copy %x, %[[N]]
// CHECK:         tm_tensor.scatter {{.*}} outs(%[[N]] : memref<8xi64>)
func.func @scatter_of_a_tensor_in_use(%x: tensor<8xi64>, %i: tensor<3x1xi64>, %u: tensor<3xi64>) -> (tensor<8xi64>, tensor<8xi64>) {
  %r = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : tensor<3xi64>, tensor<3x1xi64>) outs(%x : tensor<8xi64>) {
  ^bb0(%p: i64, %q: i64):
    tm_tensor.yield %p : i64
  } -> tensor<8xi64>
  return %r, %x : tensor<8xi64>, tensor<8xi64>
}

// CHECK-LABEL: func.func @sort
// CHECK-NOT:     memref.alloc
// CHECK:         tm_tensor.sort dimension(0) outs(%x, %n : memref<4xf32>, memref<4xi64>)
// CHECK:         return %x, %n
func.func @sort(%x: tensor<4xf32>, %n: tensor<4xi64>) -> (tensor<4xf32>, tensor<4xi64>) {
  %0:2 = tm_tensor.sort dimension(0) outs(%x, %n : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%v0: f32, %v1: f32, %i0: i64, %i1: i64):
    %le = arith.cmpf ole, %v0, %v1 : f32
    tm_tensor.yield %le : i1
  } -> tensor<4xf32>, tensor<4xi64>
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xi64>
}

// Top-k reads its outputs: they hold what is kept if there is nothing better.
// CHECK-LABEL: func.func @topk
// CHECK:         %[[N:.*]] = memref.alloc() {alignment = 64 : i64} : memref<3xf32>
// CHECK:         memref.copy %a, %[[N]]
// CHECK:         tm_tensor.topk dimension(0) ins(%x : memref<9xf32>) outs(%[[N]], %b : memref<3xf32>, memref<3xi32>)
func.func @topk(%x: tensor<9xf32>, %a: tensor<3xf32>, %b: tensor<3xi32>) -> (tensor<3xf32>, tensor<3xi32>, tensor<3xf32>) {
  %v, %i = tm_tensor.topk dimension(0) ins(%x : tensor<9xf32>) outs(%a, %b : tensor<3xf32>, tensor<3xi32>) {
  ^bb0(%new: f32, %kept: f32):
    %gt = arith.cmpf ogt, %new, %kept : f32
    tm_tensor.yield %gt : i1
  } -> tensor<3xf32>, tensor<3xi32>
  return %v, %i, %a : tensor<3xf32>, tensor<3xi32>, tensor<3xf32>
}

// Attention overwrites its output.
// CHECK-LABEL: func.func @attention
// CHECK:         %[[N:.*]] = memref.alloc() {alignment = 64 : i64} : memref<5x8xf32>
// CHECK-NOT:     memref.copy
// CHECK:         tm_tensor.attention ins(%q, %q, %q : memref<5x8xf32>, memref<5x8xf32>, memref<5x8xf32>) outs(%[[N]] : memref<5x8xf32>)
// CHECK-NEXT:    return %q, %[[N]]
func.func @attention(%q: tensor<5x8xf32>) -> (tensor<5x8xf32>, tensor<5x8xf32>) {
  %r = tm_tensor.attention ins(%q, %q, %q : tensor<5x8xf32>, tensor<5x8xf32>, tensor<5x8xf32>) outs(%q : tensor<5x8xf32>) -> tensor<5x8xf32>
  return %q, %r : tensor<5x8xf32>, tensor<5x8xf32>
}
