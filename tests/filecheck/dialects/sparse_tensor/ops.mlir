// RUN: xbuf opt %s | xbuf opt | filecheck %s

#rows = #sparse_tensor.encoding<{
  map = (i, j) -> (i : dense, j : compressed)
}>

// CHECK: func.func private @f(tensor<8x8xf32, #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>>)
func.func private @f(tensor<8x8xf32, #rows>)

// Names are those of MLIR, whichever were written.
// CHECK: func.func private @columns(tensor<8x8xf32, #sparse_tensor.encoding<{ map = (d0, d1) -> (d1 : dense, d0 : compressed(nonunique)), posWidth = 32 }>>)
func.func private @columns(tensor<8x8xf32, #sparse_tensor.encoding<{map=(d1,d0)->(d0:dense, d1:compressed(nonunique)), posWidth = 32}>>)

// CHECK: func.func private @blocks(tensor<8x9xf32, #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 3 : compressed, d0 mod 2 : dense, d1 mod 3 : dense) }>>)
func.func private @blocks(tensor<8x9xf32, #sparse_tensor.encoding<{map = (i, j) -> (i floordiv 2 : dense, j floordiv 3 : compressed, i mod 2 : dense, j mod 3 : dense)}>>)

// CHECK: func.func private @two_of_four(tensor<8x8xf32, #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : structured[2, 4]) }>>)
func.func private @two_of_four(tensor<8x8xf32, #sparse_tensor.encoding<{map = (dense, j) -> (dense : dense, j : structured[2, 4])}>>)
