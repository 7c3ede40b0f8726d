// RUN: xdsl-opt -t mlir-22 -p 'bufferize-function-signatures{result-conversion=append flatten-tuples}' %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p 'bufferize-function-signatures{flatten-tuples}' %s | filecheck %s --check-prefix KEEP

// CHECK:      func.func private @declared(memref<5xf32> {test.a}, i1 {test.b}, memref<2xf32> {test.b}, memref<5xf32> {test.c}) -> (i1 {test.d})
// KEEP:      func.func private @declared(memref<5xf32> {test.a}, i1 {test.b}, memref<2xf32> {test.b}) -> (memref<5xf32> {test.c}, i1 {test.d})
func.func private @declared(tensor<5xf32> {test.a}, tuple<i1, tensor<2xf32>> {test.b}) -> (tensor<5xf32> {test.c}, i1 {test.d})

// CHECK:      func.func @results_only(%0: memref<5xf32> {test.r}) -> i1 {
// CHECK-NEXT:   %1, %2 = "test.op"() : () -> (i1, tensor<5xf32>)
// CHECK-NEXT:   %3 = bufferization.to_buffer %2 : tensor<5xf32> to memref<5xf32>
// CHECK-NEXT:   memref.copy %3, %0 : memref<5xf32> to memref<5xf32>
// CHECK-NEXT:   func.return %1 : i1
// CHECK-NEXT: }
// KEEP:      func.func @results_only() -> (i1, memref<5xf32> {test.r}) {
// KEEP-NEXT:   %0, %1 = "test.op"() : () -> (i1, tensor<5xf32>)
// KEEP-NEXT:   %2 = bufferization.to_buffer %1 : tensor<5xf32> to memref<5xf32>
// KEEP-NEXT:   func.return %0, %2 : i1, memref<5xf32>
// KEEP-NEXT: }
func.func @results_only() -> (i1, tensor<5xf32> {test.r}) {
  %0, %1 = "test.op"() : () -> (i1, tensor<5xf32>)
  return %0, %1 : i1, tensor<5xf32>
}

// CHECK:      func.func @call(%a: memref<5xf32>, %0: i1, %1: memref<2xf32>, %2: memref<5xf32>) {
// CHECK-NEXT:   %3 = memref.alloc() : memref<5xf32>
// CHECK-NEXT:   %4 = func.call @declared(%a, %0, %1, %3) {tag} : (memref<5xf32>, i1, memref<2xf32>, memref<5xf32>) -> i1
// CHECK-NEXT:   memref.copy %3, %2 : memref<5xf32> to memref<5xf32>
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
// KEEP:      func.func @call(%a: memref<5xf32>, %0: i1, %1: memref<2xf32>) -> memref<5xf32> {
// KEEP-NEXT:   %2, %3 = func.call @declared(%a, %0, %1) {tag} : (memref<5xf32>, i1, memref<2xf32>) -> (memref<5xf32>, i1)
// KEEP-NEXT:   func.return %2 : memref<5xf32>
// KEEP-NEXT: }
func.func @call(%a: tensor<5xf32>, %b: tuple<i1, tensor<2xf32>>) -> tensor<5xf32> {
  %0, %1 = func.call @declared(%a, %b) {tag} : (tensor<5xf32>, tuple<i1, tensor<2xf32>>) -> (tensor<5xf32>, i1)
  return %0 : tensor<5xf32>
}
