// RUN: xbuf opt --allow-unregistered-dialect -p verify-bufferization %s 2>&1 | filecheck %s

// CHECK: undecided.mlir:7:{{[0-9]+}}: remark: 'my.op' is not decided: it has no model, so that nobody knows what it reads and writes
// CHECK: func.func @unknown

func.func @unknown(%t: tensor<4xf32>) -> f32 {
  %0 = "my.op"(%t) : (tensor<4xf32>) -> f32
  return %0 : f32
}
