// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true allow-unknown-ops=true}' %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true allow-unknown-ops=true unknown-type-conversion=identity-layout-map}' %s | filecheck %s --check-prefix=IDENTITY
// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries allow-unknown-ops function-boundary-type-conversion=identity-layout-map}' %s | filecheck %s --check-prefix=RETURNED

// What is not known stays on tensors, with one conversion in and one out.

// CHECK-LABEL: @unknown
// CHECK-NEXT: memref.store %{{.*}}, %[[M:.*]][%{{.*}}]
// CHECK-NEXT: %[[T:.*]] = bufferization.to_tensor %[[M]] : memref<4xf32, strided<[?], offset: ?>> to tensor<4xf32>
// CHECK-NEXT: %[[R:.*]] = "test.op"(%[[T]], %[[T]])
// CHECK-NEXT: %[[B:.*]] = bufferization.to_buffer %[[R]] : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT: memref.load %[[B]]
// CHECK-NEXT: memref.load %[[B]]
// IDENTITY: bufferization.to_buffer %{{.*}} : tensor<4xf32> to memref<4xf32>
func.func @unknown(%t: tensor<4xf32>, %v: f32, %i: index) -> (f32, f32) {
  %0 = tensor.insert %v into %t[%i] : tensor<4xf32>
  %1 = "test.op"(%0, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.extract %1[%i] : tensor<4xf32>
  %3 = tensor.extract %1[%i] : tensor<4xf32>
  return %2, %3 : f32, f32
}

// Also in its regions; what it results in is not writable.

// CHECK-LABEL: @region
// CHECK: ^{{.*}}(%[[X:.*]]: tensor<4xf32>):
// CHECK-NEXT: %[[B:.*]] = bufferization.to_buffer %[[X]]
// CHECK-NEXT: %[[COPY:.*]] = memref.alloc
// CHECK-NEXT: memref.copy %[[B]], %[[COPY]]
// CHECK-NEXT: memref.store %{{.*}}, %[[COPY]]
// CHECK-NEXT: %[[T:.*]] = bufferization.to_tensor %[[COPY]]
// CHECK-NEXT: "test.termop"(%[[T]])
func.func @region(%v: f32, %i: index) {
  "test.op"() ({
  ^bb0(%x: tensor<4xf32>):
    %0 = tensor.insert %v into %x[%i] : tensor<4xf32>
    "test.termop"(%0) : (tensor<4xf32>) -> ()
  }) : () -> ()
  return
}

// Who asks for the buffer of what stays on tensors gets the one that is asked for.

// CHECK-LABEL: @buffer_of_an_unknown_tensor
// CHECK-NEXT:    %[[T:.*]] = "test.op"() : () -> tensor<4xf32>
// CHECK-NEXT:    %[[M:.*]] = bufferization.to_buffer %[[T]]{{.*}} : tensor<4xf32> to memref<4xf32>
// CHECK-NEXT:    memref.load %[[M]]
// CHECK-NOT:     memref.copy
func.func @buffer_of_an_unknown_tensor(%i: index) -> f32 {
  %0 = "test.op"() : () -> tensor<4xf32>
  %1 = bufferization.to_buffer %0 read_only : tensor<4xf32> to memref<4xf32>
  %2 = memref.load %1[%i] : memref<4xf32>
  return %2 : f32
}

// What is returned has the type that the caller expects, without a copy. So has an operand
// of a call that nobody else uses.

// RETURNED-LABEL: @returned
// RETURNED:         %[[R:.*]] = "test.op"
// RETURNED-NEXT:    %[[B:.*]] = bufferization.to_buffer %[[R]] : tensor<4xf32> to memref<4xf32>
// RETURNED-NEXT:    return %[[B]]
func.func @returned(%t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "test.op"(%t) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// RETURNED-LABEL: @passed_on
// RETURNED-NEXT:    %[[T:.*]] = "test.op"
// RETURNED-NEXT:    %[[B:.*]] = bufferization.to_buffer %[[T]] : tensor<4xf32> to memref<4xf32>
// RETURNED-NEXT:    call @returned(%[[B]])
func.func @passed_on() {
  %0 = "test.op"() : () -> tensor<4xf32>
  %1 = call @returned(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return
}
