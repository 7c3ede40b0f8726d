// RUN: xbuf opt -p tensor-copy-insertion --verify-diagnostics %s | filecheck %s

// CHECK: scf.yield
// CHECK: Yield operand #0 is not equivalent to the corresponding iter bbArg; set allow-return-allocs-from-loops to yield another buffer
func.func @new_buffer_each_time(%t: tensor<4xf32>, %n: index, %s: index) -> tensor<4xf32> {
  %0 = scf.for %i = %s to %n step %s iter_args(%c = %t) -> (tensor<4xf32>) {
    %1 = tensor.empty() : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
