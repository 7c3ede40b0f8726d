// RUN: xbuf opt %s -p canonicalize | filecheck %s

// Casts meet, unless the type between them says more than the ends.
// CHECK-LABEL: func.func @casts
// CHECK-NEXT:   %0 = tensor.cast %s : tensor<4x8xf32> to tensor<?x?xf32>
// CHECK-NEXT:   %1 = tensor.cast %t : tensor<4x?xf32> to tensor<4x8xf32>
// CHECK-NEXT:   %2 = tensor.cast %t : tensor<4x?xf32> to tensor<?x8xf32>
// CHECK-NEXT:   %3 = tensor.cast %1 : tensor<4x8xf32> to tensor<?x?xf32>
// CHECK-NEXT:   %4 = tensor.empty() : tensor<4x8xf32>
// CHECK-NEXT:   func.return %t, %0, %2, %3, %4 : tensor<4x?xf32>, tensor<?x?xf32>, tensor<?x8xf32>, tensor<?x?xf32>, tensor<4x8xf32>
// CHECK-NEXT: }
func.func @casts(%t: tensor<4x?xf32>, %s: tensor<4x8xf32>, %n: index) -> (tensor<4x?xf32>, tensor<?x?xf32>, tensor<?x8xf32>, tensor<?x?xf32>, tensor<4x8xf32>) {
  %0 = tensor.cast %t : tensor<4x?xf32> to tensor<4x?xf32>
  %1 = tensor.cast %s : tensor<4x8xf32> to tensor<4x?xf32>
  %2 = tensor.cast %1 : tensor<4x?xf32> to tensor<?x?xf32>
  %3 = tensor.cast %t : tensor<4x?xf32> to tensor<4x8xf32>
  %4 = tensor.cast %3 : tensor<4x8xf32> to tensor<?x8xf32>
  %5 = tensor.cast %3 : tensor<4x8xf32> to tensor<?x?xf32>
  %6 = tensor.empty(%n) : tensor<4x?xf32>
  %7 = tensor.cast %6 : tensor<4x?xf32> to tensor<4x8xf32>
  return %0, %2, %4, %5, %7 : tensor<4x?xf32>, tensor<?x?xf32>, tensor<?x8xf32>, tensor<?x?xf32>, tensor<4x8xf32>
}

// CHECK-LABEL: func.func @unranked
// CHECK-NEXT:   %0 = tensor.cast %s : tensor<4xf32> to tensor<?xf32>
// CHECK-NEXT:   func.return %0 : tensor<?xf32>
// CHECK-NEXT: }
func.func @unranked(%s: tensor<4xf32>) -> tensor<?xf32> {
  %0 = tensor.cast %s : tensor<4xf32> to tensor<*xf32>
  %1 = tensor.cast %0 : tensor<*xf32> to tensor<?xf32>
  return %1 : tensor<?xf32>
}

