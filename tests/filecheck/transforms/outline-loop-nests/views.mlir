// RUN: xdsl-opt -t mlir-22 -p "outline-loop-nests{most-nests=1}" %s | filecheck %s

// A view without a layout of its own, of a buffer that starts at 0.

// CHECK-LABEL: func.func @view(
// CHECK:       func.func private @view_nest_
// CHECK:         memref.expand_shape %{{.*}} : memref<6xf32, strided<[1], offset: ?>> into memref<1x6xf32, strided<[6, 1], offset: ?>>
func.func @view(%x: memref<6xf32, strided<[1]>>, %y: memref<6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  scf.for %i = %c0 to %c6 step %c1 {
    %p = memref.expand_shape %x [[0, 1]] output_shape [1, 6] : memref<6xf32, strided<[1]>> into memref<1x6xf32>
    %s = memref.load %p[%c0, %i] : memref<1x6xf32>
    memref.store %s, %y[%i] : memref<6xf32>
  }
  scf.for %i = %c0 to %c6 step %c1 {
    %s = memref.load %y[%i] : memref<6xf32>
    %t = arith.addf %s, %s : f32
    memref.store %t, %y[%i] : memref<6xf32>
  }
  return
}
