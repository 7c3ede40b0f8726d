// RUN: xdsl-opt -p 'tensor-copy-insertion{bufferize-function-boundaries=true},verify-bufferization' %s | filecheck %s
// RUN: xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries=true test-analysis-only=true},verify-bufferization' %s | filecheck %s --check-prefix=DECISIONS

// A program whose decisions are proven stays as it is.

// CHECK-LABEL: @one_copy
// CHECK: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%{{.*}}) : tensor<4xf32>
// CHECK: tensor.insert %{{.*}} into %[[COPY]]
// DECISIONS: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "false", "none"]}
func.func @one_copy(%t: tensor<4xf32>, %v: f32, %i: index) -> (f32, f32) {
  %0 = tensor.insert %v into %t[%i] : tensor<4xf32>
  %1 = tensor.extract %t[%i] : tensor<4xf32>
  %2 = tensor.extract %0[%i] : tensor<4xf32>
  return %1, %2 : f32, f32
}
