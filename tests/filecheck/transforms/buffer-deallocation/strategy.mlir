// RUN: xdsl-opt -t mlir-22 -p buffer-deallocation %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p "buffer-deallocation{strategy=ownership}" %s | filecheck %s

// CHECK-LABEL: func.func @f
// CHECK:         bufferization.dealloc (%a : memref<4xf32>) if (%{{.*}}){{$}}
// CHECK-NEXT:    func.return
func.func @f() {
  %a = memref.alloc() : memref<4xf32>
  return
}
