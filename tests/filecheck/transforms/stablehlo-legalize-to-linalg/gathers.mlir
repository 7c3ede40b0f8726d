// RUN: xbuf opt -p stablehlo-legalize-to-linalg,canonicalize %s | filecheck %s

// A row is moved so that it is inside.
// CHECK-LABEL: func.func @gather(
// CHECK-NEXT:     %0 = tensor.empty() : tensor<3x4xf32>
// CHECK-NEXT:     %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<3x4xf32>) {
// CHECK-NEXT:     ^bb0(%2: f32):
// CHECK-NEXT:       %3 = linalg.index 0 : index
// CHECK-NEXT:       %4 = linalg.index 1 : index
// CHECK-NEXT:       %5 = tensor.extract %i[%3] : tensor<3xi32>
// CHECK-NEXT:       %6 = arith.index_cast %5 : i32 to index
// CHECK-NEXT:       %7 = arith.constant 5 : index
// CHECK-NEXT:       %8 = arith.minsi %6, %7 : index
// CHECK-NEXT:       %9 = arith.constant 0 : index
// CHECK-NEXT:       %10 = arith.maxsi %8, %9 : index
// CHECK-NEXT:       %11 = tensor.extract %x[%10, %4] : tensor<6x4xf32>
// CHECK-NEXT:       linalg.yield %11 : f32
// CHECK-NEXT:     } -> tensor<3x4xf32>
// CHECK-NEXT:     func.return %1 : tensor<3x4xf32>
func.func @gather(%x: tensor<6x4xf32>, %i: tensor<3xi32>) -> tensor<3x4xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<6x4xf32>, tensor<3xi32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// An element beyond the tensor changes nothing.
// CHECK-LABEL: func.func @scatter(
// CHECK-NEXT:     %0 = arith.constant 0 : index
// CHECK-NEXT:     %1 = arith.constant 3 : index
// CHECK-NEXT:     %2 = arith.constant 1 : index
// CHECK-NEXT:     %3 = arith.constant true
// CHECK-NEXT:     %4 = arith.constant 5 : index
// CHECK-NEXT:     %5 = arith.constant 0 : index
// CHECK-NEXT:     %6 = scf.for %7 = %0 to %1 step %2 iter_args(%8 = %x) -> (tensor<6xf32>) {
// CHECK-NEXT:       %9 = tensor.extract %i[%7] : tensor<3xi32>
// CHECK-NEXT:       %10 = arith.index_cast %9 : i32 to index
// CHECK-NEXT:       %11 = arith.cmpi ule, %10, %4 : index
// CHECK-NEXT:       %12 = arith.andi %11, %3 : i1
// CHECK-NEXT:       %13 = arith.select %12, %10, %5 : index
// CHECK-NEXT:       %14 = tensor.extract %8[%13] : tensor<6xf32>
// CHECK-NEXT:       %15 = tensor.extract %u[%7] : tensor<3xf32>
// CHECK-NEXT:       %16 = arith.addf %14, %15 : f32
// CHECK-NEXT:       %17 = arith.select %12, %16, %14 : f32
// CHECK-NEXT:       %18 = tensor.insert %17 into %8[%13] : tensor<6xf32>
// CHECK-NEXT:       scf.yield %18 : tensor<6xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return %6 : tensor<6xf32>
func.func @scatter(%x: tensor<6xf32>, %i: tensor<3xi32>, %u: tensor<3xf32>) -> tensor<6xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<6xf32>, tensor<3xi32>, tensor<3xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
