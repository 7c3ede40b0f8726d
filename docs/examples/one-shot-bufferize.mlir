// xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries}'
func.func @two_writes(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  // In place: nobody reads %t after this.
  %0 = tensor.insert %f into %t[%i] : tensor<4xf32>
  // A copy: %0 is read below, and this would have overwritten it.
  %1 = tensor.insert %f into %0[%i] : tensor<4xf32>
  %2 = tensor.extract %0[%i] : tensor<4xf32>
  return %1, %2 : tensor<4xf32>, f32
}
