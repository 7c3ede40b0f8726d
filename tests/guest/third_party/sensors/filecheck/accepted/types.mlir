// RUN: xdsl-opt %s | filecheck %s

// Layouts of other dimensions than the buffer has, and elements that are no numbers;
// mlir-opt refuses all of them.

func.func private @layouts(memref<4x4xf32, strided<[1]>>, memref<4xf32, affine_map<(d0, d1) -> (d0)>>) -> ()
func.func private @elements(tensor<4xtensor<4xf32>>, memref<4xtensor<4xf32>>, vector<0xf32>) -> ()
func.func private @spaces(memref<4xf32, 1.5 : f32>, memref<4xf32, [1, 2]>) -> ()

// CHECK:      builtin.module {
// CHECK-NEXT:   func.func private @layouts(memref<4x4xf32, strided<[1]>>, memref<4xf32, affine_map<(d0, d1) -> (d0)>>) -> ()
// CHECK-NEXT:   func.func private @elements(tensor<4xtensor<4xf32>>, memref<4xtensor<4xf32>>, vector<0xf32>) -> ()
// CHECK-NEXT:   func.func private @spaces(memref<4xf32, 1.500000e+00 : f32>, memref<4xf32, [1 : i64, 2 : i64]>) -> ()
// CHECK-NEXT: }
