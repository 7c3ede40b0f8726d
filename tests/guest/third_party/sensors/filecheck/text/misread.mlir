// RUN: xdsl-opt %s | filecheck %s

// xDSL 0.74 takes the bits of a float in a list for a large number.
%0 = arith.constant dense<[0x7F800000, 1.0]> : tensor<2xf32>
%1 = arith.constant dense<0x7FC0> : tensor<2xbf16>

// It takes zeros of two signs for one value.
%2 = arith.constant dense<[0.0, -0.0]> : tensor<2xf32>

// It drops what is said about the arguments and results of a declaration.
func.func private @declared(i32 {llvm.noalias}) -> (i32 {llvm.noundef})

// It keeps as an attribute what another place of the format is for.
%m = "test.op"() : () -> memref<4xf32>
%3 = bufferization.to_tensor %m {restrict} : memref<4xf32> to tensor<4xf32>

// CHECK:      builtin.module {
// CHECK-NEXT:   %0 = arith.constant dense<[2.13909504e+09, 1.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:   %1 = arith.constant dense<3.276800e+04> : tensor<2xbf16>
// CHECK-NEXT:   %2 = arith.constant dense<0.000000e+00> : tensor<2xf32>
// CHECK-NEXT:   func.func private @declared(i32) -> i32
// CHECK-NEXT:   %m = "test.op"() : () -> memref<4xf32>
// CHECK-NEXT:   %3 = bufferization.to_tensor %m {restrict} : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT: }
