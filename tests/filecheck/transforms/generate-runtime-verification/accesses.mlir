// RUN: xdsl-opt -t mlir-22 -p generate-runtime-verification %s | filecheck %s

// A number that is known to be right is not checked.
// CHECK-LABEL: func.func @load(
func.func @load(%m: memref<?x4xf32>, %i: index) -> f32 {
  // CHECK: [[SIZE:%.*]] = memref.dim %m, {{%.*}} : memref<?x4xf32>
  // CHECK-NEXT: [[IN:%.*]] = arith.cmpi ult, %i, [[SIZE]] : index
  // CHECK-NEXT: cf.assert [[IN]], "'memref.load': index ? is out of bounds: dimension 0 has size ?"
  // CHECK-NEXT: memref.load
  %c3 = arith.constant 3 : index
  %x = memref.load %m[%i, %c3] : memref<?x4xf32>
  return %x : f32
}

// CHECK-LABEL: func.func @static(
func.func @static(%m: memref<8xf32>) -> f32 {
  // CHECK-NOT: cf.assert
  %c3 = arith.constant 3 : index
  %x = memref.load %m[%c3] : memref<8xf32>
  return %x : f32
}

// CHECK-LABEL: func.func @always_wrong(
func.func @always_wrong(%m: memref<2xf32>) -> f32 {
  // CHECK: [[NO:%.*]] = arith.constant false
  // CHECK: cf.assert [[NO]], "'memref.load': index 3 is out of bounds: dimension 0 has size 2"
  %c3 = arith.constant 3 : index
  %x = memref.load %m[%c3] : memref<2xf32>
  return %x : f32
}

// CHECK-LABEL: func.func @affine(
func.func @affine(%m: memref<8xf32>, %i: index) -> f32 {
  // CHECK: [[AT:%.*]] = affine.apply {{.*}}(%i)
  // CHECK-NEXT: arith.cmpi ult, [[AT]], {{%.*}} : index
  // CHECK-NEXT: cf.assert {{.*}}'affine.load'
  %x = affine.load %m[%i + 2] : memref<8xf32>
  return %x : f32
}

// Only the elements that the mask selects must be there.
// CHECK-LABEL: func.func @masked(
func.func @masked(
  %m: memref<?xf32>, %i: index, %mask: vector<4xi1>, %pass: vector<4xf32>
) -> vector<4xf32> {
  // CHECK: [[ROOM:%.*]] = arith.subi {{%.*}}, %i : index
  // CHECK-NEXT: [[THERE:%.*]] = vector.create_mask [[ROOM]] : vector<4xi1>
  // CHECK: [[OUT:%.*]] = arith.xori %mask, {{%.*}} : vector<4xi1>
  // CHECK-NEXT: [[OK:%.*]] = arith.ori [[THERE]], [[OUT]] : vector<4xi1>
  // CHECK-NEXT: vector.reduction <and>, [[OK]] : vector<4xi1> into i1
  // CHECK-NEXT: cf.assert
  %x = vector.maskedload %m[%i], %mask, %pass
    : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %x : vector<4xf32>
}
