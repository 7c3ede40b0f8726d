// RUN: xdsl-opt -t mlir-22 -p 'buffer-results-to-out-params{hoist-dynamic-allocs}' %s | filecheck %s

// The size of an argument: the caller asks for that of what it passes.

// CHECK-LABEL: func.func private @as_large(%a: memref<?x4xf32>, %{{.*}}: memref<?x4xf32>) {
// CHECK-NOT:     memref.alloc
// CHECK:         func.return
func.func private @as_large(%a: memref<?x4xf32>) -> memref<?x4xf32> {
  %c0 = arith.constant 0 : index
  %cast = memref.cast %a : memref<?x4xf32> to memref<?x?xf32>
  %d = memref.dim %cast, %c0 : memref<?x?xf32>
  %0 = memref.alloc(%d) : memref<?x4xf32>
  memref.copy %a, %0 : memref<?x4xf32> to memref<?x4xf32>
  return %0 : memref<?x4xf32>
}

// CHECK-LABEL: func.func @chain(%a: memref<?x4xf32>)
// CHECK:         %[[D:.*]] = memref.dim %a
// CHECK-NEXT:    %[[FIRST:.*]] = memref.alloc(%[[D]])
// CHECK-NEXT:    func.call @as_large(%a, %[[FIRST]])
// CHECK:         %[[E:.*]] = memref.dim %[[FIRST]]
// CHECK-NEXT:    %[[SECOND:.*]] = memref.alloc(%[[E]])
// CHECK-NEXT:    func.call @as_large(%[[FIRST]], %[[SECOND]])
// CHECK-NEXT:    func.return %[[SECOND]]
func.func @chain(%a: memref<?x4xf32>) -> memref<?x4xf32> {
  %0 = call @as_large(%a) : (memref<?x4xf32>) -> memref<?x4xf32>
  %1 = call @as_large(%0) : (memref<?x4xf32>) -> memref<?x4xf32>
  return %1 : memref<?x4xf32>
}

// Arithmetic, also of the size of another result.

// CHECK-LABEL: func.func private @computed(
// CHECK-NOT:     memref.alloc
func.func private @computed(%n: index, %c: i1)
    -> (memref<?xf32>, memref<2x?xf32>, memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %m = arith.muli %n, %n : index
  %0 = memref.alloc(%m) : memref<?xf32>
  %d = memref.dim %0, %c0 : memref<?xf32>
  %k = affine.apply affine_map<(d0)[s0] -> (d0 + s0 floordiv 2)>(%d)[%n]
  %1 = memref.alloc(%k) : memref<2x?xf32>
  cf.cond_br %c, ^a, ^b
^a:
  %x = arith.ceildivui %n, %c3 : index
  %2 = memref.alloc(%x) : memref<?xf32>
  return %0, %1, %2 : memref<?xf32>, memref<2x?xf32>, memref<?xf32>
^b:
  %three = arith.constant 3 : index
  %y = arith.ceildivui %n, %three : index
  %3 = memref.alloc(%y) : memref<?xf32>
  return %0, %1, %3 : memref<?xf32>, memref<2x?xf32>, memref<?xf32>
}

// CHECK-LABEL: func.func @call(%n: index, %c: i1)
// CHECK-NEXT:    %[[M:.*]] = arith.muli %n, %n
// CHECK-NEXT:    %[[A:.*]] = memref.alloc(%[[M]])
// CHECK:         %[[K:.*]] = affine.apply
// CHECK-NEXT:    %[[B:.*]] = memref.alloc(%[[K]])
// CHECK:         %[[X:.*]] = arith.ceildivui %n
// CHECK-NEXT:    %[[C:.*]] = memref.alloc(%[[X]])
// CHECK-NEXT:    func.call @computed(%n, %c, %[[A]], %[[B]], %[[C]])
func.func @call(%n: index, %c: i1)
    -> (memref<?xf32>, memref<2x?xf32>, memref<?xf32>) {
  %0:3 = call @computed(%n, %c)
    : (index, i1) -> (memref<?xf32>, memref<2x?xf32>, memref<?xf32>)
  return %0#0, %0#1, %0#2 : memref<?xf32>, memref<2x?xf32>, memref<?xf32>
}

// A division by an argument, which each call runs before anything that may stop it.

// CHECK-LABEL: func.func @divides(%n: index, %t: index)
// CHECK-NEXT:    %[[Q:.*]] = arith.ceildivui %n, %t
// CHECK-NEXT:    memref.alloc(%[[Q]])
func.func private @tiles(%n: index, %t: index) -> memref<?xf32> {
  %q = arith.ceildivui %n, %t : index
  %0 = memref.alloc(%q) : memref<?xf32>
  return %0 : memref<?xf32>
}
func.func @divides(%n: index, %t: index) -> memref<?xf32> {
  %0 = call @tiles(%n, %t) : (index, index) -> memref<?xf32>
  return %0 : memref<?xf32>
}
