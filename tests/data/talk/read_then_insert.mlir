// The first two ops swapped: no copy is needed.
func.func @main(%a: tensor<?xf32>, %f: f32, %idx0: index, %idx1: index) -> (f32, f32) {
  %c = tensor.extract %a[%idx1] : tensor<?xf32>
  %b = tensor.insert %f into %a[%idx0] : tensor<?xf32>
  %d = tensor.extract %b[%idx1] : tensor<?xf32>
  return %c, %d : f32, f32
}
