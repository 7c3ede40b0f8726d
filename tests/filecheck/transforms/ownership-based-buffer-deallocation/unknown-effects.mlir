// RUN: xdsl-opt -t mlir-22 -p ownership-based-buffer-deallocation --allow-unregistered-dialect %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p "buffer-deallocation{strategy=clone}" --allow-unregistered-dialect %s | filecheck %s --check-prefix CLONE
// RUN: xdsl-opt -t mlir-22 -p "buffer-deallocation{strategy=copy}" --allow-unregistered-dialect %s | filecheck %s --check-prefix CLONE

// An op that nobody registered is taken to neither free nor keep what it is given.

// CHECK-LABEL: func.func @unregistered
// CHECK:         "somebody.elses"(%a)
// CHECK-NEXT:    bufferization.dealloc (%a : memref<4xf32>) if (%{{.*}})
// CHECK-NEXT:    func.return
// CLONE:         "somebody.elses"(%a)
// CLONE-NEXT:    memref.dealloc %a
// CLONE-NEXT:    func.return
func.func @unregistered() {
  %a = memref.alloc() : memref<4xf32>
  "somebody.elses"(%a) : (memref<4xf32>) -> ()
  return
}
