// RUN: xdsl-opt -t mlir-22 -p 'buffer-results-to-out-params{hoist-static-allocs}' %s | filecheck %s

// CHECK:      func.func private @static(%0: memref<5xf32>) {
// CHECK-NEXT:   func.return
func.func private @static() -> memref<5xf32> {
  %0 = memref.alloc() : memref<5xf32>
  return %0 : memref<5xf32>
}

// A buffer can only be one of the caller's two.

// CHECK:      func.func private @twice(%0: memref<5xf32>, %1: memref<5xf32>) {
// CHECK-NEXT:   memref.copy %0, %1 : memref<5xf32> to memref<5xf32>
// CHECK-NEXT:   func.return
func.func private @twice() -> (memref<5xf32>, memref<5xf32>) {
  %0 = memref.alloc() : memref<5xf32>
  return %0, %0 : memref<5xf32>, memref<5xf32>
}

// CHECK:      func.func private @one_in_each_branch(%c: i1, %0: memref<5xf32>) {
// CHECK-NEXT:   cf.cond_br %c, ^a, ^b
// CHECK-NEXT: ^a:
// CHECK-NEXT:   func.return
// CHECK-NEXT: ^b:
// CHECK-NEXT:   func.return
func.func private @one_in_each_branch(%c: i1) -> memref<5xf32> {
  cf.cond_br %c, ^a, ^b
^a:
  %0 = memref.alloc() : memref<5xf32>
  return %0 : memref<5xf32>
^b:
  %1 = memref.alloc() : memref<5xf32>
  return %1 : memref<5xf32>
}

// Two buffers that live at the same time stay two.

// CHECK-LABEL: func.func private @two_at_a_time
// CHECK-COUNT-2: memref.alloc
// CHECK:         memref.copy %1, %0
// CHECK:         memref.copy %2, %0
func.func private @two_at_a_time(%c: i1) -> memref<5xf32> {
  %0 = memref.alloc() : memref<5xf32>
  %1 = memref.alloc() : memref<5xf32>
  "test.op"(%0, %1) : (memref<5xf32>, memref<5xf32>) -> ()
  cf.cond_br %c, ^a, ^b
^a:
  return %0 : memref<5xf32>
^b:
  return %1 : memref<5xf32>
}

// So do those of the iterations of a loop.

// CHECK-LABEL: func.func private @one_each_iteration
// CHECK:         memref.alloc() : memref<5xf32>
// CHECK:         memref.copy %{{.*}}, %0
func.func private @one_each_iteration(%c: i1, %m: memref<5xf32>) -> memref<5xf32> {
  cf.br ^loop(%m : memref<5xf32>)
^loop(%old: memref<5xf32>):
  %new = memref.alloc() : memref<5xf32>
  "test.op"(%old, %new) : (memref<5xf32>, memref<5xf32>) -> ()
  cf.cond_br %c, ^loop(%new : memref<5xf32>), ^exit
^exit:
  return %new : memref<5xf32>
}

// A clone has contents.

// CHECK-LABEL: func.func private @clone
// CHECK:         bufferization.clone
// CHECK:         memref.copy
func.func private @clone(%m: memref<5xf32>) -> memref<5xf32> {
  %0 = bufferization.clone %m : memref<5xf32> to memref<5xf32>
  return %0 : memref<5xf32>
}
