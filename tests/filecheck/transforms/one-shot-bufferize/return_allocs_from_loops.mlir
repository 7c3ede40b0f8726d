// RUN: xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries=true allow-return-allocs-from-loops=true}' %s | filecheck %s

// Every iteration yields a new buffer; init and yield meet in a layout that fits both.

// CHECK-LABEL: @new_buffer_each_time
// CHECK: scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (memref<4xf32, strided<[?], offset: ?>>) {
// CHECK: %[[NEW:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK: %[[YIELDED:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT: memref.copy %[[NEW]], %[[YIELDED]]
// CHECK-NEXT: %[[CAST:.*]] = memref.cast %[[YIELDED]]
// CHECK-NEXT: scf.yield %[[CAST]] : memref<4xf32, strided<[?], offset: ?>>
func.func @new_buffer_each_time(%t: tensor<4xf32>, %v: f32, %n: index, %s: index) -> tensor<4xf32> {
  %0 = scf.for %i = %s to %n step %s iter_args(%c = %t) -> (tensor<4xf32>) {
    %1 = tensor.empty() : tensor<4xf32>
    %2 = linalg.fill ins(%v : f32) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// Buffers that change places are copied, as each iteration writes what it is given.

// CHECK-LABEL: @swap
// CHECK: scf.for %{{.*}} iter_args(%[[X:.*]] = %{{.*}}, %[[Y:.*]] = %{{.*}}) -> (memref<4xf32, strided<[?], offset: ?>>, memref<4xf32, strided<[?], offset: ?>>) {
// CHECK: memref.copy %[[Y]], %{{.*}}
// CHECK: memref.copy %[[X]], %{{.*}}
// CHECK: scf.yield
func.func @swap(%a: tensor<4xf32>, %b: tensor<4xf32>, %n: index, %s: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = scf.for %i = %s to %n step %s iter_args(%x = %a, %y = %b) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %y, %x : tensor<4xf32>, tensor<4xf32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}
