// RUN: xbuf opt %s | xbuf opt | filecheck %s
// RUN: xbuf opt %s --print-op-generic | xbuf opt | filecheck %s

// CHECK-LABEL: func.func @maps
func.func @maps(%x: index, %y: index) {
  // CHECK-NEXT: %{{.*}} = affine.apply affine_map<(d0)[s0] -> (d0 * 2 + s0 floordiv 4)>(%x)[%y]
  %0 = affine.apply affine_map<(d0)[s0] -> (d0 * 2 + s0 floordiv 4)>(%x)[%y]
  // CHECK-NEXT: %{{.*}} = affine.apply affine_map<() -> (4)>()
  %1 = affine.apply affine_map<() -> (4)>()
  // CHECK-NEXT: %{{.*}} = affine.apply affine_map<()[s0] -> (s0 ceildiv 3)>()[%x]
  %2 = affine.apply affine_map<()[s0] -> (s0 ceildiv 3)>()[%x]
  // CHECK-NEXT: %{{.*}} = affine.min affine_map<(d0, d1) -> (d0 mod 8, -d1 + 3, 128)>(%x, %y)
  %3 = affine.min affine_map<(d0, d1) -> (d0 mod 8, -d1 + 3, 128)>(%x, %y)
  // CHECK-NEXT: %{{.*}} = affine.max affine_map<(d0, d1) -> (d0 mod 8, -d1 + 3, 128)>(%x, %y)
  %4 = affine.max affine_map<(d0, d1) -> (d0 mod 8, -d1 + 3, 128)>(%x, %y)
  // CHECK-NEXT: %{{.*}} = affine.min affine_map<(d0)[s0] -> (d0, s0)>(%x)[%y]
  %5 = affine.min affine_map<(d0)[s0] -> (d0, s0)>(%x)[%y]
  // CHECK-NEXT: %{{.*}} = affine.max affine_map<(d0)[s0] -> (d0, s0)>(%x)[%y]
  %6 = affine.max affine_map<(d0)[s0] -> (d0, s0)>(%x)[%y]
  // CHECK-NEXT: %{{.*}} = affine.delinearize_index %x into (4, 8) : index, index
  %7, %8 = affine.delinearize_index %x into (4, 8) : index, index
  // CHECK-NEXT: %{{.*}} = affine.delinearize_index %x into (%y, 8) : index, index
  %9, %10 = affine.delinearize_index %x into (%y, 8) : index, index
  // CHECK-NEXT: %{{.*}} = affine.delinearize_index %x into (%y, 4) : index, index, index
  %11, %12, %13 = affine.delinearize_index %x into (%y, 4) : index, index, index
  // CHECK-NEXT: %{{.*}} = affine.linearize_index [%x, %y] by (4, 8) : index
  %14 = affine.linearize_index [%x, %y] by (4, 8) : index
  // CHECK-NEXT: %{{.*}} = affine.linearize_index disjoint [%x, %y] by (%x, 8) : index
  %15 = affine.linearize_index disjoint [%x, %y] by (%x, 8) : index
  // CHECK-NEXT: %{{.*}} = affine.linearize_index [%x, %y] by (8) : index
  %16 = affine.linearize_index [%x, %y] by (8) : index
  // CHECK-NEXT: %{{.*}} = affine.apply affine_map<(d0)[s0] -> (d0 * 2 + s0 floordiv 4)>(%x)[%y] {hint}
  %17 = affine.apply affine_map<(d0)[s0] -> (d0 * 2 + s0 floordiv 4)>(%x)[%y] {hint}
  return
}

