// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true}' %s | filecheck %s

// The loop loses its output and its result; what was made in its place is not copied.

// CHECK-LABEL: @in_its_place
// CHECK-SAME: (%[[T:.*]]: memref<8xf32, strided<[?], offset: ?>>, %[[V:.*]]: f32, %[[N:.*]]: index)
// CHECK-NEXT: scf.forall (%[[I:.*]]) in (%[[N]]) {
// CHECK-NEXT: %[[VIEW:.*]] = memref.subview %[[T]][%[[I]]] [4] [1]
// CHECK-NEXT: linalg.fill ins(%[[V]] : f32) outs(%[[VIEW]]
// CHECK-NEXT: } {mapping = [#gpu.thread<x>]}
// CHECK-NEXT: return %[[T]]
func.func @in_its_place(%t: tensor<8xf32>, %v: f32, %n: index) -> tensor<8xf32> {
  %0 = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<8xf32>) {
    %1 = tensor.extract_slice %o[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %2 = linalg.fill ins(%v : f32) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %2 into %o[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: @from_elsewhere
// CHECK-SAME: (%[[T:.*]]: memref<4x4xf32, {{.*}}>, %[[S:.*]]: memref<2xf32, {{.*}}>)
// CHECK-NEXT: scf.forall (%[[I:.*]], %[[J:.*]]) = (0, 0) to (4, 4) step (1, 2) {
// CHECK-NEXT: %[[VIEW:.*]] = memref.subview %[[T]][%[[I]], %[[J]]] [1, 2] [1, 1]
// CHECK-SAME: to memref<2xf32, strided<[?], offset: ?>>
// CHECK-NEXT: memref.copy %[[S]], %[[VIEW]]
// CHECK-NEXT: }
// CHECK-NEXT: return %[[T]]
func.func @from_elsewhere(%t: tensor<4x4xf32>, %s: tensor<2xf32>) -> tensor<4x4xf32> {
  %0 = scf.forall (%i, %j) = (0, 0) to (4, 4) step (1, 2) shared_outs(%o = %t) -> (tensor<4x4xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, %j] [1, 2] [1, 1] : tensor<2xf32> into tensor<4x4xf32>
    }
  }
  return %0 : tensor<4x4xf32>
}

// Each output is replaced by the one that it is.

// CHECK-LABEL: @exchange
// CHECK-SAME: (%[[A:.*]]: memref<8xf32, {{.*}}>, %[[B:.*]]: memref<8xf32, {{.*}}>)
// CHECK-NEXT: scf.forall (%[[I:.*]]) in (8) {
// CHECK-NEXT: %[[FROM_A:.*]] = memref.subview %[[A]][%[[I]]]
// CHECK-NEXT: %[[COPY:.*]] = memref.alloc() {alignment = 64 : i64} : memref<1xf32>
// CHECK-NEXT: memref.copy %[[FROM_A]], %[[COPY]]
// CHECK-NEXT: %[[FROM_B:.*]] = memref.subview %[[B]][%[[I]]]
// CHECK-NEXT: %[[TO_A:.*]] = memref.subview %[[A]][%[[I]]]
// CHECK-NEXT: memref.copy %[[FROM_B]], %[[TO_A]]
// CHECK-NEXT: %[[TO_B:.*]] = memref.subview %[[B]][%[[I]]]
// CHECK-NEXT: memref.copy %[[COPY]], %[[TO_B]]
// CHECK-NEXT: }
// CHECK-NEXT: return %[[A]], %[[B]]
func.func @exchange(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0:2 = scf.forall (%i) in (8) shared_outs(%p = %a, %q = %b) -> (tensor<8xf32>, tensor<8xf32>) {
    %x = tensor.extract_slice %p[%i] [1] [1] : tensor<8xf32> to tensor<1xf32>
    %y = tensor.extract_slice %q[%i] [1] [1] : tensor<8xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %p[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
      tensor.parallel_insert_slice %x into %q[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
}

func.func private @use(f32)

// CHECK-LABEL: @no_output
// CHECK-SAME: (%[[T:.*]]: memref<8xf32, {{.*}}>, %[[V:.*]]: f32)
// CHECK-NEXT: scf.forall (%[[I:.*]]) in (8) {
// CHECK-NEXT: %[[PRIVATE:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT: memref.copy %[[T]], %[[PRIVATE]]
// CHECK-NEXT: memref.store %[[V]], %[[PRIVATE]][%[[I]]]
// CHECK-NEXT: %[[X:.*]] = memref.load %[[PRIVATE]][%[[I]]]
// CHECK-NEXT: func.call @use(%[[X]])
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @no_output(%t: tensor<8xf32>, %v: f32) {
  scf.forall (%i) in (8) {
    %0 = tensor.insert %v into %t[%i] : tensor<8xf32>
    %1 = tensor.extract %0[%i] : tensor<8xf32>
    func.call @use(%1) : (f32) -> ()
  }
  return
}

// CHECK-LABEL: @parallel
// CHECK-SAME: (%[[T:.*]]: memref<8xf32, {{.*}}>, %[[V:.*]]: f32, %[[N:.*]]: index)
// CHECK: scf.parallel (%[[I:.*]]) =
// CHECK-NEXT: %[[PRIVATE:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT: memref.copy %[[T]], %[[PRIVATE]]
// CHECK-NEXT: memref.store %[[V]], %[[PRIVATE]][%[[I]]]
// CHECK-NEXT: %[[X:.*]] = memref.load %[[PRIVATE]][%{{.*}}]
// CHECK-NEXT: scf.reduce(%[[X]] : f32)
func.func @parallel(%t: tensor<8xf32>, %v: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%v) -> f32 {
    %1 = tensor.insert %v into %t[%i] : tensor<8xf32>
    %2 = tensor.extract %1[%c0] : tensor<8xf32>
    scf.reduce(%2 : f32) {
    ^bb0(%left: f32, %right: f32):
      %sum = arith.addf %left, %right : f32
      scf.reduce.return %sum : f32
    }
  }
  return %0 : f32
}

// What an iteration inserts has the size of the output, so that it lies where it goes, and the
// output is not needed apart from it.

// CHECK-LABEL: @all_of_the_output
// CHECK-SAME: (%[[T:.*]]: memref<1x4xf32, {{.*}}>, %[[A:.*]]: memref<1x4xf32, {{.*}}>)
// CHECK-NEXT: scf.forall (%{{.*}}) in (1) {
// CHECK-NEXT: linalg.add ins(%[[A]], %[[A]] : {{.*}}) outs(%[[T]] : {{.*}})
// CHECK-NEXT: }
// CHECK-NEXT: func.return %[[T]]
func.func @all_of_the_output(%t: tensor<1x4xf32>, %a: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %0 = scf.forall (%i) in (1) shared_outs(%o = %t) -> (tensor<1x4xf32>) {
    %1 = linalg.add ins(%a, %a : tensor<1x4xf32>, tensor<1x4xf32>) outs(%o : tensor<1x4xf32>) -> tensor<1x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %1 into %o[%i, 0] [1, 4] [1, 1]
          : tensor<1x4xf32> into tensor<1x4xf32>
    }
  }
  return %0 : tensor<1x4xf32>
}
