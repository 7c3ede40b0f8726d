// RUN: xbuf opt -p finalizing-bufferize --allow-unregistered-dialect --verify-diagnostics --split-input-file %s | filecheck %s

// CHECK: "tensor.insert"(
// CHECK: is still on tensors after bufferization, as all of 'tensor.insert', 'my.op', 'func.return' are; bufferize their dialects before finalizing-bufferize
func.func @ops(%m: memref<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %0 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<4xf32>
  %2 = tensor.insert %f into %1[%i] : tensor<4xf32>
  "my.op"(%2) : (tensor<4xf32>) -> ()
  return %2 : tensor<4xf32>
}

// -----

// CHECK: "func.func"() <{sym_name = "argument"
// CHECK: is still on tensors after bufferization, as all of 'func.func' are
func.func @argument(%t: tensor<4xf32>) -> memref<4xf32> {
  %0 = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  return %0 : memref<4xf32>
}
