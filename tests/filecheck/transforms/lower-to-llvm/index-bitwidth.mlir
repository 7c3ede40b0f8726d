// RUN: xdsl-opt -t mlir-22 -p "lower-to-llvm{index-bitwidth=32}" %s | filecheck %s

// Iterations are counted in 64 bits, as OpenMP's functions do; what is a value has 32.
// CHECK-LABEL: llvm.func internal @parallel_parallel_
// CHECK: [[N:%.*]] = llvm.sext {{%.*}} : i32 to i64
// CHECK: llvm.icmp "slt" {{%.*}}, [[N]] : i64
// CHECK: [[I:%.*]] = llvm.trunc {{%.*}} : i64 to i32
// CHECK: llvm.store [[I]], {{%.*}} : i32
func.func @parallel(%m: memref<?xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        memref.store %i, %m[%i] : memref<?xindex>
        omp.yield
      }
    }
    omp.terminator
  }
  func.return
}

// CHECK: llvm.func @malloc(i32) -> !llvm.ptr

// Sizes, strides and offsets of descriptors have 32 bits.
// CHECK-LABEL: llvm.func @boundary(
// CHECK-SAME: !llvm.ptr, {{.*}}: !llvm.ptr, {{.*}}: i32, {{.*}}: i32, {{.*}}: i32, {{.*}}: i32)
// CHECK-SAME: -> !llvm.struct<(!llvm.ptr, !llvm.ptr, i32, !llvm.array<1 x i32>, !llvm.array<1 x i32>)>
func.func @boundary(%m: memref<?xf32>, %i: index) -> memref<?xf32> {
  func.return %m : memref<?xf32>
}

// The pointer of an aligned buffer is moved, not rebuilt from an address of 32 bits.
// CHECK-LABEL: llvm.func @heap(
func.func @heap(%n: index, %x: f32) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  // CHECK: [[BYTES:%.*]] = llvm.mul {{%.*}}, {{%.*}} overflow<nsw> : i32
  // CHECK-NEXT: [[MORE:%.*]] = llvm.add [[BYTES]], {{%.*}} overflow<nsw> : i32
  // CHECK-NEXT: [[ALLOCATED:%.*]] = llvm.call @malloc([[MORE]])
  // CHECK-NEXT: [[ADDRESS:%.*]] = llvm.ptrtoint [[ALLOCATED]] : !llvm.ptr to i32
  // CHECK-NEXT: [[BELOW:%.*]] = llvm.sub {{%.*}}, [[ADDRESS]] : i32
  // CHECK-NEXT: [[GAP:%.*]] = llvm.and [[BELOW]], {{%.*}} : i32
  // CHECK-NEXT: llvm.getelementptr inbounds [[ALLOCATED]]{{\[}}[[GAP]]] : (!llvm.ptr, i32)
  %m = memref.alloc(%n) {alignment = 64 : i64} : memref<?xf32>
  // CHECK: llvm.getelementptr inbounds {{%.*}}[{{%.*}}] : (!llvm.ptr, i32) -> !llvm.ptr, f32
  memref.store %x, %m[%c0] : memref<?xf32>
  func.return %m : memref<?xf32>
}

// CHECK-LABEL: llvm.func @casts(
func.func @casts(%i: index, %j: i64, %k: i32) -> (i64, i64, i32, index, index) {
  // CHECK-NEXT: [[A:%.*]] = llvm.sext [[I:%.*]] : i32 to i64
  %a = arith.index_cast %i : index to i64
  // CHECK-NEXT: llvm.zext [[I]] : i32 to i64
  %b = arith.index_castui %i : index to i64
  %c = arith.index_cast %i : index to i32
  // CHECK-NEXT: llvm.trunc {{%.*}} : i64 to i32
  %d = arith.index_cast %j : i64 to index
  // CHECK-NEXT: llvm.mlir.undef
  %e = arith.index_cast %k : i32 to index
  func.return %a, %b, %c, %d, %e : i64, i64, i32, index, index
}

