// RUN: xbuf opt %s | xbuf opt | filecheck %s
// RUN: xbuf opt --print-op-generic %s | xbuf opt | filecheck %s

// CHECK: ml_program.global private mutable @state(dense<1.000000e+00> : tensor<4xf32>) : tensor<4xf32>
ml_program.global private mutable @state(dense<1.000000e+00> : tensor<4xf32>) : tensor<4xf32>

// CHECK: ml_program.global private @weights(dense<2.000000e+00> : tensor<4xf32>) : tensor<4xf32>
ml_program.global private @weights(dense<2.000000e+00> : tensor<4xf32>) : tensor<4xf32>

// CHECK-LABEL: func.func @accesses
// CHECK-NEXT: %0 = ml_program.global_load @state : tensor<4xf32>
// CHECK-NEXT: ml_program.global_store @state = %0 : tensor<4xf32> {hint}
// CHECK-NEXT: %1 = ml_program.global_load @weights : tensor<4xf32> {hint}
// CHECK-NEXT: %2 = ml_program.global_load_const @weights : tensor<4xf32>
func.func @accesses() {
  %0 = ml_program.global_load @state : tensor<4xf32>
  ml_program.global_store @state = %0 : tensor<4xf32> {hint}
  %1 = ml_program.global_load @weights : tensor<4xf32> {hint}
  %2 = ml_program.global_load_const @weights : tensor<4xf32>
  return
}
