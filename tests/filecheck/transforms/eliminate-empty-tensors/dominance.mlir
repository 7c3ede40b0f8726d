// RUN: xdsl-opt -t mlir-22 -p eliminate-empty-tensors %s | filecheck %s

// What the destination needs is moved up, if that makes no difference.

// CHECK-LABEL: @offset_is_computed_later
// CHECK-NEXT:    %[[M:.*]] = arith.addi %n, %n
// CHECK-NEXT:    %[[S:.*]] = tensor.extract_slice %t[%[[M]]] [5] [1]
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%[[S]] : tensor<5xf32>)
func.func @offset_is_computed_later(%t: tensor<10xf32>, %f: f32, %n: index) -> tensor<10xf32> {
  %0 = tensor.empty() : tensor<5xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<5xf32>) -> tensor<5xf32>
  %m = arith.addi %n, %n : index
  %2 = tensor.insert_slice %1 into %t[%m] [5] [1] : tensor<5xf32> into tensor<10xf32>
  return %2 : tensor<10xf32>
}

// CHECK-LABEL: @destination_is_computed_later
// CHECK-NEXT:    %[[T:.*]] = linalg.fill ins(%f : f32) outs(%t : tensor<10xf32>)
// CHECK-NEXT:    tensor.extract_slice %[[T]][0] [5] [1]
// CHECK-NEXT:    linalg.fill
func.func @destination_is_computed_later(%t: tensor<10xf32>, %f: f32) -> tensor<10xf32> {
  %0 = tensor.empty() : tensor<5xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<5xf32>) -> tensor<5xf32>
  %2 = linalg.fill ins(%f : f32) outs(%t : tensor<10xf32>) -> tensor<10xf32>
  %3 = tensor.insert_slice %1 into %2[0] [5] [1] : tensor<5xf32> into tensor<10xf32>
  return %3 : tensor<10xf32>
}

// A load may be preceded by a store, and a division may be by zero.

// CHECK-LABEL: @side_effects
// CHECK-NEXT:    tensor.empty
func.func @side_effects(%t: tensor<10xf32>, %f: f32, %p: memref<index>) -> tensor<10xf32> {
  %0 = tensor.empty() : tensor<5xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<5xf32>) -> tensor<5xf32>
  %m = memref.load %p[] : memref<index>
  %2 = tensor.insert_slice %1 into %t[%m] [5] [1] : tensor<5xf32> into tensor<10xf32>
  return %2 : tensor<10xf32>
}

// CHECK-LABEL: @undefined
// CHECK-NEXT:    tensor.empty
func.func @undefined(%t: tensor<10xf32>, %f: f32, %a: index, %b: index) -> tensor<10xf32> {
  %0 = tensor.empty() : tensor<5xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<5xf32>) -> tensor<5xf32>
  %m = arith.remui %a, %b : index
  %2 = tensor.insert_slice %1 into %t[%m] [5] [1] : tensor<5xf32> into tensor<10xf32>
  return %2 : tensor<10xf32>
}

// CHECK-LABEL: @offset_depends_on_the_source
// CHECK:         tensor.empty
func.func @offset_depends_on_the_source(%t: tensor<10xindex>, %i: index) -> tensor<10xindex> {
  %0 = tensor.empty() : tensor<5xindex>
  %1 = tensor.insert %i into %0[%i] : tensor<5xindex>
  %m = tensor.extract %1[%i] : tensor<5xindex>
  %2 = tensor.insert_slice %1 into %t[%m] [5] [1] : tensor<5xindex> into tensor<10xindex>
  return %2 : tensor<10xindex>
}

// The use is in another block than what would have to move.

// CHECK-LABEL: @another_block
// CHECK-NEXT:    tensor.empty
func.func @another_block(%t: tensor<10xf32>, %f: f32, %c: i1, %n: index) -> tensor<10xf32> {
  %0 = tensor.empty() : tensor<5xf32>
  %1 = scf.if %c -> (tensor<5xf32>) {
    %2 = linalg.fill ins(%f : f32) outs(%0 : tensor<5xf32>) -> tensor<5xf32>
    scf.yield %2 : tensor<5xf32>
  } else {
    %3 = linalg.fill ins(%f : f32) outs(%0 : tensor<5xf32>) -> tensor<5xf32>
    scf.yield %3 : tensor<5xf32>
  }
  %m = arith.addi %n, %n : index
  %4 = tensor.insert_slice %1 into %t[%m] [5] [1] : tensor<5xf32> into tensor<10xf32>
  return %4 : tensor<10xf32>
}

// What the entry of a function defines is known in all of its blocks.

// CHECK-LABEL: @blocks
// CHECK-NEXT:    tensor.extract_slice %t[%n] [5] [1]
// CHECK-NEXT:    cf.br
func.func @blocks(%t: tensor<10xf32>, %f: f32, %n: index) -> tensor<10xf32> {
  %0 = tensor.empty() : tensor<5xf32>
  cf.br ^next
^next:
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<5xf32>) -> tensor<5xf32>
  %2 = tensor.insert_slice %1 into %t[%n] [5] [1] : tensor<5xf32> into tensor<10xf32>
  return %2 : tensor<10xf32>
}
