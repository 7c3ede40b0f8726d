// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true}' %s | filecheck %s

// CHECK-LABEL: @loop
// CHECK-SAME: (%[[T:.*]]: memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT: cf.br ^[[LOOP:.*]](%[[T]] : memref<4xf32, strided<[?], offset: ?>>)
// CHECK-NEXT: ^[[LOOP]](%[[X:.*]]: memref<4xf32, strided<[?], offset: ?>>):
// CHECK-NEXT: memref.store %{{.*}}, %[[X]]
// CHECK-NEXT: cf.cond_br %{{.*}}, ^[[LOOP]](%[[X]] : memref<4xf32, strided<[?], offset: ?>>), ^[[END:.*]]
// CHECK-NEXT: ^[[END]]:
// CHECK-NEXT: return %[[X]]
func.func @loop(%t: tensor<4xf32>, %v: f32, %i: index, %c: i1) -> tensor<4xf32> {
  cf.br ^loop(%t : tensor<4xf32>)
^loop(%x: tensor<4xf32>):
  %0 = tensor.insert %v into %x[%i] : tensor<4xf32>
  cf.cond_br %c, ^loop(%0 : tensor<4xf32>), ^end
^end:
  return %0 : tensor<4xf32>
}

// Where branches pass buffers of different layouts, the argument has any layout.

// CHECK-LABEL: @different_layouts
// CHECK: %[[CAST:.*]] = memref.cast %{{.*}} : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT: cf.cond_br %{{.*}}, ^[[OTHER:.*]], ^[[END:.*]](%[[CAST]] : memref<4xf32, strided<[?], offset: ?>>)
// CHECK-NEXT: ^[[OTHER]]:
// CHECK-NEXT: cf.br ^[[END]](%{{.*}} : memref<4xf32, strided<[?], offset: ?>>)
// CHECK-NEXT: ^[[END]](%{{.*}}: memref<4xf32, strided<[?], offset: ?>>):
func.func @different_layouts(%t: tensor<4xf32>, %v: f32, %c: i1) -> tensor<4xf32> {
  %new = tensor.empty() : tensor<4xf32>
  %0 = linalg.fill ins(%v : f32) outs(%new : tensor<4xf32>) -> tensor<4xf32>
  cf.cond_br %c, ^other, ^end(%0 : tensor<4xf32>)
^other:
  cf.br ^end(%t : tensor<4xf32>)
^end(%x: tensor<4xf32>):
  return %x : tensor<4xf32>
}

// Where all are dense, so is the argument.

// CHECK-LABEL: @one_layout
// CHECK: cf.br ^[[END:.*]](%{{.*}} : memref<4xf32>)
// CHECK-NEXT: ^[[END]](%{{.*}}: memref<4xf32>):
func.func @one_layout(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %new = tensor.empty() : tensor<4xf32>
  %0 = linalg.fill ins(%v : f32) outs(%new : tensor<4xf32>) -> tensor<4xf32>
  cf.br ^end(%0 : tensor<4xf32>)
^end(%x: tensor<4xf32>):
  %1 = tensor.extract %x[%c0] : tensor<4xf32>
  return %1 : f32
}

// CHECK-LABEL: @both_ways_to_one_block
// CHECK: cf.cond_br %{{.*}}, ^[[END:.*]](%{{.*}} : memref<4xf32, strided<[?], offset: ?>>), ^[[END]](%{{.*}} : memref<4xf32, strided<[?], offset: ?>>)
func.func @both_ways_to_one_block(%t: tensor<4xf32>, %u: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  cf.cond_br %c, ^end(%t : tensor<4xf32>), ^end(%u : tensor<4xf32>)
^end(%x: tensor<4xf32>):
  return %x : tensor<4xf32>
}

// CHECK-LABEL: @switch
// CHECK-SAME: (%[[T:.*]]: memref<4xf32, strided<[?], offset: ?>>
// CHECK: memref.copy %[[T]], %[[COPY:.*]] :
// CHECK: cf.switch %{{.*}} : i32, [
// CHECK-NEXT: default: ^[[A:.*]](%[[T]] : memref<4xf32, strided<[?], offset: ?>>),
// CHECK-NEXT: 1: ^[[B:.*]](%[[COPY]] : memref<4xf32>)
// CHECK: memref.store
func.func @switch(%t: tensor<4xf32> {bufferization.writable = false}, %v: f32, %i: index, %n: i32) -> f32 {
  %copy = bufferization.alloc_tensor() copy(%t) : tensor<4xf32>
  cf.switch %n : i32, [default: ^read(%t : tensor<4xf32>), 1: ^write(%copy : tensor<4xf32>)]
^read(%x: tensor<4xf32>):
  %0 = tensor.extract %x[%i] : tensor<4xf32>
  return %0 : f32
^write(%y: tensor<4xf32>):
  %1 = tensor.insert %v into %y[%i] : tensor<4xf32>
  %2 = tensor.extract %1[%i] : tensor<4xf32>
  return %2 : f32
}

// Several blocks may yield, here the buffer of the argument or a copy of it.

// CHECK-LABEL: @execute_region
// CHECK-SAME: (%[[T:.*]]: memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT: %[[R:.*]] = scf.execute_region -> memref<4xf32, strided<[?], offset: ?>> {
// CHECK: memref.copy %[[T]], %[[COPY:.*]] :
// CHECK-NEXT: memref.store %{{.*}}, %[[COPY]]
// CHECK-NEXT: %[[CAST:.*]] = memref.cast %[[COPY]]
// CHECK-NEXT: scf.yield %[[CAST]]
// CHECK: scf.yield %[[T]]
// CHECK: return %[[R]]
func.func @execute_region(%t: tensor<4xf32>, %v: f32, %i: index, %c: i1) -> tensor<4xf32> {
  %0 = scf.execute_region -> tensor<4xf32> {
    cf.cond_br %c, ^write, ^end
  ^write:
    %1 = tensor.insert %v into %t[%i] : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  ^end:
    scf.yield %t : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// The block that uses a value may stand before the one that defines it.

// CHECK-LABEL: @blocks_in_any_order
// CHECK: cf.br ^[[FIRST:.*]]
// CHECK-NEXT: ^[[SECOND:.*]](%[[X:.*]]: memref<4xf32>):
// CHECK-NEXT: memref.store %{{.*}}, %[[X]]
// CHECK-NEXT: return %[[X]]
// CHECK-NEXT: ^[[FIRST]]:
// CHECK-NOT: to_tensor
// CHECK: cf.br ^[[SECOND]]
func.func @blocks_in_any_order(%v: f32, %i: index) -> tensor<4xf32> {
  cf.br ^first
^second(%x: tensor<4xf32>):
  %0 = tensor.insert %v into %x[%i] : tensor<4xf32>
  return %0 : tensor<4xf32>
^first:
  %new = tensor.empty() : tensor<4xf32>
  %1 = linalg.fill ins(%v : f32) outs(%new : tensor<4xf32>) -> tensor<4xf32>
  cf.br ^second(%1 : tensor<4xf32>)
}