// The lower 32 bits of a number are kept.
// CHECK-LABEL: llvm.func @constants(
// CHECK-DAG: llvm.mlir.constant(5 : i32) : i32
// CHECK-DAG: llvm.mlir.constant(dense<[5, -1]> : vector<2xi32>) : vector<2xi32>
// CHECK-DAG: llvm.mlir.constant(32 : i32) : i32
func.func @constants() -> (index, vector<2xindex>, index) {
  %a = arith.constant 4294967301 : index
  %b = arith.constant dense<[4294967301, -1]> : vector<2xindex>
  %s = index.sizeof
  func.return %a, %b, %s : index, vector<2xindex>, index
}

// CHECK: llvm.mlir.global private constant @table(dense<[1, 5, -3]> : tensor<3xi32>)
// CHECK-SAME: !llvm.array<3 x i32>
memref.global "private" constant @table : memref<3xindex> = dense<[1, 4294967301, -3]>

// A rank has 32 bits. Numbers of a descriptor follow two pointers.
// CHECK-LABEL: llvm.func @any_rank(
// CHECK-SAME: i32, {{%\d+}}: !llvm.ptr, {{%\d+}}: i32) -> !llvm.struct<(i32, i32, i32)>
func.func @any_rank(%u: memref<*xf32>, %i: index) -> (index, index, index) {
  %r = memref.rank %u : memref<*xf32>
  // CHECK: [[NUMBERS:%.*]] = llvm.getelementptr inbounds {{%.*}}[{{%.*}}] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.ptr
  // CHECK: [[START:%.*]] = llvm.bitcast [[NUMBERS]]
  // CHECK: llvm.getelementptr inbounds [[START]][{{%.*}}] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  // CHECK: llvm.load {{%.*}} : !llvm.ptr -> i32
  %d = memref.dim %u, %i : memref<*xf32>
  // CHECK: llvm.load {{%.*}} : !llvm.ptr -> !llvm.struct<(!llvm.ptr, !llvm.ptr, i32, !llvm.array<1 x i32>, !llvm.array<1 x i32>)>
  %m = memref.cast %u : memref<*xf32> to memref<?xf32>
  %c0 = arith.constant 0 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  func.return %r, %d, %n : index, index, index
}

// CHECK-LABEL: llvm.func @copy(
// CHECK: llvm.call_intrinsic "llvm.memcpy.p0.p0.i32"
func.func @copy(%a: memref<4xf32>, %b: memref<4xf32>) {
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  func.return
}

// What the runtime takes has 64 bits. A pointer for C stays whole.
// CHECK: llvm.func @xsmm_unary_invoke(i64, i64, !llvm.ptr, i64, !llvm.ptr, i64)
// CHECK: llvm.func @kernel([[H:%\d+]]: i64, {{%\d+}}: !llvm.ptr, [[P:%\d+]]: !llvm.ptr, [[O:%\d+]]: i32
// CHECK: [[OFFSET:%.*]] = llvm.sext [[O]] : i32 to i64
// CHECK-NEXT: [[WIDE:%.*]] = llvm.sext [[O]] : i32 to i64
// CHECK-NEXT: llvm.call @xsmm_unary_invoke({{%.*}}, [[H]], [[P]], [[OFFSET]], [[P]], [[WIDE]])
func.func private @xsmm_unary_invoke(i64, i64, !llvm.ptr, index, !llvm.ptr, index)
func.func @kernel(%handle: i64, %m: memref<4xf32, strided<[1], offset: ?>>) {
  %type = arith.constant 1 : i64
  %base, %offset, %size, %stride = memref.extract_strided_metadata %m
    : memref<4xf32, strided<[1], offset: ?>> -> memref<f32>, index, index, index
  %address = memref.extract_aligned_pointer_as_index %m
    : memref<4xf32, strided<[1], offset: ?>> -> index
  %integer = arith.index_cast %address : index to i64
  %pointer = llvm.inttoptr %integer : i64 to !llvm.ptr
  func.call @xsmm_unary_invoke(%type, %handle, %pointer, %offset, %pointer, %offset)
    : (i64, i64, !llvm.ptr, index, !llvm.ptr, index) -> ()
  func.return
}

// CHECK-LABEL: llvm.func @print(
// CHECK: [[WIDE:%.*]] = llvm.zext {{%.*}} : i32 to i64
// CHECK-NEXT: llvm.call @printU64([[WIDE]])
func.func @print(%i: index) {
  vector.print %i : index
  func.return
}
