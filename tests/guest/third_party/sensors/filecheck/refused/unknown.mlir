// RUN: xdsl-opt --parsing-diagnostics --split-input-file %s | filecheck %s

// Dialects and ops that xDSL 0.74 does not have.

func.func @dealloc(%m: memref<4xf32>, %c: i1) {
  bufferization.dealloc (%m : memref<4xf32>) if (%c)
  return
}

// CHECK: Operation bufferization.dealloc is not registered

// -----

func.func @shape() {
  %0 = shape.const_shape [2, 3] : tensor<2xindex>
  return
}

// CHECK: Operation shape.const_shape is not registered

// -----

func.func @index(%i: index) {
  %0 = index.add %i, %i
  return
}

// CHECK: Operation index.add is not registered
