// RUN: xdsl-opt %s | xdsl-opt | filecheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#trait = {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"], doc = "named", library_call = "call"}

// CHECK-LABEL: func.func @several_results
func.func @several_results(%a: tensor<4x?xf32>, %b: tensor<4x?xf32>) -> (tensor<4x?xf32>, tensor<4x?xf32>) {
  // CHECK-NEXT: %0, %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"], doc = "named", library_call = "call"} ins(%a : tensor<4x?xf32>) outs(%a, %b : tensor<4x?xf32>, tensor<4x?xf32>)
  // CHECK-SAME: {hint}
  %0:2 = linalg.generic #trait ins(%a : tensor<4x?xf32>) outs(%a, %b : tensor<4x?xf32>, tensor<4x?xf32>) attrs = {hint} {
  ^bb0(%x: f32, %y: f32, %z: f32):
    linalg.yield %x, %y : f32, f32
  // CHECK: } -> (tensor<4x?xf32>, tensor<4x?xf32>)
  } -> (tensor<4x?xf32>, tensor<4x?xf32>)
  return %0#0, %0#1 : tensor<4x?xf32>, tensor<4x?xf32>
}

// CHECK-LABEL: func.func @one_result
func.func @one_result(%a: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%a : tensor<4x?xf32>) {
  ^bb0(%x: f32):
    linalg.yield %x : f32
  // CHECK: } -> tensor<4x?xf32>
  } -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @buffers
func.func @buffers(%a: memref<4x?xf32, strided<[?, 1], offset: ?>>, %b: memref<4x?xf32, strided<[?, ?], offset: ?>>) {
  // CHECK: ins(%a : memref<4x?xf32, strided<[?, 1], offset: ?>>) outs(%b : memref<4x?xf32, strided<[?, ?], offset: ?>>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : memref<4x?xf32, strided<[?, 1], offset: ?>>) outs(%b : memref<4x?xf32, strided<[?, ?], offset: ?>>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  // CHECK: func.return
  return
}
