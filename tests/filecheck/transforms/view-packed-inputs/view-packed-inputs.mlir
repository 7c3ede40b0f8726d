// RUN: xdsl-opt -t mlir-22 -p view-packed-inputs --split-input-file %s | filecheck %s

// Blocks of an argument that only products read, as left factor.

// CHECK-LABEL: @left_factor
// CHECK-NOT: memref.alloc()
// CHECK: %[[VIEW:.*]] = memref.reinterpret_cast %x to offset: [0], sizes: [2, 4, 8, 4], strides: [128, 4, 16, 1] : memref<16x16xf32> to memref<2x4x8x4xf32, strided<[128, 4, 16, 1]>>
// CHECK-NOT: memref.copy
// CHECK: scf.forall (%[[I:.*]]) in (2) {
// CHECK-NEXT: %[[A:.*]] = memref.subview %[[VIEW]][%[[I]], 0, 0, 0] [1, 4, 8, 4] [1, 1, 1, 1] : memref<2x4x8x4xf32, strided<[128, 4, 16, 1]>> to memref<4x8x4xf32, strided<[4, 16, 1], offset: ?>>
// CHECK: linalg.batch_reduce_matmul ins(%[[A]], %b
// CHECK-NOT: memref.dealloc
func.func @left_factor(%x: memref<16x16xf32>, %b: memref<4x4x8xf32>) -> memref<2x8x8xf32> {
  %blocks = memref.alloc() : memref<2x4x8x4xf32>
  scf.forall (%i, %j) in (2, 4) {
    %0 = affine.apply affine_map<(d0) -> (d0 * 8)>(%i)
    %1 = affine.apply affine_map<(d0) -> (d0 * 4)>(%j)
    %2 = memref.subview %x[%0, %1] [8, 4] [1, 1] : memref<16x16xf32> to memref<8x4xf32, strided<[16, 1], offset: ?>>
    %3 = memref.subview %blocks[%i, %j, 0, 0] [1, 1, 8, 4] [1, 1, 1, 1] : memref<2x4x8x4xf32> to memref<8x4xf32, strided<[4, 1], offset: ?>>
    memref.copy %2, %3 : memref<8x4xf32, strided<[16, 1], offset: ?>> to memref<8x4xf32, strided<[4, 1], offset: ?>>
  }
  %c = memref.alloc() : memref<2x8x8xf32>
  scf.forall (%i) in (2) {
    %4 = memref.subview %blocks[%i, 0, 0, 0] [1, 4, 8, 4] [1, 1, 1, 1] : memref<2x4x8x4xf32> to memref<4x8x4xf32, strided<[32, 4, 1], offset: ?>>
    %5 = memref.subview %c[%i, 0, 0] [1, 8, 8] [1, 1, 1] : memref<2x8x8xf32> to memref<8x8xf32, strided<[8, 1], offset: ?>>
    linalg.batch_reduce_matmul ins(%4, %b : memref<4x8x4xf32, strided<[32, 4, 1], offset: ?>>, memref<4x4x8xf32>) outs(%5 : memref<8x8xf32, strided<[8, 1], offset: ?>>)
  }
  memref.dealloc %blocks : memref<2x4x8x4xf32>
  return %c : memref<2x8x8xf32>
}

// -----

// A kernel reads whole rows of the right factor, which are better off in a row.

// CHECK-LABEL: @right_factor
// CHECK: memref.alloc() : memref<2x4x4x8xf32>
// CHECK: memref.copy
func.func @right_factor(%x: memref<8x32xf32>, %a: memref<4x8x4xf32>) -> memref<2x8x8xf32> {
  %blocks = memref.alloc() : memref<2x4x4x8xf32>
  scf.forall (%i, %j) in (2, 4) {
    %0 = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %1 = affine.apply affine_map<(d0) -> (d0 * 8)>(%j)
    %2 = memref.subview %x[%0, %1] [4, 8] [1, 1] : memref<8x32xf32> to memref<4x8xf32, strided<[32, 1], offset: ?>>
    %3 = memref.subview %blocks[%i, %j, 0, 0] [1, 1, 4, 8] [1, 1, 1, 1] : memref<2x4x4x8xf32> to memref<4x8xf32, strided<[8, 1], offset: ?>>
    memref.copy %2, %3 : memref<4x8xf32, strided<[32, 1], offset: ?>> to memref<4x8xf32, strided<[8, 1], offset: ?>>
  }
  %c = memref.alloc() : memref<2x8x8xf32>
  scf.forall (%i) in (2) {
    %4 = memref.subview %blocks[%i, 0, 0, 0] [1, 4, 4, 8] [1, 1, 1, 1] : memref<2x4x4x8xf32> to memref<4x4x8xf32, strided<[32, 8, 1], offset: ?>>
    %5 = memref.subview %c[%i, 0, 0] [1, 8, 8] [1, 1, 1] : memref<2x8x8xf32> to memref<8x8xf32, strided<[8, 1], offset: ?>>
    linalg.batch_reduce_matmul ins(%a, %4 : memref<4x8x4xf32>, memref<4x4x8xf32, strided<[32, 8, 1], offset: ?>>) outs(%5 : memref<8x8xf32, strided<[8, 1], offset: ?>>)
  }
  memref.dealloc %blocks : memref<2x4x4x8xf32>
  return %c : memref<2x8x8xf32>
}

