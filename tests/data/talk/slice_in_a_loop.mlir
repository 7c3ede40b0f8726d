// The same in a loop, on one of two paths.
func.func @main(%arg0: tensor<40xf32>, %data: tensor<4xf32>, %cond: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %c10 = arith.constant 10 : index
  %ub = arith.constant 40 : index
  %zero = arith.constant 0.0 : f32
  %v = vector.transfer_read %data[%c0], %zero {in_bounds = [true]} : tensor<4xf32>, vector<4xf32>
  %r1 = scf.for %iv = %c0 to %ub step %c10 iter_args(%arg1 = %arg0) -> (tensor<40xf32>) {
    %1 = tensor.extract_slice %arg1[%iv] [10] [1] : tensor<40xf32> to tensor<10xf32>
    %r2 = scf.if %cond -> (tensor<10xf32>) {
      %2 = vector.transfer_write %v, %1[%c5] {in_bounds = [true]} : vector<4xf32>, tensor<10xf32>
      scf.yield %2 : tensor<10xf32>
    } else {
      scf.yield %1 : tensor<10xf32>
    }
    %3 = tensor.insert_slice %r2 into %arg1[%iv] [10] [1] : tensor<10xf32> into tensor<40xf32>
    scf.yield %3 : tensor<40xf32>
  }
  %r = tensor.extract %r1[%c5] : tensor<40xf32>
  return %r : f32
}
