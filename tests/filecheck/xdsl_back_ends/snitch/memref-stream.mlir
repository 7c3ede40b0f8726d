// xDSL's memref_stream dialect takes our buffers, step by step: a generic op with bounds,
// and then a region in which the buffers are streams.

// RUN: xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},buffer-results-to-out-params{modify-public-functions hoist-static-allocs},linalg-generalize-named-ops,convert-linalg-to-memref-stream' %s | filecheck %s --check-prefix=GENERIC
// RUN: xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},buffer-results-to-out-params{modify-public-functions hoist-static-allocs},linalg-generalize-named-ops,convert-linalg-to-memref-stream,memref-stream-legalize,memref-streamify' %s | filecheck %s --check-prefix=STREAM

// GENERIC:     func.func @add(%x: memref<8x16xf64>, %y: memref<8x16xf64>, %out: memref<8x16xf64>) {
// GENERIC:       memref_stream.generic {
// GENERIC-NEXT:    bounds = [8, 16],
// GENERIC:       } ins(%x, %y : memref<8x16xf64>, memref<8x16xf64>) outs(%out : memref<8x16xf64>) {

// STREAM:      memref_stream.streaming_region {
// STREAM:      } ins(%x, %y : memref<8x16xf64>, memref<8x16xf64>) outs(%out : memref<8x16xf64>) {
// STREAM-NEXT: ^{{.*}}(%{{.*}}: !memref_stream.readable<f64>, %{{.*}}: !memref_stream.readable<f64>, %{{.*}}: !memref_stream.writable<f64>):
func.func @add(%x: tensor<8x16xf64>, %y: tensor<8x16xf64>) -> tensor<8x16xf64> {
  %out = tensor.empty() : tensor<8x16xf64>
  %sum = linalg.add ins(%x, %y : tensor<8x16xf64>, tensor<8x16xf64>) outs(%out : tensor<8x16xf64>) -> tensor<8x16xf64>
  return %sum : tensor<8x16xf64>
}
