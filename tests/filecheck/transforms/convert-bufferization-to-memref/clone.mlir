// RUN: xdsl-opt -t mlir-22 -p convert-bufferization-to-memref %s | filecheck %s

// CHECK-LABEL: func.func @static
// CHECK-NEXT:    %c = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    memref.copy %a, %c : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:    func.return %c
func.func @static(%a: memref<4xf32>) -> memref<4xf32> {
  %c = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  return %c : memref<4xf32>
}

// CHECK-LABEL: func.func @dynamic
// CHECK:         %[[DIM:.*]] = memref.dim %a, %{{.*}} : memref<?x4xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:    %[[NEW:.*]] = memref.alloc(%[[DIM]]) : memref<?x4xf32>
// CHECK-NEXT:    %c = memref.cast %[[NEW]] : memref<?x4xf32> to memref<?x4xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:    memref.copy %a, %c
func.func @dynamic(%a: memref<?x4xf32, strided<[?, ?], offset: ?>>) -> memref<?x4xf32, strided<[?, ?], offset: ?>> {
  %c = bufferization.clone %a : memref<?x4xf32, strided<[?, ?], offset: ?>> to memref<?x4xf32, strided<[?, ?], offset: ?>>
  return %c : memref<?x4xf32, strided<[?, ?], offset: ?>>
}

// A layout that is no cast of the identity needs all that lies between its elements.

// CHECK-LABEL: func.func @strided
// CHECK-NEXT:    %[[NEW:.*]] = memref.alloc() : memref<32xf32>
// CHECK-NEXT:    %c = memref.reinterpret_cast %[[NEW]] to offset: [1], sizes: [4, 4], strides: [8, 2]
// CHECK-NEXT:    memref.copy %a, %c
func.func @strided(%a: memref<4x4xf32, strided<[8, 2], offset: 1>>) -> memref<4x4xf32, strided<[8, 2], offset: 1>> {
  %c = bufferization.clone %a : memref<4x4xf32, strided<[8, 2], offset: 1>> to memref<4x4xf32, strided<[8, 2], offset: 1>>
  return %c : memref<4x4xf32, strided<[8, 2], offset: 1>>
}

// CHECK-LABEL: func.func @dealloc
// CHECK-NEXT:    scf.if %c {
// CHECK-NEXT:      memref.dealloc %a
func.func @dealloc(%a: memref<4xf32>, %c: i1) {
  bufferization.dealloc (%a : memref<4xf32>) if (%c)
  return
}

// The sizes of a buffer without a rank are collected by a loop.

// CHECK-LABEL: @unranked
// CHECK:         %[[RANK:.*]] = memref.rank %a : memref<*xf32>
// CHECK-NEXT:    %[[SHAPE:.*]] = memref.alloca(%[[RANK]]) : memref<?xindex>
// CHECK:         %[[COUNT:.*]] = scf.for %[[D:.*]] = %{{.*}} to %[[RANK]] step %{{.*}} iter_args(%[[P:.*]] = %{{.*}}) -> (index) {
// CHECK-NEXT:      %[[SIZE:.*]] = memref.dim %a, %[[D]] : memref<*xf32>
// CHECK-NEXT:      memref.store %[[SIZE]], %[[SHAPE]][%[[D]]] : memref<?xindex>
// CHECK-NEXT:      %[[M:.*]] = arith.muli %[[P]], %[[SIZE]] : index
// CHECK-NEXT:      scf.yield %[[M]] : index
// CHECK:         %[[FLAT:.*]] = memref.alloc(%[[COUNT]]) : memref<?xf32>
// CHECK-NEXT:    %[[C:.*]] = memref.reshape %[[FLAT]](%[[SHAPE]]) : (memref<?xf32>, memref<?xindex>) -> memref<*xf32>
// CHECK-NEXT:    memref.copy %a, %[[C]] : memref<*xf32> to memref<*xf32>
// CHECK-NEXT:    func.return %[[C]]
func.func @unranked(%a: memref<*xf32>) -> memref<*xf32> {
  %c = bufferization.clone %a : memref<*xf32> to memref<*xf32>
  return %c : memref<*xf32>
}
