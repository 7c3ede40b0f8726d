// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true}' %s | filecheck %s

// CHECK: memref.global "private" @state : memref<4xf32> = dense<1.000000e+00>
// CHECK: memref.global "private" constant @weights : memref<4xf32> = dense<2.000000e+00>
// CHECK: ml_program.global private mutable @number
ml_program.global private mutable @state(dense<1.0> : tensor<4xf32>) : tensor<4xf32>
ml_program.global private @weights(dense<2.0> : tensor<4xf32>) : tensor<4xf32>
ml_program.global private mutable @number(0 : i32) : i32

// A load is what the global holds then, whatever is stored later.

// CHECK-LABEL: @exchange
// CHECK: %[[G:.*]] = memref.get_global @state : memref<4xf32>
// CHECK-NEXT: %[[OLD:.*]] = memref.alloc() {{.*}} : memref<4xf32>
// CHECK-NEXT: memref.copy %[[G]], %[[OLD]]
// CHECK-NEXT: %[[G:.*]] = memref.get_global @state : memref<4xf32>
// CHECK-NEXT: memref.copy %{{.*}}, %[[G]]
// CHECK-NEXT: return %[[OLD]]
func.func @exchange(%t: tensor<4xf32>) -> tensor<4xf32> {
  %old = ml_program.global_load @state : tensor<4xf32>
  ml_program.global_store @state = %t : tensor<4xf32>
  return %old : tensor<4xf32>
}

// It may be written, what never changes may not.

// CHECK-LABEL: @write
// CHECK: memref.copy
// CHECK-NEXT: memref.store
// CHECK: %[[C:.*]] = memref.get_global @weights : memref<4xf32>
// CHECK-NEXT: memref.load %[[C]]
// CHECK-NEXT: return
func.func @write(%v: f32, %i: index) -> (tensor<4xf32>, f32) {
  %0 = ml_program.global_load @state : tensor<4xf32>
  %1 = tensor.insert %v into %0[%i] : tensor<4xf32>
  %2 = ml_program.global_load_const @weights : tensor<4xf32>
  %3 = tensor.extract %2[%i] : tensor<4xf32>
  return %1, %3 : tensor<4xf32>, f32
}

// Of two loads only the one that is written gets a copy.

// CHECK-LABEL: @two_loads
// CHECK: %[[G:.*]] = memref.get_global @state
// CHECK-NEXT: %[[NEW:.*]] = memref.alloc
// CHECK-NEXT: memref.copy %[[G]], %[[NEW]]
// CHECK-NEXT: %[[H:.*]] = memref.get_global @state
// CHECK-NEXT: memref.store %{{.*}}, %[[NEW]]
// CHECK-NEXT: memref.load %[[H]]
// CHECK-NEXT: %[[S:.*]] = memref.get_global @state
// CHECK-NEXT: memref.copy %[[NEW]], %[[S]]
// CHECK-NEXT: return
func.func @two_loads(%v: f32, %i: index) -> f32 {
  %0 = ml_program.global_load @state : tensor<4xf32>
  %1 = ml_program.global_load @state : tensor<4xf32>
  %2 = tensor.insert %v into %0[%i] : tensor<4xf32>
  %3 = tensor.extract %1[%i] : tensor<4xf32>
  ml_program.global_store @state = %2 : tensor<4xf32>
  return %3 : f32
}
