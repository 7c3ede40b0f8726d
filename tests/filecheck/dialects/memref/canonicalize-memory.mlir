// RUN: xbuf opt -p canonicalize --allow-unregistered-dialect %s | filecheck %s

// CHECK-LABEL: func.func @scope_ends_with_function
// CHECK-NEXT:    %0 = memref.alloca() : memref<4xf32>
// CHECK-NEXT:    "test.use"(%0)
// CHECK-NEXT:    return
func.func @scope_ends_with_function() {
  memref.alloca_scope {
    %0 = memref.alloca() : memref<4xf32>
    "test.use"(%0) : (memref<4xf32>) -> ()
  }
  return
}

// The memory would live on while more is allocated.
// CHECK-LABEL: func.func @scope_ends_before_function
// CHECK-NEXT:    memref.alloca_scope
func.func @scope_ends_before_function(%m: memref<4xf32>) {
  memref.alloca_scope {
    %0 = memref.alloca() : memref<4xf32>
    memref.copy %m, %0 : memref<4xf32> to memref<4xf32>
    "test.use"(%0) : (memref<4xf32>) -> ()
  }
  "test.more"() : () -> ()
  return
}

// CHECK-LABEL: func.func @scope_without_memory
// CHECK-NEXT:    memref.load %m
// CHECK-NEXT:    memref.store
// CHECK-NEXT:    "test.more"
func.func @scope_without_memory(%m: memref<4xf32>, %i: index) {
  %x = memref.alloca_scope -> (f32) {
    %0 = memref.load %m[%i] : memref<4xf32>
    memref.alloca_scope.return %0 : f32
  }
  memref.store %x, %m[%i] : memref<4xf32>
  "test.more"() : () -> ()
  return
}

// Each iteration would take more of the stack, but a loop is a scope by itself.
// CHECK-LABEL: func.func @scope_in_loop
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      memref.alloca()
// CHECK-NEXT:      "test.use"
func.func @scope_in_loop(%n: index, %one: index) {
  scf.for %i = %one to %n step %one {
    memref.alloca_scope {
      %0 = memref.alloca() : memref<4xf32>
      "test.use"(%0) : (memref<4xf32>) -> ()
    }
  }
  return
}

// CHECK-LABEL: func.func @scope_that_ends_with_all_around
// CHECK-NEXT:    %0 = memref.alloca(%n) : memref<?xf32>
// CHECK-NEXT:    "test.region"() ({
// CHECK-NEXT:      memref.alloca_scope
// CHECK-NEXT:        %1 = "test.size"
// CHECK-NEXT:        %2 = memref.alloca(%1)
func.func @scope_that_ends_with_all_around(%n: index) {
  "test.region"() ({
    memref.alloca_scope {
      %0 = memref.alloca(%n) : memref<?xf32>
      %1 = "test.size"() : () -> index
      %2 = memref.alloca(%1) : memref<?xf32>
      "test.use"(%0, %2) : (memref<?xf32>, memref<?xf32>) -> ()
    }
    "test.end"() : () -> ()
  }) : () -> ()
  return
}

// The source of a reallocation is freed, used or not. MLIR forgets it.
// CHECK-LABEL: func.func @reallocation_that_nobody_reads
// CHECK-NEXT:    memref.dealloc %m : memref<4xf32>
// CHECK-NEXT:    return
func.func @reallocation_that_nobody_reads(%m: memref<4xf32>, %x: f32, %i: index) {
  %0 = memref.realloc %m : memref<4xf32> to memref<8xf32>
  memref.store %x, %0[%i] : memref<8xf32>
  memref.dealloc %0 : memref<8xf32>
  return
}

// CHECK-LABEL: func.func @alignments
// CHECK-NEXT:    %0 = memref.assume_alignment %m, 32
// CHECK-NEXT:    %1 = memref.assume_alignment %0, 64
// CHECK-NEXT:    return %0, %1
func.func @alignments(%m: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
  %0 = memref.assume_alignment %m, 32 : memref<4xf32>
  %1 = memref.assume_alignment %0, 16 : memref<4xf32>
  %2 = memref.assume_alignment %0, 64 : memref<4xf32>
  return %1, %2 : memref<4xf32>, memref<4xf32>
}

