// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries dialect-filter=func,scf}' %s | filecheck %s

// Ops of dialect cf are not bufferized, but what they pass to the blocks of those that
// are: a branch has a buffer where the block takes one.

// CHECK-LABEL: @execute_region(%t: memref<4xf32, strided<[?], offset: ?>>
// CHECK: %[[R:.*]] = scf.execute_region -> memref<4xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:   cf.cond_br %c, ^{{.*}}, ^[[END:.*]](%t : memref<4xf32, strided<[?], offset: ?>>)
// CHECK: %[[NEW:.*]] = tensor.insert
// CHECK: %[[BUFFER:.*]] = bufferization.to_buffer %[[NEW]]
// CHECK: cf.br ^[[END]](%[[BUFFER]] : memref<4xf32, strided<[?], offset: ?>>)
// CHECK-NEXT: ^[[END]](%[[X:.*]]: memref<4xf32, strided<[?], offset: ?>>):
// CHECK-NEXT:   scf.yield %[[X]]
// CHECK: func.return %[[R]]
func.func @execute_region(%t: tensor<4xf32>, %v: f32, %i: index, %c: i1) -> tensor<4xf32> {
  %0 = scf.execute_region -> tensor<4xf32> {
    cf.cond_br %c, ^write, ^end(%t : tensor<4xf32>)
  ^write:
    %1 = tensor.insert %v into %t[%i] : tensor<4xf32>
    cf.br ^end(%1 : tensor<4xf32>)
  ^end(%x: tensor<4xf32>):
    scf.yield %x : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @blocks(%t: memref<4xf32, strided<[?], offset: ?>>, %u: memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT: cf.cond_br %c, ^{{.*}}(%t : memref<4xf32, strided<[?], offset: ?>>), ^{{.*}}(%u : memref<4xf32, strided<[?], offset: ?>>)
// CHECK: cf.br ^{{.*}}(%{{.*}} : memref<4xf32, strided<[?], offset: ?>>)
func.func @blocks(%t: tensor<4xf32>, %u: tensor<4xf32>, %v: f32, %i: index, %c: i1) -> tensor<4xf32> {
  cf.cond_br %c, ^a(%t : tensor<4xf32>), ^b(%u : tensor<4xf32>)
^a(%x: tensor<4xf32>):
  %1 = tensor.insert %v into %x[%i] : tensor<4xf32>
  cf.br ^b(%1 : tensor<4xf32>)
^b(%y: tensor<4xf32>):
  return %y : tensor<4xf32>
}