// -----

// The argument is written while the blocks are in use.

// CHECK-LABEL: @written
// CHECK: memref.copy
func.func @written(%x: memref<8x16xf32>, %b: memref<4x4x8xf32>, %f: f32) -> memref<8x8xf32> {
  %blocks = memref.alloc() : memref<1x4x8x4xf32>
  scf.forall (%j) in (4) {
    %1 = affine.apply affine_map<(d0) -> (d0 * 4)>(%j)
    %2 = memref.subview %x[0, %1] [8, 4] [1, 1] : memref<8x16xf32> to memref<8x4xf32, strided<[16, 1], offset: ?>>
    %3 = memref.subview %blocks[0, %j, 0, 0] [1, 1, 8, 4] [1, 1, 1, 1] : memref<1x4x8x4xf32> to memref<8x4xf32, strided<[4, 1], offset: ?>>
    memref.copy %2, %3 : memref<8x4xf32, strided<[16, 1], offset: ?>> to memref<8x4xf32, strided<[4, 1], offset: ?>>
  }
  linalg.fill ins(%f : f32) outs(%x : memref<8x16xf32>)
  %c = memref.alloc() : memref<8x8xf32>
  %4 = memref.subview %blocks[0, 0, 0, 0] [1, 4, 8, 4] [1, 1, 1, 1] : memref<1x4x8x4xf32> to memref<4x8x4xf32>
  linalg.batch_reduce_matmul ins(%4, %b : memref<4x8x4xf32>, memref<4x4x8xf32>) outs(%c : memref<8x8xf32>)
  memref.dealloc %blocks : memref<1x4x8x4xf32>
  return %c : memref<8x8xf32>
}

// -----

// As above, but another argument is, which may be the same memory.

// CHECK-LABEL: @perhaps_written
// CHECK: memref.copy
func.func @perhaps_written(%x: memref<8x16xf32>, %b: memref<4x4x8xf32>, %c: memref<8x8xf32>) {
  %blocks = memref.alloc() : memref<1x4x8x4xf32>
  scf.forall (%j) in (4) {
    %1 = affine.apply affine_map<(d0) -> (d0 * 4)>(%j)
    %2 = memref.subview %x[0, %1] [8, 4] [1, 1] : memref<8x16xf32> to memref<8x4xf32, strided<[16, 1], offset: ?>>
    %3 = memref.subview %blocks[0, %j, 0, 0] [1, 1, 8, 4] [1, 1, 1, 1] : memref<1x4x8x4xf32> to memref<8x4xf32, strided<[4, 1], offset: ?>>
    memref.copy %2, %3 : memref<8x4xf32, strided<[16, 1], offset: ?>> to memref<8x4xf32, strided<[4, 1], offset: ?>>
  }
  %4 = memref.subview %blocks[0, 0, 0, 0] [1, 4, 8, 4] [1, 1, 1, 1] : memref<1x4x8x4xf32> to memref<4x8x4xf32>
  linalg.batch_reduce_matmul ins(%4, %b : memref<4x8x4xf32>, memref<4x4x8xf32>) outs(%c : memref<8x8xf32>)
  memref.dealloc %blocks : memref<1x4x8x4xf32>
  return
}

// -----

// One of the blocks is not copied.

