// RUN: xdsl-opt -t mlir-22 -p generate-runtime-verification %s | filecheck %s

// Ops on tensors are checked before a pass changes them. The sizes of a result are those
// of what it is written to.
// CHECK-LABEL: func.func @product(
func.func @product(%a: tensor<?x8xf32>, %b: tensor<8x?xf32>, %c: tensor<?x?xf32>) -> tensor<4x?xf32> {
  // CHECK: [[ROWS:%.*]] = tensor.dim %a, {{%.*}} : tensor<?x8xf32>
  // CHECK: [[OUT:%.*]] = tensor.dim %c, {{%.*}} : tensor<?x?xf32>
  // CHECK: [[SAME:%.*]] = arith.cmpi eq, [[ROWS]], [[OUT]] : index
  // CHECK-NEXT: cf.assert [[SAME]], "'linalg.matmul': size ? of dimension 0 of operand 0 is not the ? of loop 0"
  // CHECK: cf.assert {{%.*}}, "'linalg.matmul': size ? of dimension 1 of operand 1 is not the ? of loop 1"
  // CHECK-NEXT: linalg.matmul
  %0 = linalg.matmul ins(%a, %b : tensor<?x8xf32>, tensor<8x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  // CHECK: [[FOUR:%.*]] = arith.cmpi eq, [[OUT]], {{%.*}} : index
  // CHECK-NEXT: cf.assert [[FOUR]], "'tensor.cast': size ? of dimension 0 is not 4"
  // CHECK-NEXT: tensor.cast
  %1 = tensor.cast %0 : tensor<?x?xf32> to tensor<4x?xf32>
  return %1 : tensor<4x?xf32>
}

// What was checked once is not checked again.
// CHECK-LABEL: func.func @sums(
func.func @sums(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  // CHECK: cf.assert {{%.*}}, "'arith.addf': size ? of dimension 0 of operand 1 is not the ? of dimension 0 of operand 0"
  // CHECK-NEXT: arith.addf
  // CHECK-NOT: cf.assert
  // CHECK: arith.mulf
  %0 = arith.addf %a, %b : tensor<?xf32>
  %1 = arith.mulf %0, %b : tensor<?xf32>
  return %1 : tensor<?xf32>
}

// The region of scf.forall.in_parallel has no room for checks.
// CHECK-LABEL: func.func @parallel(
func.func @parallel(%t: tensor<8xf32>, %s: tensor<2xf32>, %n: index) -> tensor<8xf32> {
  // CHECK: scf.forall
  // CHECK: cf.assert {{%.*}}, "'tensor.parallel_insert_slice': offset ? is out of bounds: dimension 0 has size 8"
  // CHECK: scf.forall.in_parallel {
  // CHECK-NEXT: tensor.parallel_insert_slice
  %0 = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<8xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
    }
  }
  return %0 : tensor<8xf32>
}

// Bodies compute one element, and are checked when they are loops.
// CHECK-LABEL: func.func @body(
func.func @body(%t: tensor<4xi32>) -> tensor<4xi32> {
  // CHECK-NOT: cf.assert
  %0 = linalg.map ins(%t : tensor<4xi32>) outs(%t : tensor<4xi32>)
    (%x: i32, %o: i32) {
      %y = arith.divsi %x, %x : i32
      linalg.yield %y : i32
    }
  return %0 : tensor<4xi32>
}
