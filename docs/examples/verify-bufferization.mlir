// xdsl-opt -p verify-bufferization
func.func @f(%t: tensor<4xf32>, %x: f32, %i: index) -> (f32, f32) {
  %new = tensor.insert %x into %t[%i] : tensor<4xf32>
  %a = tensor.extract %t[%i] : tensor<4xf32>
  %b = tensor.extract %new[%i] : tensor<4xf32>
  return %a, %b : f32, f32
}
