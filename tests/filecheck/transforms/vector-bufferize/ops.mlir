// RUN: xdsl-opt -t mlir-22 -p vector-bufferize %s | filecheck %s

// The example of the talk.
// CHECK:      func.func @chain(%t0: tensor<16xf32>, %data1: vector<4xf32>, %data2: vector<4xf32>, %data3: vector<4xf32>) -> tensor<16xf32> {
// CHECK-NEXT:   %0 = bufferization.to_buffer %t0 {bufferization.core} : tensor<16xf32> to memref<16xf32>
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c5 = arith.constant 5 : index
// CHECK-NEXT:   %c10 = arith.constant 10 : index
// CHECK-NEXT:   %t1 = memref.alloc() {alignment = 64 : i64} : memref<16xf32>
// CHECK-NEXT:   memref.copy %0, %t1 : memref<16xf32> to memref<16xf32>
// CHECK-NEXT:   vector.transfer_write %data1, %t1[%c0] : vector<4xf32>, memref<16xf32>
// CHECK-NEXT:   %t2 = memref.alloc() {alignment = 64 : i64} : memref<16xf32>
// CHECK-NEXT:   memref.copy %t1, %t2 : memref<16xf32> to memref<16xf32>
// CHECK-NEXT:   vector.transfer_write %data2, %t2[%c5] : vector<4xf32>, memref<16xf32>
// CHECK-NEXT:   %t3 = memref.alloc() {alignment = 64 : i64} : memref<16xf32>
// CHECK-NEXT:   memref.copy %t2, %t3 : memref<16xf32> to memref<16xf32>
// CHECK-NEXT:   vector.transfer_write %data3, %t3[%c10] : vector<4xf32>, memref<16xf32>
// CHECK-NEXT:   %t3_1 = bufferization.to_tensor %t3 : memref<16xf32> to tensor<16xf32>
// CHECK-NEXT:   func.return %t3_1 : tensor<16xf32>
// CHECK-NEXT: }
func.func @chain(%t0: tensor<16xf32>, %data1: vector<4xf32>, %data2: vector<4xf32>, %data3: vector<4xf32>) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %c10 = arith.constant 10 : index
  %t1 = vector.transfer_write %data1, %t0[%c0] : vector<4xf32>, tensor<16xf32>
  %t2 = vector.transfer_write %data2, %t1[%c5] : vector<4xf32>, tensor<16xf32>
  %t3 = vector.transfer_write %data3, %t2[%c10] : vector<4xf32>, tensor<16xf32>
  return %t3 : tensor<16xf32>
}
