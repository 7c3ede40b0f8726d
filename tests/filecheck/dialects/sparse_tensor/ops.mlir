// RUN: xbuf opt %s | xbuf opt | filecheck %s

#rows = #sparse_tensor.encoding<{
  map = (i, j) -> (i : dense, j : compressed)
}>

// CHECK: func.func private @f(tensor<8x8xf32, #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>>)
func.func private @f(tensor<8x8xf32, #rows>)
