// RUN: xdsl-opt -p llvm-request-c-wrappers,lower-to-llvm -t llvm %s | filecheck %s

// CHECK: @"scale" = private constant [2 x float]
memref.global "private" constant @scale : memref<2xf32> = dense<[2.0, 0.5]>

// CHECK: declare ptr @"malloc"(i64
// CHECK: define {ptr, ptr, i64, [1 x i64], [1 x i64]} @"scaled"(ptr %".1", ptr %".2", i64 %".3", i64 %".4", i64 %".5")
func.func @scaled(%x: memref<2xf32>) -> memref<2xf32> {
  // CHECK: call ccc ptr @"malloc"(i64 72)
  %m = memref.alloc() {alignment = 64 : i64} : memref<2xf32>
  %s = memref.get_global @scale : memref<2xf32>
  // CHECK: fmul float
  // CHECK: call float @"llvm.exp.f32"(
  linalg.generic {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
    iterator_types = ["parallel"]
  } ins(%x, %s : memref<2xf32>, memref<2xf32>) outs(%m : memref<2xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.mulf %a, %b : f32
    %d = math.exp %c : f32
    linalg.yield %d : f32
  }
  func.return %m : memref<2xf32>
}

// CHECK: define void @"_mlir_ciface_scaled"(ptr %".1", ptr %".2")
