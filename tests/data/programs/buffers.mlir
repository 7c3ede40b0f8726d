// Buffers seen in many ways: bytes as floats, casts of layout and space, reshapes,
// transposition, metadata and back, growth, atomic updates, scopes and ownership.

#transposed = affine_map<(d0, d1) -> (d1, d0)>
#shifted = affine_map<(d0)[s0] -> (d0 + s0)>

memref.global "private" @scratch : memref<8xi32> = uninitialized
memref.global "private" constant @steps : memref<2x2xi32> = dense<[[1, 2], [3, 4]]>
memref.global @shared : memref<f32> = dense<1.500000e+00> {alignment = 64 : i64}
memref.global "nested" constant @flags : memref<4xi1> = dense<[true, false, true, true]>

func.func private @consume(memref<*xf32>, memref<?x?xf32, strided<[?, ?], offset: ?>>) -> index attributes {llvm.emit_c_interface}

func.func @bytes(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1.000000e+00 : f32
  %bytes = memref.alloc() {alignment = 64 : i64} : memref<256xi8>
  %whole = memref.view %bytes[%c0][] : memref<256xi8> to memref<8x8xf32>
  %part = memref.view %bytes[%c16][%n] : memref<256xi8> to memref<?x4xf32>
  linalg.fill ins(%one : f32) outs(%whole : memref<8x8xf32>)
  %two = arith.addf %one, %one : f32
  linalg.fill ins(%two : f32) outs(%part : memref<?x4xf32>)
  %read = memref.load %whole[%c0, %c0] {nontemporal = true} : memref<8x8xf32>
  memref.dealloc %bytes : memref<256xi8>
  return %read : f32
}

func.func @views(%m: memref<4x6xf32>, %d: memref<?x?xf32>, %i: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %flat = memref.collapse_shape %m [[0, 1]] : memref<4x6xf32> into memref<24xf32>
  %cube = memref.expand_shape %m [[0, 1], [2]] output_shape [2, 2, 6] : memref<4x6xf32> into memref<2x2x6xf32>
  %turned = memref.transpose %m (i, j) -> (j, i) : memref<4x6xf32> to memref<6x4xf32, strided<[1, 6]>>
  %sub = memref.subview %d[%i, 0] [2, %i] [1, 2] : memref<?x?xf32> to memref<2x?xf32, strided<[?, 2], offset: ?>>
  %row = memref.subview %m[1, 0] [1, 6] [1, 1] : memref<4x6xf32> to memref<6xf32, strided<[1], offset: 6>>
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %d : memref<?x?xf32> -> memref<f32>, index, index, index, index, index
  %again = memref.reinterpret_cast %base to offset: [%offset], sizes: [%sizes#0, %sizes#1], strides: [%strides#0, %strides#1] : memref<f32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  %line = memref.reinterpret_cast %flat to offset: [0], sizes: [3, 8], strides: [8, 1] : memref<24xf32> to memref<3x8xf32>
  %shape = memref.alloca() : memref<2xindex>
  memref.store %c1, %shape[%c0] : memref<2xindex>
  memref.store %i, %shape[%c1] : memref<2xindex>
  %reshaped = memref.reshape %flat(%shape) : (memref<24xf32>, memref<2xindex>) -> memref<?x?xf32>
  %unranked = memref.cast %reshaped : memref<?x?xf32> to memref<*xf32>
  %rank = memref.rank %unranked : memref<*xf32>
  %size = memref.dim %sub, %c1 : memref<2x?xf32, strided<[?, 2], offset: ?>>
  %pointer = memref.extract_aligned_pointer_as_index %row : memref<6xf32, strided<[1], offset: 6>> -> index
  %found = call @consume(%unranked, %again) : (memref<*xf32>, memref<?x?xf32, strided<[?, ?], offset: ?>>) -> index
  %v = memref.load %turned[%c1, %c0] : memref<6x4xf32, strided<[1, 6]>>
  memref.store %v, %cube[%c0, %c1, %c0] : memref<2x2x6xf32>
  memref.prefetch %line[%c0, %i], read, locality<3>, data : memref<3x8xf32>
  %s0 = arith.addi %rank, %size : index
  %s1 = arith.addi %s0, %pointer : index
  %s2 = arith.addi %s1, %found : index
  return %s2 : index
}

func.func @grow(%n: index, %more: index) -> memref<?xf32> {
  %small = memref.alloc(%n) : memref<?xf32>
  %large = memref.realloc %small(%more) {alignment = 32 : i64} : memref<?xf32> to memref<?xf32>
  return %large : memref<?xf32>
}

func.func @atomic(%counts: memref<8xi32>, %values: memref<?xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n = memref.dim %values, %c0 : memref<?xi32>
  %steps = memref.get_global @steps : memref<2x2xi32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %value = memref.load %values[%i] : memref<?xi32>
    %bin = arith.remui %i, %c8 : index
    %old = memref.atomic_rmw addi %value, %counts[%bin] : (i32, memref<8xi32>) -> i32
    %step = memref.load %steps[%c0, %c1] : memref<2x2xi32>
    %clamped = memref.generic_atomic_rmw %counts[%bin] : memref<8xi32> {
    ^bb0(%current: i32):
      %limit = arith.constant 100 : i32
      %next = arith.addi %current, %step : i32
      %small = arith.minsi %next, %limit : i32
      memref.atomic_yield %small : i32
    }
    scf.reduce
  }
  %first = memref.load %counts[%c0] : memref<8xi32>
  return %first : i32
}

