// What our `lower-to-llvm` makes is printed as LLVM IR by xDSL's own target `llvm`.

// RUN: xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},drop-equivalent-buffer-results{modify-public-functions},buffer-deallocation-pipeline,lower-to-llvm' -t llvm %s | filecheck %s

// CHECK:       define void @"double_element"(ptr %{{.*}}, ptr [[DATA:%.*]], i64 %{{.*}}, i64 %{{.*}}, i64 %{{.*}}, i64 [[INDEX:%.*]])
// CHECK:         [[PLACE:%.*]] = getelementptr inbounds float, ptr [[DATA]], i64 [[INDEX]]
// CHECK-NEXT:    [[OLD:%.*]] = load float, ptr [[PLACE]]
// CHECK-NEXT:    fadd float [[OLD]], [[OLD]]
// CHECK:         store float
// CHECK:         ret void
func.func @double_element(%x: tensor<8xf32>, %i: index) -> tensor<8xf32> {
  %old = tensor.extract %x[%i] : tensor<8xf32>
  %twice = arith.addf %old, %old : f32
  %new = tensor.insert %twice into %x[%i] : tensor<8xf32>
  return %new : tensor<8xf32>
}
