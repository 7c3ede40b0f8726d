// RUN: xdsl-opt -p lower-to-llvm %s | filecheck %s

// Ops of the transform dialect say what to do with the program, and are no part of it.
// CHECK-LABEL: llvm.func @f
// CHECK-NOT: transform
func.func @f() {
  return
}

transform.named_sequence @main(%module: !transform.any_op) {
  transform.yield
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    transform.yield
  }
}
