// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true}' %s | filecheck %s

// A module in a module is bufferized like any other; mlir-opt 22 leaves it on tensors.

// CHECK-LABEL: func.func @inner(%a: memref<4xf32, strided<[?], offset: ?>>
// CHECK:         %[[COPY:.*]] = memref.alloc()
// CHECK:         memref.copy %a, %[[COPY]]
// CHECK:         memref.store %x, %[[COPY]][%i]
// CHECK:         memref.load %a[%i]
module {
  module @of_two {
    func.func @inner(%a: tensor<4xf32>, %x: f32, %i: index) -> (f32, f32) {
      %0 = tensor.insert %x into %a[%i] : tensor<4xf32>
      %1 = tensor.extract %a[%i] : tensor<4xf32>
      %2 = tensor.extract %0[%i] : tensor<4xf32>
      return %1, %2 : f32, f32
    }
  }

  // The same name, but another function: its argument is not read any more.

  // CHECK-LABEL: func.func @inner(%a: memref<4xf32, strided<[?], offset: ?>>
  // CHECK-NEXT:    memref.store %x, %a[%i]
  func.func @inner(%a: tensor<4xf32>, %x: f32, %i: index) -> f32 {
    %0 = tensor.insert %x into %a[%i] : tensor<4xf32>
    %1 = tensor.extract %0[%i] : tensor<4xf32>
    return %1 : f32
  }

  // CHECK-LABEL: func.func @caller(
  // CHECK-NEXT:    func.call @inner(%a, %x, %i) : (memref<4xf32
  func.func @caller(%a: tensor<4xf32>, %x: f32, %i: index) -> f32 {
    %0 = call @inner(%a, %x, %i) : (tensor<4xf32>, f32, index) -> f32
    return %0 : f32
  }
}