// CHECK-LABEL: func.func @sizes
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %0 = arith.constant 4 : index
// CHECK-NEXT:   %1 = tensor.dim %t, %c1 : tensor<4x?xf32>
// CHECK-NEXT:   %2 = arith.constant 4 : index
// CHECK-NEXT:   %3 = arith.constant 2 : index
// CHECK-NEXT:   func.return %0, %1, %2, %m, %n, %m, %m, %n, %3, %m : index, index, index, index, index, index, index, index, index, index
// CHECK-NEXT: }
func.func @sizes(%t: tensor<4x?xf32>, %n: index, %m: index, %v: f32) -> (index, index, index, index, index, index, index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = tensor.dim %t, %c0 : tensor<4x?xf32>
  %1 = tensor.dim %t, %c1 : tensor<4x?xf32>
  %2 = tensor.cast %t : tensor<4x?xf32> to tensor<?x?xf32>
  %3 = tensor.dim %2, %c0 : tensor<?x?xf32>
  %4 = tensor.empty(%n, %m) : tensor<?x2x?xf32>
  %5 = tensor.dim %4, %c2 : tensor<?x2x?xf32>
  %6 = tensor.splat %v[%n, %m] : tensor<?x2x?xf32>
  %7 = tensor.dim %6, %c0 : tensor<?x2x?xf32>
  %8 = tensor.generate %m {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<?xf32>
  %9 = tensor.dim %8, %c0 : tensor<?xf32>
  %10 = bufferization.alloc_tensor(%m) : tensor<?xf32>
  %11 = tensor.dim %10, %c0 : tensor<?xf32>
  %12 = tensor.extract_slice %t[0, 0] [1, %n] [1, 1] : tensor<4x?xf32> to tensor<?xf32>
  %13 = tensor.dim %12, %c0 : tensor<?xf32>
  %14 = tensor.rank %t : tensor<4x?xf32>
  %15 = tensor.expand_shape %12 [[0, 1]] output_shape [2, %m] : tensor<?xf32> into tensor<2x?xf32>
  %16 = tensor.dim %15, %c1 : tensor<2x?xf32>
  %17 = tensor.dim %4, %n : tensor<?x2x?xf32>
  return %0, %1, %3, %5, %7, %9, %11, %13, %14, %16 : index, index, index, index, index, index, index, index, index, index
}

// Sizes that are known go into the type.
// CHECK-LABEL: func.func @constant_sizes
// CHECK-NEXT:   %0 = tensor.empty(%n) : tensor<4x?x4xf32>
// CHECK-NEXT:   %1 = tensor.cast %0 : tensor<4x?x4xf32> to tensor<?x?x?xf32>
// CHECK-NEXT:   func.return %1 : tensor<?x?x?xf32>
// CHECK-NEXT: }
func.func @constant_sizes(%n: index) -> tensor<?x?x?xf32> {
  %c4 = arith.constant 4 : index
  %0 = tensor.empty(%c4, %n, %c4) : tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

// An index outside stays for the program to meet.
// CHECK-LABEL: func.func @elements
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %c9 = arith.constant 9 : index
// CHECK-NEXT:   %0 = tensor.from_elements %a, %b, %a, %b : tensor<2x2xf32>
// CHECK-NEXT:   %1 = tensor.extract %0[%c1, %c9] : tensor<2x2xf32>
// CHECK-NEXT:   %2 = arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:   %3 = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:   %4 = tensor.extract %2[%n] : tensor<2xf32>
// CHECK-NEXT:   %5 = arith.constant dense<3.000000e+00> : tensor<2xf32>
// CHECK-NEXT:   %6 = tensor.extract %5[%n] : tensor<2xf32>
// CHECK-NEXT:   %7 = tensor.extract %t[%n] : tensor<4xf32>
// CHECK-NEXT:   func.return %b, %1, %b, %3, %4, %6, %7 : f32, f32, f32, f32, f32, f32, f32
// CHECK-NEXT: }
func.func @elements(%a: f32, %b: f32, %n: index, %t: tensor<4xf32>) -> (f32, f32, f32, f32, f32, f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %0 = tensor.from_elements %a, %b, %a, %b : tensor<2x2xf32>
  %1 = tensor.extract %0[%c1, %c1] : tensor<2x2xf32>
  %2 = tensor.extract %0[%c1, %c9] : tensor<2x2xf32>
  %3 = tensor.splat %b : tensor<2x2xf32>
  %4 = tensor.extract %3[%n, %n] : tensor<2x2xf32>
  %5 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %6 = tensor.extract %5[%c1] : tensor<2xf32>
  %7 = tensor.extract %5[%n] : tensor<2xf32>
  %8 = arith.constant dense<3.0> : tensor<2xf32>
  %9 = tensor.extract %8[%n] : tensor<2xf32>
  %10 = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %11 = tensor.extract %10[%n] : tensor<?xf32>
  return %1, %2, %4, %6, %7, %9, %11 : f32, f32, f32, f32, f32, f32, f32
}

// CHECK-LABEL: func.func @constants
// CHECK-NEXT:   %0 = arith.constant dense<[1, 2]> : tensor<2xi32>
// CHECK-NEXT:   %1 = arith.constant dense<3.000000e+00> : tensor<4xf32>
// CHECK-NEXT:   %2 = arith.constant dense<true> : tensor<i1>
// CHECK-NEXT:   func.return %0, %1, %2 : tensor<2xi32>, tensor<4xf32>, tensor<i1>
// CHECK-NEXT: }
func.func @constants() -> (tensor<2xi32>, tensor<4xf32>, tensor<i1>) {
  %1 = arith.constant 1 : i32
  %2 = arith.constant 2 : i32
  %3 = arith.constant 3.0 : f32
  %true = arith.constant true
  %4 = tensor.from_elements %1, %2 : tensor<2xi32>
  %5 = tensor.splat %3 : tensor<4xf32>
  %6 = tensor.from_elements %true : tensor<i1>
  return %4, %5, %6 : tensor<2xi32>, tensor<4xf32>, tensor<i1>
}

// A slice that would lie outside stays as it is.
// CHECK-LABEL: func.func @extract_slices
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %c9 = arith.constant 9 : index
// CHECK-NEXT:   %0 = tensor.extract_slice %t[1, 2] [1, 2] [1, 1] : tensor<4x8xf32> to tensor<2xf32>
// CHECK-NEXT:   %1 = tensor.cast %0 : tensor<2xf32> to tensor<?xf32>
// CHECK-NEXT:   %2 = tensor.extract_slice %t[0, 0] [2, 2] [1, 1] : tensor<4x8xf32> to tensor<2x2xf32>
// CHECK-NEXT:   %3 = tensor.extract_slice %t[%c1, %c9] [1, %n] [1, 1] : tensor<4x8xf32> to tensor<?xf32>
// CHECK-NEXT:   func.return %t, %d, %s, %1, %2, %3 : tensor<4x8xf32>, tensor<4x?xf32>, tensor<2x2xf32>, tensor<?xf32>, tensor<2x2xf32>, tensor<?xf32>
// CHECK-NEXT: }
func.func @extract_slices(%t: tensor<4x8xf32>, %d: tensor<4x?xf32>, %s: tensor<2x2xf32>, %n: index) -> (tensor<4x8xf32>, tensor<4x?xf32>, tensor<2x2xf32>, tensor<?xf32>, tensor<2x2xf32>, tensor<?xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c9 = arith.constant 9 : index
  %0 = tensor.extract_slice %t[0, 0] [4, 8] [1, 1] : tensor<4x8xf32> to tensor<4x8xf32>
  %dim = tensor.dim %d, %c1 : tensor<4x?xf32>
  %1 = tensor.extract_slice %d[0, 0] [4, %dim] [1, 1] : tensor<4x?xf32> to tensor<4x?xf32>
  %2 = tensor.insert_slice %s into %t[%n, 1] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<4x8xf32>
  %3 = tensor.extract_slice %2[%n, 1] [2, 2] [1, 1] : tensor<4x8xf32> to tensor<2x2xf32>
  %4 = tensor.extract_slice %t[%c1, %c2] [1, %c2] [1, %c1] : tensor<4x8xf32> to tensor<?xf32>
  %5 = tensor.cast %t : tensor<4x8xf32> to tensor<?x8xf32>
  %6 = tensor.extract_slice %5[0, 0] [2, 2] [1, 1] : tensor<?x8xf32> to tensor<2x2xf32>
  %7 = tensor.extract_slice %t[%c1, %c9] [1, %n] [1, 1] : tensor<4x8xf32> to tensor<?xf32>
  return %0, %1, %3, %4, %6, %7 : tensor<4x8xf32>, tensor<4x?xf32>, tensor<2x2xf32>, tensor<?xf32>, tensor<2x2xf32>, tensor<?xf32>
}

// What is overwritten at once, or written back, is not written.
// CHECK-LABEL: func.func @insert_slices
// CHECK-NEXT:   %0 = tensor.insert_slice %s into %u[%n, 0] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<4x8xf32>
// CHECK-NEXT:   %1 = tensor.cast %x : tensor<?xf32> to tensor<2xf32>
// CHECK-NEXT:   %2 = tensor.insert_slice %1 into %t[1, 0] [1, 2] [1, 1] : tensor<2xf32> into tensor<4x8xf32>
// CHECK-NEXT:   %3 = tensor.insert_slice %s into %t[0, 0] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<4x8xf32>
// CHECK-NEXT:   %4 = tensor.cast %3 : tensor<4x8xf32> to tensor<?x8xf32>
// CHECK-NEXT:   func.return %t, %t, %0, %2, %4 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<?x8xf32>
// CHECK-NEXT: }
func.func @insert_slices(%t: tensor<4x8xf32>, %d: tensor<4x?xf32>, %u: tensor<4x8xf32>, %s: tensor<2x2xf32>, %x: tensor<?xf32>, %n: index) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<?x8xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = tensor.insert_slice %t into %u[0, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<4x8xf32>
  %1 = tensor.extract_slice %t[%n, 0] [2, 2] [1, 1] : tensor<4x8xf32> to tensor<2x2xf32>
  %2 = tensor.insert_slice %1 into %t[%n, 0] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<4x8xf32>
  %3 = tensor.insert_slice %1 into %u[%n, 0] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<4x8xf32>
  %4 = tensor.insert_slice %s into %3[%n, 0] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<4x8xf32>
  %5 = tensor.insert_slice %x into %t[%c1, 0] [1, %c2] [1, 1] : tensor<?xf32> into tensor<4x8xf32>
  %6 = tensor.cast %t : tensor<4x8xf32> to tensor<?x8xf32>
  %7 = tensor.insert_slice %s into %6[0, 0] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<?x8xf32>
  return %0, %2, %4, %5, %7 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<?x8xf32>
}

// The cast stands where ops other than insertions may.
// CHECK-LABEL: func.func @parallel_insert_slice
// CHECK-NEXT:   %0 = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<4x8xf32>) {
// CHECK-NEXT:     %1 = tensor.cast %x : tensor<?xf32> to tensor<2xf32>
// CHECK-NEXT:     scf.forall.in_parallel {
// CHECK-NEXT:       tensor.parallel_insert_slice %1 into %o[%i, 0] [1, 2] [1, 1] : tensor<2xf32> into tensor<4x8xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %0 : tensor<4x8xf32>
// CHECK-NEXT: }
func.func @parallel_insert_slice(%t: tensor<4x8xf32>, %x: tensor<?xf32>) -> tensor<4x8xf32> {
  %c2 = arith.constant 2 : index
  %0 = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<4x8xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[%i, 0] [1, %c2] [1, 1] : tensor<?xf32> into tensor<4x8xf32>
    }
  }
  return %0 : tensor<4x8xf32>
}

