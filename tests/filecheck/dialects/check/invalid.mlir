// RUN: xbuf opt %s --split-input-file --verify-diagnostics | filecheck %s

func.func @shapes(%a: tensor<4xf32>, %b: tensor<5xf32>, %limit: f32) {
  // CHECK: expected operands of one type, but got 'tensor<4xf32>' and 'tensor<5xf32>'
  check.expect_almost_eq(%a, %b, %limit) : tensor<4xf32>, tensor<5xf32>, f32
  return
}

// -----

func.func @unranked(%a: tensor<*xf32>) {
  // CHECK: expected a tensor or a memref that has a rank, but got 'tensor<*xf32>'
  check.expect_sane(%a) : tensor<*xf32>
  return
}

// -----

func.func @number(%a: f32) {
  // CHECK: expected a tensor or a memref that has a rank, but got 'f32'
  check.expect_sane(%a) : f32
  return
}
