// RUN: xbuf opt -p verify-deallocation %s 2>&1 | filecheck %s

// What `mlir-opt-22 -buffer-deallocation-pipeline` makes of a loop that may replace its
// buffer. A function with tables decides what is freed; no number says so directly.

// CHECK-NOT: remark
// CHECK:     func.func @grow
func.func @grow(%arg0: f32, %arg1: index, %arg2: i1) -> memref<4xf32> {
  %false = arith.constant false
  %true = arith.constant true
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %alloc = memref.alloc() : memref<4xf32>
  linalg.fill ins(%arg0 : f32) outs(%alloc : memref<4xf32>)
  %0:2 = scf.for %arg3 = %c0 to %arg1 step %c1 iter_args(%arg4 = %alloc, %arg5 = %false) -> (memref<4xf32>, i1) {
    %4 = scf.if %arg2 -> (memref<4xf32>) {
      %alloc_17 = memref.alloc() : memref<4xf32>
      linalg.add ins(%arg4, %arg4 : memref<4xf32>, memref<4xf32>) outs(%alloc_17 : memref<4xf32>)
      scf.yield %alloc_17 : memref<4xf32>
    } else {
      scf.yield %arg4 : memref<4xf32>
    }
    %base_buffer_11, %offset_12, %sizes_13, %strides_14 = memref.extract_strided_metadata %arg4 : memref<4xf32> -> memref<f32>, index, index, index
    %intptr_15 = memref.extract_aligned_pointer_as_index %base_buffer_11 : memref<f32> -> index
    %intptr_16 = memref.extract_aligned_pointer_as_index %4 : memref<4xf32> -> index
    %5 = arith.cmpi ne, %intptr_15, %intptr_16 : index
    %6 = arith.andi %5, %arg5 : i1
    scf.if %6 {
      memref.dealloc %base_buffer_11 : memref<f32>
    }
    %7 = arith.cmpi eq, %intptr_15, %intptr_16 : index
    %8 = arith.andi %7, %arg5 : i1
    %9 = arith.ori %8, %arg2 : i1
    scf.yield %4, %9 : memref<4xf32>, i1
  }
  %1 = scf.if %0#1 -> (memref<4xf32>) {
    scf.yield %0#0 : memref<4xf32>
  } else {
    %4 = bufferization.clone %0#0 : memref<4xf32> to memref<4xf32>
    scf.yield %4 : memref<4xf32>
  }
  %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %0#0 : memref<4xf32> -> memref<f32>, index, index, index
  %alloc_0 = memref.alloc() : memref<2xindex>
  %alloc_1 = memref.alloc() : memref<2xi1>
  %alloc_2 = memref.alloc() : memref<1xindex>
  %intptr = memref.extract_aligned_pointer_as_index %alloc : memref<4xf32> -> index
  memref.store %intptr, %alloc_0[%c0] : memref<2xindex>
  %intptr_3 = memref.extract_aligned_pointer_as_index %base_buffer : memref<f32> -> index
  memref.store %intptr_3, %alloc_0[%c1] : memref<2xindex>
  memref.store %true, %alloc_1[%c0] : memref<2xi1>
  memref.store %0#1, %alloc_1[%c1] : memref<2xi1>
  %intptr_4 = memref.extract_aligned_pointer_as_index %1 : memref<4xf32> -> index
  memref.store %intptr_4, %alloc_2[%c0] : memref<1xindex>
  %cast = memref.cast %alloc_0 : memref<2xindex> to memref<?xindex>
  %cast_5 = memref.cast %alloc_1 : memref<2xi1> to memref<?xi1>
  %cast_6 = memref.cast %alloc_2 : memref<1xindex> to memref<?xindex>
  %alloc_7 = memref.alloc() : memref<2xi1>
  %alloc_8 = memref.alloc() : memref<1xi1>
  %cast_9 = memref.cast %alloc_7 : memref<2xi1> to memref<?xi1>
  %cast_10 = memref.cast %alloc_8 : memref<1xi1> to memref<?xi1>
  call @dealloc_helper(%cast, %cast_6, %cast_5, %cast_9, %cast_10) : (memref<?xindex>, memref<?xindex>, memref<?xi1>, memref<?xi1>, memref<?xi1>) -> ()
  %2 = memref.load %alloc_7[%c0] : memref<2xi1>
  scf.if %2 {
    memref.dealloc %alloc : memref<4xf32>
  }
  %3 = memref.load %alloc_7[%c1] : memref<2xi1>
  scf.if %3 {
    memref.dealloc %base_buffer : memref<f32>
  }
  memref.dealloc %alloc_0 : memref<2xindex>
  memref.dealloc %alloc_2 : memref<1xindex>
  memref.dealloc %alloc_1 : memref<2xi1>
  memref.dealloc %alloc_7 : memref<2xi1>
  memref.dealloc %alloc_8 : memref<1xi1>
  return %1 : memref<4xf32>
}
func.func private @dealloc_helper(%arg0: memref<?xindex>, %arg1: memref<?xindex>, %arg2: memref<?xi1>, %arg3: memref<?xi1>, %arg4: memref<?xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %dim = memref.dim %arg0, %c0 : memref<?xindex>
  %dim_0 = memref.dim %arg1, %c0 : memref<?xindex>
  scf.for %arg5 = %c0 to %dim_0 step %c1 {
    memref.store %false, %arg4[%arg5] : memref<?xi1>
  }
  scf.for %arg5 = %c0 to %dim step %c1 {
    %0 = memref.load %arg0[%arg5] : memref<?xindex>
    %1 = memref.load %arg2[%arg5] : memref<?xi1>
    %2 = scf.for %arg6 = %c0 to %dim_0 step %c1 iter_args(%arg7 = %true) -> (i1) {
      %5 = memref.load %arg1[%arg6] : memref<?xindex>
      %6 = arith.cmpi eq, %5, %0 : index
      scf.if %6 {
        %9 = memref.load %arg4[%arg6] : memref<?xi1>
        %10 = arith.ori %9, %1 : i1
        memref.store %10, %arg4[%arg6] : memref<?xi1>
      }
      %7 = arith.cmpi ne, %5, %0 : index
      %8 = arith.andi %arg7, %7 : i1
      scf.yield %8 : i1
    }
    %3 = scf.for %arg6 = %c0 to %arg5 step %c1 iter_args(%arg7 = %2) -> (i1) {
      %5 = memref.load %arg0[%arg6] : memref<?xindex>
      %6 = arith.cmpi ne, %5, %0 : index
      %7 = arith.andi %arg7, %6 : i1
      scf.yield %7 : i1
    }
    %4 = arith.andi %3, %1 : i1
    memref.store %4, %arg3[%arg5] : memref<?xi1>
  }
  return
}


