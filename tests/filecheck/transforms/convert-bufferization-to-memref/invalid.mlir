// RUN: xbuf opt -p convert-bufferization-to-memref %s --split-input-file --verify-diagnostics | filecheck %s

func.func @mixed(%a: memref<4x4xf32, strided<[?, 2]>>) -> memref<4x4xf32, strided<[?, 2]>> {
  // CHECK: 'bufferization.clone' cannot lay out new memory as strided<[?, 2]>; cast to a layout with static positive strides, or with dynamic ones only
  %c = bufferization.clone %a : memref<4x4xf32, strided<[?, 2]>> to memref<4x4xf32, strided<[?, 2]>>
  return %c : memref<4x4xf32, strided<[?, 2]>>
}

// -----

func.func @tensor(%a: memref<4xf32>) -> tensor<4xf32> {
  // CHECK: 'bufferization.to_tensor' is about tensors and cannot become memref ops; run one-shot-bufferize with bufferize-function-boundaries before
  %t = bufferization.to_tensor %a : memref<4xf32> to tensor<4xf32>
  return %t : tensor<4xf32>
}
