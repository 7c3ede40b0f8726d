// RUN: xdsl-opt -p lower-to-llvm %s | filecheck %s

// Scripts of the transform dialect are about the program, and no part of it.
// CHECK-LABEL: llvm.func @f
// CHECK-NOT: transform
func.func @f() {
  return
}

transform.named_sequence @script(%module: !transform.any_op) {
  transform.yield
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    transform.yield
  }
}