// Two dynamic sizes in one group may be split in another way than before.
// CHECK-LABEL: func.func @reshapes
// CHECK-NEXT:   %0 = tensor.collapse_shape %t {{\[\[}}0, 1, 2]] : tensor<2x3x4xf32> into tensor<24xf32>
// CHECK-NEXT:   %1 = tensor.collapse_shape %d {{\[\[}}0, 1]] : tensor<?x?xf32> into tensor<?xf32>
// CHECK-NEXT:   %2 = tensor.expand_shape %1 {{\[\[}}0, 1]] output_shape [%n, %n] : tensor<?xf32> into tensor<?x?xf32>
// CHECK-NEXT:   %3 = tensor.expand_shape %0 {{\[\[}}0, 1, 2]] output_shape [1, 24, 1] : tensor<24xf32> into tensor<1x24x1xf32>
// CHECK-NEXT:   %4 = tensor.reshape %t(%sh) : (tensor<2x3x4xf32>, tensor<1xi32>) -> tensor<24xf32>
// CHECK-NEXT:   func.return %t, %0, %t, %2, %o, %3, %4 : tensor<2x3x4xf32>, tensor<24xf32>, tensor<2x3x4xf32>, tensor<?x?xf32>, tensor<?x4xf32>, tensor<1x24x1xf32>, tensor<24xf32>
// CHECK-NEXT: }
func.func @reshapes(%t: tensor<2x3x4xf32>, %d: tensor<?x?xf32>, %o: tensor<?x4xf32>, %sh: tensor<1xi32>, %sh2: tensor<2xi32>, %n: index) -> (tensor<2x3x4xf32>, tensor<24xf32>, tensor<2x3x4xf32>, tensor<?x?xf32>, tensor<?x4xf32>, tensor<1x24x1xf32>, tensor<24xf32>) {
  %0 = tensor.collapse_shape %t [[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [2, 3, 4] : tensor<6x4xf32> into tensor<2x3x4xf32>
  %2 = tensor.collapse_shape %0 [[0, 1]] : tensor<6x4xf32> into tensor<24xf32>
  %3 = tensor.collapse_shape %t [[0], [1], [2]] : tensor<2x3x4xf32> into tensor<2x3x4xf32>
  %4 = tensor.collapse_shape %d [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %5 = tensor.expand_shape %4 [[0, 1]] output_shape [%n, %n] : tensor<?xf32> into tensor<?x?xf32>
  %6 = tensor.collapse_shape %o [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  %7 = tensor.expand_shape %6 [[0, 1]] output_shape [%n, 4] : tensor<?xf32> into tensor<?x4xf32>
  %8 = tensor.expand_shape %2 [[0, 1]] output_shape [1, 24] : tensor<24xf32> into tensor<1x24xf32>
  %9 = tensor.expand_shape %8 [[0], [1, 2]] output_shape [1, 24, 1] : tensor<1x24xf32> into tensor<1x24x1xf32>
  %10 = tensor.reshape %t(%sh2) : (tensor<2x3x4xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %11 = tensor.reshape %10(%sh) : (tensor<?x?xf32>, tensor<1xi32>) -> tensor<24xf32>
  return %1, %2, %3, %5, %7, %9, %11 : tensor<2x3x4xf32>, tensor<24xf32>, tensor<2x3x4xf32>, tensor<?x?xf32>, tensor<?x4xf32>, tensor<1x24x1xf32>, tensor<24xf32>
}

// Padding by -1 and 1 moves the elements.
// CHECK-LABEL: func.func @pad_concat
// CHECK-NEXT:   %0 = tensor.cast %d : tensor<?xf32> to tensor<8xf32>
// CHECK-NEXT:   %1 = tensor.pad %t nofold low[0] high[0] {
// CHECK-NEXT:   ^bb0(%i: index):
// CHECK-NEXT:     tensor.yield %v : f32
// CHECK-NEXT:   } : tensor<4xf32> to tensor<4xf32>
// CHECK-NEXT:   %2 = tensor.pad %t low[-1] high[1] {
// CHECK-NEXT:   ^bb0(%i_1: index):
// CHECK-NEXT:     tensor.yield %v : f32
// CHECK-NEXT:   } : tensor<4xf32> to tensor<4xf32>
// CHECK-NEXT:   func.return %t, %0, %1, %t, %2 : tensor<4xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
// CHECK-NEXT: }
func.func @pad_concat(%t: tensor<4xf32>, %d: tensor<?xf32>, %v: f32) -> (tensor<4xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = tensor.pad %t low[0] high[0] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<4xf32> to tensor<4xf32>
  %1 = tensor.pad %d low[0] high[0] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<?xf32> to tensor<8xf32>
  %2 = tensor.pad %t nofold low[0] high[0] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<4xf32> to tensor<4xf32>
  %3 = tensor.concat dim(0) %t : (tensor<4xf32>) -> tensor<4xf32>
  %4 = tensor.pad %t low[-1] high[1] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<4xf32> to tensor<4xf32>
  return %0, %1, %2, %3, %4 : tensor<4xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
