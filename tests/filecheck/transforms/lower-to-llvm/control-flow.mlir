// RUN: xdsl-opt -t mlir-22 -p lower-to-llvm %s | filecheck %s

// CHECK-LABEL: llvm.func @for(
func.func @for(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: llvm.br ^[[HEADER:.*]](%{{.*}}, %{{.*}} : i64, f32)
  // CHECK-NEXT: ^[[HEADER]]([[I:%.*]]: i64, [[A:%.*]]: f32):
  // CHECK-NEXT: [[MORE:%.*]] = llvm.icmp "slt" [[I]],
  // CHECK-NEXT: llvm.cond_br [[MORE]], ^[[BODY:.*]], ^[[EXIT:.*]]
  // CHECK-NEXT: ^[[BODY]]:
  // CHECK-NEXT: [[B:%.*]] = llvm.fadd [[A]],
  // CHECK-NEXT: [[NEXT:%.*]] = llvm.add [[I]],
  // CHECK-NEXT: llvm.br ^[[HEADER]]([[NEXT]], [[B]] : i64, f32)
  // CHECK-NEXT: ^[[EXIT]]:
  // CHECK-NEXT: llvm.return [[A]] : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (f32) {
    %b = arith.addf %a, %x : f32
    scf.yield %b : f32
  }
  func.return %r : f32
}

// Only what the type leaves open travels through block arguments.
// CHECK-LABEL: llvm.func @buffers(
func.func @buffers(%c: i1, %a: memref<4x?xf32>, %b: memref<4x?xf32>) -> index {
  // CHECK: llvm.cond_br {{%.*}}, ^[[NEXT:[a-z0-9]+]]({{.*}} : !llvm.ptr, !llvm.ptr, i64, i64), ^[[EDGE:[a-z0-9]+]]
  // CHECK-NEXT: ^[[EDGE]]:
  // CHECK-NEXT: llvm.br ^[[NEXT]]({{.*}} : !llvm.ptr, !llvm.ptr, i64, i64)
  // CHECK-NEXT: ^[[NEXT]](
  cf.cond_br %c, ^bb1(%a : memref<4x?xf32>), ^bb1(%b : memref<4x?xf32>)
^bb1(%m: memref<4x?xf32>):
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c1 : memref<4x?xf32>
  func.return %n : index
}

// Blocks follow dominance, whatever their order in the source.
// CHECK-LABEL: llvm.func @order(
func.func @order(%x: i64) -> i64 {
  // CHECK: llvm.br ^[[FIRST:.*]]
  cf.br ^first
^second:
  // CHECK-NEXT: ^[[FIRST]]:
  // CHECK-NEXT: [[Y:%.*]] = llvm.add
  // CHECK-NEXT: llvm.br ^[[SECOND:.*]]
  // CHECK-NEXT: ^[[SECOND]]:
  // CHECK-NEXT: llvm.return [[Y]]
  func.return %y : i64
^first:
  %y = arith.addi %x, %x : i64
  cf.br ^second
}
