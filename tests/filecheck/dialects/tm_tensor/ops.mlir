// RUN: xbuf opt %s | xbuf opt | filecheck %s
// RUN: xbuf opt %s --print-op-generic | xbuf opt | filecheck %s

// CHECK-LABEL: func.func @scan
func.func @scan(%x: tensor<4x?xf32>, %o: tensor<4x?xf32>, %a: tensor<?xf32>) {
  // CHECK-NEXT: %{{.*}}, %{{.*}} = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<4x?xf32>) outs(%o, %a : tensor<4x?xf32>, tensor<?xf32>) {
  // CHECK-NEXT: ^{{.*}}(%previous: f32, %element: f32):
  // CHECK-NEXT:   %sum = arith.addf %previous, %element : f32
  // CHECK-NEXT:   tm_tensor.yield %sum : f32
  // CHECK-NEXT: } -> tensor<4x?xf32>, tensor<?xf32>
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<4x?xf32>) outs(%o, %a : tensor<4x?xf32>, tensor<?xf32>) {
  ^bb0(%previous: f32, %element: f32):
    %sum = arith.addf %previous, %element : f32
    tm_tensor.yield %sum : f32
  } -> tensor<4x?xf32>, tensor<?xf32>
  return
}

// CHECK-LABEL: func.func @scan_buffers
func.func @scan_buffers(%x: memref<4xi64>, %o: memref<4xi64, strided<[2], offset: ?>>, %a: memref<i64>) {
  // CHECK-NEXT: tm_tensor.scan dimension(0) inclusive(false) {hint} ins(%x : memref<4xi64>) outs(%o, %a : memref<4xi64, strided<[2], offset: ?>>, memref<i64>) {
  // CHECK-NEXT: ^{{.*}}(%previous: i64, %element: i64):
  // CHECK-NEXT:   %sum = arith.addi %previous, %element : i64
  // CHECK-NEXT:   tm_tensor.yield %sum : i64
  // CHECK-NEXT: }
  // CHECK-NEXT: return
  tm_tensor.scan dimension(0) inclusive(false) {hint} ins(%x : memref<4xi64>) outs(%o, %a : memref<4xi64, strided<[2], offset: ?>>, memref<i64>) {
  ^bb0(%previous: i64, %element: i64):
    %sum = arith.addi %previous, %element : i64
    tm_tensor.yield %sum : i64
  }
  return
}

// CHECK-LABEL: func.func @scatter
func.func @scatter(%x: tensor<8x6xi64>, %i: tensor<3x1xi64>, %u: tensor<3x6xi64>) -> tensor<8x6xi64> {
  // CHECK-NEXT: %r = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : tensor<3x6xi64>, tensor<3x1xi64>) outs(%x : tensor<8x6xi64>) {
  // CHECK-NEXT: ^{{.*}}(%update: i64, %old: i64):
  // CHECK-NEXT:   tm_tensor.yield %update : i64
  // CHECK-NEXT: } -> tensor<8x6xi64>
  %r = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : tensor<3x6xi64>, tensor<3x1xi64>) outs(%x : tensor<8x6xi64>) {
  ^bb0(%update: i64, %old: i64):
    tm_tensor.yield %update : i64
  } -> tensor<8x6xi64>
  return %r : tensor<8x6xi64>
}

// CHECK-LABEL: func.func @scatter_buffers
func.func @scatter_buffers(%x: memref<8x6xf32>, %i: memref<?x2xi32>, %u: memref<?xf32>) {
  // CHECK-NEXT: tm_tensor.scatter {dimension_map = array<i64: 1, 0>} unique_indices(false) ins(%u, %i : memref<?xf32>, memref<?x2xi32>) outs(%x : memref<8x6xf32>) {
  // CHECK:      }
  // CHECK-NEXT: return
  tm_tensor.scatter {dimension_map = array<i64: 1, 0>} unique_indices(false) ins(%u, %i : memref<?xf32>, memref<?x2xi32>) outs(%x : memref<8x6xf32>) {
  ^bb0(%update: f32, %old: f32):
    %sum = arith.addf %update, %old : f32
    tm_tensor.yield %sum : f32
  }
  return
}

