// RUN: xbuf opt -p convert-check-to-loops --verify-diagnostics %s | filecheck %s

func.func @tensor(%a: tensor<4xf32>) {
  // CHECK: 'check.expect_sane' on tensors must be bufferized first
  check.expect_sane(%a) : tensor<4xf32>
  return
}
