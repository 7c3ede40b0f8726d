// RUN: xdsl-opt -p drop-deallocations %s | filecheck %s
// RUN: xdsl-opt -p drop-deallocations,buffer-deallocation-pipeline %s | filecheck %s --check-prefix AGAIN

// CHECK-LABEL: func.func @by_hand
// CHECK: memref.load
// CHECK-NEXT: func.return
// AGAIN-LABEL: func.func @by_hand
// AGAIN: memref.dealloc %a
// AGAIN-NEXT: func.return
func.func @by_hand(%x: f32, %i: index) -> f32 {
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%i] : memref<4xf32>
  %y = memref.load %a[%i] : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return %y : f32
}

// The callers of a private function free what they pass.
// CHECK-LABEL: func.func private @takes
// CHECK-NEXT: func.return
func.func private @takes(%a: memref<4xf32>) {
  memref.dealloc %a : memref<4xf32>
  return
}

func.func private @makes() -> memref<4xf32>

// CHECK-LABEL: func.func @of_calls
// CHECK-NEXT: func.call @makes
// CHECK-NEXT: func.return
// AGAIN-LABEL: func.func @of_calls
// AGAIN: memref.dealloc
// AGAIN-NEXT: func.return
func.func @of_calls() {
  %a = func.call @makes() : () -> memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}

// Nobody frees a marked buffer but the program.
// CHECK-LABEL: func.func @marked
// CHECK: memref.dealloc %a
// AGAIN-LABEL: func.func @marked
// AGAIN: memref.dealloc %a
// AGAIN-NOT: memref.dealloc
func.func @marked() {
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
  memref.dealloc %a {bufferization.manual_deallocation} : memref<4xf32>
  return
}