// CHECK-LABEL: func.func @sort
func.func @sort(%x: tensor<3x4xf32>, %n: tensor<3x4xi64>, %m: memref<?xf64>) {
  // CHECK-NEXT: %v, %i = tm_tensor.sort dimension(1) outs(%x, %n : tensor<3x4xf32>, tensor<3x4xi64>) {
  // CHECK-NEXT: ^{{.*}}(%v0: f32, %v1: f32, %i0: i64, %i1: i64):
  // CHECK-NEXT:   %le = arith.cmpf ole, %v0, %v1 : f32
  // CHECK-NEXT:   tm_tensor.yield %le : i1
  // CHECK-NEXT: } -> tensor<3x4xf32>, tensor<3x4xi64>
  %v, %i = tm_tensor.sort dimension(1) outs(%x, %n : tensor<3x4xf32>, tensor<3x4xi64>) {
  ^bb0(%v0: f32, %v1: f32, %i0: i64, %i1: i64):
    %le = arith.cmpf ole, %v0, %v1 : f32
    tm_tensor.yield %le : i1
  } -> tensor<3x4xf32>, tensor<3x4xi64>
  // CHECK-NEXT: tm_tensor.sort {hint} dimension(0) outs(%m : memref<?xf64>) {
  // CHECK:      }
  // CHECK-NEXT: return
  tm_tensor.sort {hint} dimension(0) outs(%m : memref<?xf64>) {
  ^bb0(%v2: f64, %v3: f64):
    %ge = arith.cmpf oge, %v2, %v3 : f64
    tm_tensor.yield %ge : i1
  }
  return
}

// CHECK-LABEL: func.func @topk
func.func @topk(%x: tensor<5x9xf32>, %n: tensor<5x9xi32>, %a: tensor<5x3xf32>, %b: tensor<5x3xi32>) -> (tensor<5x3xf32>, tensor<5x3xi32>) {
  // CHECK-NEXT: %v, %i = tm_tensor.topk dimension(1) ins(%x, %n : tensor<5x9xf32>, tensor<5x9xi32>) outs(%a, %b : tensor<5x3xf32>, tensor<5x3xi32>) {
  // CHECK-NEXT: ^{{.*}}(%new: f32, %kept: f32):
  // CHECK-NEXT:   %gt = arith.cmpf ogt, %new, %kept : f32
  // CHECK-NEXT:   tm_tensor.yield %gt : i1
  // CHECK-NEXT: } -> tensor<5x3xf32>, tensor<5x3xi32>
  %v, %i = tm_tensor.topk dimension(1) ins(%x, %n : tensor<5x9xf32>, tensor<5x9xi32>) outs(%a, %b : tensor<5x3xf32>, tensor<5x3xi32>) {
  ^bb0(%new: f32, %kept: f32):
    %gt = arith.cmpf ogt, %new, %kept : f32
    tm_tensor.yield %gt : i1
  } -> tensor<5x3xf32>, tensor<5x3xi32>
  return %v, %i : tensor<5x3xf32>, tensor<5x3xi32>
}

// CHECK-LABEL: func.func @topk_buffers
func.func @topk_buffers(%x: memref<9xi64>, %a: memref<3xi64>, %b: memref<3xi32>) {
  // CHECK-NEXT: tm_tensor.topk dimension(0) ins(%x : memref<9xi64>) outs(%a, %b : memref<3xi64>, memref<3xi32>) {
  // CHECK:      }
  // CHECK-NEXT: return
  tm_tensor.topk dimension(0) ins(%x : memref<9xi64>) outs(%a, %b : memref<3xi64>, memref<3xi32>) {
  ^bb0(%new: i64, %kept: i64):
    %lt = arith.cmpi slt, %new, %kept : i64
    tm_tensor.yield %lt : i1
  }
  return
}

// CHECK-LABEL: func.func @attention
func.func @attention(%q: tensor<2x5x8xf32>, %k: tensor<2x7x8xf32>, %v: tensor<2x7x4xf32>, %m: tensor<2x5x7xi1>, %o: tensor<2x5x4xf32>) -> tensor<2x5x4xf32> {
  // CHECK-NEXT: %r = tm_tensor.attention {scale = 5.000000e-01 : f64} ins(%q, %k, %v, %m : tensor<2x5x8xf32>, tensor<2x7x8xf32>, tensor<2x7x4xf32>, tensor<2x5x7xi1>) outs(%o : tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
  %r = tm_tensor.attention {scale = 5.000000e-01 : f64} ins(%q, %k, %v, %m : tensor<2x5x8xf32>, tensor<2x7x8xf32>, tensor<2x7x4xf32>, tensor<2x5x7xi1>) outs(%o : tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
  return %r : tensor<2x5x4xf32>
}

// CHECK-LABEL: func.func @attention_buffers
func.func @attention_buffers(%q: memref<5x?xf16>, %k: memref<7x?xf16>, %v: memref<7x4xf16>, %o: memref<5x4xf16>) {
  // CHECK-NEXT: tm_tensor.attention ins(%q, %k, %v : memref<5x?xf16>, memref<7x?xf16>, memref<7x4xf16>) outs(%o : memref<5x4xf16>)
  tm_tensor.attention ins(%q, %k, %v : memref<5x?xf16>, memref<7x?xf16>, memref<7x4xf16>) outs(%o : memref<5x4xf16>)
  return
}
