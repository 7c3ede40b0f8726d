// RUN: xdsl-opt -t mlir-22 -p generate-runtime-verification %s | filecheck %s

// CHECK-LABEL: func.func @subview(
func.func @subview(%m: memref<?xf32>, %i: index, %n: index) {
  // CHECK: cf.assert {{.*}}'memref.subview': the size ? of dimension 0 is negative
  // CHECK: cf.assert {{.*}}'memref.subview': offset ? is out of bounds: dimension 0 has size ?
  // CHECK: cf.assert {{.*}}'memref.subview': the slice of ? elements from ? on is out of bounds: dimension 0 has size ?
  // CHECK: memref.subview
  %v = memref.subview %m[%i] [%n] [1]
    : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  return
}

// CHECK-LABEL: func.func @cast(
func.func @cast(%m: memref<?x?xf32, strided<[?, 1]>>) -> memref<4x8xf32> {
  // CHECK: cf.assert {{.*}}'memref.cast': size ? of dimension 0 is not 4
  // CHECK: cf.assert {{.*}}'memref.cast': size ? of dimension 1 is not 8
  // CHECK: cf.assert {{.*}}'memref.cast': stride ? of dimension 0 is not 8
  // CHECK: memref.cast
  %c = memref.cast %m : memref<?x?xf32, strided<[?, 1]>> to memref<4x8xf32>
  return %c : memref<4x8xf32>
}

// The loops of an op have the sizes that are known, if any operand knows them.
// CHECK-LABEL: func.func @matmul(
func.func @matmul(%a: memref<4x?xf32>, %b: memref<?x8xf32>, %c: memref<?x8xf32>) {
  // CHECK: cf.assert {{.*}}'linalg.matmul': size ? of dimension 1 of operand 0 is not the ? of loop 2
  // CHECK: cf.assert {{.*}}'linalg.matmul': size ? of dimension 0 of operand 2 is not the 4 of loop 0
  // CHECK-NOT: cf.assert
  // CHECK: linalg.matmul
  linalg.matmul ins(%a, %b : memref<4x?xf32>, memref<?x8xf32>) outs(%c : memref<?x8xf32>)
  return
}

// CHECK-LABEL: func.func @loop(
func.func @loop(%n: index, %a: i32, %b: i32) {
  // CHECK: arith.cmpi sgt, %n, {{%.*}} : index
  // CHECK-NEXT: cf.assert {{.*}}'scf.for': step ? is not positive
  // CHECK: arith.cmpi ne, %b, {{%.*}} : i32
  // CHECK-NEXT: cf.assert {{.*}}'arith.divsi': division by zero
  // CHECK: cf.assert {{.*}}'arith.divsi': -2147483648 divided by -1 does not fit i32
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c0 to %c9 step %n {
    %x = arith.divsi %a, %b : i32
  }
  return
}
