// RUN: xdsl-opt -t mlir-22 -p 'tensor-copy-insertion{bufferize-function-boundaries allow-return-allocs-from-loops}' %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p tensor-copy-insertion --split-input-file %s | filecheck %s --check-prefix WITHOUT

// Without function boundaries, the arguments of a function are not writable.

// CHECK-LABEL:   @the_first_of_two_writes
// CHECK-NEXT:      %[[C:.*]] = bufferization.alloc_tensor() copy(%t) : tensor<4xf32>
// CHECK-NEXT:      tensor.insert %f into %[[C]][%i]
// CHECK-NEXT:      tensor.insert %f into %t[%i]
// WITHOUT-LABEL: @the_first_of_two_writes
// WITHOUT-COUNT-2: bufferization.alloc_tensor() copy(%t) : tensor<4xf32>
func.func @the_first_of_two_writes(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %1 = tensor.insert %f into %t[%i] : tensor<4xf32>
  %2 = tensor.insert %f into %t[%i] : tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}

// What is overwritten need not be copied.

// CHECK-LABEL: @no_contents
// CHECK-NEXT:    %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[SIZE:.*]] = tensor.dim %t, %[[C0]]
// CHECK-NEXT:    %[[A:.*]] = bufferization.alloc_tensor(%[[SIZE]]) : tensor<?xf32>
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%[[A]] : tensor<?xf32>)
func.func @no_contents(%t: tensor<?xf32>, %f: f32) -> (tensor<?xf32>, tensor<?xf32>) {
  %1 = linalg.fill ins(%f : f32) outs(%t : tensor<?xf32>) -> tensor<?xf32>
  return %1, %t : tensor<?xf32>, tensor<?xf32>
}

// A slice is copied behind, not in front of its extraction.

// CHECK-LABEL: @slice
// CHECK-NEXT:    %[[S:.*]] = tensor.extract_slice %t[%i] [4] [1]
// CHECK-NEXT:    %[[C:.*]] = bufferization.alloc_tensor() copy(%[[S]]) : tensor<4xf32>
// CHECK-NEXT:    tensor.insert %f into %[[C]][%i]
func.func @slice(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<8xf32>) {
  %0 = tensor.extract_slice %t[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<4xf32>
  return %1, %t : tensor<4xf32>, tensor<8xf32>
}
