// RUN: xbuf opt -p verify-bufferization --verify-diagnostics --split-input-file %s | filecheck %s

// CHECK: 'tensor.extract' reads operand 0, %t, whose buffer does not hold its elements any more: 'tensor.insert' has written there by operand 1, %t, in an earlier iteration
func.func @loop(%t: tensor<4xf32>, %v: f32, %i: index, %n: index, %s: index) -> f32 {
  %0 = scf.for %j = %i to %n step %s iter_args(%x = %v) -> (f32) {
    %1 = tensor.extract %t[%i] : tensor<4xf32>
    %2 = tensor.insert %v into %t[%j] : tensor<4xf32>
    scf.yield %1 : f32
  }
  return %0 : f32
}

// -----

// CHECK: by operand 1, %t, if %c; so it is with 1 more reads
func.func @branch(%t: tensor<4xf32>, %v: f32, %i: index, %c: i1) -> (f32, f32) {
  scf.if %c {
    %0 = tensor.insert %v into %t[%i] : tensor<4xf32>
    scf.yield
  }
  %1 = tensor.extract %t[%i] : tensor<4xf32>
  %2 = tensor.extract %t[%i] : tensor<4xf32>
  return %1, %2 : f32, f32
}

// -----

// CHECK: 'tensor.insert' writes the buffer of operand 1, %k, which must not be written: it is that of a constant, or the caller keeps it; the operand needs a copy
func.func @constant(%v: f32, %i: index) -> tensor<4xf32> {
  %k = arith.constant dense<1.0> : tensor<4xf32>
  %0 = tensor.insert %v into %k[%i] : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A global is copied when it is loaded, unless the option says otherwise.

// CHECK-LABEL: @loaded
// CHECK: tensor.extract
ml_program.global private mutable @g(dense<5.0> : tensor<4xf32>) : tensor<4xf32>
func.func @loaded(%t: tensor<4xf32>, %i: index) -> f32 {
  %old = ml_program.global_load @g : tensor<4xf32>
  ml_program.global_store @g = %t : tensor<4xf32>
  %0 = tensor.extract %old[%i] : tensor<4xf32>
  return %0 : f32
}
