// RUN: xdsl-opt -t mlir-22 -p convert-memref-to-xsmm %s | filecheck %s

// CHECK-LABEL: func.func @matrix
// CHECK-NEXT: %[[COPY:.*]] = xsmm.unary.dispatch identity [32, 32, 128, 32] flags = (none) data_type = f32
// CHECK-NEXT: xsmm.unary identity(data_type = f32, %[[COPY]], %a, %b)
// CHECK-NEXT: return
func.func @matrix(%a: memref<32x32xf32, strided<[128, 1], offset: ?>>, %b: memref<32x32xf32, strided<[32, 1], offset: ?>>) {
  memref.copy %a, %b : memref<32x32xf32, strided<[128, 1], offset: ?>> to memref<32x32xf32, strided<[32, 1], offset: ?>>
  return
}

// CHECK-LABEL: func.func @row
// CHECK-NEXT: xsmm.unary.dispatch identity [1, 8, 8, 8] flags = (none) data_type = bf16
// CHECK-NEXT: xsmm.unary identity(data_type = bf16, %{{.*}}, %a, %b)
func.func @row(%a: memref<8xbf16>, %b: memref<8xbf16>) {
  memref.copy %a, %b : memref<8xbf16> to memref<8xbf16>
  return
}
