// Rows with gaps between them are seen as one row; the strides are settled later.
//
// MLIR refuses: invalid source layout map or collapsing non-contiguous dims

// RUN: xdsl-opt -p 'canonicalize,buffer-hoisting,buffer-deallocation-pipeline,canonicalize,cse,convert-linalg-to-loops' %s | filecheck %s

// CHECK:       %0 = memref.collapse_shape %x {{.*}} : memref<2x4xf32, strided<[8, 1]>> into memref<8xf32>
func.func @f(%x: memref<2x4xf32, strided<[8, 1]>>, %v: f32) {
  %0 = "memref.collapse_shape"(%x) <{reassociation = [[0, 1]]}> : (memref<2x4xf32, strided<[8, 1]>>) -> memref<8xf32>
  linalg.fill ins(%v : f32) outs(%0 : memref<8xf32>)
  return
}
