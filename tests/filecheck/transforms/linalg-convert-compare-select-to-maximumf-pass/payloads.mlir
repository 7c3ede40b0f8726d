// RUN: xdsl-opt -t mlir-22 -p linalg-convert-compare-select-to-maximumf-pass %s | filecheck %s

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: @greater
// CHECK:         ^{{.*}}(%[[X:.*]]: f32):
// CHECK-NEXT:      %[[M:.*]] = arith.maximumf %[[X]], %zero : f32
// CHECK-NEXT:      linalg.yield %[[M]]
func.func @greater(%t: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%t : tensor<4xf32>) {
  ^bb0(%x: f32):
    %c = arith.cmpf ugt, %x, %zero : f32
    %s = arith.select %c, %x, %zero : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @less
// CHECK:         arith.maximumf %{{.*}}, %zero
func.func @less(%t: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%t : tensor<4xf32>) {
  ^bb0(%x: f32):
    %c = arith.cmpf ult, %zero, %x : f32
    %s = arith.select %c, %x, %zero : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @with_flags
// CHECK:         arith.maximumf
func.func @with_flags(%t: tensor<4xf32>, %u: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%t : tensor<4xf32>) outs(%u : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %c = arith.cmpf oge, %x, %y fastmath<nnan,nsz> : f32
    %s = arith.select %c, %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// For NaN this is zero, and arith.maximumf is NaN.

// CHECK-LABEL: @ordered
// CHECK:         arith.select
func.func @ordered(%t: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%t : tensor<4xf32>) {
  ^bb0(%x: f32):
    %c = arith.cmpf ogt, %x, %zero : f32
    %s = arith.select %c, %x, %zero : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// For -0.0 this is -0.0, and arith.maximumf is 0.0.

// CHECK-LABEL: @greater_or_equal
// CHECK:         arith.select
func.func @greater_or_equal(%t: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%t : tensor<4xf32>) {
  ^bb0(%x: f32):
    %c = arith.cmpf uge, %x, %zero : f32
    %s = arith.select %c, %x, %zero : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @minimum
// CHECK:         arith.select
func.func @minimum(%t: tensor<4xf32>) -> tensor<4xf32> {
  %one = arith.constant 1.0 : f32
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%t : tensor<4xf32>) {
  ^bb0(%x: f32):
    %c = arith.cmpf ugt, %x, %one : f32
    %s = arith.select %c, %one, %x : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @no_payload
// CHECK:         arith.select
func.func @no_payload(%x: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %c = arith.cmpf ugt, %x, %zero : f32
  %s = arith.select %c, %x, %zero : f32
  return %s : f32
}
