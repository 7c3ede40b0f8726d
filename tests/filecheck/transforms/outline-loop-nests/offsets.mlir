// RUN: xdsl-opt -t mlir-22 -p "outline-loop-nests{most-nests=1}" %s | filecheck %s

// Two rows of a buffer are at other places. The loops are equal all the same, as the
// place is passed. Views inside of the loops are at unknown places, too.

// CHECK-LABEL: func.func @rows(
// CHECK:         [[A:%.*]] = memref.cast %a : memref<8xf32, strided<[1], offset: 8>> to memref<8xf32, strided<[1], offset: ?>>
// CHECK-NEXT:    func.call @rows_nest_[[N:[0-9]+]]([[A]], %y)
// CHECK:         [[B:%.*]] = memref.cast %b : memref<8xf32, strided<[1], offset: 16>> to memref<8xf32, strided<[1], offset: ?>>
// CHECK-NEXT:    func.call @rows_nest_[[N]]([[B]], %y)
// CHECK:       func.func private @rows_nest_[[N]](
// CHECK:         memref.subview %{{.*}}[%{{.*}}] [1] [1] : memref<8xf32, strided<[1], offset: ?>> to memref<1xf32, strided<[1], offset: ?>>
// CHECK:         memref.subview %{{.*}}[4] [1] [1] : memref<8xf32, strided<[1], offset: ?>> to memref<1xf32, strided<[1], offset: ?>>
func.func @rows(%x: memref<3x8xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = memref.subview %x[1, 0] [1, 8] [1, 1] : memref<3x8xf32> to memref<8xf32, strided<[1], offset: 8>>
  %b = memref.subview %x[2, 0] [1, 8] [1, 1] : memref<3x8xf32> to memref<8xf32, strided<[1], offset: 16>>
  scf.for %i = %c0 to %c8 step %c1 {
    %p = memref.subview %a[%i] [1] [1] : memref<8xf32, strided<[1], offset: 8>> to memref<1xf32, strided<[1], offset: ?>>
    %q = memref.subview %a[4] [1] [1] : memref<8xf32, strided<[1], offset: 8>> to memref<1xf32, strided<[1], offset: 12>>
    %s = memref.load %p[%c0] : memref<1xf32, strided<[1], offset: ?>>
    %t = memref.load %q[%c0] : memref<1xf32, strided<[1], offset: 12>>
    %u = arith.addf %s, %t : f32
    memref.store %u, %y[%i] : memref<8xf32>
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %p = memref.subview %b[%i] [1] [1] : memref<8xf32, strided<[1], offset: 16>> to memref<1xf32, strided<[1], offset: ?>>
    %q = memref.subview %b[4] [1] [1] : memref<8xf32, strided<[1], offset: 16>> to memref<1xf32, strided<[1], offset: 20>>
    %s = memref.load %p[%c0] : memref<1xf32, strided<[1], offset: ?>>
    %t = memref.load %q[%c0] : memref<1xf32, strided<[1], offset: 20>>
    %u = arith.addf %s, %t : f32
    memref.store %u, %y[%i] : memref<8xf32>
  }
  return
}
