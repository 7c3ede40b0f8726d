// RUN: xdsl-opt -t mlir-22 -p eliminate-empty-tensors %s | filecheck %s

// CHECK:      %t, %x = "test.op"()
// CHECK-NEXT: %[[PART:.*]] = tensor.extract_slice %t[0] [4] [1]
// CHECK-NEXT: linalg.fill ins(%x : f32) outs(%[[PART]] : tensor<4xf32>)
%t, %x = "test.op"() : () -> (tensor<8xf32>, f32)
%e = tensor.empty() : tensor<4xf32>
%z = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
%r = tensor.insert_slice %z into %t[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
"test.op"(%r) : (tensor<8xf32>) -> ()

// A module inside is left as it is, as by one-shot-bufferize.

// CHECK-LABEL: func.func @inside
// CHECK-NEXT:    tensor.empty
// CHECK-NEXT:    linalg.fill
module @inner {
  func.func @inside(%t0: tensor<8xf32>, %x0: f32) -> tensor<8xf32> {
    %e0 = tensor.empty() : tensor<4xf32>
    %z0 = linalg.fill ins(%x0 : f32) outs(%e0 : tensor<4xf32>) -> tensor<4xf32>
    %r0 = tensor.insert_slice %z0 into %t0[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
    return %r0 : tensor<8xf32>
  }
}
