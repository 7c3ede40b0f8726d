// RUN: xdsl-opt -t mlir-22 -p "buffer-deallocation{strategy=clone}" %s | filecheck %s

// What a function returns belongs to its caller.
// CHECK-LABEL: func.func @returned
// CHECK-NEXT:    %a = memref.alloc
// CHECK-NEXT:    return %a
func.func @returned() -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  return %a : memref<4xf32>
}

// What the function does not own, or returns twice, is cloned.
// CHECK-LABEL: func.func @not_owned
// CHECK-NEXT:    %a = memref.alloc
// CHECK-NEXT:    [[A:%.*]] = bufferization.clone %a
// CHECK-NEXT:    [[X:%.*]] = bufferization.clone %x
// CHECK-NEXT:    return %a, [[A]], [[X]]
func.func @not_owned(%x: memref<4xf32>)
    -> (memref<4xf32>, memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  return %a, %a, %x : memref<4xf32>, memref<4xf32>, memref<4xf32>
}

// Which of the two is returned, only the running program knows.
// CHECK-LABEL: func.func @one_of_two
// CHECK:         [[S:%.*]] = bufferization.clone %s
// CHECK-NEXT:    memref.dealloc %a
// CHECK-NEXT:    return [[S]]
func.func @one_of_two(%c: i1, %x: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %a, %x : memref<4xf32>
  return %s : memref<4xf32>
}

// A result of a call is freed as a whole, also if it is a view.
// CHECK-LABEL: func.func @call
// CHECK-NEXT:    %a = func.call @returned
// CHECK-NEXT:    [[B:%.*]], %{{.*}}, %{{.*}}, %{{.*}} = memref.extract_strided_metadata %a
// CHECK-NEXT:    memref.dealloc [[B]]
// CHECK-NEXT:    return
func.func @call() {
  %a = func.call @returned() : () -> memref<4xf32>
  return
}

// CHECK-LABEL: func.func @call_indirect
// CHECK-NEXT:    %a = func.call_indirect %f() : () -> memref<4xf32>
// CHECK-NEXT:    [[B:%.*]], %{{.*}}, %{{.*}}, %{{.*}} = memref.extract_strided_metadata %a
// CHECK-NEXT:    memref.dealloc [[B]]
// CHECK-NEXT:    return
func.func @call_indirect(%f: () -> memref<4xf32>) {
  %a = func.call_indirect %f() : () -> memref<4xf32>
  return
}

// Returned on one path, freed on the other.
// CHECK-LABEL: func.func @two_returns
// CHECK:       ^bb1:
// CHECK-NEXT:    return %a
// CHECK-NEXT:  ^bb2:
// CHECK-NEXT:    memref.dealloc %a
// CHECK-NEXT:    [[X:%.*]] = bufferization.clone %x
// CHECK-NEXT:    return [[X]]
func.func @two_returns(%c: i1, %x: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %a : memref<4xf32>
^bb2:
  return %x : memref<4xf32>
}

// A tensor may outlive every memref, so its buffer is not freed.
// CHECK-LABEL: func.func @to_tensor
// CHECK-NOT:     dealloc
// CHECK:         return
func.func @to_tensor() -> tensor<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %t = bufferization.to_tensor %a : memref<4xf32> to tensor<4xf32>
  return %t : tensor<4xf32>
}

// CHECK-LABEL: func.func private @declared
func.func private @declared(memref<4xf32>) -> memref<4xf32>
