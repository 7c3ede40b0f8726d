// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true test-analysis-only=true print-conflicts=true}' %s | filecheck %s

// Each copy names the read, the write and the definition that it is made for.

// CHECK-LABEL: @two_copies
// CHECK-SAME: "C_0[DEF: bbArg 0]"
// CHECK: tensor.insert {{.*}}"C_0[CONFL-WRITE: 1]"
// CHECK: tensor.extract {{.*}}"C_0[READ: 0]"
// CHECK: linalg.fill {{.*}}"C_1[DEF: result 0]"
// CHECK: tensor.insert {{.*}}"C_1[CONFL-WRITE: 1]"
// CHECK: tensor.extract {{.*}}"C_1[READ: 0]"
func.func @two_copies(%t: tensor<4xf32>, %e: tensor<4xf32>, %v: f32, %i: index) -> (tensor<4xf32>, f32, tensor<4xf32>, f32) {
  %0 = tensor.insert %v into %t[%i] : tensor<4xf32>
  %1 = tensor.extract %t[%i] : tensor<4xf32>
  %2 = linalg.fill ins(%v : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %3 = tensor.insert %v into %2[%i] : tensor<4xf32>
  %4 = tensor.extract %2[%i] : tensor<4xf32>
  return %0, %1, %3, %4 : tensor<4xf32>, f32, tensor<4xf32>, f32
}

// CHECK-LABEL: @read_only
// CHECK: arith.constant {{.*}}"W_0[NOT-WRITABLE: result 0]"
func.func @read_only(%v: f32, %i: index) -> tensor<2xf32> {
  %0 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = tensor.insert %v into %0[%i] : tensor<2xf32>
  return %1 : tensor<2xf32>
}
