// RUN: xdsl-opt -p ownership-based-buffer-deallocation,buffer-deallocation-simplification %s | filecheck %s

// The example of the document that introduced the pass, "Ownership-based Buffer
// Deallocation" (llvm-project pull request 66337), in today's syntax.
//
// The document passes an i1 value along with the block argument, and compares at run
// time which buffer `%s` is. Here `%a`, which `%s` may be, stays the owner until
// `%s` is not needed any more: nothing depends on the way that was taken.

// CHECK-LABEL: func.func @example
// CHECK:         %a = memref.alloc(%n) : memref<?xi8>
// CHECK-NEXT:    %l = memref.alloca(%n) : memref<?xi8>
// CHECK-NEXT:    %s = arith.select %sc, %a, %l : memref<?xi8>
// CHECK-NEXT:    cf.cond_br %bc, ^[[JOIN:.*]](%a : memref<?xi8>), ^[[JOIN]](%arg : memref<?xi8>)
// CHECK-NEXT:  ^[[JOIN]](%x: memref<?xi8>):
// CHECK-NEXT:    memref.copy %x, %s
// CHECK-NEXT:    bufferization.dealloc (%a : memref<?xi8>) if (%{{.*}}){{$}}
// CHECK-NEXT:    func.return
func.func @example(%arg: memref<?xi8>, %sc: i1, %bc: i1, %n: index) {
  %a = memref.alloc(%n) : memref<?xi8>
  %l = memref.alloca(%n) : memref<?xi8>
  %s = arith.select %sc, %a, %l : memref<?xi8>
  cf.cond_br %bc, ^join(%a : memref<?xi8>), ^join(%arg : memref<?xi8>)
^join(%x: memref<?xi8>):
  memref.copy %x, %s : memref<?xi8> to memref<?xi8>
  return
}
