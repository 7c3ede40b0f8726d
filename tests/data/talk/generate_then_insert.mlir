// A new tensor is written, and read only then.
func.func @main(%arg0: index, %arg1: f32, %arg2: index, %arg3: index) -> f32 {
  %0 = tensor.generate %arg0 {
  ^bb0(%i: index):
    tensor.yield %arg1 : f32
  } : tensor<?xf32>
  %1 = tensor.insert %arg1 into %0[%arg2] : tensor<?xf32>
  %2 = tensor.extract %1[%arg3] : tensor<?xf32>
  return %2 : f32
}
