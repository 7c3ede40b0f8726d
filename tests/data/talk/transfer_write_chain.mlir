// Three writes into one tensor, each of which core bufferization copies.
func.func @main(%t0: tensor<16xf32>, %data: tensor<12xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %c10 = arith.constant 10 : index
  %zero = arith.constant 0.0 : f32
  %data1 = vector.transfer_read %data[%c0], %zero {in_bounds = [true]} : tensor<12xf32>, vector<4xf32>
  %data2 = vector.transfer_read %data[%c4], %zero {in_bounds = [true]} : tensor<12xf32>, vector<4xf32>
  %data3 = vector.transfer_read %data[%c8], %zero {in_bounds = [true]} : tensor<12xf32>, vector<4xf32>
  %t1 = vector.transfer_write %data1, %t0[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<16xf32>
  %t2 = vector.transfer_write %data2, %t1[%c5] {in_bounds = [true]} : vector<4xf32>, tensor<16xf32>
  %t3 = vector.transfer_write %data3, %t2[%c10] {in_bounds = [true]} : vector<4xf32>, tensor<16xf32>
  %r = tensor.extract %t3[%c5] : tensor<16xf32>
  return %r : f32
}
