// As before, but what is read is the tensor before the write.
func.func @main(%arg0: index, %arg1: f32, %arg2: index, %arg3: index) -> f32 {
  %0 = tensor.generate %arg0 {
  ^bb0(%i: index):
    tensor.yield %arg1 : f32
  } : tensor<?xf32>
  %1 = tensor.insert %arg1 into %0[%arg2] : tensor<?xf32>
  %2 = tensor.extract %0[%arg3] : tensor<?xf32>
  %3 = tensor.extract %1[%arg3] : tensor<?xf32>
  %4 = arith.addf %2, %3 : f32
  return %4 : f32
}
