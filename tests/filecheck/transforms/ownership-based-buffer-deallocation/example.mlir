// RUN: xdsl-opt -t mlir-22 -p ownership-based-buffer-deallocation,buffer-deallocation-simplification %s | filecheck %s

// The example of the document that introduced the pass, "Ownership-based Buffer
// Deallocation" (llvm-project pull request 66337), in today's syntax.
//
// As in the document, i1 values next to the block argument, and for `%s`, say who owns
// what; `%a` is compared with `%s` only on the path on which nothing else needs it.

// CHECK-LABEL: func.func @example
// CHECK-DAG:     %[[FALSE:.*]] = arith.constant false
// CHECK-DAG:     %[[TRUE:.*]] = arith.constant true
// CHECK:         %a = memref.alloc(%n) : memref<?xi8>
// CHECK-NEXT:    %l = memref.alloca(%n) : memref<?xi8>
// CHECK-NEXT:    %s = arith.select %sc, %a, %l : memref<?xi8>
// CHECK-NEXT:    cf.cond_br %bc, ^[[ONE:.*]](%a : memref<?xi8>), ^[[OTHER:.*]](%arg : memref<?xi8>)
// CHECK-NEXT:  ^[[ONE]](%[[X:.*]]: memref<?xi8>):
// CHECK-NEXT:    cf.br ^[[JOIN:.*]](%[[X]], %[[TRUE]], %[[FALSE]] : memref<?xi8>, i1, i1)
// CHECK-NEXT:  ^[[OTHER]](%[[Y:.*]]: memref<?xi8>):
// CHECK-NEXT:    %[[IS_S:.*]] = bufferization.dealloc (%a : memref<?xi8>) if (%[[TRUE]]) retain (%s : memref<?xi8>)
// CHECK-NEXT:    cf.br ^[[JOIN]](%[[Y]], %[[FALSE]], %[[IS_S]] : memref<?xi8>, i1, i1)
// CHECK-NEXT:  ^[[JOIN]](%x: memref<?xi8>, %[[OWNS_X:.*]]: i1, %[[OWNS_S:.*]]: i1):
// CHECK-NEXT:    memref.copy %x, %s
// CHECK:         bufferization.dealloc (%{{.*}} : memref<i8>) if (%[[OWNS_X]]){{$}}
// CHECK:         bufferization.dealloc (%{{.*}} : memref<i8>) if (%[[OWNS_S]]){{$}}
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
