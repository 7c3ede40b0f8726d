// RUN: xdsl-opt -t mlir-22 -p convert-linalg-to-xsmm %s | filecheck %s

#ij = affine_map<(i, j) -> (i, j)>
#ji = affine_map<(i, j) -> (j, i)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>
#none = affine_map<(i, j) -> ()>

// CHECK-LABEL: func.func @fill
// CHECK: %[[ZERO:.*]] = xsmm.unary.dispatch zero [8, 4, 1, 6] flags = (bcast_scalar) data_type = f32
// CHECK-NEXT: xsmm.unary zero(data_type = f32, %[[ZERO]], %zero, %m)
// CHECK-NEXT: %[[FILL:.*]] = xsmm.unary.dispatch identity [8, 4, 1, 6] flags = (bcast_scalar) data_type = f32
// CHECK-NEXT: xsmm.unary identity(data_type = f32, %[[FILL]], %minus_zero, %m)
// CHECK-NEXT: %[[ROW:.*]] = xsmm.unary.dispatch zero [1, 4, 1, 4] flags = (bcast_scalar) data_type = f32
// CHECK-NEXT: xsmm.unary zero(data_type = f32, %[[ROW]], %zero, %row)
func.func @fill(%m: memref<8x4xf32, strided<[6, 1]>>, %row: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %minus_zero = arith.constant -0.0 : f32
  linalg.fill ins(%zero : f32) outs(%m : memref<8x4xf32, strided<[6, 1]>>)
  linalg.fill ins(%minus_zero : f32) outs(%m : memref<8x4xf32, strided<[6, 1]>>)
  linalg.fill ins(%zero : f32) outs(%row : memref<4xf32>)
  return
}

// CHECK-LABEL: func.func @copy
// CHECK-NEXT: xsmm.unary.dispatch identity [8, 4, 6, 4] flags = (none) data_type = bf16
// CHECK-NEXT: xsmm.unary identity(data_type = bf16, %{{.*}}, %a, %b)
func.func @copy(%a: memref<8x4xbf16, strided<[6, 1]>>, %b: memref<8x4xbf16>) {
  linalg.copy ins(%a : memref<8x4xbf16, strided<[6, 1]>>) outs(%b : memref<8x4xbf16>)
  return
}

// Rows and columns in flags are those of column-major matrices.
// CHECK-LABEL: func.func @broadcast
// CHECK-NEXT: xsmm.unary.dispatch identity [8, 4, 4, 4] flags = (bcast_col) data_type = f32
// CHECK-NEXT: xsmm.unary identity(data_type = f32, %{{.*}}, %row, %m)
// CHECK-NEXT: xsmm.unary.dispatch identity [8, 4, 1, 4] flags = (bcast_row) data_type = f32
// CHECK-NEXT: xsmm.unary identity(data_type = f32, %{{.*}}, %column, %m)
func.func @broadcast(%row: memref<4xf32>, %column: memref<8xf32>, %m: memref<8x4xf32>) {
  linalg.broadcast ins(%row : memref<4xf32>) outs(%m : memref<8x4xf32>) dimensions = [0]
  linalg.broadcast ins(%column : memref<8xf32>) outs(%m : memref<8x4xf32>) dimensions = [1]
  return
}

// CHECK-LABEL: func.func @transpose
// CHECK-NEXT: xsmm.unary.dispatch transpose [8, 4, 6, 9] flags = (none) data_type = f32
// CHECK-NEXT: xsmm.unary transpose(data_type = f32, %{{.*}}, %a, %b)
func.func @transpose(%a: memref<8x4xf32, strided<[6, 1]>>, %b: memref<4x8xf32, strided<[9, 1]>>) {
  linalg.transpose ins(%a : memref<8x4xf32, strided<[6, 1]>>) outs(%b : memref<4x8xf32, strided<[9, 1]>>) permutation = [1, 0]
  return
}

// CHECK-LABEL: func.func @relu_in_place
// CHECK: xsmm.unary.dispatch relu [8, 4, 4, 4] flags = (none) data_type = f32
// CHECK-NEXT: xsmm.unary relu(data_type = f32, %{{.*}}, %m, %m)
func.func @relu_in_place(%m: memref<8x4xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#ij], iterator_types = ["parallel", "parallel"]} outs(%m : memref<8x4xf32>) {
  ^bb0(%o: f32):
    %r = arith.maximumf %o, %zero : f32
    linalg.yield %r : f32
  }
  return
}

// The zero may be in the body, and the loops in another order.
// CHECK-LABEL: func.func @relu_of_transposed_loops
// CHECK: xsmm.unary.dispatch relu [8, 4, 4, 4] flags = (none) data_type = f32
// CHECK-NEXT: xsmm.unary relu(data_type = f32, %{{.*}}, %a, %m)
func.func @relu_of_transposed_loops(%a: memref<8x4xf32>, %m: memref<8x4xf32>) {
  linalg.generic {indexing_maps = [#ji, #ji], iterator_types = ["parallel", "parallel"]} ins(%a : memref<8x4xf32>) outs(%m : memref<8x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %zero = arith.constant 0.0 : f32
    %r = arith.maximumf %zero, %x : f32
    linalg.yield %r : f32
  }
  return
}

// CHECK-LABEL: func.func @bias
// CHECK-NEXT: xsmm.binary.dispatch add [8, 4, 4, 4, 4] flags = (bcast_col_in0) data_type = f32
// CHECK-NEXT: xsmm.binary add(data_type = f32, %{{.*}}, %row, %m, %m)
func.func @bias(%row: memref<4xf32>, %m: memref<8x4xf32>) {
  linalg.generic {indexing_maps = [#j, #ij], iterator_types = ["parallel", "parallel"]} ins(%row : memref<4xf32>) outs(%m : memref<8x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.addf %x, %o : f32
    linalg.yield %r : f32
  }
  return
}

// CHECK-LABEL: func.func @named
// CHECK: xsmm.binary add(
// CHECK: xsmm.binary sub(
// CHECK: xsmm.binary mul(
// CHECK: xsmm.binary div(
func.func @named(%a: memref<8x4xf32>, %b: memref<8x4xf32>, %c: memref<8x4xf32>) {
  linalg.add ins(%a, %b : memref<8x4xf32>, memref<8x4xf32>) outs(%c : memref<8x4xf32>)
  linalg.sub ins(%a, %b : memref<8x4xf32>, memref<8x4xf32>) outs(%c : memref<8x4xf32>)
  linalg.mul ins(%a, %b : memref<8x4xf32>, memref<8x4xf32>) outs(%c : memref<8x4xf32>)
  linalg.div ins(%a, %b : memref<8x4xf32>, memref<8x4xf32>) outs(%c : memref<8x4xf32>)
  return
}

// CHECK-LABEL: func.func @repeated_operands
// CHECK-NEXT: xsmm.binary.dispatch sub [8, 4, 1, 1, 4] flags = (bcast_row_in0, bcast_scalar_in1) data_type = f32
// CHECK-NEXT: xsmm.binary sub(data_type = f32, %{{.*}}, %column, %x, %m)
func.func @repeated_operands(%column: memref<8xf32>, %x: f32, %m: memref<8x4xf32>) {
  linalg.generic {indexing_maps = [#i, #none, #ij], iterator_types = ["parallel", "parallel"]} ins(%column, %x : memref<8xf32>, f32) outs(%m : memref<8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.subf %a, %b : f32
    linalg.yield %r : f32
  }
  return
}