// CHECK-LABEL: @not_all
// CHECK: memref.copy
func.func @not_all(%x: memref<8x16xf32>, %b: memref<4x4x8xf32>) -> memref<8x8xf32> {
  %blocks = memref.alloc() : memref<1x4x8x4xf32>
  scf.forall (%j) in (3) {
    %1 = affine.apply affine_map<(d0) -> (d0 * 4)>(%j)
    %2 = memref.subview %x[0, %1] [8, 4] [1, 1] : memref<8x16xf32> to memref<8x4xf32, strided<[16, 1], offset: ?>>
    %3 = memref.subview %blocks[0, %j, 0, 0] [1, 1, 8, 4] [1, 1, 1, 1] : memref<1x4x8x4xf32> to memref<8x4xf32, strided<[4, 1], offset: ?>>
    memref.copy %2, %3 : memref<8x4xf32, strided<[16, 1], offset: ?>> to memref<8x4xf32, strided<[4, 1], offset: ?>>
  }
  %c = memref.alloc() : memref<8x8xf32>
  %4 = memref.subview %blocks[0, 0, 0, 0] [1, 4, 8, 4] [1, 1, 1, 1] : memref<1x4x8x4xf32> to memref<4x8x4xf32>
  linalg.batch_reduce_matmul ins(%4, %b : memref<4x8x4xf32>, memref<4x4x8xf32>) outs(%c : memref<8x8xf32>)
  memref.dealloc %blocks : memref<1x4x8x4xf32>
  return %c : memref<8x8xf32>
}

// -----

// A loop of one iteration may have lost its variable.

// CHECK-LABEL: @one_row_of_blocks
// CHECK: memref.reinterpret_cast %x to offset: [0], sizes: [1, 4, 8, 4], strides: [128, 4, 16, 1]
// CHECK-NOT: memref.copy
func.func @one_row_of_blocks(%x: memref<8x16xf32>, %b: memref<4x4x8xf32>) -> memref<8x8xf32> {
  %blocks = memref.alloc() : memref<1x4x8x4xf32>
  scf.forall (%j) in (4) {
    %1 = affine.apply affine_map<(d0) -> (d0 * 4)>(%j)
    %2 = memref.subview %x[0, %1] [8, 4] [1, 1] : memref<8x16xf32> to memref<8x4xf32, strided<[16, 1], offset: ?>>
    %3 = memref.subview %blocks[0, %j, 0, 0] [1, 1, 8, 4] [1, 1, 1, 1] : memref<1x4x8x4xf32> to memref<8x4xf32, strided<[4, 1], offset: ?>>
    memref.copy %2, %3 : memref<8x4xf32, strided<[16, 1], offset: ?>> to memref<8x4xf32, strided<[4, 1], offset: ?>>
  }
  %c = memref.alloc() : memref<8x8xf32>
  %4 = memref.subview %blocks[0, 0, 0, 0] [1, 4, 8, 4] [1, 1, 1, 1] : memref<1x4x8x4xf32> to memref<4x8x4xf32>
  linalg.batch_reduce_matmul ins(%4, %b : memref<4x8x4xf32>, memref<4x4x8xf32>) outs(%c : memref<8x8xf32>)
  memref.dealloc %blocks : memref<1x4x8x4xf32>
  return %c : memref<8x8xf32>
}

// -----

// Rows in pairs are read from cache lines: from the argument if it starts at one, else
// from a copy.

#a = affine_map<(b, i, j, k, v) -> (b, i, k, v)>
#b = affine_map<(b, i, j, k, v) -> (b, k, j, v)>
#c = affine_map<(b, i, j, k, v) -> (i, j)>

