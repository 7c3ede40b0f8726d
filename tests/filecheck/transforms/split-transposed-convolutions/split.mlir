// RUN: xdsl-opt -t mlir-22 -p 'split-transposed-convolutions{fewest-elements=0}' %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p split-transposed-convolutions %s | filecheck %s --check-prefix=SMALL

// Small outputs are computed at once.

// SMALL-COUNT-4: linalg.conv_1d_ncw_fcw
// SMALL-NOT:     linalg.conv_1d_ncw_fcw

// A stride of 2: two convolutions, each with every second element of the filter.

// CHECK-LABEL: func.func @two
func.func @two(%x: tensor<1x8x16xf32>, %w: tensor<4x8x4xf32>) -> tensor<1x4x32xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<1x8x35xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<1x8x35xf32>) -> tensor<1x8x35xf32>
  %2 = tensor.insert_slice %x into %1[0, 0, 2] [1, 8, 16] [1, 1, 2] : tensor<1x8x16xf32> into tensor<1x8x35xf32>
  %3 = tensor.empty() : tensor<1x4x32xf32>
  %4 = linalg.fill ins(%zero : f32) outs(%3 : tensor<1x4x32xf32>) -> tensor<1x4x32xf32>
  // CHECK:      %[[X:.*]] = tensor.pad %x low[0, 0, 1] high[0, 0, 1]
  // CHECK:      %[[OUT:.*]] = tensor.empty() : tensor<1x4x32xf32>
  // CHECK-NEXT: %[[X0:.*]] = tensor.extract_slice %[[X]][0, 0, 0] [1, 8, 17] [1, 1, 1]
  // CHECK-NEXT: %[[W0:.*]] = tensor.extract_slice %w[0, 0, 0] [4, 8, 2] [1, 1, 2]
  // CHECK:      %[[Y0:.*]] = linalg.conv_1d_ncw_fcw {{.*}}ins(%[[X0]], %[[W0]] : tensor<1x8x17xf32>, tensor<4x8x2xf32>)
  // CHECK-NEXT: %[[O0:.*]] = tensor.insert_slice %[[Y0]] into %[[OUT]][0, 0, 0] [1, 4, 16] [1, 1, 2]
  // CHECK-NEXT: %[[X1:.*]] = tensor.extract_slice %[[X]][0, 0, 1] [1, 8, 17] [1, 1, 1]
  // CHECK-NEXT: %[[W1:.*]] = tensor.extract_slice %w[0, 0, 1] [4, 8, 2] [1, 1, 2]
  // CHECK:      %[[Y1:.*]] = linalg.conv_1d_ncw_fcw {{.*}}ins(%[[X1]], %[[W1]] : tensor<1x8x17xf32>, tensor<4x8x2xf32>)
  // CHECK-NEXT: %[[O1:.*]] = tensor.insert_slice %[[Y1]] into %[[O0]][0, 0, 1] [1, 4, 16] [1, 1, 2]
  // CHECK-NEXT: return %[[O1]]
  %5 = linalg.conv_1d_ncw_fcw {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%2, %w : tensor<1x8x35xf32>, tensor<4x8x4xf32>) outs(%4 : tensor<1x4x32xf32>) -> tensor<1x4x32xf32>
  return %5 : tensor<1x4x32xf32>
}

// A filter of one element sees zeros alone at every second pixel: these keep the bias.

// CHECK-LABEL: func.func @gaps
func.func @gaps(%x: tensor<1x8x16xf32>, %w: tensor<4x8x1xf32>, %b: tensor<4xf32>) -> tensor<1x4x31xf32> {
  %zero = arith.constant dense<0.0> : tensor<1x8x31xf32>
  %0 = tensor.insert_slice %x into %zero[0, 0, 0] [1, 8, 16] [1, 1, 2] : tensor<1x8x16xf32> into tensor<1x8x31xf32>
  %1 = tensor.empty() : tensor<1x4x31xf32>
  // CHECK:      %[[BIAS:.*]] = linalg.broadcast {{.*}} outs(%{{.*}} : tensor<1x4x31xf32>)
  %2 = linalg.broadcast ins(%b : tensor<4xf32>) outs(%1 : tensor<1x4x31xf32>) dimensions = [0, 2]
  // CHECK:      %[[START:.*]] = linalg.broadcast {{.*}} outs(%{{.*}} : tensor<1x4x16xf32>)
  // CHECK-NEXT: %[[Y:.*]] = linalg.conv_1d_ncw_fcw {{.*}}ins(%x, %w : tensor<1x8x16xf32>, tensor<4x8x1xf32>) outs(%[[START]]
  // CHECK-NEXT: %[[O:.*]] = tensor.insert_slice %[[Y]] into %[[BIAS]][0, 0, 0] [1, 4, 16] [1, 1, 2]
  // CHECK-NEXT: return %[[O]]
  %3 = linalg.conv_1d_ncw_fcw {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%0, %w : tensor<1x8x31xf32>, tensor<4x8x1xf32>) outs(%2 : tensor<1x4x31xf32>) -> tensor<1x4x31xf32>
  return %3 : tensor<1x4x31xf32>
}

// What is between the elements is not zero, or the convolution has a stride of its own.

// CHECK-LABEL: func.func @others
// CHECK-COUNT-2: linalg.conv_1d_ncw_fcw
// CHECK-NOT: linalg.conv_1d_ncw_fcw
func.func @others(%x: tensor<1x8x16xf32>, %w: tensor<4x8x2xf32>, %o: tensor<1x4x30xf32>, %p: tensor<1x4x15xf32>) -> (tensor<1x4x30xf32>, tensor<1x4x15xf32>) {
  %one = arith.constant dense<1.0> : tensor<1x8x31xf32>
  %0 = tensor.insert_slice %x into %one[0, 0, 0] [1, 8, 16] [1, 1, 2] : tensor<1x8x16xf32> into tensor<1x8x31xf32>
  %1 = linalg.conv_1d_ncw_fcw {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%0, %w : tensor<1x8x31xf32>, tensor<4x8x2xf32>) outs(%o : tensor<1x4x30xf32>) -> tensor<1x4x30xf32>
  %zero = arith.constant dense<0.0> : tensor<1x8x31xf32>
  %2 = tensor.insert_slice %x into %zero[0, 0, 0] [1, 8, 16] [1, 1, 2] : tensor<1x8x16xf32> into tensor<1x8x31xf32>
  %3 = linalg.conv_1d_ncw_fcw {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%2, %w : tensor<1x8x31xf32>, tensor<4x8x2xf32>) outs(%p : tensor<1x4x15xf32>) -> tensor<1x4x15xf32>
  return %1, %3 : tensor<1x4x30xf32>, tensor<1x4x15xf32>
}
