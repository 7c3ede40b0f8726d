// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true}' %s | filecheck %s

// CHECK-LABEL: @for
// CHECK-SAME: (%[[T:.*]]: memref<4xf32, strided<[?], offset: ?>>
// CHECK: %[[R:.*]], %[[S:.*]] = scf.for %[[I:.*]] = {{.*}} iter_args(%[[C:.*]] = %[[T]], %[[SUM:.*]] = %{{.*}}) -> (memref<4xf32, strided<[?], offset: ?>>, f32) {
// CHECK-NEXT: memref.store %[[SUM]], %[[C]][%[[I]]]
// CHECK-NEXT: %[[NEW:.*]] = arith.addf
// CHECK-NEXT: scf.yield %[[C]], %[[NEW]]
// CHECK: return %[[R]], %[[S]]
func.func @for(%t: tensor<4xf32>, %v: f32, %n: index, %s: index) -> (tensor<4xf32>, f32) {
  %0:2 = scf.for %i = %s to %n step %s iter_args(%c = %t, %sum = %v) -> (tensor<4xf32>, f32) {
    %1 = tensor.insert %sum into %c[%i] : tensor<4xf32>
    %2 = arith.addf %sum, %v : f32
    scf.yield %1, %2 : tensor<4xf32>, f32
  }
  return %0#0, %0#1 : tensor<4xf32>, f32
}

// The init is copied if it is needed later; what is carried keeps its dense layout.

// CHECK-LABEL: @init_is_read_later
// CHECK: %[[COPY:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT: memref.copy %[[T:.*]], %[[COPY]]
// CHECK-NEXT: scf.for {{.*}} iter_args(%{{.*}} = %[[COPY]]) -> (memref<4xf32>) {
// CHECK: memref.load %[[T]]
func.func @init_is_read_later(%t: tensor<4xf32>, %v: f32, %n: index, %s: index) -> (tensor<4xf32>, f32) {
  %0 = scf.for %i = %s to %n step %s iter_args(%c = %t) -> (tensor<4xf32>) {
    %1 = tensor.insert %v into %c[%i] : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  %2 = tensor.extract %t[%n] : tensor<4xf32>
  return %0, %2 : tensor<4xf32>, f32
}

// A loop without tensors of its own is left as it is, and its body is not.

// CHECK-LABEL: @only_the_body
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%{{.*}}) -> (f32) {
// CHECK-NEXT: memref.load %{{.*}}[%[[I]]]
func.func @only_the_body(%t: tensor<4xf32>, %v: f32, %n: index, %s: index) -> f32 {
  %0 = scf.for %i = %s to %n step %s iter_args(%sum = %v) -> (f32) {
    %1 = tensor.extract %t[%i] : tensor<4xf32>
    %2 = arith.addf %sum, %1 : f32
    scf.yield %2 : f32
  }
  return %0 : f32
}

// The branches of an if yield buffers of one type.

// CHECK-LABEL: @if
// CHECK: scf.if %{{.*}} -> (memref<4xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT: memref.store %{{.*}}, %[[A:.*]][%{{.*}}] : memref<4xf32>
// CHECK-NEXT: %[[CAST:.*]] = memref.cast %[[A]] : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT: scf.yield %[[CAST]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %{{.*}} : memref<4xf32, strided<[?], offset: ?>>
func.func @if(%t: tensor<4xf32>, %flag: i1, %v: f32, %i: index) -> tensor<4xf32> {
  %a = tensor.empty() : tensor<4xf32>
  %0 = scf.if %flag -> (tensor<4xf32>) {
    %1 = tensor.insert %v into %a[%i] : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  } else {
    scf.yield %t : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @while
// CHECK: scf.while (%[[B:.*]] = %{{.*}}) : (memref<4xf32, strided<[?], offset: ?>>) -> memref<4xf32, strided<[?], offset: ?>> {
// CHECK-NEXT: %[[READ:.*]] = memref.load %[[B]]
// CHECK: scf.condition(%{{.*}}) %[[B]] : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT: } do {
// CHECK-NEXT: ^{{.*}}(%[[A:.*]]: memref<4xf32, strided<[?], offset: ?>>):
// CHECK-NEXT: memref.store %{{.*}}, %[[A]]
// CHECK-NEXT: scf.yield %[[A]] : memref<4xf32, strided<[?], offset: ?>>
func.func @while(%t: tensor<4xf32>, %v: f32, %i: index) -> tensor<4xf32> {
  %0 = scf.while (%x = %t) : (tensor<4xf32>) -> tensor<4xf32> {
    %1 = tensor.extract %x[%i] : tensor<4xf32>
    %2 = arith.cmpf olt, %1, %v : f32
    scf.condition(%2) %x : tensor<4xf32>
  } do {
  ^bb0(%x: tensor<4xf32>):
    %1 = tensor.insert %v into %x[%i] : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @switch_and_region
// CHECK: scf.index_switch %{{.*}} -> memref<4xf32, strided<[?], offset: ?>>
// CHECK: memref.store
// CHECK-NEXT: scf.yield %{{.*}} : memref<4xf32, strided<[?], offset: ?>>
// CHECK: scf.execute_region -> memref<4xf32, strided<[?], offset: ?>> {
func.func @switch_and_region(%t: tensor<4xf32>, %v: f32, %i: index) -> tensor<4xf32> {
  %0 = scf.index_switch %i -> tensor<4xf32>
  case 2 {
    %1 = tensor.insert %v into %t[%i] : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  default {
    scf.yield %t : tensor<4xf32>
  }
  %2 = scf.execute_region -> tensor<4xf32> {
    scf.yield %0 : tensor<4xf32>
  }
  return %2 : tensor<4xf32>
}
