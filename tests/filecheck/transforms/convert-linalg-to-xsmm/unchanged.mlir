// RUN: xdsl-opt -t mlir-22 -p convert-linalg-to-xsmm %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p convert-linalg-to-xsmm,lower-to-llvm %s | filecheck %s --check-prefix LOOPS
// RUN: xdsl-opt -t mlir-22 -p convert-linalg-to-xsmm %s | filecheck %s --check-prefix KERNELS

// KERNELS-NOT: xsmm.
// What has no kernel stays, and becomes loops.
// LOOPS-NOT: linalg.

#ij = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>

// CHECK-LABEL: func.func @other_types
// CHECK-NEXT: linalg.matmul
// CHECK-NEXT: linalg.matmul
func.func @other_types(%a: memref<4x4xf16>, %b: memref<4x4xi32>, %c: memref<4x4xf16>, %d: memref<4x4xi32>) {
  linalg.matmul ins(%a, %a : memref<4x4xf16>, memref<4x4xf16>) outs(%c : memref<4x4xf16>)
  linalg.matmul ins(%b, %b : memref<4x4xi32>, memref<4x4xi32>) outs(%d : memref<4x4xi32>)
  return
}

// CHECK-LABEL: func.func @over_its_factors
// CHECK-NEXT: linalg.matmul
func.func @over_its_factors(%a: memref<4x4xf64>) {
  linalg.matmul ins(%a, %a : memref<4x4xf64>, memref<4x4xf64>) outs(%a : memref<4x4xf64>)
  return
}

// CHECK-LABEL: func.func @mixed_types
// CHECK-NEXT: linalg.matmul
func.func @mixed_types(%a: memref<4x4xf16>, %c: memref<4x4xf32>) {
  linalg.matmul ins(%a, %a : memref<4x4xf16>, memref<4x4xf16>) outs(%c : memref<4x4xf32>)
  return
}

// CHECK-LABEL: func.func @dynamic_sizes
// CHECK-NEXT: linalg.copy
func.func @dynamic_sizes(%a: memref<?x4xf32>, %b: memref<?x4xf32>) {
  linalg.copy ins(%a : memref<?x4xf32>) outs(%b : memref<?x4xf32>)
  return
}

// CHECK-LABEL: func.func @dynamic_strides
// CHECK-NEXT: linalg.copy
func.func @dynamic_strides(%a: memref<8x4xf32, strided<[?, 1]>>, %b: memref<8x4xf32>) {
  linalg.copy ins(%a : memref<8x4xf32, strided<[?, 1]>>) outs(%b : memref<8x4xf32>)
  return
}

// CHECK-LABEL: func.func @gaps_between_elements
// CHECK-NEXT: linalg.copy
// CHECK-NEXT: linalg.copy
func.func @gaps_between_elements(%a: memref<8x4xf32, strided<[8, 2]>>, %b: memref<8x4xf32>) {
  linalg.copy ins(%a : memref<8x4xf32, strided<[8, 2]>>) outs(%b : memref<8x4xf32>)
  linalg.copy ins(%b : memref<8x4xf32>) outs(%a : memref<8x4xf32, strided<[8, 2]>>)
  return
}

// CHECK-LABEL: func.func @rows_that_overlap
// CHECK-NEXT: linalg.copy
func.func @rows_that_overlap(%a: memref<8x4xf32, strided<[1, 1]>>, %b: memref<8x4xf32>) {
  linalg.copy ins(%a : memref<8x4xf32, strided<[1, 1]>>) outs(%b : memref<8x4xf32>)
  return
}

// CHECK-LABEL: func.func @more_than_a_matrix
// CHECK-NEXT: linalg.copy
func.func @more_than_a_matrix(%a: memref<2x8x4xf32>, %b: memref<2x8x4xf32>) {
  linalg.copy ins(%a : memref<2x8x4xf32>) outs(%b : memref<2x8x4xf32>)
  return
}

// CHECK-LABEL: func.func @another_maximum
// CHECK: linalg.generic
// CHECK: linalg.generic
func.func @another_maximum(%m: memref<8x4xf32>) {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#ij], iterator_types = ["parallel", "parallel"]} outs(%m : memref<8x4xf32>) {
  ^bb0(%o: f32):
    %r = arith.maximumf %o, %one : f32
    linalg.yield %r : f32
  }
  // This one gives 0 for NaN, where the kernel keeps it.
  linalg.generic {indexing_maps = [#ij], iterator_types = ["parallel", "parallel"]} outs(%m : memref<8x4xf32>) {
  ^bb0(%o: f32):
    %r = arith.maxnumf %o, %zero : f32
    linalg.yield %r : f32
  }
  return
}

// CHECK-LABEL: func.func @several_ops
// CHECK: linalg.generic
func.func @several_ops(%a: memref<8x4xf32>, %m: memref<8x4xf32>) {
  linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%a : memref<8x4xf32>) outs(%m : memref<8x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.mulf %x, %x : f32
    %r = arith.addf %s, %o : f32
    linalg.yield %r : f32
  }
  return
}

// CHECK-LABEL: func.func @sum_of_rows
// CHECK: linalg.generic
func.func @sum_of_rows(%a: memref<8x4xf32>, %m: memref<4xf32>) {
  linalg.generic {indexing_maps = [#ij, #j], iterator_types = ["reduction", "parallel"]} ins(%a : memref<8x4xf32>) outs(%m : memref<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.addf %x, %o : f32
    linalg.yield %r : f32
  }
  return
}

// CHECK-LABEL: func.func @transposed_factor
// CHECK: linalg.generic
func.func @transposed_factor(%a: memref<8x16xf32>, %b: memref<4x16xf32>, %c: memref<8x4xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<8x16xf32>, memref<4x16xf32>) outs(%c : memref<8x4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  }
  return
}

// The result depends on the order of the loops.
// CHECK-LABEL: func.func @product_over_its_factor
// CHECK-NEXT: linalg.matmul
func.func @product_over_its_factor(%a: memref<4x4xf32>, %b: memref<4x4xf32>) {
  linalg.matmul ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  return
}

// CHECK-LABEL: func.func @transposed_in_place
// CHECK-NEXT: linalg.generic
func.func @transposed_in_place(%a: memref<4x4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, #ij], iterator_types = ["parallel", "parallel"]} ins(%a : memref<4x4xf32>) outs(%a : memref<4x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  }
  return
}

// One column of several is not the whole of what a kernel repeats.

// CHECK-LABEL: func.func @first_column
// CHECK-NEXT: linalg.generic
func.func @first_column(%a: memref<8x4xf32>, %b: memref<8x4xf32>, %x: f32) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, 0)>, #ij], iterator_types = ["parallel", "parallel"]} ins(%a : memref<8x4xf32>) outs(%b : memref<8x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %x : f32
    linalg.yield %0 : f32
  }
  return
}
