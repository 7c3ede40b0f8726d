// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries test-analysis-only dump-alias-sets}' %s | filecheck %s

// CHECK:      func.func @f({{.*}}) -> {{.*}} attributes {__bbarg_alias_set_attr__ = {{\[\[\[\[}}"%t"], ["%0", "%1", "%l", "%r", "%u"]]]]} {
// CHECK-NEXT:   tensor.insert {{.*}}__opresult_alias_set_attr__ = {{\[\[}}"%0", "%1", "%l", "%r", "%u"]]
// CHECK:      scf.for
// CHECK:      } {__opresult_alias_set_attr__ = {{\[\[}}"%0", "%1", "%l", "%r", "%u"]], __bbarg_alias_set_attr__ = {{\[\[\[\[}}"%a"]]]]
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %f: f32, %i: index, %c: i1) -> tensor<4xf32> {
  %0 = tensor.insert %f into %t[%i] : tensor<4xf32>
  %r = scf.if %c -> tensor<4xf32> {
    %1 = tensor.insert %f into %0[%i] : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  } else {
    scf.yield %u : tensor<4xf32>
  }
  %l = scf.for %j = %i to %i step %i iter_args(%a = %r) -> (tensor<4xf32>) {
    scf.yield %a : tensor<4xf32>
  }
  return %l : tensor<4xf32>
}
