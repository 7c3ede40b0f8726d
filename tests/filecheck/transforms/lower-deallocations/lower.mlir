// RUN: xdsl-opt -t mlir-22 -p lower-deallocations %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p bufferization-lower-deallocations %s | filecheck %s

// CHECK-LABEL: func.func @always
// CHECK-NEXT:    memref.dealloc %a : memref<2xf32>
// CHECK-NEXT:    func.return
func.func @always(%a: memref<2xf32>) {
  %true = arith.constant true
  bufferization.dealloc (%a : memref<2xf32>) if (%true)
  return
}

// CHECK-LABEL: func.func @conditional
// CHECK-NEXT:    scf.if %c {
// CHECK-NEXT:      memref.dealloc %a : memref<2xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
func.func @conditional(%a: memref<2xf32>, %c: i1) {
  bufferization.dealloc (%a : memref<2xf32>) if (%c)
  return
}

// CHECK-LABEL: func.func @retained
// CHECK-NEXT:    %[[A:.*]] = memref.extract_aligned_pointer_as_index %a
// CHECK-NEXT:    %[[R:.*]] = memref.extract_aligned_pointer_as_index %r
// CHECK-NEXT:    %[[NE:.*]] = arith.cmpi ne, %[[A]], %[[R]] : index
// CHECK-NEXT:    %[[FREE:.*]] = arith.andi %c, %[[NE]] : i1
// CHECK-NEXT:    %[[EQ:.*]] = arith.cmpi eq, %[[A]], %[[R]] : index
// CHECK-NEXT:    %[[OWN:.*]] = arith.andi %c, %[[EQ]] : i1
// CHECK-NEXT:    scf.if %[[FREE]] {
// CHECK-NEXT:      memref.dealloc %a : memref<2xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %[[OWN]]
func.func @retained(%a: memref<2xf32>, %r: memref<2xf32>, %c: i1) -> i1 {
  %o = bufferization.dealloc (%a : memref<2xf32>) if (%c) retain (%r : memref<2xf32>)
  return %o : i1
}

// Two memrefs that may share an allocation: the second is freed unless the first was due.

// CHECK-LABEL: func.func @two
// CHECK-NEXT:    %[[A:.*]] = memref.extract_aligned_pointer_as_index %a
// CHECK-NEXT:    %[[B:.*]] = memref.extract_aligned_pointer_as_index %b
// CHECK-NEXT:    %[[NE:.*]] = arith.cmpi ne, %[[B]], %[[A]] : index
// CHECK-NEXT:    %[[TRUE:.*]] = arith.constant true
// CHECK-NEXT:    %[[NOT:.*]] = arith.xori %c, %[[TRUE]] : i1
// CHECK-NEXT:    %[[OR:.*]] = arith.ori %[[NE]], %[[NOT]] : i1
// CHECK-NEXT:    %[[FREE:.*]] = arith.andi %d, %[[OR]] : i1
// CHECK-NEXT:    scf.if %c {
// CHECK-NEXT:      memref.dealloc %a : memref<2xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    scf.if %[[FREE]] {
// CHECK-NEXT:      memref.dealloc %b : memref<2xf32>
// CHECK-NEXT:    }
func.func @two(%a: memref<2xf32>, %b: memref<2xf32>, %c: i1, %d: i1) {
  bufferization.dealloc (%a, %b : memref<2xf32>, memref<2xf32>) if (%c, %d)
  return
}

// Nothing to free, and the results still have values.

// CHECK-LABEL: func.func @nothing
// CHECK-NEXT:    %[[FALSE:.*]] = arith.constant false
// CHECK-NEXT:    func.return %[[FALSE]]
func.func @nothing(%r: memref<2xf32>) -> i1 {
  bufferization.dealloc
  %o = bufferization.dealloc retain (%r : memref<2xf32>)
  return %o : i1
}

// Memrefs without a rank have an aligned pointer, too.

// CHECK-LABEL: func.func @unranked
// CHECK-NEXT:    %[[A:.*]] = memref.extract_aligned_pointer_as_index %a : memref<*xf32> -> index
// CHECK-NEXT:    %[[R:.*]] = memref.extract_aligned_pointer_as_index %r : memref<2xf32> -> index
// CHECK-NEXT:    %[[NE:.*]] = arith.cmpi ne, %[[A]], %[[R]] : index
// CHECK-NEXT:    %[[FREE:.*]] = arith.andi %c, %[[NE]] : i1
// CHECK-NEXT:    scf.if %[[FREE]] {
// CHECK-NEXT:      memref.dealloc %a : memref<*xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
func.func @unranked(%a: memref<*xf32>, %r: memref<2xf32>, %c: i1) {
  %o = bufferization.dealloc (%a : memref<*xf32>) if (%c) retain (%r : memref<2xf32>)
  return
}