// CHECK-LABEL: @pairs
// CHECK: %[[POINTER:.*]] = memref.extract_aligned_pointer_as_index %x : memref<48x64xbf16> -> index
// CHECK: %[[LINE:.*]] = arith.constant 64 : index
// CHECK: %[[REST:.*]] = arith.remui %[[POINTER]], %[[LINE]] : index
// CHECK: %[[CROSSES_LINES:.*]] = arith.cmpi ne, %[[REST]], %{{.*}} : index
// CHECK-NEXT: %[[LINES:.*]] = scf.if %[[CROSSES_LINES]] -> (memref<48x64xbf16>) {
// CHECK-NEXT:   %[[COPY:.*]] = memref.alloc() {alignment = 64 : i64} : memref<48x64xbf16>
// CHECK-NEXT:   scf.forall (%[[I:.*]]) in (3) {
// CHECK-NEXT:     %[[ROW:.*]] = affine.apply affine_map<(d0) -> (d0 * 16)>(%[[I]])
// CHECK-NEXT:     %[[FROM:.*]] = memref.subview %x[%[[ROW]], 0] [16, 64] [1, 1]
// CHECK-NEXT:     %[[TO:.*]] = memref.subview %[[COPY]][%[[ROW]], 0] [16, 64] [1, 1]
// CHECK-NEXT:     memref.copy %[[FROM]], %[[TO]]
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.yield %[[COPY]] : memref<48x64xbf16>
// CHECK-NEXT: } else {
// CHECK-NEXT:   scf.yield %x : memref<48x64xbf16>
// CHECK-NEXT: }
// CHECK-NEXT: %[[VIEW:.*]] = memref.reinterpret_cast %[[LINES]] to offset: [0], sizes: [1, 2, 48, 16, 2], strides: [3072, 32, 64, 2, 1] : memref<48x64xbf16> to memref<1x2x48x16x2xbf16, strided<[3072, 32, 64, 2, 1]>>
// CHECK-NOT: memref.expand_shape
// CHECK: %[[A:.*]] = memref.subview %[[VIEW]][0, 0, 0, 0, 0] [1, 2, 48, 16, 2] [1, 1, 1, 1, 1]
// CHECK: linalg.generic {{.*}} ins(%[[A]], %b
// CHECK: scf.if %[[CROSSES_LINES]] {
// CHECK-NEXT:   memref.dealloc %[[LINES]] : memref<48x64xbf16>
// CHECK-NEXT: }
// CHECK-NEXT: func.return
func.func @pairs(%x: memref<48x64xbf16>, %b: memref<2x16x8x2xbf16>) -> memref<48x8xbf16> {
  %blocks = memref.alloc() : memref<1x2x48x32xbf16>
  scf.forall (%j) in (2) {
    %1 = affine.apply affine_map<(d0) -> (d0 * 32)>(%j)
    %2 = memref.subview %x[0, %1] [48, 32] [1, 1] : memref<48x64xbf16> to memref<48x32xbf16, strided<[64, 1], offset: ?>>
    %3 = memref.subview %blocks[0, %j, 0, 0] [1, 1, 48, 32] [1, 1, 1, 1] : memref<1x2x48x32xbf16> to memref<48x32xbf16, strided<[32, 1], offset: ?>>
    memref.copy %2, %3 : memref<48x32xbf16, strided<[64, 1], offset: ?>> to memref<48x32xbf16, strided<[32, 1], offset: ?>>
  }
  %pairs = memref.expand_shape %blocks [[0], [1], [2], [3, 4]] output_shape [1, 2, 48, 16, 2] : memref<1x2x48x32xbf16> into memref<1x2x48x16x2xbf16>
  %r = memref.alloc() : memref<48x8xbf16>
  %4 = memref.subview %pairs[0, 0, 0, 0, 0] [1, 2, 48, 16, 2] [1, 1, 1, 1, 1] : memref<1x2x48x16x2xbf16> to memref<2x48x16x2xbf16>
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["reduction", "parallel", "parallel", "reduction", "reduction"]} ins(%4, %b : memref<2x48x16x2xbf16>, memref<2x16x8x2xbf16>) outs(%r : memref<48x8xbf16>) {
  ^bb0(%l: bf16, %m: bf16, %o: bf16):
    %p = arith.mulf %l, %m : bf16
    %s = arith.addf %o, %p : bf16
    linalg.yield %s : bf16
  }
  memref.dealloc %blocks : memref<1x2x48x32xbf16>
  return %r : memref<48x8xbf16>
}

// -----

// Nothing reads what is viewed.

// CHECK-LABEL: @unread
// CHECK: %[[LINES:.*]] = scf.if
// CHECK: memref.reinterpret_cast %[[LINES]]
// CHECK: memref.subview
// CHECK-NEXT: scf.if
// CHECK-NEXT:   memref.dealloc %[[LINES]]
func.func @unread(%x: memref<48x64xbf16>) {
  %blocks = memref.alloc() : memref<1x2x48x32xbf16>
  scf.forall (%j) in (2) {
    %1 = affine.apply affine_map<(d0) -> (d0 * 32)>(%j)
    %2 = memref.subview %x[0, %1] [48, 32] [1, 1] : memref<48x64xbf16> to memref<48x32xbf16, strided<[64, 1], offset: ?>>
    %3 = memref.subview %blocks[0, %j, 0, 0] [1, 1, 48, 32] [1, 1, 1, 1] : memref<1x2x48x32xbf16> to memref<48x32xbf16, strided<[32, 1], offset: ?>>
    memref.copy %2, %3 : memref<48x32xbf16, strided<[64, 1], offset: ?>> to memref<48x32xbf16, strided<[32, 1], offset: ?>>
  }
  %pairs = memref.expand_shape %blocks [[0], [1], [2], [3, 4]] output_shape [1, 2, 48, 16, 2] : memref<1x2x48x32xbf16> into memref<1x2x48x16x2xbf16>
  %4 = memref.subview %pairs[0, 0, 0, 0, 0] [1, 2, 48, 16, 2] [1, 1, 1, 1, 1] : memref<1x2x48x16x2xbf16> to memref<2x48x16x2xbf16>
  memref.dealloc %blocks : memref<1x2x48x32xbf16>
  return
}

