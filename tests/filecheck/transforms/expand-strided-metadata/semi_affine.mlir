// RUN: xdsl-opt -t mlir-22 -p expand-strided-metadata %s | xbuf opt | filecheck %s

// A stride is a product of sizes that are known at run time only; the text that has it
// is read again, and what is computed from such a product is written out in one map.
// CHECK-LABEL: func.func @strides
// CHECK: affine.apply affine_map<()[s0, s1, s2, s3] -> (s0 * ((s3 * 4) * s2) + s1 * (s3 * 4))>()[%j, %i, %b, %a]
func.func @strides(%a: index, %b: index, %i: index, %j: index)
    -> (memref<?x?x?x4xf32>, memref<f32, strided<[], offset: ?>>) {
  %m = memref.alloc(%i, %b, %a) : memref<?x?x?x4xf32>
  %v = memref.subview %m[%j, %i, 0, 0] [1, 1, 1, 1] [1, 1, 1, 1]
    : memref<?x?x?x4xf32> to memref<f32, strided<[], offset: ?>>
  func.return %m, %v : memref<?x?x?x4xf32>, memref<f32, strided<[], offset: ?>>
}
