// RUN: xbuf opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// CHECK: undefined global: @nothing
func.func @load() -> tensor<4xf32> {
  %0 = ml_program.global_load @nothing : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK: cannot load from global typed 'tensor<4xf32>' as 'tensor<5xf32>'
ml_program.global private mutable @g(dense<4.0> : tensor<4xf32>) : tensor<4xf32>
func.func @load() -> tensor<5xf32> {
  %0 = ml_program.global_load @g : tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

// CHECK: cannot load as const from mutable global @g
ml_program.global private mutable @g(dense<4.0> : tensor<4xf32>) : tensor<4xf32>
func.func @load() -> tensor<4xf32> {
  %0 = ml_program.global_load_const @g : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK: cannot store to an immutable global @g
ml_program.global private @g(dense<4.0> : tensor<4xf32>) : tensor<4xf32>
func.func @store(%t: tensor<4xf32>) {
  ml_program.global_store @g = %t : tensor<4xf32>
  return
}

// -----

// CHECK: cannot store to global typed 'tensor<4xf32>' as 'tensor<5xf32>'
ml_program.global private mutable @g(dense<4.0> : tensor<4xf32>) : tensor<4xf32>
func.func @store(%t: tensor<5xf32>) {
  ml_program.global_store @g = %t : tensor<5xf32>
  return
}
