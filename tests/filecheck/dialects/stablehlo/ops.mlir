// RUN: xbuf opt %s | xbuf opt | filecheck %s
// RUN: xbuf opt %s --print-op-generic | xbuf opt | filecheck %s

// CHECK-LABEL: func.func @elementwise(
// CHECK: %0 = stablehlo.add %x, %x : tensor<4xf32>
// CHECK: %1 = stablehlo.exponential %x {result_accuracy = #stablehlo.result_accuracy<atol = 1.0e-05, ulps = 2, mode = #stablehlo<result_accuracy_mode TOLERANCE>>} : tensor<4xf32>
// CHECK: %2 = stablehlo.compare LT, %x, %x, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK: %3 = stablehlo.compare EQ, %i, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
// CHECK: %4 = stablehlo.select %p, %x, %x : tensor<4xi1>, tensor<4xf32>
// CHECK: %5 = stablehlo.clamp %s, %x, %s : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK: %6 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xui8>
// CHECK: %7 = stablehlo.convert %x : tensor<4xf32>
// CHECK: %8 = stablehlo.bitcast_convert %x : (tensor<4xf32>) -> tensor<4x4xui8>
// CHECK: %9 = stablehlo.complex %x, %x : tensor<4xcomplex<f32>>
// CHECK: %10 = stablehlo.real %c : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
// CHECK: %11 = stablehlo.abs %c : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
// CHECK: %12 = stablehlo.is_finite %x : (tensor<4xf32>) -> tensor<4xi1>
// CHECK: %13 = stablehlo.shift_left %i, %i : tensor<4xi32>
// CHECK: %14 = stablehlo.reduce_precision %x, format = e5m10 {note} : tensor<4xf32>
func.func @elementwise(%x: tensor<4xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>, %c: tensor<4xcomplex<f32>>, %s: tensor<f32>) {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  %1 = stablehlo.exponential %x {result_accuracy = #stablehlo.result_accuracy<atol = 1.0e-05, ulps = 2, mode = #stablehlo<result_accuracy_mode TOLERANCE>>} : tensor<4xf32>
  %2 = stablehlo.compare LT, %x, %x, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %3 = stablehlo.compare EQ, %i, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %4 = stablehlo.select %p, %x, %x : tensor<4xi1>, tensor<4xf32>
  %5 = stablehlo.clamp %s, %x, %s : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %6 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xui8>
  %7 = stablehlo.convert %x : tensor<4xf32>
  %8 = stablehlo.bitcast_convert %x : (tensor<4xf32>) -> tensor<4x4xui8>
  %9 = stablehlo.complex %x, %x : tensor<4xcomplex<f32>>
  %10 = stablehlo.real %c : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %11 = stablehlo.abs %c : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %12 = stablehlo.is_finite %x : (tensor<4xf32>) -> tensor<4xi1>
  %13 = stablehlo.shift_left %i, %i : tensor<4xi32>
  %14 = stablehlo.reduce_precision %x, format = e5m10 {note} : tensor<4xf32>
  func.return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %c = stablehlo.constant dense<[1, 2]> : tensor<2xui32>
// CHECK: %0 = stablehlo.iota dim = 1 : tensor<4x9xi32>
// CHECK: %1 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x5x3xf32>
// CHECK: %2 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<6xf32>
// CHECK: %3 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
// CHECK: %4 = stablehlo.reverse %x, dims = [0] : tensor<2x3xf32>
// CHECK: %5 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
// CHECK: %6 = stablehlo.slice %x [0:2, 0:3:2] : (tensor<2x3xf32>) -> tensor<2x2xf32>
// CHECK: %7 = stablehlo.dynamic_slice %x, %n, %n, sizes = [1, 3] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x3xf32>
// CHECK: %8 = stablehlo.dynamic_update_slice %x, %7, %n, %n : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
// CHECK: %9 = stablehlo.pad %x, %f, low = [1, -1], high = [0, 0], interior = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x4xf32>
// CHECK: %10, %11 = stablehlo.optimization_barrier %x, %f : tensor<2x3xf32>, tensor<f32>
// CHECK: %12 = stablehlo.custom_call @Sharding(%x) {backend_config = "", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK: %13 = stablehlo.composite "mine.op" %x {composite_attributes = {k = 1 : i64}, decomposition = @shapes} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK: %14 = stablehlo.dynamic_slice %f, sizes = [] : (tensor<f32>) -> tensor<f32>
// CHECK: %15 = stablehlo.dynamic_slice %f, sizes = [] : (tensor<f32>) -> tensor<f32>
// CHECK: stablehlo.optimization_barrier {note} ()
// CHECK: %16 = stablehlo.optimization_barrier {note} %f : tensor<f32>
// CHECK: %17, %18 = stablehlo.rng_bit_generator %c, algorithm = THREE_FRY : (tensor<2xui32>) -> (tensor<2xui32>, tensor<7xui32>)
func.func @shapes(%x: tensor<2x3xf32>, %f: tensor<f32>, %n: tensor<i32>) {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xui32>
  %0 = stablehlo.iota dim = 1 : tensor<4x9xi32>
  %1 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x5x3xf32>
  %2 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<6xf32>
  %3 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %4 = stablehlo.reverse %x, dims = [0] : tensor<2x3xf32>
  %5 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %6 = stablehlo.slice %x [0:2, 0:3:2] : (tensor<2x3xf32>) -> tensor<2x2xf32>
  %7 = stablehlo.dynamic_slice %x, %n, %n, sizes = [1, 3] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x3xf32>
  %8 = stablehlo.dynamic_update_slice %x, %7, %n, %n : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  %9 = stablehlo.pad %x, %f, low = [1, -1], high = [0, 0], interior = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x4xf32>
  %10, %11 = stablehlo.optimization_barrier %x, %f : tensor<2x3xf32>, tensor<f32>
  %12 = stablehlo.custom_call @Sharding(%x) {backend_config = "", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %13 = stablehlo.composite "mine.op" %x {composite_attributes = {k = 1 : i64}, decomposition = @shapes} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %14 = stablehlo.dynamic_slice %f, sizes = [] : (tensor<f32>) -> tensor<f32>
  %15 = stablehlo.dynamic_slice %f, , sizes = [] : (tensor<f32>) -> tensor<f32>
  stablehlo.optimization_barrier {note}()
  %16 = stablehlo.optimization_barrier {note} %f : tensor<f32>
  %17, %18 = stablehlo.rng_bit_generator %c, algorithm = THREE_FRY : (tensor<2xui32>) -> (tensor<2xui32>, tensor<7xui32>)
  func.return
}

// CHECK-LABEL: func.func @gather_and_scatter(
// CHECK: %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<6x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
// CHECK: %1 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
// CHECK: ^bb0(%a: tensor<f32>, %b: tensor<f32>):
// CHECK: %2 = stablehlo.add %a, %b : tensor<f32>
// CHECK: stablehlo.return %2 : tensor<f32>
// CHECK: }) : (tensor<6x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<6x4xf32>
// CHECK: %3 = "stablehlo.gather"(%s, %none) <{dimension_numbers = #stablehlo.gather<>, slice_sizes = array<i64>}> : (tensor<f32>, tensor<0xi32>) -> tensor<f32>
func.func @gather_and_scatter(%x: tensor<6x4xf32>, %i: tensor<3x1xi32>, %u: tensor<3x4xf32>, %s: tensor<f32>, %none: tensor<0xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<6x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  %1 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<6x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<6x4xf32>
  %3 = "stablehlo.gather"(%s, %none) <{dimension_numbers = #stablehlo.gather<>, slice_sizes = array<i64>}> : (tensor<f32>, tensor<0xi32>) -> tensor<f32>
  func.return
}

// CHECK-LABEL: func.func @reductions(
// CHECK: %0 = stablehlo.reduce(%x init: %f) applies stablehlo.add across dimensions = [1] : (tensor<4x9xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK: %1, %2 = stablehlo.reduce(%x init: %f), (%n init: %i) across dimensions = [0, 1] : (tensor<4x9xf32>, tensor<4x9xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>) reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<i32>, %d: tensor<i32>) {
// CHECK: stablehlo.return %b, %c : tensor<f32>, tensor<i32>
func.func @reductions(%x: tensor<4x9xf32>, %n: tensor<4x9xi32>, %f: tensor<f32>, %i: tensor<i32>) {
  %0 = stablehlo.reduce(%x init: %f) applies stablehlo.add across dimensions = [1] : (tensor<4x9xf32>, tensor<f32>) -> tensor<4xf32>
  %1, %2 = stablehlo.reduce(%x init: %f), (%n init: %i) across dimensions = [0, 1] : (tensor<4x9xf32>, tensor<4x9xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>) reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<i32>, %d: tensor<i32>) {
    stablehlo.return %b, %c : tensor<f32>, tensor<i32>
  }
  func.return
}

// CHECK-LABEL: func.func @products(
// CHECK: %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, HIGHEST] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
// CHECK: %1 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
// CHECK: %2 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [{{\[}}1, 1], [1, 1]], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x8x8x4xf32>
func.func @products(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>, %x: tensor<1x8x8x3xf32>, %k: tensor<3x3x3x4xf32>) {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, HIGHEST] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  %1 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  %2 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x8x8x4xf32>
  func.return
}

// CHECK-LABEL: func.func @control(
// CHECK: %0, %1 = stablehlo.while(%n = %i, %y = %x) : tensor<i32>, tensor<4xf32> cond {
// CHECK: %2 = stablehlo.compare LT, %n, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK: stablehlo.return %2 : tensor<i1>
// CHECK: } do {
// CHECK: %3 = stablehlo.add %y, %y : tensor<4xf32>
// CHECK: stablehlo.return %n, %3 : tensor<i32>, tensor<4xf32>
func.func @control(%i: tensor<i32>, %x: tensor<4xf32>) {
  %0, %1 = stablehlo.while(%n = %i, %y = %x) : tensor<i32>, tensor<4xf32> cond {
    %2 = stablehlo.compare LT, %n, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  } do {
    %3 = stablehlo.add %y, %y : tensor<4xf32>
    stablehlo.return %n, %3 : tensor<i32>, tensor<4xf32>
  }
  func.return
}

// CHECK-LABEL: func.func @transforms(
// CHECK: %0 = stablehlo.fft %x, type = RFFT, length = [2, 8] : (tensor<3x2x8xf32>) -> tensor<3x2x5xcomplex<f32>>
// CHECK: %1 = stablehlo.fft %0, type = IRFFT, length = [8] : (tensor<3x2x5xcomplex<f32>>) -> tensor<3x2x8xf32>
func.func @transforms(%x: tensor<3x2x8xf32>) {
  %0 = stablehlo.fft %x, type = RFFT, length = [2, 8] : (tensor<3x2x8xf32>) -> tensor<3x2x5xcomplex<f32>>
  %1 = stablehlo.fft %0, type = IRFFT, length = [8] : (tensor<3x2x5xcomplex<f32>>) -> tensor<3x2x8xf32>
  func.return
}

// CHECK-LABEL: func.func @open_sizes(
// CHECK: %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
// CHECK: %1 = stablehlo.dynamic_broadcast_in_dim %c, %s, dims = [] {known_expanding_dimensions = array<i64>} : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
// CHECK: %2 = stablehlo.dynamic_reshape %x, %s : (tensor<?x4xf32>, tensor<2xi32>) -> tensor<2x?xf32>
// CHECK: %3 = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi32>) -> tensor<?x4xi32>
// CHECK: %4 = stablehlo.dynamic_pad %x, %c, %s, %s, %s : (tensor<?x4xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
// CHECK: %5 = stablehlo.real_dynamic_slice %x, %s, %s, %s : (tensor<?x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
// CHECK: %6 = "stablehlo.dynamic_gather"(%x, %s, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [0, 1]>}> : (tensor<?x4xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
// CHECK: %7 = stablehlo.dynamic_conv(%i, %k, %p) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x8x4xf32>, tensor<3x4x2xf32>, tensor<1x2xi32>) -> tensor<?x8x2xf32>
// CHECK: %8 = stablehlo.add %x, %y : (tensor<?x4xf32>, tensor<2x4xf32>) -> tensor<?x4xf32>
func.func @open_sizes(%x: tensor<?x4xf32>, %y: tensor<2x4xf32>, %c: tensor<f32>, %s: tensor<2xi32>, %i: tensor<?x8x4xf32>, %k: tensor<3x4x2xf32>, %p: tensor<1x2xi32>) {
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %1 = stablehlo.dynamic_broadcast_in_dim %c, %s, dims = [] {known_expanding_dimensions = array<i64>} : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
  %2 = stablehlo.dynamic_reshape %x, %s : (tensor<?x4xf32>, tensor<2xi32>) -> tensor<2x?xf32>
  %3 = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi32>) -> tensor<?x4xi32>
  %4 = stablehlo.dynamic_pad %x, %c, %s, %s, %s : (tensor<?x4xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  %5 = stablehlo.real_dynamic_slice %x, %s, %s, %s : (tensor<?x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  %6 = "stablehlo.dynamic_gather"(%x, %s, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [0, 1]>}> : (tensor<?x4xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  %7 = stablehlo.dynamic_conv(%i, %k, %p) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x8x4xf32>, tensor<3x4x2xf32>, tensor<1x2xi32>) -> tensor<?x8x2xf32>
  %8 = stablehlo.add %x, %y : (tensor<?x4xf32>, tensor<2x4xf32>) -> tensor<?x4xf32>
  return
}

// Dimensions by number, and a comma behind the last field.
// CHECK-LABEL: func.func @other_spellings(
// CHECK: %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[f, 0, b], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x4xf32>, tensor<1x4x3xf32>) -> tensor<3x8x2xf32>
// CHECK: %1 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
func.func @other_spellings(%x: tensor<2x8x4xf32>, %k: tensor<1x4x3xf32>, %a: tensor<4x4xf32>) {
  %0 = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 2, output_feature_dimension = 0, output_spatial_dimensions = [1]>, feature_group_count = 1 : i64}> : (tensor<2x8x4xf32>, tensor<1x4x3xf32>) -> tensor<3x8x2xf32>
  %1 = "stablehlo.dot_general"(%a, %a) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0],>}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// CHECK-LABEL: func.func @other_words(
// CHECK: %0 = stablehlo.broadcast %v, sizes = [2, 3] : (tensor<4xf32>) -> tensor<2x3x4xf32>
// CHECK: %1 = "stablehlo.dot"(%a, %v) <{precision_config = [#stablehlo<precision HIGH>]}> : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK: %2 = "stablehlo.map"(%v, %1) <{dimensions = array<i64: 0>}> ({
// CHECK: ^bb0(%x: tensor<f32>, %y: tensor<f32>):
// CHECK: %3 = stablehlo.add %x, %y : tensor<f32>
// CHECK: stablehlo.return %3 : tensor<f32>
// CHECK: }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK: %4 = "stablehlo.batch_norm_inference"(%a, %v, %v, %v, %v) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
// CHECK: %5 = stablehlo.cholesky %a, lower = true : tensor<4x4xf32>
// CHECK: %6 = "stablehlo.triangular_solve"(%a, %5) <{left_side = true, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
func.func @other_words(%v: tensor<4xf32>, %a: tensor<4x4xf32>) {
  %0 = stablehlo.broadcast %v, sizes = [2, 3] : (tensor<4xf32>) -> tensor<2x3x4xf32>
  %1 = "stablehlo.dot"(%a, %v) <{precision_config = [#stablehlo<precision HIGH>]}> : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = "stablehlo.map"(%v, %1) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %3 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = "stablehlo.batch_norm_inference"(%a, %v, %v, %v, %v) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  %5 = stablehlo.cholesky %a, lower = true : tensor<4x4xf32>
  %6 = "stablehlo.triangular_solve"(%a, %5) <{left_side = true, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}
