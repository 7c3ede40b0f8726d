// RUN: xdsl-opt -t mlir-22 -p ownership-based-buffer-deallocation %s | filecheck %s

// The caller owns what it gets back, and what it passes.

// CHECK-LABEL: func.func @caller
// CHECK:         %r = func.call @callee(%a)
// CHECK-NEXT:    bufferization.dealloc (%a : memref<4xf32>) if (%{{.*}}){{$}}
// CHECK:         bufferization.dealloc (%{{.*}} : memref<f32>) if (%{{.*}}){{$}}
// CHECK-NEXT:    func.return
func.func private @callee(memref<4xf32>) -> memref<4xf32>
func.func @caller() {
  %a = memref.alloc() : memref<4xf32>
  %r = func.call @callee(%a) : (memref<4xf32>) -> memref<4xf32>
  return
}

// A returned argument is cloned.

// CHECK-LABEL: func.func @returns_argument
// CHECK-NEXT:    %[[CLONE:.*]] = bufferization.clone %arg : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:    func.return %[[CLONE]]
func.func @returns_argument(%arg: memref<4xf32>) -> memref<4xf32> {
  return %arg : memref<4xf32>
}

// Of two results that share an allocation, one is cloned; MLIR returns both.

// CHECK-LABEL: func.func @returns_two_views
// CHECK:         %[[CLONE:.*]] = bufferization.clone %w
// CHECK-NEXT:    func.return %v, %[[CLONE]]
func.func @returns_two_views() -> (memref<2xf32, strided<[1]>>, memref<2xf32, strided<[1], offset: 2>>) {
  %a = memref.alloc() : memref<4xf32>
  %v = memref.subview %a[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  %w = memref.subview %a[2] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 2>>
  return %v, %w : memref<2xf32, strided<[1]>>, memref<2xf32, strided<[1], offset: 2>>
}

// Whether the choice is the other result, only the running program knows.

// CHECK-LABEL: func.func @returns_choice
// CHECK:         %[[OWN:.*]] = bufferization.dealloc (%b : memref<4xf32>) if (%{{.*}}) retain (%s : memref<4xf32>)
// CHECK-NEXT:    %[[R:.*]] = scf.if %[[OWN]] -> (memref<4xf32>) {
// CHECK-NEXT:      scf.yield %s
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %[[CLONE:.*]] = bufferization.clone %s
// CHECK-NEXT:      scf.yield %[[CLONE]]
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %[[R]], %a
func.func @returns_choice(%c: i1) -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %a, %b : memref<4xf32>
  return %s, %a : memref<4xf32>, memref<4xf32>
}
