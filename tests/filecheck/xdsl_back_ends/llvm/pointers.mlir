// Buffers become pointers of the llvm dialect by xDSL's own passes. The loop is made of
// branches by xDSL as well.

// RUN: xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},drop-equivalent-buffer-results{modify-public-functions},buffer-deallocation-pipeline,convert-linalg-to-loops,lower-affine,convert-memref-to-ptr{lower_func=true},convert-ptr-type-offsets,convert-ptr-to-llvm,convert-scf-to-cf,canonicalize' %s | filecheck %s

// CHECK:       func.func @axpy(%x: !llvm.ptr, %y: !llvm.ptr, %a: f32) {
// CHECK:         cf.cond_br
// CHECK:         llvm.ptrtoint
// CHECK:         %{{.*}} = llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK:         %{{.*}} = llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK:         llvm.store %{{.*}}, %{{.*}} : f32, !llvm.ptr
func.func @axpy(%x: tensor<8xf32>, %y: tensor<8xf32>, %a: f32) -> tensor<8xf32> {
  %result = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) {
  ^bb0(%p: f32, %q: f32):
    %product = arith.mulf %p, %a : f32
    %sum = arith.addf %product, %q : f32
    linalg.yield %sum : f32
  } -> tensor<8xf32>
  return %result : tensor<8xf32>
}
