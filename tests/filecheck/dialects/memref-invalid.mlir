// RUN: xdsl-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

func.func @f(%m: memref<2xf32>) {
  // CHECK: memref<2xf32> and memref<3xf32> differ in shape or element type
  %0 = memref.cast %m : memref<2xf32> to memref<3xf32>
  return
}

// -----

func.func @f(%m: memref<2xf32>, %n: memref<2xi32>) {
  // CHECK: memref<2xf32> and memref<2xi32> differ in shape or element type
  memref.copy %m, %n : memref<2xf32> to memref<2xi32>
  return
}

// -----

// CHECK: Alignment attribute 3 is not a power of 2
memref.global @g : memref<2xf32> = dense<1.0> {alignment = 3 : i64}

// -----

// CHECK: tensor<3xf32> and memref<2xf32> differ in shape or element type
"memref.global"() <{sym_name = "g", type = memref<2xf32>, initial_value = dense<1.0> : tensor<3xf32>}> : () -> ()

// -----

// CHECK: expected a ranked memref of numbers to be initialised
memref.global @g : memref<*xf32> = dense<1.0>