// CHECK-LABEL: func.func @views
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %0 = memref.view %bytes[%c0][] : memref<8xi8> to memref<2xf32>
// CHECK-NEXT:    return %bytes, %0
func.func @views(%bytes: memref<8xi8>) -> (memref<8xi8>, memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %0 = memref.view %bytes[%c0][] : memref<8xi8> to memref<8xi8>
  %1 = memref.cast %bytes : memref<8xi8> to memref<?xi8>
  %2 = memref.view %1[%c0][] : memref<?xi8> to memref<2xf32>
  return %0, %2 : memref<8xi8>, memref<2xf32>
}

// CHECK-LABEL: func.func @same_reinterpreted
// CHECK-NEXT:    %0 = memref.reinterpret_cast %n
// CHECK-NEXT:    return %m, %0
func.func @same_reinterpreted(%m: memref<2x3xf32>, %n: memref<2xf32, strided<[1], offset: ?>>, %o: index)
    -> (memref<2x3xf32>, memref<2xf32, strided<[1], offset: ?>>) {
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [2, 3], strides: [3, 1] : memref<2x3xf32> to memref<2x3xf32>
  %1 = memref.reinterpret_cast %n to offset: [%o], sizes: [2], strides: [1] : memref<2xf32, strided<[1], offset: ?>> to memref<2xf32, strided<[1], offset: ?>>
  return %0, %1 : memref<2x3xf32>, memref<2xf32, strided<[1], offset: ?>>
}

// CHECK-LABEL: func.func @put_together_to_less
// CHECK-NEXT:    %0 = memref.cast %m : memref<8x2xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:    return %0
func.func @put_together_to_less(%m: memref<8x2xf32>) -> memref<?x?xf32, strided<[?, ?], offset: ?>> {
  %base, %o, %n0, %n1, %s0, %s1 = memref.extract_strided_metadata %m : memref<8x2xf32> -> memref<f32>, index, index, index, index, index
  %0 = memref.reinterpret_cast %base to offset: [%o], sizes: [%n0, 2], strides: [%s0, %s1] : memref<f32> to memref<?x2xf32, strided<[?, ?], offset: ?>>
  %1 = memref.cast %0 : memref<?x2xf32, strided<[?, ?], offset: ?>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  return %1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
}

// What a cast says of its source is known, too.
// CHECK-LABEL: func.func @metadata_of_promise
// CHECK-DAG:     [[O:%.*]] = arith.constant 3 : index
// CHECK-DAG:     [[N:%.*]] = arith.constant 4 : index
// CHECK-NEXT:    return [[O]], [[N]]
func.func @metadata_of_promise(%m: memref<?xf32, strided<[1], offset: ?>>) -> (index, index) {
  %0 = memref.cast %m : memref<?xf32, strided<[1], offset: ?>> to memref<4xf32, strided<[1], offset: 3>>
  %base, %o, %n, %s = memref.extract_strided_metadata %0 : memref<4xf32, strided<[1], offset: 3>> -> memref<f32>, index, index, index
  return %o, %n : index, index
}

// CHECK-LABEL: func.func @stride_of_zero
// CHECK:         memref.subview %m[0] [4] [%c0]
func.func @stride_of_zero(%m: memref<4xf32>) -> memref<4xf32, strided<[?]>> {
  %c0 = arith.constant 0 : index
  %0 = memref.subview %m[0] [4] [%c0] : memref<4xf32> to memref<4xf32, strided<[?]>>
  return %0 : memref<4xf32, strided<[?]>>
}

// CHECK-LABEL: func.func @constant_of_index_dialect
// CHECK:         memref.alloc() : memref<7xf32>
func.func @constant_of_index_dialect() -> memref<?xf32> {
  %n = index.constant 7
  %0 = memref.alloc(%n) : memref<?xf32>
  return %0 : memref<?xf32>
}
