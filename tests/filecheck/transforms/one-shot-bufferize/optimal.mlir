// RUN: xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops analysis-heuristic=optimal optimal-limit=5}' %s | filecheck %s
// RUN: xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops analysis-heuristic=auto}' %s | filecheck %s --check-prefix=AUTO
// RUN: xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops analysis-heuristic=optimal explain}' %s 2>&1 | filecheck %s --check-prefix=SAID

// In place the fill would be a part of %a, which the loop would have to copy each time.

// SAID: remark: @last: decided without a copy

// CHECK-LABEL: @last
// CHECK: scf.for
// CHECK-NEXT: memref.subview
// CHECK-NEXT: %[[NEW:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT: linalg.fill ins(%{{.*}} : f32) outs(%[[NEW]] : memref<4xf32>)
// CHECK-NOT: memref.copy

// AUTO-LABEL: @last
// AUTO: scf.for
// AUTO-NEXT: %[[PART:.*]] = memref.subview
// AUTO-NEXT: linalg.fill ins(%{{.*}} : f32) outs(%[[PART]] : {{.*}})
// AUTO: memref.copy
func.func @last(%a: tensor<8xf32>, %s: tensor<4xf32>, %f: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %r = scf.for %i = %c0 to %c100 step %c1 iter_args(%t = %s) -> (tensor<4xf32>) {
    %0 = tensor.extract_slice %a[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  %x = tensor.extract %r[%c1] : tensor<4xf32>
  return %x : f32
}
