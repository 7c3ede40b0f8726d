// RUN: xbuf opt -p expand-strided-metadata --verify-diagnostics --split-input-file %s | filecheck %s

// CHECK: has no strides
func.func @no_strides(%m: memref<8xf32, affine_map<(d0) -> (d0 mod 4)>>) -> index {
  %b, %o, %s, %t = memref.extract_strided_metadata %m
    : memref<8xf32, affine_map<(d0) -> (d0 mod 4)>> -> memref<f32>, index, index, index
  func.return %o : index
}

// -----

// CHECK: memref<*xf32> has no strides; cast it to a ranked memref
func.func @any_rank(%m: memref<*xf32>) -> memref<f32> {
  %v = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [1]
    : memref<*xf32> to memref<4xf32>
  %b, %o, %s, %t = memref.extract_strided_metadata %v : memref<4xf32> -> memref<f32>, index, index, index
  func.return %b : memref<f32>
}
