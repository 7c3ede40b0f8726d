// RUN: xbuf opt -p canonicalize --allow-unregistered-dialect %s | filecheck %s

// CHECK-LABEL: func.func @element_of_generate
// CHECK-NEXT:    [[S:%.*]] = arith.muli %j, %k : index
// CHECK-NEXT:    return [[S]]
func.func @element_of_generate(%n: index, %k: index, %j: index) -> index {
  %0 = tensor.generate %n {
  ^bb0(%i: index):
    %1 = arith.muli %i, %k : index
    tensor.yield %1 : index
  } : tensor<?xindex>
  %2 = tensor.extract %0[%j] : tensor<?xindex>
  return %2 : index
}

// What is computed has an effect.
// CHECK-LABEL: func.func @element_with_effect
// CHECK:         tensor.generate
// CHECK:         tensor.extract
func.func @element_with_effect(%n: index, %j: index) -> index {
  %0 = tensor.generate %n {
  ^bb0(%i: index):
    %1 = "test.op"(%i) : (index) -> index
    tensor.yield %1 : index
  } : tensor<?xindex>
  %2 = tensor.extract %0[%j] : tensor<?xindex>
  return %2 : index
}

// CHECK-LABEL: func.func @size_of_generate
// CHECK:         } : tensor<3xindex>
// CHECK-NEXT:    [[C:%.*]] = tensor.cast %{{.*}} : tensor<3xindex> to tensor<?xindex>
// CHECK-NEXT:    return [[C]]
func.func @size_of_generate() -> tensor<?xindex> {
  %c3 = arith.constant 3 : index
  %0 = tensor.generate %c3 {
  ^bb0(%i: index):
    tensor.yield %i : index
  } : tensor<?xindex>
  return %0 : tensor<?xindex>
}

// CHECK-LABEL: func.func @bitcasts
// CHECK-NEXT:    [[B:%.*]] = tensor.bitcast %t : tensor<4xi32> to tensor<4xf32>
// CHECK-NEXT:    return %t, [[B]]
func.func @bitcasts(%t: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xf32>) {
  %0 = tensor.bitcast %t : tensor<4xi32> to tensor<4xui32>
  %1 = tensor.bitcast %0 : tensor<4xui32> to tensor<4xi32>
  %2 = tensor.bitcast %0 : tensor<4xui32> to tensor<4xf32>
  return %1, %2 : tensor<4xi32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @sizes_of_parts
// CHECK-NEXT:    [[C:%.*]] = tensor.cast %b : tensor<4x?xf32> to tensor<4x5xf32>
// CHECK-NEXT:    [[R:%.*]] = tensor.concat dim(0) %a, [[C]] : (tensor<2x5xf32>, tensor<4x5xf32>) -> tensor<6x5xf32>
// CHECK-NEXT:    [[S:%.*]] = tensor.cast [[R]] : tensor<6x5xf32> to tensor<?x?xf32>
// CHECK-NEXT:    return [[S]]
func.func @sizes_of_parts(%a: tensor<2x5xf32>, %b: tensor<4x?xf32>) -> tensor<?x?xf32> {
  %0 = tensor.concat dim(0) %a, %b : (tensor<2x5xf32>, tensor<4x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @equal_elements
// CHECK-NEXT:    [[T:%.*]] = arith.constant dense<1.000000e+00> : tensor<8xf32>
// CHECK-NEXT:    [[G:%.*]] = arith.constant dense<1.000000e+00> : tensor<3x1xf32>
// CHECK-NEXT:    [[S:%.*]] = arith.constant dense<1.000000e+00> : tensor<2xf32>
// CHECK-NEXT:    return [[G]], [[S]], [[T]]
func.func @equal_elements(%i: index, %at: tensor<3x1xindex>) -> (tensor<3x1xf32>, tensor<2xf32>, tensor<8xf32>) {
  %t = arith.constant dense<1.0> : tensor<8xf32>
  %x = arith.constant 1.0 : f32
  %0 = tensor.gather %t[%at] gather_dims([0]) : (tensor<8xf32>, tensor<3x1xindex>) -> tensor<3x1xf32>
  %1 = tensor.extract_slice %t[3] [2] [1] : tensor<8xf32> to tensor<2xf32>
  %2 = tensor.insert %x into %t[%i] : tensor<8xf32>
  return %0, %1, %2 : tensor<3x1xf32>, tensor<2xf32>, tensor<8xf32>
}

// Zeros have a sign.
// CHECK-LABEL: func.func @other_zero
// CHECK:         tensor.insert
func.func @other_zero(%i: index) -> tensor<8xf32> {
  %t = arith.constant dense<0.0> : tensor<8xf32>
  %x = arith.constant -0.0 : f32
  %0 = tensor.insert %x into %t[%i] : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @index_cast
// CHECK-NEXT:    [[E:%.*]] = tensor.extract %t[%i] : tensor<4xi32>
// CHECK-NEXT:    [[C:%.*]] = arith.index_cast [[E]] : i32 to index
// CHECK-NEXT:    return [[C]]
func.func @index_cast(%t: tensor<4xi32>, %i: index) -> index {
  %0 = arith.index_cast %t : tensor<4xi32> to tensor<4xindex>
  %1 = tensor.extract %0[%i] : tensor<4xindex>
  return %1 : index
}

// CHECK-LABEL: func.func @casts_of_slices
// CHECK-NEXT:    [[S:%.*]] = tensor.extract_slice %t[%o, 0] [4, 1] [1, 1] : tensor<8x8xf32> to tensor<4xf32>
// CHECK-NEXT:    [[I:%.*]] = tensor.insert_slice %p into %t[%o, 0] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<8x8xf32>
// CHECK-NEXT:    return [[S]], [[I]]
func.func @casts_of_slices(%t: tensor<8x8xf32>, %o: index, %n: index, %p: tensor<2x3xf32>) -> (tensor<4xf32>, tensor<8x8xf32>) {
  %0 = tensor.extract_slice %t[%o, 0] [%n, 1] [1, 1] : tensor<8x8xf32> to tensor<?xf32>
  %1 = tensor.cast %0 : tensor<?xf32> to tensor<4xf32>
  %2 = tensor.cast %p : tensor<2x3xf32> to tensor<?x3xf32>
  %3 = tensor.insert_slice %2 into %t[%o, 0] [%n, 3] [1, 1] : tensor<?x3xf32> into tensor<8x8xf32>
  return %1, %3 : tensor<4xf32>, tensor<8x8xf32>
}

// CHECK-LABEL: func.func @nothing_is_inserted
// CHECK-NEXT:    return %t
func.func @nothing_is_inserted(%t: tensor<4x4xf32>, %p: tensor<0x4xf32>) -> tensor<4x4xf32> {
  %0 = tensor.insert_slice %p into %t[0, 0] [0, 4] [1, 1] : tensor<0x4xf32> into tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @tile_of_equal_elements
// CHECK:         tensor.extract_slice
func.func @tile_of_equal_elements(%i: index) -> tensor<2xf32> {
  %t = arith.constant dense<1.0> : tensor<8xf32>
  %0 = tensor.extract_slice %t[%i] [2] [1] : tensor<8xf32> to tensor<2xf32>
  return %0 : tensor<2xf32>
}
