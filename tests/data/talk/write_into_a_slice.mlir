// A slice is read, written and put back: one memory buffer would do.
func.func @main(%arg1: tensor<16xf32>, %data: tensor<4xf32>, %iv: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f32
  %v = vector.transfer_read %data[%c0], %zero {in_bounds = [true]} : tensor<4xf32>, vector<4xf32>
  %1 = tensor.extract_slice %arg1[%iv] [10] [1] : tensor<16xf32> to tensor<10xf32>
  %2 = vector.transfer_write %v, %1[%c5] {in_bounds = [true]} : vector<4xf32>, tensor<10xf32>
  %3 = tensor.insert_slice %2 into %arg1[%iv] [10] [1] : tensor<10xf32> into tensor<16xf32>
  %r = tensor.extract %3[%c5] : tensor<16xf32>
  return %r : f32
}
