// RUN: xbuf opt -p canonicalize %s | filecheck %s

// CHECK-LABEL: func.func @constants
// CHECK:         %0 = tensor.pad %t low[1, %n] high[0, 2] {
// CHECK:         } : tensor<4x4xf32> to tensor<5x?xf32>
// CHECK-NEXT:    %1 = tensor.cast %0 : tensor<5x?xf32> to tensor<?x?xf32>
// CHECK-NEXT:    return %1
func.func @constants(%t: tensor<4x4xf32>, %x: f32, %n: index) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %0 = tensor.pad %t low[%c1, %n] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<4x4xf32> to tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// The size stays, and one side is not padded: nor is the other.
// CHECK-LABEL: func.func @size_stays
// CHECK-NEXT:    return %t
func.func @size_stays(%t: tensor<4x4xf32>, %x: f32, %n: index) -> tensor<4x4xf32> {
  %0 = tensor.pad %t low[%n, 0] high[0, %n] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<4x4xf32> to tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// One element less in front, one more behind. MLIR takes it for no padding.
// CHECK-LABEL: func.func @moved
// CHECK-NEXT:    tensor.pad
func.func @moved(%t: tensor<4xf32>, %x: f32, %n: index, %m: index) -> tensor<4xf32> {
  %0 = tensor.pad %t low[%n] high[%m] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<4xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @casts
// CHECK-NEXT:    [[P:%.*]] = tensor.pad %t low[1] high[%n] {
// CHECK:         } : tensor<4xf32> to tensor<8xf32>
// CHECK-NEXT:    return [[P]]
func.func @casts(%t: tensor<4xf32>, %x: f32, %n: index) -> tensor<8xf32> {
  %0 = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %1 = tensor.pad %0 low[1] high[%n] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<?xf32> to tensor<?xf32>
  %2 = tensor.cast %1 : tensor<?xf32> to tensor<8xf32>
  return %2 : tensor<8xf32>
}

// CHECK-LABEL: func.func @twice
// CHECK-NEXT:    [[C:%.*]] = arith.constant 2 : index
// CHECK-NEXT:    [[N:%.*]] = arith.addi %n, [[C]] : index
// CHECK-NEXT:    [[P:%.*]] = tensor.pad %t low[4] high{{\[}}[[N]]] {
// CHECK:         } : tensor<4xf32> to tensor<?xf32>
// CHECK-NEXT:    return [[P]]
func.func @twice(%t: tensor<4xf32>, %x: f32, %n: index) -> tensor<?xf32> {
  %0 = tensor.pad %t low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<4xf32> to tensor<7xf32>
  %1 = tensor.pad %0 low[3] high[%n] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<7xf32> to tensor<?xf32>
  return %1 : tensor<?xf32>
}

// CHECK-LABEL: func.func @twice_by_others
// CHECK-COUNT-2: tensor.pad
func.func @twice_by_others(%t: tensor<4xf32>, %x: f32, %y: f32) -> tensor<6xf32> {
  %0 = tensor.pad %t low[1] high[0] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<4xf32> to tensor<5xf32>
  %1 = tensor.pad %0 low[0] high[1] {
  ^bb0(%i: index):
    tensor.yield %y : f32
  } : tensor<5xf32> to tensor<6xf32>
  return %1 : tensor<6xf32>
}

// What the first removes, the second pads. MLIR makes no padding of both.
// CHECK-LABEL: func.func @removed_and_padded
// CHECK-COUNT-2: tensor.pad
func.func @removed_and_padded(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %0 = tensor.pad %t low[-1] high[0] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<4xf32> to tensor<3xf32>
  %1 = tensor.pad %0 low[1] high[0] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<3xf32> to tensor<4xf32>
  return %1 : tensor<4xf32>
}
