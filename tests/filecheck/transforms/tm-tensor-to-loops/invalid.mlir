// RUN: xbuf opt -p tm-tensor-to-loops --verify-diagnostics %s | filecheck %s

// CHECK: 'tm_tensor.sort' on tensors must be bufferized first
func.func @tensors(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tm_tensor.sort dimension(0) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %le = arith.cmpf ole, %a, %b : f32
    tm_tensor.yield %le : i1
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
