// RUN: xbuf opt -p default-tpp-passes %s | filecheck %s

// A public function that returns its out argument copies nothing, and no tile gets a
// buffer of its own: the result is in the argument, and is not returned.

// CHECK-LABEL: func.func @entry
// CHECK-SAME:    (%{{.*}}: memref<64x64xf32>, %{{.*}}: memref<64x64xf32>, %{{.*}}: memref<64x64xf32>) {
// CHECK-NOT:     alloc
// CHECK-NOT:     copy
// CHECK:         func.return{{$}}
func.func @entry(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %d = linalg.matmul ins(%a, %b: tensor<64x64xf32>, tensor<64x64xf32>) outs(%c: tensor<64x64xf32>) -> tensor<64x64xf32>
  return %d : tensor<64x64xf32>
}