func.func @scopes(%x: memref<4xf32>, %y: memref<4xf32>, %flag: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %a, %b = memref.distinct_objects %x, %y : memref<4xf32>, memref<4xf32>
  %aligned = memref.assume_alignment %a, 16 : memref<4xf32>
  %shared = memref.get_global @shared : memref<f32>
  %sum = memref.alloca_scope -> (f32) {
    %local = memref.alloca() : memref<4xf32>
    memref.copy %aligned, %local : memref<4xf32> to memref<4xf32>
    %p = memref.load %local[%c0] : memref<4xf32>
    %q = memref.load %shared[] : memref<f32>
    %r = arith.addf %p, %q fastmath<contract> : f32
    memref.alloca_scope.return %r : f32
  }
  memref.store %sum, %b[%c0] : memref<4xf32>
  %device = memref.alloc() : memref<4xf32, 1>
  %host = memref.memory_space_cast %device : memref<4xf32, 1> to memref<4xf32>
  memref.copy %b, %host : memref<4xf32> to memref<4xf32>
  memref.dealloc %device : memref<4xf32, 1>
  return %sum : f32
}

func.func @ownership(%x: memref<4xf32>, %keep: memref<4xf32>, %mine: i1, %n: index) -> (tensor<4xf32>, i1) {
  %copy = bufferization.clone %x : memref<4xf32> to memref<4xf32>
  %dynamic = memref.alloc(%n)[%n] : memref<?xf32, #shifted>
  memref.dealloc %dynamic : memref<?xf32, #shifted>
  %tensor = bufferization.to_tensor %copy restrict writable : memref<4xf32> to tensor<4xf32>
  %new = bufferization.alloc_tensor() copy(%tensor) : tensor<4xf32>
  %room = bufferization.alloc_tensor(%n) : tensor<?xf32>
  bufferization.dealloc_tensor %room : tensor<?xf32>
  bufferization.materialize_in_destination %new in writable %keep : (tensor<4xf32>, memref<4xf32>) -> ()
  %buffer = bufferization.to_buffer %new : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  %base, %offset, %size, %stride = memref.extract_strided_metadata %buffer : memref<4xf32, strided<[?], offset: ?>> -> memref<f32>, index, index, index
  %owned = bufferization.dealloc (%copy : memref<4xf32>) if (%mine) retain (%keep : memref<4xf32>)
  return %new, %owned : tensor<4xf32>, i1
}
