// RUN: xdsl-opt -t mlir-22 -p lower-to-llvm %s | filecheck %s

// The loop along the rows of both the second operand and the result goes innermost.
// CHECK-LABEL: llvm.func @matmul(
func.func @matmul(%a: memref<2x3xf32>, %b: memref<3x5xf32>, %c: memref<2x5xf32>) {
  // CHECK: ^{{.*}}([[I:%.*]]: i64):
  // CHECK: llvm.icmp "slt" [[I]], [[TWO:%.*]] : i64
  // CHECK: ^{{.*}}([[K:%.*]]: i64):
  // CHECK: llvm.icmp "slt" [[K]], [[THREE:%.*]] : i64
  // CHECK: ^{{.*}}([[J:%.*]]: i64):
  // CHECK: llvm.icmp "slt" [[J]], [[FIVE:%.*]] : i64
  // CHECK: llvm.mul [[I]], [[THREE]]
  // CHECK: llvm.fmul
  // CHECK-NEXT: llvm.fadd
  linalg.matmul ins(%a, %b : memref<2x3xf32>, memref<3x5xf32>) outs(%c : memref<2x5xf32>)
  func.return
}

// A sum stays in a register while its innermost loop runs.
// CHECK-LABEL: llvm.func @row_sums(
func.func @row_sums(%a: memref<2x3xf32>, %o: memref<2xf32>) {
  // CHECK: [[INIT:%.*]] = llvm.load
  // CHECK-NEXT: llvm.br ^[[HEADER:.*]]({{.*}}, [[INIT]] : i64, f32)
  // CHECK-NEXT: ^[[HEADER]]({{%.*}}: i64, [[SUM:%.*]]: f32):
  // CHECK: llvm.fadd [[SUM]],
  // CHECK-NOT: llvm.store
  // CHECK: llvm.br ^[[HEADER]]
  // CHECK: llvm.store [[SUM]],
  linalg.generic {
    indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%a : memref<2x3xf32>) outs(%o : memref<2xf32>) {
  ^bb0(%x: f32, %s: f32):
    %t = arith.addf %s, %x : f32
    linalg.yield %t : f32
  }
  func.return
}
