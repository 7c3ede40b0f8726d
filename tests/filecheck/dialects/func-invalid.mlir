// RUN: xdsl-opt %s --parsing-diagnostics | filecheck %s

// CHECK: expected all arguments to be named, or none of them
func.func @f(%a: i32, i32) {
  return
}
