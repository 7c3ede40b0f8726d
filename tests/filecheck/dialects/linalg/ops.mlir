// RUN: xbuf opt %s | xbuf opt | filecheck %s
// RUN: xbuf opt %s --print-op-generic | xbuf opt | filecheck %s

// CHECK-LABEL: func.func @exp
func.func @exp(%a: tensor<3x4xf32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
  // CHECK: linalg.exp ins(%a : tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %r = linalg.exp ins(%a : tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @log
func.func @log(%a: tensor<3x4xf32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
  // CHECK: linalg.log ins(%a : tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %r = linalg.log ins(%a : tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @abs
func.func @abs(%a: tensor<3x4xf32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
  // CHECK: linalg.abs ins(%a : tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %r = linalg.abs ins(%a : tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @ceil
func.func @ceil(%a: tensor<3x4xf32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
  // CHECK: linalg.ceil ins(%a : tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %r = linalg.ceil ins(%a : tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @floor
func.func @floor(%a: tensor<3x4xf32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
  // CHECK: linalg.floor ins(%a : tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %r = linalg.floor ins(%a : tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @negf
func.func @negf(%a: tensor<3x4xf32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
  // CHECK: linalg.negf ins(%a : tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %r = linalg.negf ins(%a : tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @reciprocal
func.func @reciprocal(%a: tensor<3x4xf32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
  // CHECK: linalg.reciprocal ins(%a : tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %r = linalg.reciprocal ins(%a : tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @round
func.func @round(%a: tensor<3x4xf32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
  // CHECK: linalg.round ins(%a : tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %r = linalg.round ins(%a : tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @sqrt
func.func @sqrt(%a: tensor<3x4xf32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
  // CHECK: linalg.sqrt ins(%a : tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %r = linalg.sqrt ins(%a : tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @rsqrt
func.func @rsqrt(%a: tensor<3x4xf32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
  // CHECK: linalg.rsqrt ins(%a : tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %r = linalg.rsqrt ins(%a : tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @square
func.func @square(%a: tensor<3x4xf32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
  // CHECK: linalg.square ins(%a : tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %r = linalg.square ins(%a : tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @tanh
func.func @tanh(%a: tensor<3x4xf32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
  // CHECK: linalg.tanh ins(%a : tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %r = linalg.tanh ins(%a : tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @erf
func.func @erf(%a: tensor<3x4xf32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
  // CHECK: linalg.erf ins(%a : tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %r = linalg.erf ins(%a : tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @add
func.func @add(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
  // CHECK: linalg.add ins(%a, %b : tensor<3x4xf32>, tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %r = linalg.add ins(%a, %b : tensor<3x4xf32>, tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @sub
func.func @sub(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
  // CHECK: linalg.sub ins(%a, %b : tensor<3x4xf32>, tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %r = linalg.sub ins(%a, %b : tensor<3x4xf32>, tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @mul
func.func @mul(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
  // CHECK: linalg.mul ins(%a, %b : tensor<3x4xf32>, tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %r = linalg.mul ins(%a, %b : tensor<3x4xf32>, tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @div
func.func @div(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
  // CHECK: linalg.div ins(%a, %b : tensor<3x4xf32>, tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %r = linalg.div ins(%a, %b : tensor<3x4xf32>, tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @div_unsigned
func.func @div_unsigned(%a: tensor<3x4xi32>, %b: tensor<3x4xi32>, %o: tensor<3x4xi32>) -> tensor<3x4xi32> {
  // CHECK: linalg.div_unsigned ins(%a, %b : tensor<3x4xi32>, tensor<3x4xi32>) outs(%o : tensor<3x4xi32>) -> tensor<3x4xi32>
  %r = linalg.div_unsigned ins(%a, %b : tensor<3x4xi32>, tensor<3x4xi32>) outs(%o : tensor<3x4xi32>) -> tensor<3x4xi32>
  return %r : tensor<3x4xi32>
}

// CHECK-LABEL: func.func @max
func.func @max(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
  // CHECK: linalg.max ins(%a, %b : tensor<3x4xf32>, tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %r = linalg.max ins(%a, %b : tensor<3x4xf32>, tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @min
func.func @min(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
  // CHECK: linalg.min ins(%a, %b : tensor<3x4xf32>, tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %r = linalg.min ins(%a, %b : tensor<3x4xf32>, tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @powf
func.func @powf(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
  // CHECK: linalg.powf ins(%a, %b : tensor<3x4xf32>, tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %r = linalg.powf ins(%a, %b : tensor<3x4xf32>, tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @select
func.func @select(%a: tensor<3x4xi1>, %b: tensor<3x4xf32>, %c: tensor<3x4xf32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
  // CHECK: linalg.select ins(%a, %b, %c : tensor<3x4xi1>, tensor<3x4xf32>, tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %r = linalg.select ins(%a, %b, %c : tensor<3x4xi1>, tensor<3x4xf32>, tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @copy
func.func @copy(%a: tensor<3x4xf32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
  // CHECK: linalg.copy ins(%a : tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %r = linalg.copy ins(%a : tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @fill
func.func @fill(%a: f32, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
  // CHECK: linalg.fill ins(%a : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %r = linalg.fill ins(%a : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @fill_rng_2d
func.func @fill_rng_2d(%a: f64, %b: f64, %c: i32, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: linalg.fill_rng_2d ins(%a, %b, %c : f64, f64, i32) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  %r = linalg.fill_rng_2d ins(%a, %b, %c : f64, f64, i32) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @matmul
func.func @matmul(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: linalg.matmul ins(%a, %b : tensor<2x4xf32>, tensor<4x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  %r = linalg.matmul ins(%a, %b : tensor<2x4xf32>, tensor<4x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @batch_matmul
func.func @batch_matmul(%a: tensor<2x3x3xf32>, %b: tensor<2x3x4xf32>, %o: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  // CHECK: linalg.batch_matmul ins(%a, %b : tensor<2x3x3xf32>, tensor<2x3x4xf32>) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %r = linalg.batch_matmul ins(%a, %b : tensor<2x3x3xf32>, tensor<2x3x4xf32>) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @batch_reduce_matmul
func.func @batch_reduce_matmul(%a: tensor<2x3x3xf32>, %b: tensor<2x3x4xf32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
  // CHECK: linalg.batch_reduce_matmul ins(%a, %b : tensor<2x3x3xf32>, tensor<2x3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %r = linalg.batch_reduce_matmul ins(%a, %b : tensor<2x3x3xf32>, tensor<2x3x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @dot
func.func @dot(%a: tensor<2xf32>, %b: tensor<2xf32>, %o: tensor<f32>) -> tensor<f32> {
  // CHECK: linalg.dot ins(%a, %b : tensor<2xf32>, tensor<2xf32>) outs(%o : tensor<f32>) -> tensor<f32>
  %r = linalg.dot ins(%a, %b : tensor<2xf32>, tensor<2xf32>) outs(%o : tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// CHECK-LABEL: func.func @matvec
func.func @matvec(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %o: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: linalg.matvec ins(%a, %b : tensor<2x3xf32>, tensor<3xf32>) outs(%o : tensor<2xf32>) -> tensor<2xf32>
  %r = linalg.matvec ins(%a, %b : tensor<2x3xf32>, tensor<3xf32>) outs(%o : tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: func.func @vecmat
func.func @vecmat(%a: tensor<3xf32>, %b: tensor<3x2xf32>, %o: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: linalg.vecmat ins(%a, %b : tensor<3xf32>, tensor<3x2xf32>) outs(%o : tensor<2xf32>) -> tensor<2xf32>
  %r = linalg.vecmat ins(%a, %b : tensor<3xf32>, tensor<3x2xf32>) outs(%o : tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: func.func @batch_matvec
func.func @batch_matvec(%a: tensor<2x3x4xf32>, %b: tensor<2x4xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: linalg.batch_matvec ins(%a, %b : tensor<2x3x4xf32>, tensor<2x4xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  %r = linalg.batch_matvec ins(%a, %b : tensor<2x3x4xf32>, tensor<2x4xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @batch_vecmat
func.func @batch_vecmat(%a: tensor<2x4xf32>, %b: tensor<2x4x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: linalg.batch_vecmat ins(%a, %b : tensor<2x4xf32>, tensor<2x4x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  %r = linalg.batch_vecmat ins(%a, %b : tensor<2x4xf32>, tensor<2x4x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @mmt4d
func.func @mmt4d(%a: tensor<2x4x3x3xf32>, %b: tensor<3x4x2x3xf32>, %o: tensor<2x3x3x2xf32>) -> tensor<2x3x3x2xf32> {
  // CHECK: linalg.mmt4d ins(%a, %b : tensor<2x4x3x3xf32>, tensor<3x4x2x3xf32>) outs(%o : tensor<2x3x3x2xf32>) -> tensor<2x3x3x2xf32>
  %r = linalg.mmt4d ins(%a, %b : tensor<2x4x3x3xf32>, tensor<3x4x2x3xf32>) outs(%o : tensor<2x3x3x2xf32>) -> tensor<2x3x3x2xf32>
  return %r : tensor<2x3x3x2xf32>
}

// CHECK-LABEL: func.func @batch_mmt4d
func.func @batch_mmt4d(%a: tensor<2x3x3x2x2xf32>, %b: tensor<2x4x3x3x2xf32>, %o: tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32> {
  // CHECK: linalg.batch_mmt4d ins(%a, %b : tensor<2x3x3x2x2xf32>, tensor<2x4x3x3x2xf32>) outs(%o : tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32>
  %r = linalg.batch_mmt4d ins(%a, %b : tensor<2x3x3x2x2xf32>, tensor<2x4x3x3x2xf32>) outs(%o : tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32>
  return %r : tensor<2x3x4x2x3xf32>
}

// CHECK-LABEL: func.func @quantized_matmul
func.func @quantized_matmul(%a: tensor<2x4xi8>, %b: tensor<4x3xi8>, %c: i8, %d: i8, %o: tensor<2x3xi32>) -> tensor<2x3xi32> {
  // CHECK: linalg.quantized_matmul ins(%a, %b, %c, %d : tensor<2x4xi8>, tensor<4x3xi8>, i8, i8) outs(%o : tensor<2x3xi32>) -> tensor<2x3xi32>
  %r = linalg.quantized_matmul ins(%a, %b, %c, %d : tensor<2x4xi8>, tensor<4x3xi8>, i8, i8) outs(%o : tensor<2x3xi32>) -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}

// CHECK-LABEL: func.func @quantized_batch_matmul
func.func @quantized_batch_matmul(%a: tensor<2x3x3xi8>, %b: tensor<2x3x4xi8>, %c: i8, %d: i8, %o: tensor<2x3x4xi32>) -> tensor<2x3x4xi32> {
  // CHECK: linalg.quantized_batch_matmul ins(%a, %b, %c, %d : tensor<2x3x3xi8>, tensor<2x3x4xi8>, i8, i8) outs(%o : tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
  %r = linalg.quantized_batch_matmul ins(%a, %b, %c, %d : tensor<2x3x3xi8>, tensor<2x3x4xi8>, i8, i8) outs(%o : tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
  return %r : tensor<2x3x4xi32>
}

// CHECK-LABEL: func.func @conv_1d
func.func @conv_1d(%a: tensor<4xf32>, %b: tensor<3xf32>, %o: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: linalg.conv_1d ins(%a, %b : tensor<4xf32>, tensor<3xf32>) outs(%o : tensor<2xf32>) -> tensor<2xf32>
  %r = linalg.conv_1d ins(%a, %b : tensor<4xf32>, tensor<3xf32>) outs(%o : tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: func.func @conv_2d
func.func @conv_2d(%a: tensor<5x5xf32>, %b: tensor<4x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: linalg.conv_2d ins(%a, %b : tensor<5x5xf32>, tensor<4x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  %r = linalg.conv_2d ins(%a, %b : tensor<5x5xf32>, tensor<4x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @conv_3d
func.func @conv_3d(%a: tensor<4x4x6xf16>, %b: tensor<3x2x3xf16>, %o: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  // CHECK: linalg.conv_3d ins(%a, %b : tensor<4x4x6xf16>, tensor<3x2x3xf16>) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %r = linalg.conv_3d ins(%a, %b : tensor<4x4x6xf16>, tensor<3x2x3xf16>) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @conv_1d_nwc_wcf
func.func @conv_1d_nwc_wcf(%a: tensor<2x7x2xf32>, %b: tensor<3x2x4xf32>, %o: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  // CHECK: linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x7x2xf32>, tensor<3x2x4xf32>) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %r = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x7x2xf32>, tensor<3x2x4xf32>) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @conv_1d_ncw_fcw
func.func @conv_1d_ncw_fcw(%a: tensor<2x3x8xf32>, %b: tensor<3x3x2xf32>, %o: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  // CHECK: linalg.conv_1d_ncw_fcw {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x3x8xf32>, tensor<3x3x2xf32>) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %r = linalg.conv_1d_ncw_fcw {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x3x8xf32>, tensor<3x3x2xf32>) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @conv_2d_nhwc_hwcf
func.func @conv_2d_nhwc_hwcf(%a: tensor<2x6x8x2xf32>, %b: tensor<2x3x2x3xf32>, %o: tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32> {
  // CHECK: linalg.conv_2d_nhwc_hwcf {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b : tensor<2x6x8x2xf32>, tensor<2x3x2x3xf32>) outs(%o : tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b : tensor<2x6x8x2xf32>, tensor<2x3x2x3xf32>) outs(%o : tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32>
  return %r : tensor<2x3x4x3xf32>
}

// CHECK-LABEL: func.func @conv_2d_nhwc_fhwc
func.func @conv_2d_nhwc_fhwc(%a: tensor<2x6x8x2xf32>, %b: tensor<3x2x3x2xf32>, %o: tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32> {
  // CHECK: linalg.conv_2d_nhwc_fhwc {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b : tensor<2x6x8x2xf32>, tensor<3x2x3x2xf32>) outs(%o : tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32>
  %r = linalg.conv_2d_nhwc_fhwc {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b : tensor<2x6x8x2xf32>, tensor<3x2x3x2xf32>) outs(%o : tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32>
  return %r : tensor<2x3x4x3xf32>
}

// CHECK-LABEL: func.func @conv_2d_nchw_fchw
func.func @conv_2d_nchw_fchw(%a: tensor<2x2x9x5xf32>, %b: tensor<3x2x3x2xf32>, %o: tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32> {
  // CHECK: linalg.conv_2d_nchw_fchw {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b : tensor<2x2x9x5xf32>, tensor<3x2x3x2xf32>) outs(%o : tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b : tensor<2x2x9x5xf32>, tensor<3x2x3x2xf32>) outs(%o : tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32>
  return %r : tensor<2x3x4x3xf32>
}

// CHECK-LABEL: func.func @conv_2d_ngchw_fgchw
func.func @conv_2d_ngchw_fgchw(%a: tensor<2x3x3x6x4xf32>, %b: tensor<4x3x3x2x2xf32>, %o: tensor<2x3x4x3x2xf32>) -> tensor<2x3x4x3x2xf32> {
  // CHECK: linalg.conv_2d_ngchw_fgchw {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b : tensor<2x3x3x6x4xf32>, tensor<4x3x3x2x2xf32>) outs(%o : tensor<2x3x4x3x2xf32>) -> tensor<2x3x4x3x2xf32>
  %r = linalg.conv_2d_ngchw_fgchw {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b : tensor<2x3x3x6x4xf32>, tensor<4x3x3x2x2xf32>) outs(%o : tensor<2x3x4x3x2xf32>) -> tensor<2x3x4x3x2xf32>
  return %r : tensor<2x3x4x3x2xf32>
}

// CHECK-LABEL: func.func @conv_2d_ngchw_gfchw
func.func @conv_2d_ngchw_gfchw(%a: tensor<2x3x3x6x4xf32>, %b: tensor<3x4x3x2x2xf32>, %o: tensor<2x3x4x3x2xf32>) -> tensor<2x3x4x3x2xf32> {
  // CHECK: linalg.conv_2d_ngchw_gfchw {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b : tensor<2x3x3x6x4xf32>, tensor<3x4x3x2x2xf32>) outs(%o : tensor<2x3x4x3x2xf32>) -> tensor<2x3x4x3x2xf32>
  %r = linalg.conv_2d_ngchw_gfchw {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b : tensor<2x3x3x6x4xf32>, tensor<3x4x3x2x2xf32>) outs(%o : tensor<2x3x4x3x2xf32>) -> tensor<2x3x4x3x2xf32>
  return %r : tensor<2x3x4x3x2xf32>
}

// CHECK-LABEL: func.func @conv_2d_nhwgc_gfhwc
func.func @conv_2d_nhwgc_gfhwc(%a: tensor<2x7x6x3x2xf32>, %b: tensor<3x2x3x2x2xf32>, %o: tensor<2x3x4x3x2xf32>) -> tensor<2x3x4x3x2xf32> {
  // CHECK: linalg.conv_2d_nhwgc_gfhwc {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b : tensor<2x7x6x3x2xf32>, tensor<3x2x3x2x2xf32>) outs(%o : tensor<2x3x4x3x2xf32>) -> tensor<2x3x4x3x2xf32>
  %r = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b : tensor<2x7x6x3x2xf32>, tensor<3x2x3x2x2xf32>) outs(%o : tensor<2x3x4x3x2xf32>) -> tensor<2x3x4x3x2xf32>
  return %r : tensor<2x3x4x3x2xf32>
}

// CHECK-LABEL: func.func @conv_3d_ndhwc_dhwcf
func.func @conv_3d_ndhwc_dhwcf(%a: tensor<2x7x6x6x3xf16>, %b: tensor<3x2x2x3x2xf16>, %o: tensor<2x3x4x3x2xf32>) -> tensor<2x3x4x3x2xf32> {
  // CHECK: linalg.conv_3d_ndhwc_dhwcf {dilations = dense<[1, 2, 1]> : tensor<3xi64>, strides = dense<[2, 1, 2]> : tensor<3xi64>} ins(%a, %b : tensor<2x7x6x6x3xf16>, tensor<3x2x2x3x2xf16>) outs(%o : tensor<2x3x4x3x2xf32>) -> tensor<2x3x4x3x2xf32>
  %r = linalg.conv_3d_ndhwc_dhwcf {dilations = dense<[1, 2, 1]> : tensor<3xi64>, strides = dense<[2, 1, 2]> : tensor<3xi64>} ins(%a, %b : tensor<2x7x6x6x3xf16>, tensor<3x2x2x3x2xf16>) outs(%o : tensor<2x3x4x3x2xf32>) -> tensor<2x3x4x3x2xf32>
  return %r : tensor<2x3x4x3x2xf32>
}

// CHECK-LABEL: func.func @conv_3d_ncdhw_fcdhw
func.func @conv_3d_ncdhw_fcdhw(%a: tensor<2x3x8x5x5xf16>, %b: tensor<3x3x2x2x3xf16>, %o: tensor<2x3x4x3x2xf32>) -> tensor<2x3x4x3x2xf32> {
  // CHECK: linalg.conv_3d_ncdhw_fcdhw {dilations = dense<[1, 2, 1]> : tensor<3xi64>, strides = dense<[2, 1, 2]> : tensor<3xi64>} ins(%a, %b : tensor<2x3x8x5x5xf16>, tensor<3x3x2x2x3xf16>) outs(%o : tensor<2x3x4x3x2xf32>) -> tensor<2x3x4x3x2xf32>
  %r = linalg.conv_3d_ncdhw_fcdhw {dilations = dense<[1, 2, 1]> : tensor<3xi64>, strides = dense<[2, 1, 2]> : tensor<3xi64>} ins(%a, %b : tensor<2x3x8x5x5xf16>, tensor<3x3x2x2x3xf16>) outs(%o : tensor<2x3x4x3x2xf32>) -> tensor<2x3x4x3x2xf32>
  return %r : tensor<2x3x4x3x2xf32>
}

// CHECK-LABEL: func.func @depthwise_conv_1d_nwc_wc
func.func @depthwise_conv_1d_nwc_wc(%a: tensor<2x7x4xf32>, %b: tensor<3x4xf32>, %o: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  // CHECK: linalg.depthwise_conv_1d_nwc_wc {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x7x4xf32>, tensor<3x4xf32>) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %r = linalg.depthwise_conv_1d_nwc_wc {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x7x4xf32>, tensor<3x4xf32>) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @depthwise_conv_1d_ncw_cw
func.func @depthwise_conv_1d_ncw_cw(%a: tensor<2x4x7xf32>, %b: tensor<4x3xf32>, %o: tensor<2x4x3xf32>) -> tensor<2x4x3xf32> {
  // CHECK: linalg.depthwise_conv_1d_ncw_cw {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x4x7xf32>, tensor<4x3xf32>) outs(%o : tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  %r = linalg.depthwise_conv_1d_ncw_cw {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x4x7xf32>, tensor<4x3xf32>) outs(%o : tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  return %r : tensor<2x4x3xf32>
}

// CHECK-LABEL: func.func @depthwise_conv_1d_nwc_wcm
func.func @depthwise_conv_1d_nwc_wcm(%a: tensor<2x6x4xf32>, %b: tensor<2x4x3xf32>, %o: tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32> {
  // CHECK: linalg.depthwise_conv_1d_nwc_wcm {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x6x4xf32>, tensor<2x4x3xf32>) outs(%o : tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32>
  %r = linalg.depthwise_conv_1d_nwc_wcm {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x6x4xf32>, tensor<2x4x3xf32>) outs(%o : tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32>
  return %r : tensor<2x3x4x3xf32>
}

// CHECK-LABEL: func.func @depthwise_conv_2d_nhwc_hwc
func.func @depthwise_conv_2d_nhwc_hwc(%a: tensor<2x6x8x3xf32>, %b: tensor<2x3x3xf32>, %o: tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32> {
  // CHECK: linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b : tensor<2x6x8x3xf32>, tensor<2x3x3xf32>) outs(%o : tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b : tensor<2x6x8x3xf32>, tensor<2x3x3xf32>) outs(%o : tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32>
  return %r : tensor<2x3x4x3xf32>
}

// CHECK-LABEL: func.func @depthwise_conv_2d_nchw_chw
func.func @depthwise_conv_2d_nchw_chw(%a: tensor<2x3x6x8xf32>, %b: tensor<3x2x3xf32>, %o: tensor<2x3x3x4xf32>) -> tensor<2x3x3x4xf32> {
  // CHECK: linalg.depthwise_conv_2d_nchw_chw {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b : tensor<2x3x6x8xf32>, tensor<3x2x3xf32>) outs(%o : tensor<2x3x3x4xf32>) -> tensor<2x3x3x4xf32>
  %r = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b : tensor<2x3x6x8xf32>, tensor<3x2x3xf32>) outs(%o : tensor<2x3x3x4xf32>) -> tensor<2x3x3x4xf32>
  return %r : tensor<2x3x3x4xf32>
}

// CHECK-LABEL: func.func @depthwise_conv_2d_nhwc_hwcm
func.func @depthwise_conv_2d_nhwc_hwcm(%a: tensor<2x7x6x3xf32>, %b: tensor<3x2x3x2xf32>, %o: tensor<2x3x4x3x2xf32>) -> tensor<2x3x4x3x2xf32> {
  // CHECK: linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b : tensor<2x7x6x3xf32>, tensor<3x2x3x2xf32>) outs(%o : tensor<2x3x4x3x2xf32>) -> tensor<2x3x4x3x2xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b : tensor<2x7x6x3xf32>, tensor<3x2x3x2xf32>) outs(%o : tensor<2x3x4x3x2xf32>) -> tensor<2x3x4x3x2xf32>
  return %r : tensor<2x3x4x3x2xf32>
}

// CHECK-LABEL: func.func @depthwise_conv_3d_ndhwc_dhwc
func.func @depthwise_conv_3d_ndhwc_dhwc(%a: tensor<2x6x8x6x2xf32>, %b: tensor<2x3x2x2xf32>, %o: tensor<2x3x4x3x2xf32>) -> tensor<2x3x4x3x2xf32> {
  // CHECK: linalg.depthwise_conv_3d_ndhwc_dhwc {dilations = dense<[1, 2, 1]> : tensor<3xi64>, strides = dense<[2, 1, 2]> : tensor<3xi64>} ins(%a, %b : tensor<2x6x8x6x2xf32>, tensor<2x3x2x2xf32>) outs(%o : tensor<2x3x4x3x2xf32>) -> tensor<2x3x4x3x2xf32>
  %r = linalg.depthwise_conv_3d_ndhwc_dhwc {dilations = dense<[1, 2, 1]> : tensor<3xi64>, strides = dense<[2, 1, 2]> : tensor<3xi64>} ins(%a, %b : tensor<2x6x8x6x2xf32>, tensor<2x3x2x2xf32>) outs(%o : tensor<2x3x4x3x2xf32>) -> tensor<2x3x4x3x2xf32>
  return %r : tensor<2x3x4x3x2xf32>
}

// CHECK-LABEL: func.func @depthwise_conv_3d_ncdhw_cdhw
func.func @depthwise_conv_3d_ncdhw_cdhw(%a: tensor<2x2x6x8x6xf32>, %b: tensor<2x2x3x2xf32>, %o: tensor<2x2x3x4x3xf32>) -> tensor<2x2x3x4x3xf32> {
  // CHECK: linalg.depthwise_conv_3d_ncdhw_cdhw {dilations = dense<[1, 2, 1]> : tensor<3xi64>, strides = dense<[2, 1, 2]> : tensor<3xi64>} ins(%a, %b : tensor<2x2x6x8x6xf32>, tensor<2x2x3x2xf32>) outs(%o : tensor<2x2x3x4x3xf32>) -> tensor<2x2x3x4x3xf32>
  %r = linalg.depthwise_conv_3d_ncdhw_cdhw {dilations = dense<[1, 2, 1]> : tensor<3xi64>, strides = dense<[2, 1, 2]> : tensor<3xi64>} ins(%a, %b : tensor<2x2x6x8x6xf32>, tensor<2x2x3x2xf32>) outs(%o : tensor<2x2x3x4x3xf32>) -> tensor<2x2x3x4x3xf32>
  return %r : tensor<2x2x3x4x3xf32>
}

// CHECK-LABEL: func.func @depthwise_conv_3d_ndhwc_dhwcm
func.func @depthwise_conv_3d_ndhwc_dhwcm(%a: tensor<2x7x6x6x3xf32>, %b: tensor<3x2x2x3x2xf32>, %o: tensor<2x3x4x3x3x2xf32>) -> tensor<2x3x4x3x3x2xf32> {
  // CHECK: linalg.depthwise_conv_3d_ndhwc_dhwcm {dilations = dense<[1, 2, 1]> : tensor<3xi64>, strides = dense<[2, 1, 2]> : tensor<3xi64>} ins(%a, %b : tensor<2x7x6x6x3xf32>, tensor<3x2x2x3x2xf32>) outs(%o : tensor<2x3x4x3x3x2xf32>) -> tensor<2x3x4x3x3x2xf32>
  %r = linalg.depthwise_conv_3d_ndhwc_dhwcm {dilations = dense<[1, 2, 1]> : tensor<3xi64>, strides = dense<[2, 1, 2]> : tensor<3xi64>} ins(%a, %b : tensor<2x7x6x6x3xf32>, tensor<3x2x2x3x2xf32>) outs(%o : tensor<2x3x4x3x3x2xf32>) -> tensor<2x3x4x3x3x2xf32>
  return %r : tensor<2x3x4x3x3x2xf32>
}

// CHECK-LABEL: func.func @conv_2d_nhwc_hwcf_q
func.func @conv_2d_nhwc_hwcf_q(%a: tensor<2x6x8x2xi8>, %b: tensor<2x3x2x3xi8>, %c: i8, %d: i8, %o: tensor<2x3x4x3xi32>) -> tensor<2x3x4x3xi32> {
  // CHECK: linalg.conv_2d_nhwc_hwcf_q {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b, %c, %d : tensor<2x6x8x2xi8>, tensor<2x3x2x3xi8>, i8, i8) outs(%o : tensor<2x3x4x3xi32>) -> tensor<2x3x4x3xi32>
  %r = linalg.conv_2d_nhwc_hwcf_q {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b, %c, %d : tensor<2x6x8x2xi8>, tensor<2x3x2x3xi8>, i8, i8) outs(%o : tensor<2x3x4x3xi32>) -> tensor<2x3x4x3xi32>
  return %r : tensor<2x3x4x3xi32>
}

// CHECK-LABEL: func.func @conv_2d_nhwc_fhwc_q
func.func @conv_2d_nhwc_fhwc_q(%a: tensor<2x6x8x2xi8>, %b: tensor<3x2x3x2xi8>, %c: i8, %d: i8, %o: tensor<2x3x4x3xi32>) -> tensor<2x3x4x3xi32> {
  // CHECK: linalg.conv_2d_nhwc_fhwc_q {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b, %c, %d : tensor<2x6x8x2xi8>, tensor<3x2x3x2xi8>, i8, i8) outs(%o : tensor<2x3x4x3xi32>) -> tensor<2x3x4x3xi32>
  %r = linalg.conv_2d_nhwc_fhwc_q {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b, %c, %d : tensor<2x6x8x2xi8>, tensor<3x2x3x2xi8>, i8, i8) outs(%o : tensor<2x3x4x3xi32>) -> tensor<2x3x4x3xi32>
  return %r : tensor<2x3x4x3xi32>
}

// CHECK-LABEL: func.func @conv_2d_nchw_fchw_q
func.func @conv_2d_nchw_fchw_q(%a: tensor<2x2x9x5xi8>, %b: tensor<3x2x3x2xi8>, %c: i8, %d: i8, %o: tensor<2x3x4x3xi32>) -> tensor<2x3x4x3xi32> {
  // CHECK: linalg.conv_2d_nchw_fchw_q {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b, %c, %d : tensor<2x2x9x5xi8>, tensor<3x2x3x2xi8>, i8, i8) outs(%o : tensor<2x3x4x3xi32>) -> tensor<2x3x4x3xi32>
  %r = linalg.conv_2d_nchw_fchw_q {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b, %c, %d : tensor<2x2x9x5xi8>, tensor<3x2x3x2xi8>, i8, i8) outs(%o : tensor<2x3x4x3xi32>) -> tensor<2x3x4x3xi32>
  return %r : tensor<2x3x4x3xi32>
}

// CHECK-LABEL: func.func @conv_2d_ngchw_gfchw_q
func.func @conv_2d_ngchw_gfchw_q(%a: tensor<2x3x3x6x4xi8>, %b: tensor<3x4x3x2x2xi8>, %c: i8, %d: i8, %o: tensor<2x3x4x3x2xi32>) -> tensor<2x3x4x3x2xi32> {
  // CHECK: linalg.conv_2d_ngchw_gfchw_q {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b, %c, %d : tensor<2x3x3x6x4xi8>, tensor<3x4x3x2x2xi8>, i8, i8) outs(%o : tensor<2x3x4x3x2xi32>) -> tensor<2x3x4x3x2xi32>
  %r = linalg.conv_2d_ngchw_gfchw_q {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b, %c, %d : tensor<2x3x3x6x4xi8>, tensor<3x4x3x2x2xi8>, i8, i8) outs(%o : tensor<2x3x4x3x2xi32>) -> tensor<2x3x4x3x2xi32>
  return %r : tensor<2x3x4x3x2xi32>
}

// CHECK-LABEL: func.func @conv_2d_nhwgc_gfhwc_q
func.func @conv_2d_nhwgc_gfhwc_q(%a: tensor<2x7x6x3x2xi8>, %b: tensor<3x2x3x2x2xi8>, %c: i8, %d: i8, %o: tensor<2x3x4x3x2xi32>) -> tensor<2x3x4x3x2xi32> {
  // CHECK: linalg.conv_2d_nhwgc_gfhwc_q {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b, %c, %d : tensor<2x7x6x3x2xi8>, tensor<3x2x3x2x2xi8>, i8, i8) outs(%o : tensor<2x3x4x3x2xi32>) -> tensor<2x3x4x3x2xi32>
  %r = linalg.conv_2d_nhwgc_gfhwc_q {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b, %c, %d : tensor<2x7x6x3x2xi8>, tensor<3x2x3x2x2xi8>, i8, i8) outs(%o : tensor<2x3x4x3x2xi32>) -> tensor<2x3x4x3x2xi32>
  return %r : tensor<2x3x4x3x2xi32>
}

// CHECK-LABEL: func.func @conv_3d_ndhwc_dhwcf_q
func.func @conv_3d_ndhwc_dhwcf_q(%a: tensor<2x7x6x6x3xi8>, %b: tensor<3x2x2x3x2xi8>, %c: i8, %d: i8, %o: tensor<2x3x4x3x2xi32>) -> tensor<2x3x4x3x2xi32> {
  // CHECK: linalg.conv_3d_ndhwc_dhwcf_q {dilations = dense<[1, 2, 1]> : tensor<3xi64>, strides = dense<[2, 1, 2]> : tensor<3xi64>} ins(%a, %b, %c, %d : tensor<2x7x6x6x3xi8>, tensor<3x2x2x3x2xi8>, i8, i8) outs(%o : tensor<2x3x4x3x2xi32>) -> tensor<2x3x4x3x2xi32>
  %r = linalg.conv_3d_ndhwc_dhwcf_q {dilations = dense<[1, 2, 1]> : tensor<3xi64>, strides = dense<[2, 1, 2]> : tensor<3xi64>} ins(%a, %b, %c, %d : tensor<2x7x6x6x3xi8>, tensor<3x2x2x3x2xi8>, i8, i8) outs(%o : tensor<2x3x4x3x2xi32>) -> tensor<2x3x4x3x2xi32>
  return %r : tensor<2x3x4x3x2xi32>
}

// CHECK-LABEL: func.func @depthwise_conv_2d_nhwc_hwc_q
func.func @depthwise_conv_2d_nhwc_hwc_q(%a: tensor<2x6x8x3xi8>, %b: tensor<2x3x3xi8>, %c: i8, %d: i8, %o: tensor<2x3x4x3xi32>) -> tensor<2x3x4x3xi32> {
  // CHECK: linalg.depthwise_conv_2d_nhwc_hwc_q {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b, %c, %d : tensor<2x6x8x3xi8>, tensor<2x3x3xi8>, i8, i8) outs(%o : tensor<2x3x4x3xi32>) -> tensor<2x3x4x3xi32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc_q {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b, %c, %d : tensor<2x6x8x3xi8>, tensor<2x3x3xi8>, i8, i8) outs(%o : tensor<2x3x4x3xi32>) -> tensor<2x3x4x3xi32>
  return %r : tensor<2x3x4x3xi32>
}

// CHECK-LABEL: func.func @depthwise_conv_2d_nhwc_hwcm_q
func.func @depthwise_conv_2d_nhwc_hwcm_q(%a: tensor<2x7x6x3xi8>, %b: tensor<3x2x3x2xi8>, %c: i8, %d: i8, %o: tensor<2x3x4x3x2xi32>) -> tensor<2x3x4x3x2xi32> {
  // CHECK: linalg.depthwise_conv_2d_nhwc_hwcm_q {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b, %c, %d : tensor<2x7x6x3xi8>, tensor<3x2x3x2xi8>, i8, i8) outs(%o : tensor<2x3x4x3x2xi32>) -> tensor<2x3x4x3x2xi32>
  %r = linalg.depthwise_conv_2d_nhwc_hwcm_q {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b, %c, %d : tensor<2x7x6x3xi8>, tensor<3x2x3x2xi8>, i8, i8) outs(%o : tensor<2x3x4x3x2xi32>) -> tensor<2x3x4x3x2xi32>
  return %r : tensor<2x3x4x3x2xi32>
}

// CHECK-LABEL: func.func @pooling_nwc_sum
func.func @pooling_nwc_sum(%a: tensor<2x7x4xf32>, %b: tensor<3xf32>, %o: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  // CHECK: linalg.pooling_nwc_sum {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x7x4xf32>, tensor<3xf32>) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %r = linalg.pooling_nwc_sum {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x7x4xf32>, tensor<3xf32>) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @pooling_ncw_sum
func.func @pooling_ncw_sum(%a: tensor<2x3x9xf32>, %b: tensor<3xf32>, %o: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  // CHECK: linalg.pooling_ncw_sum {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x3x9xf32>, tensor<3xf32>) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %r = linalg.pooling_ncw_sum {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x3x9xf32>, tensor<3xf32>) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @pooling_nhwc_sum
func.func @pooling_nhwc_sum(%a: tensor<2x6x8x3xf32>, %b: tensor<2x3xf32>, %o: tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32> {
  // CHECK: linalg.pooling_nhwc_sum {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b : tensor<2x6x8x3xf32>, tensor<2x3xf32>) outs(%o : tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32>
  %r = linalg.pooling_nhwc_sum {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b : tensor<2x6x8x3xf32>, tensor<2x3xf32>) outs(%o : tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32>
  return %r : tensor<2x3x4x3xf32>
}

// CHECK-LABEL: func.func @pooling_nchw_sum
func.func @pooling_nchw_sum(%a: tensor<2x3x8x7xf32>, %b: tensor<2x3xf32>, %o: tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32> {
  // CHECK: linalg.pooling_nchw_sum {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b : tensor<2x3x8x7xf32>, tensor<2x3xf32>) outs(%o : tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32>
  %r = linalg.pooling_nchw_sum {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b : tensor<2x3x8x7xf32>, tensor<2x3xf32>) outs(%o : tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32>
  return %r : tensor<2x3x4x3xf32>
}

// CHECK-LABEL: func.func @pooling_ndhwc_sum
func.func @pooling_ndhwc_sum(%a: tensor<2x7x6x6x2xf32>, %b: tensor<3x2x2xf32>, %o: tensor<2x3x4x3x2xf32>) -> tensor<2x3x4x3x2xf32> {
  // CHECK: linalg.pooling_ndhwc_sum {dilations = dense<[1, 2, 1]> : tensor<3xi64>, strides = dense<[2, 1, 2]> : tensor<3xi64>} ins(%a, %b : tensor<2x7x6x6x2xf32>, tensor<3x2x2xf32>) outs(%o : tensor<2x3x4x3x2xf32>) -> tensor<2x3x4x3x2xf32>
  %r = linalg.pooling_ndhwc_sum {dilations = dense<[1, 2, 1]> : tensor<3xi64>, strides = dense<[2, 1, 2]> : tensor<3xi64>} ins(%a, %b : tensor<2x7x6x6x2xf32>, tensor<3x2x2xf32>) outs(%o : tensor<2x3x4x3x2xf32>) -> tensor<2x3x4x3x2xf32>
  return %r : tensor<2x3x4x3x2xf32>
}

// CHECK-LABEL: func.func @pooling_nwc_max
func.func @pooling_nwc_max(%a: tensor<2x7x4xf32>, %b: tensor<3xf32>, %o: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  // CHECK: linalg.pooling_nwc_max {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x7x4xf32>, tensor<3xf32>) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %r = linalg.pooling_nwc_max {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x7x4xf32>, tensor<3xf32>) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @pooling_ncw_max
func.func @pooling_ncw_max(%a: tensor<2x3x9xf32>, %b: tensor<3xf32>, %o: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  // CHECK: linalg.pooling_ncw_max {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x3x9xf32>, tensor<3xf32>) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %r = linalg.pooling_ncw_max {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x3x9xf32>, tensor<3xf32>) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @pooling_nhwc_max
func.func @pooling_nhwc_max(%a: tensor<2x6x8x3xf32>, %b: tensor<2x3xf32>, %o: tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32> {
  // CHECK: linalg.pooling_nhwc_max {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b : tensor<2x6x8x3xf32>, tensor<2x3xf32>) outs(%o : tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32>
  %r = linalg.pooling_nhwc_max {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b : tensor<2x6x8x3xf32>, tensor<2x3xf32>) outs(%o : tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32>
  return %r : tensor<2x3x4x3xf32>
}

// CHECK-LABEL: func.func @pooling_nchw_max
func.func @pooling_nchw_max(%a: tensor<2x3x8x7xf32>, %b: tensor<2x3xf32>, %o: tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32> {
  // CHECK: linalg.pooling_nchw_max {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b : tensor<2x3x8x7xf32>, tensor<2x3xf32>) outs(%o : tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32>
  %r = linalg.pooling_nchw_max {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b : tensor<2x3x8x7xf32>, tensor<2x3xf32>) outs(%o : tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32>
  return %r : tensor<2x3x4x3xf32>
}

// CHECK-LABEL: func.func @pooling_ndhwc_max
func.func @pooling_ndhwc_max(%a: tensor<2x7x6x6x2xf32>, %b: tensor<3x2x2xf32>, %o: tensor<2x3x4x3x2xf32>) -> tensor<2x3x4x3x2xf32> {
  // CHECK: linalg.pooling_ndhwc_max {dilations = dense<[1, 2, 1]> : tensor<3xi64>, strides = dense<[2, 1, 2]> : tensor<3xi64>} ins(%a, %b : tensor<2x7x6x6x2xf32>, tensor<3x2x2xf32>) outs(%o : tensor<2x3x4x3x2xf32>) -> tensor<2x3x4x3x2xf32>
  %r = linalg.pooling_ndhwc_max {dilations = dense<[1, 2, 1]> : tensor<3xi64>, strides = dense<[2, 1, 2]> : tensor<3xi64>} ins(%a, %b : tensor<2x7x6x6x2xf32>, tensor<3x2x2xf32>) outs(%o : tensor<2x3x4x3x2xf32>) -> tensor<2x3x4x3x2xf32>
  return %r : tensor<2x3x4x3x2xf32>
}

// CHECK-LABEL: func.func @pooling_nwc_min
func.func @pooling_nwc_min(%a: tensor<2x7x4xf32>, %b: tensor<3xf32>, %o: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  // CHECK: linalg.pooling_nwc_min {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x7x4xf32>, tensor<3xf32>) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %r = linalg.pooling_nwc_min {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x7x4xf32>, tensor<3xf32>) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @pooling_nhwc_min
func.func @pooling_nhwc_min(%a: tensor<2x6x8x3xf32>, %b: tensor<2x3xf32>, %o: tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32> {
  // CHECK: linalg.pooling_nhwc_min {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b : tensor<2x6x8x3xf32>, tensor<2x3xf32>) outs(%o : tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32>
  %r = linalg.pooling_nhwc_min {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b : tensor<2x6x8x3xf32>, tensor<2x3xf32>) outs(%o : tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32>
  return %r : tensor<2x3x4x3xf32>
}

// CHECK-LABEL: func.func @pooling_ndhwc_min
func.func @pooling_ndhwc_min(%a: tensor<2x7x6x6x2xf32>, %b: tensor<3x2x2xf32>, %o: tensor<2x3x4x3x2xf32>) -> tensor<2x3x4x3x2xf32> {
  // CHECK: linalg.pooling_ndhwc_min {dilations = dense<[1, 2, 1]> : tensor<3xi64>, strides = dense<[2, 1, 2]> : tensor<3xi64>} ins(%a, %b : tensor<2x7x6x6x2xf32>, tensor<3x2x2xf32>) outs(%o : tensor<2x3x4x3x2xf32>) -> tensor<2x3x4x3x2xf32>
  %r = linalg.pooling_ndhwc_min {dilations = dense<[1, 2, 1]> : tensor<3xi64>, strides = dense<[2, 1, 2]> : tensor<3xi64>} ins(%a, %b : tensor<2x7x6x6x2xf32>, tensor<3x2x2xf32>) outs(%o : tensor<2x3x4x3x2xf32>) -> tensor<2x3x4x3x2xf32>
  return %r : tensor<2x3x4x3x2xf32>
}

// CHECK-LABEL: func.func @pooling_nwc_max_unsigned
func.func @pooling_nwc_max_unsigned(%a: tensor<2x7x4xi32>, %b: tensor<3xi32>, %o: tensor<2x3x4xi32>) -> tensor<2x3x4xi32> {
  // CHECK: linalg.pooling_nwc_max_unsigned {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x7x4xi32>, tensor<3xi32>) outs(%o : tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
  %r = linalg.pooling_nwc_max_unsigned {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x7x4xi32>, tensor<3xi32>) outs(%o : tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
  return %r : tensor<2x3x4xi32>
}

// CHECK-LABEL: func.func @pooling_nhwc_max_unsigned
func.func @pooling_nhwc_max_unsigned(%a: tensor<2x6x8x3xi32>, %b: tensor<2x3xi32>, %o: tensor<2x3x4x3xi32>) -> tensor<2x3x4x3xi32> {
  // CHECK: linalg.pooling_nhwc_max_unsigned {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b : tensor<2x6x8x3xi32>, tensor<2x3xi32>) outs(%o : tensor<2x3x4x3xi32>) -> tensor<2x3x4x3xi32>
  %r = linalg.pooling_nhwc_max_unsigned {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b : tensor<2x6x8x3xi32>, tensor<2x3xi32>) outs(%o : tensor<2x3x4x3xi32>) -> tensor<2x3x4x3xi32>
  return %r : tensor<2x3x4x3xi32>
}

// CHECK-LABEL: func.func @pooling_nwc_min_unsigned
func.func @pooling_nwc_min_unsigned(%a: tensor<2x7x4xi32>, %b: tensor<3xi32>, %o: tensor<2x3x4xi32>) -> tensor<2x3x4xi32> {
  // CHECK: linalg.pooling_nwc_min_unsigned {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x7x4xi32>, tensor<3xi32>) outs(%o : tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
  %r = linalg.pooling_nwc_min_unsigned {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x7x4xi32>, tensor<3xi32>) outs(%o : tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
  return %r : tensor<2x3x4xi32>
}

// CHECK-LABEL: func.func @pooling_nhwc_min_unsigned
func.func @pooling_nhwc_min_unsigned(%a: tensor<2x6x8x3xi32>, %b: tensor<2x3xi32>, %o: tensor<2x3x4x3xi32>) -> tensor<2x3x4x3xi32> {
  // CHECK: linalg.pooling_nhwc_min_unsigned {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b : tensor<2x6x8x3xi32>, tensor<2x3xi32>) outs(%o : tensor<2x3x4x3xi32>) -> tensor<2x3x4x3xi32>
  %r = linalg.pooling_nhwc_min_unsigned {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b : tensor<2x6x8x3xi32>, tensor<2x3xi32>) outs(%o : tensor<2x3x4x3xi32>) -> tensor<2x3x4x3xi32>
  return %r : tensor<2x3x4x3xi32>
}
// CHECK-LABEL: func.func @buffers
func.func @buffers(%a: memref<4x8xf32>, %b: memref<8x?xf32, strided<[?, 1], offset: ?>>, %c: memref<4x?xf32>, %f: f32) {
  // CHECK: linalg.fill ins(%f : f32) outs(%c : memref<4x?xf32>)
  linalg.fill ins(%f : f32) outs(%c : memref<4x?xf32>)
  // CHECK: linalg.matmul {hint} ins(%a, %b : memref<4x8xf32>, memref<8x?xf32, strided<[?, 1], offset: ?>>) outs(%c : memref<4x?xf32>)
  linalg.matmul {hint} ins(%a, %b : memref<4x8xf32>, memref<8x?xf32, strided<[?, 1], offset: ?>>) outs(%c : memref<4x?xf32>)
  return
}

// CHECK-LABEL: func.func @attributes
func.func @attributes(%a: tensor<4x8xi8>, %b: tensor<8x6xi8>, %c: tensor<4x6xi32>, %d: tensor<8x4xi8>, %k: tensor<8xi8>, %p: tensor<2x4x8xf32>, %q: tensor<2x8x6xf32>, %r: tensor<2x4x6xf32>, %s: tensor<8x6xf32>, %t: tensor<6x8xf32>, %u: tensor<4x6xf32>, %in: tensor<1x8x8x3xf32>, %filter: tensor<3x3x3x4xf32>, %out: tensor<1x3x3x4xf32>) {
  // CHECK: linalg.matmul {cast = #linalg.type_fn<cast_unsigned>, hint} ins(%a, %b : tensor<4x8xi8>, tensor<8x6xi8>) outs(%c : tensor<4x6xi32>) -> tensor<4x6xi32>
  %0 = linalg.matmul {hint, cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : tensor<4x8xi8>, tensor<8x6xi8>) outs(%c : tensor<4x6xi32>) -> tensor<4x6xi32>
  // CHECK: linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] {hint} ins(%d, %b : tensor<8x4xi8>, tensor<8x6xi8>) outs(%c : tensor<4x6xi32>) -> tensor<4x6xi32>
  %1 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] {hint} ins(%d, %b : tensor<8x4xi8>, tensor<8x6xi8>) outs(%c : tensor<4x6xi32>) -> tensor<4x6xi32>
  // CHECK: linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%k, %b : tensor<8xi8>, tensor<8x6xi8>) outs(%c : tensor<4x6xi32>) -> tensor<4x6xi32>
  %2 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%k, %b : tensor<8xi8>, tensor<8x6xi8>) outs(%c : tensor<4x6xi32>) -> tensor<4x6xi32>
  // CHECK: linalg.batch_matmul indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>] ins(%p, %s : tensor<2x4x8xf32>, tensor<8x6xf32>) outs(%r : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  %3 = linalg.batch_matmul indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>] ins(%p, %s : tensor<2x4x8xf32>, tensor<8x6xf32>) outs(%r : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  // CHECK: linalg.batch_reduce_matmul {cast = #linalg.type_fn<cast_signed>} ins(%p, %q : tensor<2x4x8xf32>, tensor<2x8x6xf32>) outs(%u : tensor<4x6xf32>) -> tensor<4x6xf32>
  %4 = linalg.batch_reduce_matmul {cast = #linalg.type_fn<cast_signed>} ins(%p, %q : tensor<2x4x8xf32>, tensor<2x8x6xf32>) outs(%u : tensor<4x6xf32>) -> tensor<4x6xf32>
  // CHECK: linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : vector<2xi64>} ins(%in, %filter : tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) outs(%out : tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  %5 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : vector<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%in, %filter : tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) outs(%out : tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  // CHECK: linalg.copy {cast = #linalg.type_fn<cast_unsigned>} ins(%a : tensor<4x8xi8>) outs(%a : tensor<4x8xi8>) -> tensor<4x8xi8>
  %6 = linalg.copy {cast = #linalg.type_fn<cast_unsigned>} ins(%a : tensor<4x8xi8>) outs(%a : tensor<4x8xi8>) -> tensor<4x8xi8>
  return
}

// CHECK-LABEL: func.func @enumerations
// CHECK-SAME: attributes {a = #linalg.unary_fn<exp>, b = #linalg.binary_fn<powf>, c = #linalg.ternary_fn<select>, d = #linalg.elementwise_kind<max_unsigned>, e = #linalg.type_fn<cast_signed>, f = #linalg.iterator_type<reduction>}
func.func @enumerations() attributes {a = #linalg.unary_fn<exp>, b = #linalg.binary_fn<powf>, c = #linalg.ternary_fn<select>, d = #linalg.elementwise_kind<max_unsigned>, e = #linalg.type_fn<cast_signed>, f = #linalg.iterator_type<reduction>} {
  return
}

// CHECK-LABEL: func.func @contract
func.func @contract(%a: tensor<4x8xf32>, %b: tensor<8xf32>, %c: tensor<4xf32>) {
  // CHECK: linalg.contract indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>] {cast = #linalg.type_fn<cast_unsigned>, hint} ins(%a, %b : tensor<4x8xf32>, tensor<8xf32>) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  %0 = linalg.contract indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (k)>, affine_map<(m, k) -> (m)>] {cast = #linalg.type_fn<cast_unsigned>, hint} ins(%a, %b : tensor<4x8xf32>, tensor<8xf32>) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @elementwise
func.func @elementwise(%a: tensor<4x8xf32>, %b: tensor<8xf32>, %m: memref<4x?xf32>, %i: tensor<4x8xi1>) {
  // CHECK: linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] {hint} ins(%a, %b : tensor<4x8xf32>, tensor<8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] {hint} ins(%a, %b : tensor<4x8xf32>, tensor<8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: linalg.elementwise kind=#linalg.elementwise_kind<select> ins(%i, %a, %a : tensor<4x8xi1>, tensor<4x8xf32>, tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = linalg.elementwise kind=#linalg.elementwise_kind<select> ins(%i, %a, %a : tensor<4x8xi1>, tensor<4x8xf32>, tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: linalg.elementwise kind=#linalg.elementwise_kind<max_signed> ins(%m, %m : memref<4x?xf32>, memref<4x?xf32>) outs(%m : memref<4x?xf32>)
  linalg.elementwise kind=#linalg.elementwise_kind<max_signed> ins(%m, %m : memref<4x?xf32>, memref<4x?xf32>) outs(%m : memref<4x?xf32>)
  return
}

// CHECK-LABEL: func.func @map
func.func @map(%a: tensor<4x8xf32>, %m: memref<?xf32>, %f: f32) {
  // CHECK: linalg.map { arith.addf } ins(%a, %a : tensor<4x8xf32>, tensor<4x8xf32>) outs(%a : tensor<4x8xf32>)
  %0 = linalg.map { arith.addf } ins(%a, %a : tensor<4x8xf32>, tensor<4x8xf32>) outs(%a : tensor<4x8xf32>)
  // CHECK: linalg.map { math.fma {fastmath = #arith.fastmath<fast>} } ins(%a, %a, %a : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) outs(%a : tensor<4x8xf32>)
  %1 = linalg.map { math.fma {fastmath = #arith.fastmath<fast>} } ins(%a, %a, %a : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) outs(%a : tensor<4x8xf32>)
  // The operands of the body are not in order.
  // CHECK: linalg.map ins(%a, %a : tensor<4x8xf32>, tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) {hint}
  // CHECK-NEXT: (%x: f32, %y: f32, %z: f32) {
  // CHECK-NEXT:   %{{.*}} = arith.subf %y, %x : f32
  // CHECK-NEXT:   linalg.yield
  %2 = linalg.map ins(%a, %a : tensor<4x8xf32>, tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) {hint}
    (%x: f32, %y: f32, %z: f32) {
      %s = arith.subf %y, %x : f32
      linalg.yield %s : f32
    }
  // CHECK: linalg.map outs(%m : memref<?xf32>)
  // CHECK-NEXT: (%{{.*}}: f32) {
  // CHECK-NEXT:   linalg.yield %f : f32
  linalg.map outs(%m : memref<?xf32>)
    (%u: f32) {
      linalg.yield %f : f32
    }
  return
}

// CHECK-LABEL: func.func @reduce
func.func @reduce(%a: tensor<4x8x2xf32>, %b: tensor<8xf32>, %i: tensor<4x8x2xindex>, %j: tensor<8xindex>, %m: memref<4x8x2xf32>, %n: memref<8xf32>) {
  // CHECK: linalg.reduce { arith.addf } ins(%a : tensor<4x8x2xf32>) outs(%b : tensor<8xf32>) dimensions = [0, 2]
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<4x8x2xf32>) outs(%b : tensor<8xf32>) dimensions = [0, 2]
  // CHECK: linalg.reduce ins(%a, %i : tensor<4x8x2xf32>, tensor<4x8x2xindex>) outs(%b, %j : tensor<8xf32>, tensor<8xindex>) dimensions = [0, 2] {hint}
  // CHECK-NEXT: (%x: f32, %k: index, %y: f32, %l: index) {
  // CHECK-NEXT:   linalg.yield %x, %k : f32, index
  %1:2 = linalg.reduce ins(%a, %i : tensor<4x8x2xf32>, tensor<4x8x2xindex>) outs(%b, %j : tensor<8xf32>, tensor<8xindex>) dimensions = [0, 2] {hint}
    (%x: f32, %k: index, %y: f32, %l: index) {
      linalg.yield %x, %k : f32, index
    }
  // CHECK: linalg.reduce { arith.mulf {hint} } ins(%m : memref<4x8x2xf32>) outs(%n : memref<8xf32>) dimensions = [0, 2]
  linalg.reduce { arith.mulf {hint} } ins(%m : memref<4x8x2xf32>) outs(%n : memref<8xf32>) dimensions = [0, 2]
  return
}

// CHECK-LABEL: func.func @overflow_flags_are_written
func.func @overflow_flags_are_written(%a: tensor<4xi32>, %b: tensor<i32>) -> tensor<i32> {
  // CHECK: linalg.reduce { arith.addi {overflowFlags = #arith.overflow<none>} } ins
  %0 = linalg.reduce { arith.addi } ins(%a : tensor<4xi32>) outs(%b : tensor<i32>) dimensions = [0]
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @transpose_and_broadcast
func.func @transpose_and_broadcast(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<8xf32>, %m: memref<?x4xf32>, %n: memref<?xf32>) {
  // CHECK: linalg.transpose ins(%a : tensor<4x8xf32>) outs(%b : tensor<8x4xf32>) permutation = [1, 0] {hint}
  %0 = linalg.transpose ins(%a : tensor<4x8xf32>) outs(%b : tensor<8x4xf32>) permutation = [1, 0] {hint}
  // CHECK: linalg.broadcast ins(%c : tensor<8xf32>) outs(%a : tensor<4x8xf32>) dimensions = [0] {hint}
  %1 = linalg.broadcast ins(%c : tensor<8xf32>) outs(%a : tensor<4x8xf32>) dimensions = [0] {hint}
  // CHECK: linalg.broadcast ins(%n : memref<?xf32>) outs(%m : memref<?x4xf32>) dimensions = [1]
  linalg.broadcast ins(%n : memref<?xf32>) outs(%m : memref<?x4xf32>) dimensions = [1]
  // CHECK: linalg.transpose ins(%m : memref<?x4xf32>) outs(%m : memref<?x4xf32>) permutation = [0, 1]
  linalg.transpose ins(%m : memref<?x4xf32>) outs(%m : memref<?x4xf32>) permutation = [0, 1]
  return
}

// CHECK-LABEL: func.func @softmax
func.func @softmax(%a: tensor<4x8xf32>, %m: memref<4x?xf32>) {
  // CHECK: linalg.softmax dimension(1) ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %0 = linalg.softmax dimension(1) ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: linalg.softmax {hint} dimension(0) ins(%m : memref<4x?xf32>) outs(%m : memref<4x?xf32>)
  linalg.softmax {hint} dimension(0) ins(%m : memref<4x?xf32>) outs(%m : memref<4x?xf32>)
  return
}

// CHECK-LABEL: func.func @pack
func.func @pack(%a: tensor<4x8xf32>, %b: tensor<2x2x2x4xf32>, %p: f32, %c: tensor<?x?xf32>, %d: tensor<?x?x?x4xf32>, %t: index) {
  // CHECK: linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %b : tensor<4x8xf32> -> tensor<2x2x2x4xf32>
  %0 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %b : tensor<4x8xf32> -> tensor<2x2x2x4xf32>
  // CHECK: linalg.pack %a padding_value(%p : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [3, 3] into %f {hint} : tensor<4x8xf32> -> tensor<3x2x3x3xf32>
  %f = tensor.empty() : tensor<3x2x3x3xf32>
  %1 = linalg.pack %a padding_value(%p : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [3, 3] into %f {hint} : tensor<4x8xf32> -> tensor<3x2x3x3xf32>
  // CHECK: linalg.pack %c padding_value(%p : f32) inner_dims_pos = [0, 1] inner_tiles = [%t, 4] into %d : tensor<?x?xf32> -> tensor<?x?x?x4xf32>
  %2 = linalg.pack %c padding_value(%p : f32) inner_dims_pos = [0, 1] inner_tiles = [%t, 4] into %d : tensor<?x?xf32> -> tensor<?x?x?x4xf32>
  // CHECK: linalg.unpack %b inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %a : tensor<2x2x2x4xf32> -> tensor<4x8xf32>
  %3 = linalg.unpack %b inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %a : tensor<2x2x2x4xf32> -> tensor<4x8xf32>
  // CHECK: linalg.unpack %d outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [%t, 4] into %c {hint} : tensor<?x?x?x4xf32> -> tensor<?x?xf32>
  %4 = linalg.unpack %d outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [%t, 4] into %c {hint} : tensor<?x?x?x4xf32> -> tensor<?x?xf32>
  return
}

// CHECK-LABEL: func.func @winograd
func.func @winograd(%f: tensor<2x3x3x5xf32>, %fo: tensor<6x6x5x2xf32>, %i: tensor<2x10x10x5xf32>, %io: tensor<6x6x2x2x2x5xf32>, %v: tensor<6x6x2x2x2x2xf32>, %vo: tensor<2x8x8x2xf32>, %g: tensor<2x1x5x5xf32>, %go: tensor<1x6x5x2xf32>) {
  // CHECK: linalg.winograd_filter_transform fmr(F_4_3) ins(%f : tensor<2x3x3x5xf32>) outs(%fo : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  %0 = linalg.winograd_filter_transform fmr(F_4_3) ins(%f : tensor<2x3x3x5xf32>) outs(%fo : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  // CHECK: linalg.winograd_filter_transform fmr(F_2_5) ins(%g : tensor<2x1x5x5xf32>) outs(%go : tensor<1x6x5x2xf32>) -> tensor<1x6x5x2xf32>
  %1 = linalg.winograd_filter_transform fmr(F_2_5) ins(%g : tensor<2x1x5x5xf32>) outs(%go : tensor<1x6x5x2xf32>) -> tensor<1x6x5x2xf32>
  // CHECK: linalg.winograd_input_transform {hint} fmr(F_4_3) ins(%i : tensor<2x10x10x5xf32>) outs(%io : tensor<6x6x2x2x2x5xf32>) -> tensor<6x6x2x2x2x5xf32>
  %2 = linalg.winograd_input_transform {hint} fmr(F_4_3) ins(%i : tensor<2x10x10x5xf32>) outs(%io : tensor<6x6x2x2x2x5xf32>) -> tensor<6x6x2x2x2x5xf32>
  // CHECK: linalg.winograd_output_transform fmr(F_4_3) ins(%v : tensor<6x6x2x2x2x2xf32>) outs(%vo : tensor<2x8x8x2xf32>) -> tensor<2x8x8x2xf32>
  %3 = linalg.winograd_output_transform fmr(F_4_3) ins(%v : tensor<6x6x2x2x2x2xf32>) outs(%vo : tensor<2x8x8x2xf32>) -> tensor<2x8x8x2xf32>
  return
}

#id = affine_map<(d0, d1) -> (d0, d1)>
#trait = {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"], doc = "named", library_call = "call"}

// CHECK-LABEL: func.func @generic
func.func @generic(%a: tensor<4x?xf32>, %m: memref<4x?xf32, strided<[?, 1], offset: ?>>, %f: f32) -> (tensor<4x?xf32>, tensor<4x?xf32>) {
  // CHECK-NEXT: %0, %1 = linalg.generic {doc = "named", indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"], library_call = "call"} ins(%a : tensor<4x?xf32>) outs(%a, %a : tensor<4x?xf32>, tensor<4x?xf32>)
  // CHECK-SAME: {hint}
  %0:2 = linalg.generic #trait ins(%a : tensor<4x?xf32>) outs(%a, %a : tensor<4x?xf32>, tensor<4x?xf32>) attrs = {hint} {
  ^bb0(%x: f32, %y: f32, %z: f32):
    // CHECK: linalg.index 1 : index
    %i = linalg.index 1 : index
    // CHECK: linalg.yield %x, %y : f32, f32
    linalg.yield %x, %y : f32, f32
  // CHECK: } -> (tensor<4x?xf32>, tensor<4x?xf32>)
  } -> (tensor<4x?xf32>, tensor<4x?xf32>)
  // CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%a : tensor<4x?xf32>)
  %1 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%a : tensor<4x?xf32>) {
  ^bb0(%x: f32):
    linalg.yield %x : f32
  // CHECK: } -> tensor<4x?xf32>
  } -> tensor<4x?xf32>
  // CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%f : f32) outs(%m : memref<4x?xf32, strided<[?, 1], offset: ?>>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> ()>, #id], iterator_types = ["parallel", "parallel"]} ins(%f : f32) outs(%m : memref<4x?xf32, strided<[?, 1], offset: ?>>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  return %0#0, %1 : tensor<4x?xf32>, tensor<4x?xf32>
}

// Elements may be vectors, and a loop may be one of the output alone.
// CHECK-LABEL: func.func @elements_and_loops
func.func @elements_and_loops(%v: vector<2x4xf32>, %t: tensor<3xvector<2x4xf32>>, %a: memref<5xf32>, %b: memref<5x7xf32>, %c: memref<3x7xf32>) -> tensor<3xvector<2x4xf32>> {
  // CHECK: linalg.contract
  linalg.contract indexing_maps = [affine_map<(i, j, k) -> (k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]
      ins(%a, %b : memref<5xf32>, memref<5x7xf32>) outs(%c : memref<3x7xf32>)
  // CHECK: linalg.fill ins(%v : vector<2x4xf32>) outs(%t : tensor<3xvector<2x4xf32>>)
  %0 = linalg.fill ins(%v : vector<2x4xf32>) outs(%t : tensor<3xvector<2x4xf32>>) -> tensor<3xvector<2x4xf32>>
  return %0 : tensor<3xvector<2x4xf32>>
}
