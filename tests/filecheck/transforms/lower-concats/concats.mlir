// RUN: xdsl-opt -t mlir-22 -p lower-concats %s | filecheck %s

// A part is put into the whole behind the op that computes it, and is read there. %y is
// copied.
// CHECK-LABEL: func.func @parts
// CHECK:         [[E:%.*]] = tensor.empty() : tensor<4x24xf32>
// CHECK-NEXT:    %a = linalg.exp
// CHECK-NEXT:    [[A:%.*]] = tensor.insert_slice %a into [[E]][0, 0] [4, 8] [1, 1]
// CHECK-NEXT:    [[R:%.*]] = tensor.extract_slice [[A]][0, 0] [4, 8] [1, 1]
// CHECK-NEXT:    %b = linalg.add ins([[R]], %y
// CHECK-NEXT:    [[B:%.*]] = tensor.insert_slice %b into [[A]][0, 16] [4, 8] [1, 1]
// CHECK-NEXT:    [[C:%.*]] = tensor.insert_slice %y into [[B]][0, 8] [4, 8] [1, 1]
// CHECK-NEXT:    [[S:%.*]] = tensor.extract_slice [[C]][0, 0] [4, 8] [1, 1]
// CHECK-NEXT:    %d = linalg.mul ins([[S]], %y
// CHECK-NEXT:    return [[C]], %d
func.func @parts(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> (tensor<4x24xf32>, tensor<4x8xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %a = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %b = linalg.add ins(%a, %y : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %c = tensor.concat dim(1) %a, %y, %b : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x24xf32>
  %d = linalg.mul ins(%a, %y : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %c, %d : tensor<4x24xf32>, tensor<4x8xf32>
}

// The parts are inside of the border of a pad.
// CHECK-LABEL: func.func @padded
// CHECK:         [[E:%.*]] = tensor.empty() : tensor<10x8xf32>
// CHECK:         linalg.fill
// CHECK:         %a = linalg.exp
// CHECK-NEXT:    [[A:%.*]] = tensor.insert_slice %a into %{{.*}}[1, 0] [4, 8] [1, 1]
// CHECK-NEXT:    %b = linalg.log
// CHECK-NEXT:    [[B:%.*]] = tensor.insert_slice %b into [[A]][5, 0] [4, 8] [1, 1]
// CHECK-NEXT:    return [[B]]
func.func @padded(%x: tensor<4x8xf32>) -> tensor<10x8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %a = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %b = linalg.log ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %c = tensor.concat dim(0) %a, %b : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %p = tensor.pad %c low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<8x8xf32> to tensor<10x8xf32>
  return %p : tensor<10x8xf32>
}

// Sizes have to be known.
// CHECK-LABEL: func.func @dynamic
// CHECK:         tensor.concat
func.func @dynamic(%x: tensor<?x8xf32>, %y: tensor<4x8xf32>) -> tensor<?x8xf32> {
  %c = tensor.concat dim(0) %x, %y : (tensor<?x8xf32>, tensor<4x8xf32>) -> tensor<?x8xf32>
  return %c : tensor<?x8xf32>
}
