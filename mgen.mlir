#map = affine_map<(d0)[s0] -> (d0 + s0)>
#map1 = affine_map<(d0, d1) -> (d1, d0)>
#map2 = affine_map<(d0, d1) -> (d1 * 8 + d0)>
"builtin.module"() ({
  "memref.global"() <{alignment = 64 : i64, constant, initial_value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>, sym_name = "constant", sym_visibility = "private", type = memref<2xf32>}> : () -> ()
  "memref.global"() <{initial_value = dense<7> : tensor<2x3xi32>, sym_name = "splat", type = memref<2x3xi32>}> : () -> ()
  "memref.global"() <{sym_name = "elsewhere", type = memref<2x3xf32>}> : () -> ()
  "memref.global"() <{initial_value, sym_name = "undefined", sym_visibility = "nested", type = memref<f32, 1>}> : () -> ()
  "memref.global"() <{initial_value, sym_name = "strided", sym_visibility = "public", type = memref<2xf32, strided<[2]>>}> {hint} : () -> ()
  "func.func"() <{function_type = (memref<4xf32, 1>, memref<4xf32, "local">, memref<4xf32, {name = "x"}>, memref<*xf32, 2>, memref<4xf32, strided<[1]>>, memref<4x4xf32, strided<[?, 1], offset: ?>, 3 : i32>, memref<4xf32, #map, 2>, memref<4x4xf32, #map1>, memref<f32, strided<[], offset: ?>>, memref<?xmemref<4xvector<2xf32>>>, memref<0x?xindex>, memref<2xcomplex<f32>>) -> (), sym_name = "types", sym_visibility = "private"}> ({
  }) : () -> ()
  "func.func"() <{function_type = (memref<4x?xf32>, memref<f32>, index, f32) -> (), sym_name = "access"}> ({
  ^bb0(%arg37: memref<4x?xf32>, %arg38: memref<f32>, %arg39: index, %arg40: f32):
    %60 = "memref.load"(%arg37, %arg39, %arg39) : (memref<4x?xf32>, index, index) -> f32
    %61 = "memref.load"(%arg38) : (memref<f32>) -> f32
    %62 = "memref.load"(%arg37, %arg39, %arg39) <{alignment = 16 : i64, nontemporal = true}> : (memref<4x?xf32>, index, index) -> f32
    "memref.store"(%arg40, %arg37, %arg39, %arg39) : (f32, memref<4x?xf32>, index, index) -> ()
    "memref.store"(%arg40, %arg37, %arg39, %arg39) <{alignment = 16 : i64, nontemporal = true}> : (f32, memref<4x?xf32>, index, index) -> ()
    "memref.prefetch"(%arg37, %arg39, %arg39) <{isDataCache = true, isWrite = false, localityHint = 3 : i32}> : (memref<4x?xf32>, index, index) -> ()
    "memref.prefetch"(%arg37, %arg39, %arg39) <{isDataCache = false, isWrite = true, localityHint = 0 : i32}> : (memref<4x?xf32>, index, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<2xf32>, memref<?xf32, strided<[?], offset: ?>>, memref<*xf32>) -> (), sym_name = "copies"}> ({
  ^bb0(%arg34: memref<2xf32>, %arg35: memref<?xf32, strided<[?], offset: ?>>, %arg36: memref<*xf32>):
    "memref.copy"(%arg34, %arg35) : (memref<2xf32>, memref<?xf32, strided<[?], offset: ?>>) -> ()
    "memref.copy"(%arg36, %arg36) {hint} : (memref<*xf32>, memref<*xf32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<4xf32>, memref<4xi32>, index, f32, i32) -> (), sym_name = "atomics"}> ({
  ^bb0(%arg28: memref<4xf32>, %arg29: memref<4xi32>, %arg30: index, %arg31: f32, %arg32: i32):
    %42 = "memref.atomic_rmw"(%arg31, %arg28, %arg30) <{kind = 0 : i64}> : (f32, memref<4xf32>, index) -> f32
    %43 = "memref.atomic_rmw"(%arg31, %arg28, %arg30) <{kind = 12 : i64}> : (f32, memref<4xf32>, index) -> f32
    %44 = "memref.atomic_rmw"(%arg31, %arg28, %arg30) <{kind = 4 : i64}> : (f32, memref<4xf32>, index) -> f32
    %45 = "memref.atomic_rmw"(%arg31, %arg28, %arg30) <{kind = 5 : i64}> : (f32, memref<4xf32>, index) -> f32
    %46 = "memref.atomic_rmw"(%arg31, %arg28, %arg30) <{kind = 8 : i64}> : (f32, memref<4xf32>, index) -> f32
    %47 = "memref.atomic_rmw"(%arg31, %arg28, %arg30) <{kind = 9 : i64}> : (f32, memref<4xf32>, index) -> f32
    %48 = "memref.atomic_rmw"(%arg31, %arg28, %arg30) <{kind = 3 : i64}> {hint} : (f32, memref<4xf32>, index) -> f32
    %49 = "memref.atomic_rmw"(%arg32, %arg29, %arg30) <{kind = 1 : i64}> : (i32, memref<4xi32>, index) -> i32
    %50 = "memref.atomic_rmw"(%arg32, %arg29, %arg30) <{kind = 13 : i64}> : (i32, memref<4xi32>, index) -> i32
    %51 = "memref.atomic_rmw"(%arg32, %arg29, %arg30) <{kind = 2 : i64}> : (i32, memref<4xi32>, index) -> i32
    %52 = "memref.atomic_rmw"(%arg32, %arg29, %arg30) <{kind = 14 : i64}> : (i32, memref<4xi32>, index) -> i32
    %53 = "memref.atomic_rmw"(%arg32, %arg29, %arg30) <{kind = 15 : i64}> : (i32, memref<4xi32>, index) -> i32
    %54 = "memref.atomic_rmw"(%arg32, %arg29, %arg30) <{kind = 6 : i64}> : (i32, memref<4xi32>, index) -> i32
    %55 = "memref.atomic_rmw"(%arg32, %arg29, %arg30) <{kind = 7 : i64}> : (i32, memref<4xi32>, index) -> i32
    %56 = "memref.atomic_rmw"(%arg32, %arg29, %arg30) <{kind = 10 : i64}> : (i32, memref<4xi32>, index) -> i32
    %57 = "memref.atomic_rmw"(%arg32, %arg29, %arg30) <{kind = 11 : i64}> : (i32, memref<4xi32>, index) -> i32
    %58 = "memref.generic_atomic_rmw"(%arg28, %arg30) ({
    ^bb0(%arg33: f32):
      %59 = "arith.addf"(%arg33, %arg31) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "memref.atomic_yield"(%59) : (f32) -> ()
    }) {hint} : (memref<4xf32>, index) -> f32
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (index, memref<4xi32>, memref<?xi32>, memref<*xf32>) -> (), sym_name = "allocation"}> ({
  ^bb0(%arg24: index, %arg25: memref<4xi32>, %arg26: memref<?xi32>, %arg27: memref<*xf32>):
    %34 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<f32>
    %35 = "memref.alloc"(%arg24) <{alignment = 64 : i64, operandSegmentSizes = array<i32: 1, 0>}> : (index) -> memref<4x?xf32, 1>
    %36 = "memref.alloc"(%arg24) <{operandSegmentSizes = array<i32: 0, 1>}> : (index) -> memref<4xf32, #map>
    %37 = "memref.alloc"(%arg24, %arg24, %arg24) <{operandSegmentSizes = array<i32: 1, 2>}> : (index, index, index) -> memref<?xf32, strided<[?], offset: ?>>
    %38 = "memref.alloca"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf32>
    %39 = "memref.alloca"(%arg24, %arg24) <{alignment = 8 : i64, operandSegmentSizes = array<i32: 1, 1>}> : (index, index) -> memref<?xf32, #map>
    %40 = "memref.realloc"(%arg25) : (memref<4xi32>) -> memref<8xi32>
    %41 = "memref.realloc"(%arg26, %arg24) <{alignment = 8 : i64}> : (memref<?xi32>, index) -> memref<?xi32>
    "memref.dealloc"(%34) : (memref<f32>) -> ()
    "memref.dealloc"(%arg27) : (memref<*xf32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (f32) -> (), sym_name = "scopes"}> ({
  ^bb0(%arg23: f32):
    "memref.alloca_scope"() ({
      %33 = "memref.alloca"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf32>
      "memref.alloca_scope.return"() : () -> ()
    }) {hint} : () -> ()
    %32:2 = "memref.alloca_scope"() ({
      "memref.alloca_scope.return"(%arg23, %arg23) : (f32, f32) -> ()
    }) : () -> (f32, f32)
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "globals"}> ({
    %30 = "memref.get_global"() <{name = @constant}> : () -> memref<2xf32>
    %31 = "memref.get_global"() <{name = @undefined}> : () -> memref<f32, 1>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<4x?xf32>, memref<2xf32>, memref<*xf32>, index, memref<2048xi8>, memref<2xindex>) -> (), sym_name = "views"}> ({
  ^bb0(%arg17: memref<4x?xf32>, %arg18: memref<2xf32>, %arg19: memref<*xf32>, %arg20: index, %arg21: memref<2048xi8>, %arg22: memref<2xindex>):
    %19 = "memref.cast"(%arg18) : (memref<2xf32>) -> memref<?xf32, strided<[?], offset: ?>>
    %20 = "memref.cast"(%arg18) {hint} : (memref<2xf32>) -> memref<*xf32>
    %21 = "memref.cast"(%arg19) : (memref<*xf32>) -> memref<4xf32>
    %22 = "memref.memory_space_cast"(%arg18) : (memref<2xf32>) -> memref<2xf32, 1>
    %23 = "memref.memory_space_cast"(%arg19) : (memref<*xf32>) -> memref<*xf32, 1>
    %24 = "memref.view"(%arg21, %arg20, %arg20) : (memref<2048xi8>, index, index) -> memref<?x4xf32>
    %25 = "memref.view"(%arg21, %arg20) : (memref<2048xi8>, index) -> memref<4xf32>
    %26 = "memref.reshape"(%arg19, %arg22) : (memref<*xf32>, memref<2xindex>) -> memref<?x?xf32>
    %27 = "memref.transpose"(%arg17) <{permutation = #map1}> : (memref<4x?xf32>) -> memref<?x4xf32, strided<[1, ?]>>
    %28 = "memref.assume_alignment"(%arg17) <{alignment = 16 : i32}> : (memref<4x?xf32>) -> memref<4x?xf32>
    %29:2 = "memref.distinct_objects"(%arg17, %arg18) : (memref<4x?xf32>, memref<2xf32>) -> (memref<4x?xf32>, memref<2xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<4x?xf32>, index, memref<*xf32>, memref<8x16xf32, #map2>) -> (), sym_name = "slices"}> ({
  ^bb0(%arg13: memref<4x?xf32>, %arg14: index, %arg15: memref<*xf32>, %arg16: memref<8x16xf32, #map2>):
    %12 = "memref.subview"(%arg13, %arg14, %arg14) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_offsets = array<i64: 0, -9223372036854775808>, static_sizes = array<i64: 2, -9223372036854775808>, static_strides = array<i64: 1, 2>}> : (memref<4x?xf32>, index, index) -> memref<2x?xf32, strided<[?, 2], offset: ?>>
    %13 = "memref.subview"(%arg13) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 1, 2>, static_sizes = array<i64: 1, 3>, static_strides = array<i64: 1, 1>}> : (memref<4x?xf32>) -> memref<3xf32, strided<[1], offset: ?>>
    %14 = "memref.subview"(%arg13) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 1, 1>, static_strides = array<i64: 1, 1>}> : (memref<4x?xf32>) -> memref<f32>
    %15 = "memref.subview"(%arg13) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 3, 0>, static_sizes = array<i64: 4, 2>, static_strides = array<i64: -1, 1>}> : (memref<4x?xf32>) -> memref<4x2xf32, strided<[?, 1], offset: ?>>
    %16 = "memref.subview"(%arg16) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 4, 4>, static_strides = array<i64: 1, 1>}> : (memref<8x16xf32, #map2>) -> memref<4x4xf32, strided<[1, 8]>>
    %17 = "memref.reinterpret_cast"(%arg15, %arg14, %arg14, %arg14) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 4, -9223372036854775808>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<*xf32>, index, index, index) -> memref<4x?xf32, strided<[?, 1], offset: ?>>
    %18 = "memref.reinterpret_cast"(%arg13) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 4, 2>, static_strides = array<i64: 2, 1>}> : (memref<4x?xf32>) -> memref<4x2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<4x?xf32>, index, memref<8xf32, strided<[2], offset: 3>>, memref<f32>, memref<1x4xf32, strided<[9, 1]>>, memref<?x4xf32, strided<[?, 1], offset: ?>>) -> (), sym_name = "reshapes"}> ({
  ^bb0(%arg7: memref<4x?xf32>, %arg8: index, %arg9: memref<8xf32, strided<[2], offset: 3>>, %arg10: memref<f32>, %arg11: memref<1x4xf32, strided<[9, 1]>>, %arg12: memref<?x4xf32, strided<[?, 1], offset: ?>>):
    %5 = "memref.expand_shape"(%arg7, %arg8) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: 2, 2, -9223372036854775808>}> : (memref<4x?xf32>, index) -> memref<2x2x?xf32>
    %6 = "memref.expand_shape"(%arg9) <{reassociation = [[0, 1]], static_output_shape = array<i64: 2, 4>}> : (memref<8xf32, strided<[2], offset: 3>>) -> memref<2x4xf32, strided<[8, 2], offset: 3>>
    %7 = "memref.expand_shape"(%arg10) <{reassociation = [], static_output_shape = array<i64: 1, 1>}> : (memref<f32>) -> memref<1x1xf32>
    %8 = "memref.collapse_shape"(%arg7) <{reassociation = [[0, 1]]}> : (memref<4x?xf32>) -> memref<?xf32>
    %9 = "memref.collapse_shape"(%7) <{reassociation = []}> : (memref<1x1xf32>) -> memref<f32>
    %10 = "memref.collapse_shape"(%arg11) <{reassociation = [[0, 1]]}> : (memref<1x4xf32, strided<[9, 1]>>) -> memref<4xf32, strided<[1]>>
    %11 = "memref.collapse_shape"(%arg12) <{reassociation = [[0, 1]]}> : (memref<?x4xf32, strided<[?, 1], offset: ?>>) -> memref<?xf32, strided<[1], offset: ?>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<4x?xf32>, memref<*xf32>, index) -> (), sym_name = "queries"}> ({
  ^bb0(%arg4: memref<4x?xf32>, %arg5: memref<*xf32>, %arg6: index):
    %0 = "memref.dim"(%arg4, %arg6) : (memref<4x?xf32>, index) -> index
    %1 = "memref.dim"(%arg5, %arg6) : (memref<*xf32>, index) -> index
    %2 = "memref.rank"(%arg5) : (memref<*xf32>) -> index
    %3:6 = "memref.extract_strided_metadata"(%arg4) : (memref<4x?xf32>) -> (memref<f32>, index, index, index, index, index)
    %4 = "memref.extract_aligned_pointer_as_index"(%arg5) : (memref<*xf32>) -> index
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<4x?xf32>, memref<4xf32, 1>, memref<1xi32>, index) -> (), sym_name = "dma"}> ({
  ^bb0(%arg0: memref<4x?xf32>, %arg1: memref<4xf32, 1>, %arg2: memref<1xi32>, %arg3: index):
    "memref.dma_start"(%arg0, %arg3, %arg3, %arg1, %arg3, %arg3, %arg2, %arg3) : (memref<4x?xf32>, index, index, memref<4xf32, 1>, index, index, memref<1xi32>, index) -> ()
    "memref.dma_start"(%arg0, %arg3, %arg3, %arg1, %arg3, %arg3, %arg2, %arg3, %arg3, %arg3) : (memref<4x?xf32>, index, index, memref<4xf32, 1>, index, index, memref<1xi32>, index, index, index) -> ()
    "memref.dma_wait"(%arg2, %arg3, %arg3) : (memref<1xi32>, index, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