// The function decides about two results of a branch. The first free says nothing of
// what the tables hold.

// CHECK: func.func @both
func.func @both(%c: i1) -> memref<4xf32> {
  %true = arith.constant true
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.if %c -> (memref<4xf32>, memref<4xf32>) {
    %one = memref.alloc() : memref<4xf32>
    scf.yield %one, %one : memref<4xf32>, memref<4xf32>
  } else {
    %one = memref.alloc() : memref<4xf32>
    %two = memref.alloc() : memref<4xf32>
    scf.yield %one, %two : memref<4xf32>, memref<4xf32>
  }
  %first, %offset, %sizes, %strides = memref.extract_strided_metadata %0#0 : memref<4xf32> -> memref<f32>, index, index, index
  %second, %offset_1, %sizes_1, %strides_1 = memref.extract_strided_metadata %0#1 : memref<4xf32> -> memref<f32>, index, index, index
  %pointers = memref.alloc() : memref<2xindex>
  %conditions = memref.alloc() : memref<2xi1>
  %retained = memref.alloc() : memref<1xindex>
  %p = memref.extract_aligned_pointer_as_index %first : memref<f32> -> index
  memref.store %p, %pointers[%c0] : memref<2xindex>
  %q = memref.extract_aligned_pointer_as_index %second : memref<f32> -> index
  memref.store %q, %pointers[%c1] : memref<2xindex>
  memref.store %true, %conditions[%c0] : memref<2xi1>
  memref.store %true, %conditions[%c1] : memref<2xi1>
  %r = memref.extract_aligned_pointer_as_index %0#1 : memref<4xf32> -> index
  memref.store %r, %retained[%c0] : memref<1xindex>
  %cast = memref.cast %pointers : memref<2xindex> to memref<?xindex>
  %cast_1 = memref.cast %conditions : memref<2xi1> to memref<?xi1>
  %cast_2 = memref.cast %retained : memref<1xindex> to memref<?xindex>
  %free = memref.alloc() : memref<2xi1>
  %owned = memref.alloc() : memref<1xi1>
  %cast_3 = memref.cast %free : memref<2xi1> to memref<?xi1>
  %cast_4 = memref.cast %owned : memref<1xi1> to memref<?xi1>
  func.call @dealloc_helper(%cast, %cast_2, %cast_1, %cast_3, %cast_4) : (memref<?xindex>, memref<?xindex>, memref<?xi1>, memref<?xi1>, memref<?xi1>) -> ()
  %1 = memref.load %free[%c0] : memref<2xi1>
  scf.if %1 {
    memref.dealloc %first : memref<f32>
  }
  %2 = memref.load %free[%c1] : memref<2xi1>
  scf.if %2 {
    memref.dealloc %second : memref<f32>
  }
  memref.dealloc %pointers : memref<2xindex>
  memref.dealloc %retained : memref<1xindex>
  memref.dealloc %conditions : memref<2xi1>
  memref.dealloc %free : memref<2xi1>
  memref.dealloc %owned : memref<1xi1>
  return %0#1 : memref<4xf32>
}
