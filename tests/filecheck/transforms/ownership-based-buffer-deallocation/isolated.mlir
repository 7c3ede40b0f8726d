// RUN: xdsl-opt -t mlir-22 -p ownership-based-buffer-deallocation %s | filecheck %s

// What is isolated from above is a world of its own, wherever it stands: its buffers
// are freed inside, and those around it are none of its business.

// CHECK-LABEL: func.func @outer
// CHECK:         %a = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    builtin.module {
// CHECK-NEXT:      func.func @inner() -> memref<4xf32> {
// CHECK:             bufferization.dealloc (%c : memref<4xf32>)
// CHECK-NEXT:        func.return %b
// CHECK:         memref.copy %a, %out
// CHECK-NEXT:    bufferization.dealloc (%a : memref<4xf32>)
// CHECK-NEXT:    func.return
func.func @outer(%out: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  builtin.module {
    func.func @inner() -> memref<4xf32> {
      %b = memref.alloc() : memref<4xf32>
      %c = memref.alloc() : memref<4xf32>
      return %b : memref<4xf32>
    }
  }
  memref.copy %a, %out : memref<4xf32> to memref<4xf32>
  return
}

// CHECK-LABEL: "gpu.func"
// CHECK:         ^{{.*}}(%x: memref<4xf32>):
// CHECK:         memref.copy %x, %k
// CHECK-NEXT:    bufferization.dealloc (%k : memref<4xf32>)
// CHECK-NEXT:    "gpu.return"
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (memref<4xf32>) -> (), kernel}> ({
  ^bb0(%x: memref<4xf32>):
    %k = memref.alloc() : memref<4xf32>
    memref.copy %x, %k : memref<4xf32> to memref<4xf32>
    "gpu.return"() : () -> ()
  }) {sym_name = "kernel"} : () -> ()
}) : () -> ()