// -----

// Who splits pairs again needs the blocks.

// CHECK-LABEL: @split_again
// CHECK-NOT: scf.if
// CHECK: memref.copy
func.func @split_again(%x: memref<48x64xbf16>) {
  %blocks = memref.alloc() : memref<1x2x48x32xbf16>
  scf.forall (%j) in (2) {
    %1 = affine.apply affine_map<(d0) -> (d0 * 32)>(%j)
    %2 = memref.subview %x[0, %1] [48, 32] [1, 1] : memref<48x64xbf16> to memref<48x32xbf16, strided<[64, 1], offset: ?>>
    %3 = memref.subview %blocks[0, %j, 0, 0] [1, 1, 48, 32] [1, 1, 1, 1] : memref<1x2x48x32xbf16> to memref<48x32xbf16, strided<[32, 1], offset: ?>>
    memref.copy %2, %3 : memref<48x32xbf16, strided<[64, 1], offset: ?>> to memref<48x32xbf16, strided<[32, 1], offset: ?>>
  }
  %pairs = memref.expand_shape %blocks [[0], [1], [2], [3, 4]] output_shape [1, 2, 48, 16, 2] : memref<1x2x48x32xbf16> into memref<1x2x48x16x2xbf16>
  %again = memref.expand_shape %pairs [[0], [1], [2], [3], [4, 5]] output_shape [1, 2, 48, 16, 2, 1] : memref<1x2x48x16x2xbf16> into memref<1x2x48x16x2x1xbf16>
  %4 = memref.subview %again[0, 0, 0, 0, 0, 0] [1, 2, 48, 16, 2, 1] [1, 1, 1, 1, 1, 1] : memref<1x2x48x16x2x1xbf16> to memref<2x48x16x2xbf16>
  memref.dealloc %blocks : memref<1x2x48x32xbf16>
  return
}

// -----

// Blocks of half a cache line stay together.

#a = affine_map<(b, i, j, k, v) -> (b, i, k, v)>
#b = affine_map<(b, i, j, k, v) -> (b, k, j, v)>
#c = affine_map<(b, i, j, k, v) -> (i, j)>

// CHECK-LABEL: @half_lines
// CHECK-NOT: scf.if
// CHECK: memref.copy
// CHECK-NOT: memref.reinterpret_cast
func.func @half_lines(%x: memref<48x64xbf16>, %b: memref<4x8x8x2xbf16>) -> memref<48x8xbf16> {
  %blocks = memref.alloc() : memref<1x4x48x16xbf16>
  scf.forall (%j) in (4) {
    %1 = affine.apply affine_map<(d0) -> (d0 * 16)>(%j)
    %2 = memref.subview %x[0, %1] [48, 16] [1, 1] : memref<48x64xbf16> to memref<48x16xbf16, strided<[64, 1], offset: ?>>
    %3 = memref.subview %blocks[0, %j, 0, 0] [1, 1, 48, 16] [1, 1, 1, 1] : memref<1x4x48x16xbf16> to memref<48x16xbf16, strided<[16, 1], offset: ?>>
    memref.copy %2, %3 : memref<48x16xbf16, strided<[64, 1], offset: ?>> to memref<48x16xbf16, strided<[16, 1], offset: ?>>
  }
  %pairs = memref.expand_shape %blocks [[0], [1], [2], [3, 4]] output_shape [1, 4, 48, 8, 2] : memref<1x4x48x16xbf16> into memref<1x4x48x8x2xbf16>
  %r = memref.alloc() : memref<48x8xbf16>
  %4 = memref.subview %pairs[0, 0, 0, 0, 0] [1, 4, 48, 8, 2] [1, 1, 1, 1, 1] : memref<1x4x48x8x2xbf16> to memref<4x48x8x2xbf16>
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["reduction", "parallel", "parallel", "reduction", "reduction"]} ins(%4, %b : memref<4x48x8x2xbf16>, memref<4x8x8x2xbf16>) outs(%r : memref<48x8xbf16>) {
  ^bb0(%l: bf16, %m: bf16, %o: bf16):
    %p = arith.mulf %l, %m : bf16
    %s = arith.addf %o, %p : bf16
    linalg.yield %s : bf16
  }
  memref.dealloc %blocks : memref<1x4x48x16xbf16>
  return %r : memref<48x8xbf16>
}