// CHECK-LABEL: func.func @loops
func.func @loops(%n: index, %m: memref<?x8xf32>, %a: f32) -> f32 {
  // CHECK-NEXT: affine.for %i = 0 to 10 {
  affine.for %i = 0 to 10 {
    // CHECK-NEXT: affine.for %j = affine_map<(d0) -> (d0)>(%i) to %n step 2 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to %n step 2 {
      // CHECK-NEXT: %{{.*}} = affine.load %m[%i, 3] : memref<?x8xf32>
      %0 = affine.load %m[%i, 3] : memref<?x8xf32>
      // CHECK-NEXT: affine.store %{{.*}}, %m[%i + 1, symbol(%n) mod 8] : memref<?x8xf32>
      affine.store %0, %m[%i + 1, symbol(%n) mod 8] : memref<?x8xf32>
    // CHECK-NEXT: }
    }
  // CHECK-NEXT: }
  }
  // CHECK-NEXT: affine.for %i_1 = max affine_map<(d0) -> (d0, 4)>(%n) to min affine_map<(d0)[s0] -> (d0 + s0, 4)>(%n)[%n] {
  affine.for %i_1 = max affine_map<(d0) -> (d0, 4)>(%n) to min affine_map<(d0)[s0] -> (d0 + s0, 4)>(%n)[%n] {
  // CHECK-NEXT: }
  }
  // CHECK-NEXT: %{{.*}} = affine.for %i_2 = 0 to %n iter_args(%acc = %a) -> (f32) {
  %r = affine.for %i_2 = 0 to %n iter_args(%acc = %a) -> (f32) {
    // CHECK-NEXT: %{{.*}} = arith.addf %acc, %a : f32
    %1 = arith.addf %acc, %a : f32
    // CHECK-NEXT: affine.yield %{{.*}} : f32
    affine.yield %1 : f32
  // CHECK-NEXT: }
  }
  // CHECK-NEXT: affine.for %i_3 = 0 to 4 {
  affine.for %i_3 = 0 to 4 iter_args() -> () {
  // CHECK-NEXT: } {hint}
  } {hint}
  // CHECK-NEXT: affine.if affine_set<(d0)[s0] : (d0 - 1 >= 0, s0 == 0)>(%n)[%n] {
  affine.if affine_set<(d0)[s0] : (d0 - 1 >= 0, s0 == 0)>(%n)[%n] {
    // CHECK-NEXT: %{{.*}} = affine.load %m[0, 0] : memref<?x8xf32>
    %2 = affine.load %m[0, 0] : memref<?x8xf32>
  // CHECK-NEXT: }
  }
  // CHECK-NEXT: affine.if affine_set<(d0)[s0] : (d0 - 1 >= 0, s0 == 0)>(%n)[%n] {
  affine.if affine_set<(d0)[s0] : (d0 - 1 >= 0, s0 == 0)>(%n)[%n] {
    // CHECK-NEXT: %{{.*}} = affine.load %m[0, 0] : memref<?x8xf32>
    %3 = affine.load %m[0, 0] : memref<?x8xf32>
  // CHECK-NEXT: } else {
  } else {
    // CHECK-NEXT: affine.store %a, %m[0, 0] : memref<?x8xf32>
    affine.store %a, %m[0, 0] : memref<?x8xf32>
  // CHECK-NEXT: }
  }
  // CHECK-NEXT: %{{.*}} = affine.if affine_set<(d0)[s0] : (d0 - 1 >= 0, s0 == 0)>(%n)[%n] -> f32 {
  %4 = affine.if affine_set<(d0)[s0] : (d0 - 1 >= 0, s0 == 0)>(%n)[%n] -> f32 {
    // CHECK-NEXT: affine.yield %a : f32
    affine.yield %a : f32
  // CHECK-NEXT: } else {
  } else {
    // CHECK-NEXT: affine.yield %r : f32
    affine.yield %r : f32
  // CHECK-NEXT: }
  }
  // CHECK-NEXT: %{{.*}} = affine.if affine_set<() : (1 == 0)>() -> (f32, f32) {
  %5, %6 = affine.if affine_set<() : (1 == 0)>() -> (f32, f32) {
    // CHECK-NEXT: affine.yield %a, %a : f32, f32
    affine.yield %a, %a : f32, f32
  // CHECK-NEXT: } else {
  } else {
    // CHECK-NEXT: affine.yield %r, %a : f32, f32
    affine.yield %r, %a : f32, f32
  // CHECK-NEXT: }
  }
  // CHECK-NEXT: affine.prefetch %m[%n, 0], read, locality<3>, data : memref<?x8xf32>
  affine.prefetch %m[%n, 0], read, locality<3>, data : memref<?x8xf32>
  // CHECK-NEXT: affine.prefetch %m[%n + 5, 0], write, locality<0>, instr : memref<?x8xf32>
  affine.prefetch %m[%n + 5, 0], write, locality<0>, instr : memref<?x8xf32>
  // CHECK-NEXT: affine.parallel (%i_4, %j_1) = (0, 0) to (%n, 8) {
  affine.parallel (%i_4, %j_1) = (0, 0) to (%n, 8) {
    // CHECK-NEXT: affine.store %a, %m[%i_4, %j_1] : memref<?x8xf32>
    affine.store %a, %m[%i_4, %j_1] : memref<?x8xf32>
  // CHECK-NEXT: }
  }
  // CHECK-NEXT: affine.parallel (%i_5, %j_2) = (0, 1) to (%n, 8) step (4, 2) {
  affine.parallel (%i_5, %j_2) = (0, 1) to (%n, 8) step (4, 2) {
    // CHECK-NEXT: affine.store %a, %m[%i_5, %j_2] : memref<?x8xf32>
    affine.store %a, %m[%i_5, %j_2] : memref<?x8xf32>
  // CHECK-NEXT: }
  }
  // CHECK-NEXT: affine.parallel (%i_6) = (0) to (min(%n, 10)) {
  affine.parallel (%i_6) = (0) to (min(%n, 10)) {
  // CHECK-NEXT: }
  }
  // CHECK-NEXT: affine.parallel (%i_7, %j_3) = (max(0, %n), 1) to (min(%n, 10, %n + 1), 4) {
  affine.parallel (%i_7, %j_3) = (max(0, %n), 1) to (min(%n, 10, %n + 1), 4) {
  // CHECK-NEXT: }
  }
  // CHECK-NEXT: %{{.*}} = affine.parallel (%i_8) = (0) to (%n) reduce ("addf", "mulf") -> (f32, f32) {
  %7, %8 = affine.parallel (%i_8) = (0) to (%n) reduce ("addf", "mulf") -> (f32, f32) {
    // CHECK-NEXT: affine.yield %a, %a : f32, f32
    affine.yield %a, %a : f32, f32
  // CHECK-NEXT: }
  }
  // CHECK-NEXT: %{{.*}} = affine.vector_load %m[%n, 0] : memref<?x8xf32>, vector<8xf32>
  %9 = affine.vector_load %m[%n, 0] : memref<?x8xf32>, vector<8xf32>
  // CHECK-NEXT: affine.vector_store %{{.*}}, %m[%n, 0] : memref<?x8xf32>, vector<8xf32>
  affine.vector_store %9, %m[%n, 0] : memref<?x8xf32>, vector<8xf32>
  // CHECK-NEXT: affine.parallel () = () to () {
  affine.parallel () = () to () {
  // CHECK-NEXT: }
  }
  return %r : f32
}

// CHECK-LABEL: func.func @reductions
func.func @reductions(%i: i32, %s: si32, %u: ui32, %x: index) {
  // CHECK-NEXT: %{{.*}} = affine.parallel (%j) = (0) to (4) reduce ("addi", "ori", "maxs", "minu", "assign") -> (i32, si32, si32, ui32, index) {
  %0:5 = affine.parallel (%j) = (0) to (4) reduce ("addi", "ori", "maxs", "minu", "assign") -> (i32, si32, si32, ui32, index) {
    // CHECK-NEXT: affine.yield %i, %s, %s, %u, %x : i32, si32, si32, ui32, index
    affine.yield %i, %s, %s, %u, %x : i32, si32, si32, ui32, index
  // CHECK-NEXT: }
  }
  return
}
