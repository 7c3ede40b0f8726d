// RUN: xdsl-opt -t mlir-22 -p expand-realloc %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p "expand-realloc{emit-deallocs=false}" %s | filecheck %s --check-prefix KEEP

// CHECK-LABEL: func.func @dynamic
// CHECK-SAME: (%old: memref<?xf32>, %size: index)
// CHECK: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK: %[[DIM:.*]] = memref.dim %old, %[[ZERO]]
// CHECK: %[[SMALLER:.*]] = arith.cmpi ult, %[[DIM]], %size : index
// CHECK: %new = scf.if %[[SMALLER]] -> (memref<?xf32>) {
// CHECK-NEXT: %[[ALLOC:.*]] = memref.alloc(%size) {alignment = 8 : i64} : memref<?xf32>
// CHECK-NEXT: %[[PART:.*]] = memref.subview %[[ALLOC]][0] [%[[DIM]]] [1]
// CHECK-NEXT: memref.copy %old, %[[PART]]
// CHECK-NEXT: memref.dealloc %old
// CHECK-NEXT: scf.yield %[[ALLOC]]
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[SAME:.*]] = memref.reinterpret_cast %old to offset: [0], sizes: [%size], strides: [1]
// CHECK-NEXT: scf.yield %[[SAME]]
// KEEP-LABEL: func.func @dynamic
// KEEP-NOT: memref.dealloc
// KEEP: return
func.func @dynamic(%old: memref<?xf32>, %size: index) -> memref<?xf32> {
  %new = memref.realloc %old(%size) {alignment = 8} : memref<?xf32> to memref<?xf32>
  return %new : memref<?xf32>
}

// One size alone is known: they are compared when the program runs.
// CHECK-LABEL: func.func @static_result
// CHECK: %[[FOUR:.*]] = arith.constant 4 : index
// CHECK: arith.cmpi ult, %{{.*}}, %[[FOUR]]
// CHECK: scf.if
// CHECK: memref.alloc() : memref<4xf32>
// CHECK: memref.reinterpret_cast %old to offset: [0], sizes: [4], strides: [1] : memref<?xf32> to memref<4xf32>
func.func @static_result(%old: memref<?xf32>) -> memref<4xf32> {
  %new = memref.realloc %old : memref<?xf32> to memref<4xf32>
  return %new : memref<4xf32>
}

// CHECK-LABEL: func.func @grow
// CHECK-NEXT: %new = memref.alloc() : memref<4xf32>
// CHECK-NEXT: %[[PART:.*]] = memref.subview %new[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
// CHECK-NEXT: memref.copy %old, %[[PART]]
// CHECK-NEXT: memref.dealloc %old
// CHECK-NEXT: return %new
func.func @grow(%old: memref<2xf32>) -> memref<4xf32> {
  %new = memref.realloc %old : memref<2xf32> to memref<4xf32>
  return %new : memref<4xf32>
}

// MLIR builds a copy of too many elements here, in a branch that never runs.
// CHECK-LABEL: func.func @shrink
// CHECK-NEXT: %new = memref.reinterpret_cast %old to offset: [0], sizes: [2], strides: [1]
// CHECK-NEXT: return %new
func.func @shrink(%old: memref<4xf32>) -> memref<2xf32> {
  %new = memref.realloc %old : memref<4xf32> to memref<2xf32>
  return %new : memref<2xf32>
}

// CHECK-LABEL: func.func @same_size
// CHECK-NEXT: return %old
func.func @same_size(%old: memref<4xf32>) -> memref<4xf32> {
  %new = memref.realloc %old : memref<4xf32> to memref<4xf32>
  return %new : memref<4xf32>
}
