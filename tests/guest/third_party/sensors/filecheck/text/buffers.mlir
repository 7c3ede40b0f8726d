// RUN: xdsl-opt %s | filecheck %s
// RUN: xdsl-opt --print-op-generic %s | filecheck %s --check-prefix GENERIC

"memref.global"() <{sym_name = "table", type = memref<2x2xf32>, initial_value = dense<[[0.0, 1.0], [2.0, 1.28715802e+09]]> : tensor<2x2xf32>, sym_visibility = "private", constant, alignment = 64 : i64}> : () -> ()
"memref.global"() <{sym_name = "later", type = memref<4xf32>, initial_value, sym_visibility = "public"}> : () -> ()

func.func @globals() -> memref<2x2xf32> {
  %0 = memref.get_global @table : memref<2x2xf32>
  return %0 : memref<2x2xf32>
}

func.func @casts(%m: memref<4xf32>, %n: memref<?xf32>, %p: memref<4x4xf32>, %u: memref<*xf32>) {
  %0 = "memref.cast"(%m) : (memref<4xf32>) -> memref<?xf32>
  %1 = "memref.cast"(%u) : (memref<*xf32>) -> memref<?xf32>
  %2 = "memref.memory_space_cast"(%m) : (memref<4xf32>) -> memref<4xf32, 1 : i32>
  %3 = memref.reinterpret_cast %m to offset: [0], sizes: [2, 2], strides: [2, 1] : memref<4xf32> to memref<2x2xf32>
  %4 = memref.subview %m[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  %5 = memref.collapse_shape %p [[0 : i64, 1 : i64]] : memref<4x4xf32> into memref<16xf32>
  %6 = memref.expand_shape %m [[0 : i64, 1 : i64]] output_shape [2, 2] : memref<4xf32> into memref<2x2xf32>
  %7 = builtin.unrealized_conversion_cast %m : memref<4xf32> to !sensors.reading<f32, "celsius">
  return
}

func.func @memory(%m: memref<4xf32>, %n: memref<?xf32>, %i: index) {
  %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  %1 = memref.alloca() : memref<4xf32, 1 : i32>
  %2 = memref.alloc(%i) : memref<?xf32>
  %3 = memref.dim %n, %i : memref<?xf32>
  %4 = memref.load %m[%i] {nontemporal = true} : memref<4xf32>
  memref.store %4, %m[%i] : memref<4xf32>
  "memref.copy"(%m, %0) : (memref<4xf32>, memref<4xf32>) -> ()
  %5 = "memref.atomic_rmw"(%4, %m, %i) <{kind = 0 : i64}> : (f32, memref<4xf32>, index) -> f32
  "memref.alloca_scope"() ({
    "memref.alloca_scope.return"() : () -> ()
  }) : () -> ()
  %6 = "memref.rank"(%m) : (memref<4xf32>) -> index
  memref.dealloc %0 : memref<4xf32>
  return
}

func.func @tensors(%t: tensor<4xf32>, %d: tensor<?xf32>, %m: memref<4xf32>) -> tensor<4xf32> {
  %0 = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  %1 = bufferization.to_tensor %0 restrict : memref<4xf32> to tensor<4xf32>
  %2 = bufferization.alloc_tensor() : tensor<4xf32>
  %3 = bufferization.clone %0 : memref<4xf32> to memref<4xf32>
  %4 = bufferization.materialize_in_destination %1 in %2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %5 = "tensor.cast"(%d) : (tensor<?xf32>) -> tensor<4xf32>
  %6 = "tensor.collapse_shape"(%t) <{reassociation = [[0 : i64]]}> : (tensor<4xf32>) -> tensor<4xf32>
  %7 = linalg.add ins(%4, %5 : tensor<4xf32>, tensor<4xf32>) outs(%6 : tensor<4xf32>) -> tensor<4xf32>
  return %7 : tensor<4xf32>
}

func.func @arithmetic(%i: i32, %f: f32, %x: index, %c: i1, %v: vector<4xf32>) {
  %0 = arith.extsi %i : i32 to i64
  %1 = arith.truncf %f : f32 to bf16
  %2 = arith.index_cast %x : index to i32
  %3 = arith.bitcast %i : i32 to f32
  %4 = arith.select %c, %i, %i : i32
  %5 = arith.addi %i, %i overflow<nsw> : i32
  %6 = vector.broadcast %f : f32 to vector<4xf32>
  %7 = vector.reduction <add>, %v : vector<4xf32> into f32
  "vector.print"(%v) : (vector<4xf32>) -> ()
  %8 = affine.apply affine_map<(d0) -> (d0 * 2 - 1)> (%x)
  return
}

// CHECK:      builtin.module {
// CHECK-NEXT:   "memref.global"() <{sym_name = "table", type = memref<2x2xf32>, initial_value = dense<{{\[\[}}0.000000e+00, 1.000000e+00], [2.000000e+00, 1.28715802e+09]]> : tensor<2x2xf32>, sym_visibility = "private", constant, alignment = 64 : i64}> : () -> ()
// CHECK-NEXT:   "memref.global"() <{sym_name = "later", type = memref<4xf32>, initial_value, sym_visibility = "public"}> : () -> ()
// CHECK-NEXT:   func.func @globals() -> memref<2x2xf32> {
// CHECK-NEXT:     %0 = memref.get_global @table : memref<2x2xf32>
// CHECK-NEXT:     func.return %0 : memref<2x2xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @casts(%m: memref<4xf32>, %n: memref<?xf32>, %p: memref<4x4xf32>, %u: memref<*xf32>) {
// CHECK-NEXT:     %0 = "memref.cast"(%m) : (memref<4xf32>) -> memref<?xf32>
// CHECK-NEXT:     %1 = "memref.cast"(%u) : (memref<*xf32>) -> memref<?xf32>
// CHECK-NEXT:     %2 = "memref.memory_space_cast"(%m) : (memref<4xf32>) -> memref<4xf32, 1 : i32>
// CHECK-NEXT:     %3 = memref.reinterpret_cast %m to offset: [0], sizes: [2, 2], strides: [2, 1] : memref<4xf32> to memref<2x2xf32>
// CHECK-NEXT:     %4 = memref.subview %m[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
// CHECK-NEXT:     %5 = memref.collapse_shape %p {{\[\[}}0 : i64, 1 : i64]] : memref<4x4xf32> into memref<16xf32>
// CHECK-NEXT:     %6 = memref.expand_shape %m {{\[\[}}0 : i64, 1 : i64]] output_shape [2, 2] : memref<4xf32> into memref<2x2xf32>
// CHECK-NEXT:     %7 = builtin.unrealized_conversion_cast %m : memref<4xf32> to !sensors.reading<f32, "celsius">
// CHECK-NEXT:     func.return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @memory(%m: memref<4xf32>, %n: memref<?xf32>, %i: index) {
// CHECK-NEXT:     %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:     %1 = memref.alloca() : memref<4xf32, 1 : i32>
// CHECK-NEXT:     %2 = memref.alloc(%i) : memref<?xf32>
// CHECK-NEXT:     %3 = memref.dim %n, %i : memref<?xf32>
// CHECK-NEXT:     %4 = memref.load %m[%i] {nontemporal = true} : memref<4xf32>
// CHECK-NEXT:     memref.store %4, %m[%i] : memref<4xf32>
// CHECK-NEXT:     "memref.copy"(%m, %0) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:     %5 = "memref.atomic_rmw"(%4, %m, %i) <{kind = 0 : i64}> : (f32, memref<4xf32>, index) -> f32
// CHECK-NEXT:     {{"?}}memref.alloca_scope{{"?.*}} {
// CHECK:     %6 = "memref.rank"(%m) : (memref<4xf32>) -> index
// CHECK-NEXT:     memref.dealloc %0 : memref<4xf32>
// CHECK-NEXT:     func.return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @tensors(%t: tensor<4xf32>, %d: tensor<?xf32>, %m: memref<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:     %0 = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
// CHECK-NEXT:     %1 = bufferization.to_tensor %0 restrict : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT:     %2 = bufferization.alloc_tensor() : tensor<4xf32>
// CHECK-NEXT:     %3 = bufferization.clone %0 : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:     %4 = bufferization.materialize_in_destination %1 in %2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:     %5 = tensor.cast %d : tensor<?xf32> to tensor<4xf32>
// CHECK-NEXT:     %6 = tensor.collapse_shape %t {{\[\[}}0 : i64]] : tensor<4xf32> into tensor<4xf32>
// CHECK-NEXT:     %7 = linalg.add ins(%4, %5 : tensor<4xf32>, tensor<4xf32>) outs(%6 : tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:     func.return %7 : tensor<4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @arithmetic(%i: i32, %f: f32, %x: index, %c: i1, %v: vector<4xf32>) {
// CHECK-NEXT:     %0 = arith.extsi %i : i32 to i64
// CHECK-NEXT:     %1 = arith.truncf %f : f32 to bf16
// CHECK-NEXT:     %2 = arith.index_cast %x : index to i32
// CHECK-NEXT:     %3 = arith.bitcast %i : i32 to f32
// CHECK-NEXT:     %4 = arith.select %c, %i, %i : i32
// CHECK-NEXT:     %5 = arith.addi %i, %i overflow<nsw> : i32
// CHECK-NEXT:     %6 = vector.broadcast %f : f32 to vector<4xf32>
// CHECK-NEXT:     %7 = vector.reduction <add>, %v : vector<4xf32> into f32
// CHECK-NEXT:     "vector.print"(%v) : (vector<4xf32>) -> ()
// CHECK-NEXT:     %8 = affine.apply affine_map<(d0) -> (((d0 * 2) + -1))> (%x)
// CHECK-NEXT:     func.return
// CHECK-NEXT:   }
// CHECK-NEXT: }

// GENERIC:      "builtin.module"() ({
// GENERIC-NEXT:   "memref.global"() <{sym_name = "table", type = memref<2x2xf32>, initial_value = dense<{{\[\[}}0.000000e+00, 1.000000e+00], [2.000000e+00, 1.28715802e+09]]> : tensor<2x2xf32>, sym_visibility = "private", constant, alignment = 64 : i64}> : () -> ()
// GENERIC-NEXT:   "memref.global"() <{sym_name = "later", type = memref<4xf32>, initial_value, sym_visibility = "public"}> : () -> ()
// GENERIC-NEXT:   "func.func"() <{sym_name = "globals", function_type = () -> memref<2x2xf32>}> ({
// GENERIC-NEXT:     %0 = "memref.get_global"() <{name = @table}> : () -> memref<2x2xf32>
// GENERIC-NEXT:     "func.return"(%0) : (memref<2x2xf32>) -> ()
// GENERIC-NEXT:   }) : () -> ()
// GENERIC-NEXT:   "func.func"() <{sym_name = "casts", function_type = (memref<4xf32>, memref<?xf32>, memref<4x4xf32>, memref<*xf32>) -> ()}> ({
// GENERIC-NEXT:   ^bb0(%m: memref<4xf32>, %n: memref<?xf32>, %p: memref<4x4xf32>, %u: memref<*xf32>):
// GENERIC-NEXT:     %0 = "memref.cast"(%m) : (memref<4xf32>) -> memref<?xf32>
// GENERIC-NEXT:     %1 = "memref.cast"(%u) : (memref<*xf32>) -> memref<?xf32>
// GENERIC-NEXT:     %2 = "memref.memory_space_cast"(%m) : (memref<4xf32>) -> memref<4xf32, 1 : i32>
// GENERIC-NEXT:     %3 = "memref.reinterpret_cast"(%m) <{static_offsets = array<i64: 0>, static_sizes = array<i64: 2, 2>, static_strides = array<i64: 2, 1>, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (memref<4xf32>) -> memref<2x2xf32>
// GENERIC-NEXT:     %4 = "memref.subview"(%m) <{static_offsets = array<i64: 0>, static_sizes = array<i64: 2>, static_strides = array<i64: 1>, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (memref<4xf32>) -> memref<2xf32, strided<[1]>>
// GENERIC-NEXT:     %5 = "memref.collapse_shape"(%p) <{reassociation = {{\[\[}}0 : i64, 1 : i64]]}> : (memref<4x4xf32>) -> memref<16xf32>
// GENERIC-NEXT:     %6 = "memref.expand_shape"(%m) <{reassociation = {{\[\[}}0 : i64, 1 : i64]], static_output_shape = array<i64: 2, 2>}> : (memref<4xf32>) -> memref<2x2xf32>
// GENERIC-NEXT:     %7 = "builtin.unrealized_conversion_cast"(%m) : (memref<4xf32>) -> !sensors.reading<f32, "celsius">
// GENERIC-NEXT:     "func.return"() : () -> ()
// GENERIC-NEXT:   }) : () -> ()
// GENERIC-NEXT:   "func.func"() <{sym_name = "memory", function_type = (memref<4xf32>, memref<?xf32>, index) -> ()}> ({
// GENERIC-NEXT:   ^bb0(%m: memref<4xf32>, %n: memref<?xf32>, %i: index):
// GENERIC-NEXT:     %0 = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf32>
// GENERIC-NEXT:     %1 = "memref.alloca"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf32, 1 : i32>
// GENERIC-NEXT:     %2 = "memref.alloc"(%i) <{operandSegmentSizes = array<i32: 1, 0>}> : (index) -> memref<?xf32>
// GENERIC-NEXT:     %3 = "memref.dim"(%n, %i) : (memref<?xf32>, index) -> index
// GENERIC-NEXT:     %4 = "memref.load"(%m, %i) <{nontemporal = true}> : (memref<4xf32>, index) -> f32
// GENERIC-NEXT:     "memref.store"(%4, %m, %i) : (f32, memref<4xf32>, index) -> ()
// GENERIC-NEXT:     "memref.copy"(%m, %0) : (memref<4xf32>, memref<4xf32>) -> ()
// GENERIC-NEXT:     %5 = "memref.atomic_rmw"(%4, %m, %i) <{kind = 0 : i64}> : (f32, memref<4xf32>, index) -> f32
// GENERIC-NEXT:     "memref.alloca_scope"() ({
// GENERIC-NEXT:       "memref.alloca_scope.return"() : () -> ()
// GENERIC-NEXT:     }) : () -> ()
// GENERIC-NEXT:     %6 = "memref.rank"(%m) : (memref<4xf32>) -> index
// GENERIC-NEXT:     "memref.dealloc"(%0) : (memref<4xf32>) -> ()
// GENERIC-NEXT:     "func.return"() : () -> ()
// GENERIC-NEXT:   }) : () -> ()
// GENERIC-NEXT:   "func.func"() <{sym_name = "tensors", function_type = (tensor<4xf32>, tensor<?xf32>, memref<4xf32>) -> tensor<4xf32>}> ({
// GENERIC-NEXT:   ^bb0(%t: tensor<4xf32>, %d: tensor<?xf32>, %m: memref<4xf32>):
// GENERIC-NEXT:     %0 = "bufferization.to_buffer"(%t) : (tensor<4xf32>) -> memref<4xf32>
// GENERIC-NEXT:     %1 = "bufferization.to_tensor"(%0) <{restrict}> : (memref<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:     %2 = "bufferization.alloc_tensor"() <{operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> tensor<4xf32>
// GENERIC-NEXT:     %3 = "bufferization.clone"(%0) : (memref<4xf32>) -> memref<4xf32>
// GENERIC-NEXT:     %4 = "bufferization.materialize_in_destination"(%1, %2) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:     %5 = "tensor.cast"(%d) : (tensor<?xf32>) -> tensor<4xf32>
// GENERIC-NEXT:     %6 = "tensor.collapse_shape"(%t) <{reassociation = {{\[\[}}0 : i64]]}> : (tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:     %7 = "linalg.add"(%4, %5, %6) <{operandSegmentSizes = array<i32: 2, 1>}> ({
// GENERIC-NEXT:     ^bb0(%8: f32, %9: f32, %10: f32):
// GENERIC-NEXT:       %11 = "arith.addf"(%8, %9) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:       "linalg.yield"(%11) : (f32) -> ()
// GENERIC-NEXT:     }) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// GENERIC-NEXT:     "func.return"(%7) : (tensor<4xf32>) -> ()
// GENERIC-NEXT:   }) : () -> ()
// GENERIC-NEXT:   "func.func"() <{sym_name = "arithmetic", function_type = (i32, f32, index, i1, vector<4xf32>) -> ()}> ({
// GENERIC-NEXT:   ^bb0(%i: i32, %f: f32, %x: index, %c: i1, %v: vector<4xf32>):
// GENERIC-NEXT:     %0 = "arith.extsi"(%i) : (i32) -> i64
// GENERIC-NEXT:     %1 = "arith.truncf"(%f) : (f32) -> bf16
// GENERIC-NEXT:     %2 = "arith.index_cast"(%x) : (index) -> i32
// GENERIC-NEXT:     %3 = "arith.bitcast"(%i) : (i32) -> f32
// GENERIC-NEXT:     %4 = "arith.select"(%c, %i, %i) : (i1, i32, i32) -> i32
// GENERIC-NEXT:     %5 = "arith.addi"(%i, %i) <{overflowFlags = #arith.overflow<nsw>}> : (i32, i32) -> i32
// GENERIC-NEXT:     %6 = "vector.broadcast"(%f) : (f32) -> vector<4xf32>
// GENERIC-NEXT:     %7 = "vector.reduction"(%v) <{kind = #vector.kind<add>, fastmath = #arith.fastmath<none>}> : (vector<4xf32>) -> f32
// GENERIC-NEXT:     "vector.print"(%v) : (vector<4xf32>) -> ()
// GENERIC-NEXT:     %8 = "affine.apply"(%x) <{map = affine_map<(d0) -> (((d0 * 2) + -1))>}> : (index) -> index
// GENERIC-NEXT:     "func.return"() : () -> ()
// GENERIC-NEXT:   }) : () -> ()
// GENERIC-NEXT: }) : () -> ()
