// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true}' %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true copy-before-write=true}' %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize' %s | filecheck %s --check-prefix NO-BOUNDARIES
// RUN: xbuf opt --pass-pipeline 'builtin.module(builtin.module(one-shot-bufferize{bufferize-function-boundaries}))' %s | filecheck %s --check-prefix NESTED

// With function boundaries, a module in a module is left on tensors, as by mlir-opt.

// CHECK-LABEL: func.func @inner(%a: tensor<4xf32>
// CHECK-NEXT:    tensor.insert
// CHECK-NEXT:    tensor.extract
// CHECK-NEXT:    tensor.extract

// Without them there is no call to look at: it is bufferized.

// NO-BOUNDARIES-LABEL: func.func @inner(%a: tensor<4xf32>
// NO-BOUNDARIES:         bufferization.to_buffer %a
// NO-BOUNDARIES:         %[[COPY:.*]] = memref.alloc()
// NO-BOUNDARIES:         memref.store %x, %[[COPY]][%i]

// A nested pipeline bufferizes that module, and no other.

// NESTED-LABEL: func.func @inner(%a: memref<4xf32, strided<[?], offset: ?>>
// NESTED:         %[[COPY:.*]] = memref.alloc()
// NESTED:         memref.store %x, %[[COPY]][%i]
module {
  module @of_two {
    func.func @inner(%a: tensor<4xf32>, %x: f32, %i: index) -> (f32, f32) {
      %0 = tensor.insert %x into %a[%i] : tensor<4xf32>
      %1 = tensor.extract %a[%i] : tensor<4xf32>
      %2 = tensor.extract %0[%i] : tensor<4xf32>
      return %1, %2 : f32, f32
    }
  }

  // The same name, but another function: nothing reads its argument any more.

  // CHECK-LABEL: func.func @inner(%a: memref<4xf32, strided<[?], offset: ?>>
  // CHECK:         memref.store %x, %{{.*}}[%i]

  // NESTED-LABEL: func.func @inner(%a: tensor<4xf32>
  // NESTED-NEXT:    tensor.insert
  func.func @inner(%a: tensor<4xf32>, %x: f32, %i: index) -> f32 {
    %0 = tensor.insert %x into %a[%i] : tensor<4xf32>
    %1 = tensor.extract %0[%i] : tensor<4xf32>
    return %1 : f32
  }

  // CHECK-LABEL: func.func @caller(
  // CHECK:         func.call @inner(
  // CHECK-SAME:      memref<4xf32
  func.func @caller(%a: tensor<4xf32>, %x: f32, %i: index) -> f32 {
    %0 = call @inner(%a, %x, %i) : (tensor<4xf32>, f32, index) -> f32
    return %0 : f32
  }
}
