// RUN: xdsl-opt %s | filecheck %s

// Floats of many digits, and what is no number.
%f0 = arith.constant 1.28715802e+09 : f32
%f1 = arith.constant 3.40282347e+38 : f32
%f2 = arith.constant 0x7fc0 : bf16
%f3 = arith.constant 0x7f800000 : f32
%f4 = arith.constant 0xff800000 : f32
%f5 = arith.constant 1.0e-300 : f64
%f6 = arith.constant 0.1 : f32
%f7 = arith.constant 0.1 : f64
%f9 = arith.constant 16777216.0 : f32
%f10 = arith.constant 1.0e+22 : f64
%f11 = arith.constant -0.0 : f32
"test.op"() {nan = 0x7fc0 : bf16, large = 123456789.0 : f32, small = 1.17549435e-38 : f32} : () -> ()

// Lists and splats.
%d0 = arith.constant dense<[1.28715802e+09, 3.40282347e+38]> : vector<2xf32>
%d1 = arith.constant dense<2.5> : tensor<4x4xf32>
%d2 = arith.constant dense<1.28715802e+09> : tensor<4xf32>
%d3 = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>
%d4 = arith.constant dense<[7, 7, 7]> : tensor<3xi64>
%d5 = arith.constant dense<[true, true]> : tensor<2xi1>
%d6 = arith.constant dense<-1> : vector<3xi8>
%d7 = arith.constant dense<> : tensor<0xf32>
%d8 = arith.constant dense<"0x0000C03F0000C03F"> : tensor<2xf32>
"test.op"() {array = array<f32: 1.28715802e+09, 3.40282347e+38>, wide = array<f64: 0.1, 1.0e+22>} : () -> ()

// Affine maps and sets.
"test.op"() {
  difference = affine_map<(d0, d1) -> (d0 * 2 - d1)>,
  symbols = affine_map<(d0)[s0] -> (d0 * -3 + s0, d0 - 7, -d0)>,
  divisions = affine_map<(d0) -> ((d0 + 1) mod 8, d0 floordiv 4, d0 ceildiv -2)>,
  nothing = affine_map<() -> ()>,
  set = affine_set<(d0, d1) : (d0 - d1 >= 0, d0 - 1 == 0)>} : () -> ()

// Memory spaces and layouts.
func.func private @spaces(memref<4xf32, 2 : i64>, memref<4xf32, 0 : i32>, memref<?xf32, "L1">, memref<*xf32, 3 : i32>, memref<4xf32, 1 : index>) -> ()
func.func private @layouts(memref<4xf32, affine_map<(d0) -> (d0)>>, memref<4x4xf32, strided<[4, 1], offset: 2>>, memref<4x4xf32, strided<[4, 1]>>, memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>, 1 : index>) -> ()

// Declarations.
func.func private @nothing() -> ()
func.func private @two() -> (i32, f32)
func.func private @function(() -> (), (i32) -> (i32)) -> (() -> i32)
func.func private @with_attributes(i32) attributes {sensors.port = 3 : i32}

// CHECK:      builtin.module {
// CHECK-NEXT:   %f0 = arith.constant 1.28715802e+09 : f32
// CHECK-NEXT:   %f1 = arith.constant 3.40282347e+38 : f32
// CHECK-NEXT:   %f2 = arith.constant 0x7fc0 : bf16
// CHECK-NEXT:   %f3 = arith.constant 0x7f800000 : f32
// CHECK-NEXT:   %f4 = arith.constant 0xff800000 : f32
// CHECK-NEXT:   %f5 = arith.constant 1.000000e-300 : f64
// CHECK-NEXT:   %f6 = arith.constant 1.000000e-01 : f32
// CHECK-NEXT:   %f7 = arith.constant 1.000000e-01 : f64
// CHECK-NEXT:   %f9 = arith.constant 0x4B800000 : f32
// CHECK-NEXT:   %f10 = arith.constant 1.000000e+22 : f64
// CHECK-NEXT:   %f11 = arith.constant -0.000000e+00 : f32
// CHECK-NEXT:   "test.op"() {nan = 0x7fc0 : bf16, large = 0x4CEB79A3 : f32, small = 1.17549435e-38 : f32} : () -> ()
// CHECK-NEXT:   %d0 = arith.constant dense<[1.28715802e+09, 3.40282347e+38]> : vector<2xf32>
// CHECK-NEXT:   %d1 = arith.constant dense<2.500000e+00> : tensor<4x4xf32>
// CHECK-NEXT:   %d2 = arith.constant dense<1.28715802e+09> : tensor<4xf32>
// CHECK-NEXT:   %d3 = arith.constant dense<{{\[\[}}1, 2], [3, 4]]> : tensor<2x2xi8>
// CHECK-NEXT:   %d4 = arith.constant dense<7> : tensor<3xi64>
// CHECK-NEXT:   %d5 = arith.constant dense<true> : tensor<2xi1>
// CHECK-NEXT:   %d6 = arith.constant dense<-1> : vector<3xi8>
// CHECK-NEXT:   %d7 = arith.constant dense<> : tensor<0xf32>
// CHECK-NEXT:   %d8 = arith.constant dense<1.500000e+00> : tensor<2xf32>
// CHECK-NEXT:   "test.op"() {array = array<f32: 1.28715802e+09, 3.40282347e+38>, wide = array<f64: 1.000000e-01, 1.000000e+22>} : () -> ()
// CHECK-NEXT:   "test.op"() {difference = affine_map<(d0, d1) -> (((d0 * 2) + (d1 * -1)))>, symbols = affine_map<(d0)[s0] -> (((d0 * -3) + s0), (d0 + -7), (d0 * -1))>, divisions = affine_map<(d0) -> (((d0 + 1) mod 8), (d0 floordiv 4), (d0 ceildiv -2))>, nothing = affine_map<() -> ()>, set = affine_set<(d0, d1) : ((d0 + (d1 * -1)) >= 0, (d0 + -1) == 0)>} : () -> ()
// CHECK-NEXT:   func.func private @spaces(memref<4xf32, 2 : i64>, memref<4xf32, 0 : i32>, memref<?xf32, "L1">, memref<*xf32, 3 : i32>, memref<4xf32, 1 : index>) -> ()
// CHECK-NEXT:   func.func private @layouts(memref<4xf32, affine_map<(d0) -> (d0)>>, memref<4x4xf32, strided<[4, 1], offset: 2>>, memref<4x4xf32, strided<[4, 1]>>, memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>, 1 : index>) -> ()
// CHECK-NEXT:   func.func private @nothing() -> ()
// CHECK-NEXT:   func.func private @two() -> (i32, f32)
// CHECK-NEXT:   func.func private @function(() -> (), (i32) -> i32) -> (() -> i32)
// CHECK-NEXT:   func.func private @with_attributes(i32) -> () attributes {sensors.port = 3 : i32}
// CHECK-NEXT: }
