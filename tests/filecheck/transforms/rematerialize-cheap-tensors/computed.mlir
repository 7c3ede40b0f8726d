// RUN: xdsl-opt -t mlir-22 -p rematerialize-cheap-tensors %s | filecheck %s

// To broadcast a row again reads less than a copy. The row is in memory anyway.

// CHECK-LABEL: @row
// CHECK:         %[[B:.*]] = linalg.broadcast
// CHECK-NEXT:    %[[E:.*]] = tensor.empty() : tensor<4x8xf32>
// CHECK-NEXT:    %[[C:.*]] = linalg.broadcast ins(%r : tensor<8xf32>) outs(%[[E]] :
// CHECK-NEXT:    tensor.insert %f into %[[C]][%i, %i]
// CHECK-NEXT:    tensor.insert %f into %[[B]][%j, %i]
func.func @row(%r: tensor<8xf32>, %f: f32, %i: index, %j: index) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %b = linalg.broadcast ins(%r : tensor<8xf32>) outs(%e : tensor<4x8xf32>) dimensions = [0]
  %0 = tensor.insert %f into %b[%i, %i] : tensor<4x8xf32>
  %1 = tensor.insert %f into %b[%j, %i] : tensor<4x8xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}

// So does an element-wise op with a narrower input.

// CHECK-LABEL: @wider
// CHECK-COUNT-2: arith.extf
func.func @wider(%r: tensor<8xf16>, %f: f32, %i: index, %j: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%r : tensor<8xf16>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f16, %o: f32):
    %y = arith.extf %x : f16 to f32
    linalg.yield %y : f32
  } -> tensor<8xf32>
  %0 = tensor.insert %f into %b[%i] : tensor<8xf32>
  %1 = tensor.insert %f into %b[%j] : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// A generated tensor reads nothing.

// CHECK-LABEL: @generated
// CHECK-COUNT-2: tensor.generate %n
func.func @generated(%n: index, %f: f32, %i: index, %j: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %g = tensor.generate %n {
  ^bb0(%k: index):
    tensor.yield %f : f32
  } : tensor<?xf32>
  %0 = tensor.insert %f into %g[%i] : tensor<?xf32>
  %1 = tensor.insert %f into %g[%j] : tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// The row is read later, and so in memory. Two of three insertions get a matrix of their own.

// CHECK-LABEL: @row_is_read_later
// CHECK-COUNT-3: linalg.broadcast
func.func @row_is_read_later(%n: tensor<8xf32>, %f: f32, %i: index, %j: index) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, f32) {
  %d = tensor.empty() : tensor<8xf32>
  %r = linalg.exp ins(%n : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %b = linalg.broadcast ins(%r : tensor<8xf32>) outs(%e : tensor<4x8xf32>) dimensions = [0]
  %0 = tensor.insert %f into %b[%i, %i] : tensor<4x8xf32>
  %1 = tensor.insert %f into %b[%j, %i] : tensor<4x8xf32>
  %2 = tensor.insert %f into %b[%j, %j] : tensor<4x8xf32>
  %x = tensor.extract %r[%j] : tensor<8xf32>
  return %0, %1, %2, %x : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, f32
}
