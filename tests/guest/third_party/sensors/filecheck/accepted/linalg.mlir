// RUN: xdsl-opt --print-op-generic %s | filecheck %s

// A structured op that mlir-opt refuses, as it has no output. In the generic form, the
// bodies that xDSL gives to named ops are seen.

func.func @no_output(%a: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : memref<4xf32>) {
  ^bb0(%x: f32):
    linalg.yield %x : f32
  }
  return
}

func.func @named(%a: memref<4x4xf32>, %f: f32) {
  linalg.fill ins(%f : f32) outs(%a : memref<4x4xf32>)
  linalg.matmul ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  linalg.mul ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  return
}

// CHECK:      "builtin.module"() ({
// CHECK-NEXT:   "func.func"() <{sym_name = "no_output", function_type = (memref<4xf32>) -> ()}> ({
// CHECK-NEXT:   ^bb0(%a: memref<4xf32>):
// CHECK-NEXT:     "linalg.generic"(%a) <{indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 0>}> ({
// CHECK-NEXT:     ^bb0(%x: f32):
// CHECK-NEXT:       "linalg.yield"(%x) : (f32) -> ()
// CHECK-NEXT:     }) : (memref<4xf32>) -> ()
// CHECK-NEXT:     "func.return"() : () -> ()
// CHECK-NEXT:   }) : () -> ()
// CHECK-NEXT:   "func.func"() <{sym_name = "named", function_type = (memref<4x4xf32>, f32) -> ()}> ({
// CHECK-NEXT:   ^bb0(%a: memref<4x4xf32>, %f: f32):
// CHECK-NEXT:     "linalg.fill"(%f, %a) <{operandSegmentSizes = array<i32: 1, 1>}> ({
// CHECK-NEXT:     ^bb0(%0: f32, %1: f32):
// CHECK-NEXT:       "linalg.yield"(%0) : (f32) -> ()
// CHECK-NEXT:     }) : (f32, memref<4x4xf32>) -> ()
// CHECK-NEXT:     "linalg.matmul"(%a, %a, %a) <{operandSegmentSizes = array<i32: 2, 1>, indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]}> ({
// CHECK-NEXT:     ^bb0(%2: f32, %3: f32, %4: f32):
// CHECK-NEXT:       %5 = "arith.mulf"(%2, %3) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// CHECK-NEXT:       %6 = "arith.addf"(%5, %4) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// CHECK-NEXT:       "linalg.yield"(%6) : (f32) -> ()
// CHECK-NEXT:     }) : (memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>) -> ()
// CHECK-NEXT:     "linalg.mul"(%a, %a, %a) <{operandSegmentSizes = array<i32: 2, 1>}> ({
// CHECK-NEXT:     ^bb0(%7: f32, %8: f32, %9: f32):
// CHECK-NEXT:       %10 = "arith.mulf"(%7, %8) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// CHECK-NEXT:       "linalg.yield"(%10) : (f32) -> ()
// CHECK-NEXT:     }) : (memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>) -> ()
// CHECK-NEXT:     "func.return"() : () -> ()
// CHECK-NEXT:   }) : () -> ()
// CHECK-NEXT: }) : () -> ()
