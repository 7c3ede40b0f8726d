// xdsl-opt -p 'bufferization-transform-interpreter'
func.func @f(%t: tensor<8xf32>, %x: f32, %i: index) -> tensor<8xf32> {
  %r = tensor.insert %x into %t[%i] : tensor<8xf32>
  return %r : tensor<8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    %g = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %f {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
