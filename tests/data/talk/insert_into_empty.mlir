// What core bufferization copies was never written.
func.func @main(%sz: index, %f: f32, %idx1: index, %idx2: index) -> f32 {
  %t = tensor.empty(%sz) : tensor<?xf32>
  %1 = tensor.insert %f into %t[%idx1] : tensor<?xf32>
  %2 = tensor.extract %1[%idx2] : tensor<?xf32>
  return %2 : f32
}
