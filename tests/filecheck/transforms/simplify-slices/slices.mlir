// RUN: xdsl-opt -t mlir-22 -p simplify-slices %s | filecheck %s

// The last step of a sequence is what was put there: nothing is put together for it.
// CHECK-LABEL: func.func @last_step
// CHECK-NEXT:    return %c
func.func @last_step(%a: tensor<1x1x4xf32>, %b: tensor<1x1x4xf32>, %c: tensor<1x1x4xf32>) -> tensor<1x1x4xf32> {
  %s = tensor.concat dim(0) %a, %b, %c : (tensor<1x1x4xf32>, tensor<1x1x4xf32>, tensor<1x1x4xf32>) -> tensor<3x1x4xf32>
  %e = tensor.empty() : tensor<1x3x4xf32>
  %t = linalg.transpose ins(%s : tensor<3x1x4xf32>) outs(%e : tensor<1x3x4xf32>) permutation = [1, 0, 2]
  %r = tensor.extract_slice %t[0, 2, 0] [1, 1, 4] [1, 1, 1] : tensor<1x3x4xf32> to tensor<1x1x4xf32>
  return %r : tensor<1x1x4xf32>
}

// A slice of a transpose is smaller than all of it, and then may be of one part.
// CHECK-LABEL: func.func @part_of_a_part
// CHECK-NEXT:    %{{.*}} = tensor.extract_slice %b[2, 1] [3, 2] [1, 2] : tensor<8x4xf32> to tensor<3x2xf32>
// CHECK-NEXT:    %{{.*}} = tensor.empty() : tensor<2x3xf32>
// CHECK-NEXT:    %r = linalg.transpose {{.*}} permutation = [1, 0]
// CHECK-NEXT:    return %r
func.func @part_of_a_part(%a: tensor<2x4xf32>, %b: tensor<8x4xf32>) -> tensor<2x3xf32> {
  %s = tensor.concat dim(0) %a, %b : (tensor<2x4xf32>, tensor<8x4xf32>) -> tensor<10x4xf32>
  %e = tensor.empty() : tensor<4x10xf32>
  %t = linalg.transpose ins(%s : tensor<10x4xf32>) outs(%e : tensor<4x10xf32>) permutation = [1, 0]
  %r = tensor.extract_slice %t[1, 4] [2, 3] [2, 1] : tensor<4x10xf32> to tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// Sizes of 1 are moved by reshapes.
// CHECK-LABEL: func.func @sizes_of_one
// CHECK-NEXT:    [[C:%.*]] = tensor.collapse_shape %a {{\[\[}}0, 1], [2]] : tensor<1x5x4xf32> into tensor<5x4xf32>
// CHECK-NEXT:    %t = tensor.expand_shape [[C]] {{\[\[}}0], [1, 2]] output_shape [5, 1, 4]
// CHECK-NEXT:    return %t
func.func @sizes_of_one(%a: tensor<1x5x4xf32>) -> tensor<5x1x4xf32> {
  %e = tensor.empty() : tensor<5x1x4xf32>
  %t = linalg.transpose ins(%a : tensor<1x5x4xf32>) outs(%e : tensor<5x1x4xf32>) permutation = [1, 0, 2]
  return %t : tensor<5x1x4xf32>
}

// The heads of an attention: what leaves out sizes of 1 does so first.
// CHECK-LABEL: func.func @heads
// CHECK-NEXT:    [[S:%.*]] = tensor.extract_slice %a[0, 0, 1, 0, 0] [1, 7, 1, 6, 4] [1, 1, 1, 1, 1]
// CHECK-NEXT:    [[C:%.*]] = tensor.collapse_shape [[S]] {{\[\[}}0, 1], [2], [3], [4]] : tensor<1x7x1x6x4xf32> into tensor<7x1x6x4xf32>
// CHECK-NEXT:    tensor.empty() : tensor<1x6x7x4xf32>
// CHECK-NEXT:    %r = linalg.transpose {{.*}} permutation = [1, 2, 0, 3]
// CHECK-NEXT:    return %r
func.func @heads(%a: tensor<1x7x3x6x4xf32>) -> tensor<1x6x7x4xf32> {
  %e = tensor.empty() : tensor<3x1x6x7x4xf32>
  %t = linalg.transpose ins(%a : tensor<1x7x3x6x4xf32>) outs(%e : tensor<3x1x6x7x4xf32>) permutation = [2, 0, 3, 1, 4]
  %s = tensor.extract_slice %t[1, 0, 0, 0, 0] [1, 1, 6, 7, 4] [1, 1, 1, 1, 1] : tensor<3x1x6x7x4xf32> to tensor<1x1x6x7x4xf32>
  %r = tensor.collapse_shape %s [[0, 1], [2], [3], [4]] : tensor<1x1x6x7x4xf32> into tensor<1x6x7x4xf32>
  return %r : tensor<1x6x7x4xf32>
}

// One head of a batch is read where it is.
// CHECK-LABEL: func.func @one_head
// CHECK:         scf.for
// CHECK-NEXT:      %s = tensor.extract_slice %a[0, %i, 0] [7, 1, 4] [1, 1, 1] : tensor<7x6x4xf32> to tensor<7x4xf32>
func.func @one_head(%a: tensor<7x6x4xf32>, %n: index, %o: tensor<7x4xf32>) -> tensor<7x4xf32> {
  %e = tensor.empty() : tensor<6x7x4xf32>
  %t = linalg.transpose ins(%a : tensor<7x6x4xf32>) outs(%e : tensor<6x7x4xf32>) permutation = [1, 0, 2]
  %r = scf.for %i = %n to %n step %n iter_args(%x = %o) -> (tensor<7x4xf32>) {
    %s = tensor.extract_slice %t[%i, 0, 0] [1, 7, 4] [1, 1, 1] : tensor<6x7x4xf32> to tensor<7x4xf32>
    %y = linalg.add ins(%s, %x : tensor<7x4xf32>, tensor<7x4xf32>) outs(%x : tensor<7x4xf32>) -> tensor<7x4xf32>
    scf.yield %y : tensor<7x4xf32>
  }
  return %r : tensor<7x4xf32>
}

// What is in two parts, or at a place that is not known, stays; so does a transpose that
// other ops read.
// CHECK-LABEL: func.func @unchanged
// CHECK-NEXT:    tensor.concat
// CHECK-NEXT:    tensor.extract_slice
// CHECK-NEXT:    tensor.extract_slice
// CHECK-NEXT:    tensor.empty
// CHECK-NEXT:    linalg.transpose
// CHECK-NEXT:    tensor.extract_slice
func.func @unchanged(%a: tensor<2x4xf32>, %b: tensor<8x4xf32>, %i: index) -> (tensor<2x4xf32>, tensor<1x4xf32>, tensor<4x2xf32>, tensor<1x2xf32>) {
  %s = tensor.concat dim(0) %a, %b : (tensor<2x4xf32>, tensor<8x4xf32>) -> tensor<10x4xf32>
  %0 = tensor.extract_slice %s[1, 0] [2, 4] [1, 1] : tensor<10x4xf32> to tensor<2x4xf32>
  %1 = tensor.extract_slice %s[%i, 0] [1, 4] [1, 1] : tensor<10x4xf32> to tensor<1x4xf32>
  %e = tensor.empty() : tensor<4x2xf32>
  %t = linalg.transpose ins(%a : tensor<2x4xf32>) outs(%e : tensor<4x2xf32>) permutation = [1, 0]
  %2 = tensor.extract_slice %t[1, 0] [1, 2] [1, 1] : tensor<4x2xf32> to tensor<1x2xf32>
  return %0, %1, %t, %2 : tensor<2x4xf32>, tensor<1x4xf32>, tensor<4x2xf32>, tensor<1x2xf32>
}
