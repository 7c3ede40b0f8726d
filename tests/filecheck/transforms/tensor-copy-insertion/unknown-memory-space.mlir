// RUN: xbuf opt %s --allow-unregistered-dialect -test-tensor-copy-insertion="must-infer-memory-space" | filecheck %s

// The copy has the contents of the tensor, and so its memory space: nobody is asked.
// CHECK-LABEL: func.func @unknown_op
// CHECK: %[[t:.*]] = "other.op"
// CHECK: %[[copy:.*]] = bufferization.alloc_tensor() copy(%[[t]])
// CHECK: tensor.insert %{{.*}} into %[[copy]]
func.func @unknown_op(%x: f32, %i: index) -> (tensor<10xf32>, tensor<10xf32>) {
  %t = "other.op"() : () -> tensor<10xf32>
  %s = tensor.insert %x into %t[%i] : tensor<10xf32>
  return %s, %t : tensor<10xf32>, tensor<10xf32>
}
