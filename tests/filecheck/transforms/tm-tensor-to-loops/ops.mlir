// RUN: xdsl-opt -t mlir-22 -p tm-tensor-to-loops,canonicalize,cse %s | filecheck %s

// The rows of a scan are independent; the elements of a row come one after another.
// CHECK-LABEL: func.func @scan(
// CHECK-NEXT:    %[[V0:.*]] = arith.constant 4 : index
// CHECK-NEXT:    %[[V1:.*]] = arith.constant 8 : index
// CHECK-NEXT:    %[[V2:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[V3:.*]] = arith.constant 1 : index
// CHECK-NEXT:    scf.parallel (%[[V4:.*]]) = (%[[V2]]) to (%[[V0]]) step (%[[V3]]) {
// CHECK-NEXT:      %[[V5:.*]] = memref.load %x[%[[V4]], %[[V2]]] : memref<4x8xf32>
// CHECK-NEXT:      memref.store %[[V5]], %o[%[[V4]], %[[V2]]] : memref<4x8xf32>
// CHECK-NEXT:      %[[V6:.*]] = scf.for %[[V7:.*]] = %[[V3]] to %[[V1]] step %[[V3]] iter_args(%[[V8:.*]] = %[[V5]]) -> (f32) {
// CHECK-NEXT:        %[[V9:.*]] = memref.load %x[%[[V4]], %[[V7]]] : memref<4x8xf32>
// CHECK-NEXT:        %[[VS:.*]] = arith.addf %[[V8]], %[[V9]] : f32
// CHECK-NEXT:        memref.store %[[VS]], %o[%[[V4]], %[[V7]]] : memref<4x8xf32>
// CHECK-NEXT:        scf.yield %[[VS]] : f32
// CHECK-NEXT:      }
// CHECK-NEXT:      memref.store %[[V6]], %a[%[[V4]]] : memref<4xf32>
// CHECK-NEXT:      scf.reduce
// CHECK-NEXT:    }
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @scan(%x: memref<4x8xf32>, %o: memref<4x8xf32>, %a: memref<4xf32>) {
  tm_tensor.scan dimension(1) inclusive(true) ins(%x : memref<4x8xf32>) outs(%o, %a : memref<4x8xf32>, memref<4xf32>) {
  ^bb0(%p: f32, %e: f32):
    %s = arith.addf %p, %e : f32
    tm_tensor.yield %s : f32
  }
  return
}

// CHECK-LABEL: func.func @exclusive_scan(
// CHECK-NEXT:    %[[V0:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[V1:.*]] = memref.dim %x, %[[V0]] : memref<?xi64>
// CHECK-NEXT:    %[[V2:.*]] = arith.cmpi slt, %[[V0]], %[[V1]] : index
// CHECK-NEXT:    scf.if %[[V2]] {
// CHECK-NEXT:      %[[V3:.*]] = arith.constant 1 : index
// CHECK-NEXT:      %[[V4:.*]] = memref.load %a[] : memref<i64>
// CHECK-NEXT:      memref.store %[[V4]], %o[%[[V0]]] : memref<?xi64>
// CHECK-NEXT:      %[[V5:.*]] = scf.for %[[V6:.*]] = %[[V3]] to %[[V1]] step %[[V3]] iter_args(%[[V7:.*]] = %[[V4]]) -> (i64) {
// CHECK-NEXT:        %[[V8:.*]] = arith.subi %[[V6]], %[[V3]] : index
// CHECK-NEXT:        %[[V9:.*]] = memref.load %x[%[[V8]]] : memref<?xi64>
// CHECK-NEXT:        %[[VS:.*]] = arith.muli %[[V7]], %[[V9]] : i64
// CHECK-NEXT:        memref.store %[[VS]], %o[%[[V6]]] : memref<?xi64>
// CHECK-NEXT:        scf.yield %[[VS]] : i64
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[V10:.*]] = arith.cmpi slt, %[[V3]], %[[V1]] : index
// CHECK-NEXT:      scf.if %[[V10]] {
// CHECK-NEXT:        memref.store %[[V5]], %a[] : memref<i64>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @exclusive_scan(%x: memref<?xi64>, %o: memref<?xi64>, %a: memref<i64>) {
  tm_tensor.scan dimension(0) inclusive(false) ins(%x : memref<?xi64>) outs(%o, %a : memref<?xi64>, memref<i64>) {
  ^bb0(%p: i64, %e: i64):
    %s = arith.muli %p, %e : i64
    tm_tensor.yield %s : i64
  }
  return
}

// Updates of different places are independent.
// CHECK-LABEL: func.func @unique_scatter(
// CHECK-NEXT:    %[[V0:.*]] = arith.constant 3 : index
// CHECK-NEXT:    %[[V1:.*]] = arith.constant 2 : index
// CHECK-NEXT:    %[[V2:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[V3:.*]] = arith.constant 1 : index
// CHECK-NEXT:    scf.parallel (%[[V4:.*]], %[[V5:.*]]) = (%[[V2]], %[[V2]]) to (%[[V0]], %[[V1]]) step (%[[V3]], %[[V3]]) {
// CHECK-NEXT:      %[[V6:.*]] = memref.load %i[%[[V4]], %[[V2]]] : memref<3x1xi64>
// CHECK-NEXT:      %[[V7:.*]] = arith.index_cast %[[V6]] : i64 to index
// CHECK-NEXT:      %[[V8:.*]] = memref.load %u[%[[V4]], %[[V5]]] : memref<3x2xf32>
// CHECK-NEXT:      memref.store %[[V8]], %x[%[[V7]], %[[V5]]] : memref<8x6xf32>
// CHECK-NEXT:      scf.reduce
// CHECK-NEXT:    }
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @unique_scatter(%x: memref<8x6xf32>, %i: memref<3x1xi64>, %u: memref<3x2xf32>) {
  tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : memref<3x2xf32>, memref<3x1xi64>) outs(%x : memref<8x6xf32>) {
  ^bb0(%update: f32, %old: f32):
    tm_tensor.yield %update : f32
  }
  return
}

// Others are applied in order. An index into a dimension of the updates is added.
// CHECK-LABEL: func.func @scatter(
// CHECK-NEXT:    %[[V0:.*]] = arith.constant 3 : index
// CHECK-NEXT:    %[[V1:.*]] = arith.constant 2 : index
// CHECK-NEXT:    %[[V2:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[V3:.*]] = arith.constant 1 : index
// CHECK-NEXT:    scf.for %[[V4:.*]] = %[[V2]] to %[[V0]] step %[[V3]] {
// CHECK-NEXT:      scf.for %[[V5:.*]] = %[[V2]] to %[[V1]] step %[[V3]] {
// CHECK-NEXT:        %[[V6:.*]] = memref.load %i[%[[V4]], %[[V2]]] : memref<3x2xi32>
// CHECK-NEXT:        %[[V7:.*]] = arith.index_cast %[[V6]] : i32 to index
// CHECK-NEXT:        %[[V8:.*]] = arith.addi %[[V7]], %[[V5]] : index
// CHECK-NEXT:        %[[V9:.*]] = memref.load %i[%[[V4]], %[[V3]]] : memref<3x2xi32>
// CHECK-NEXT:        %[[V10:.*]] = arith.index_cast %[[V9]] : i32 to index
// CHECK-NEXT:        %[[V11:.*]] = memref.load %u[%[[V4]], %[[V5]]] : memref<3x2xf32>
// CHECK-NEXT:        %[[V12:.*]] = memref.load %x[%[[V10]], %[[V8]]] : memref<8x6xf32>
// CHECK-NEXT:        %[[VSUM:.*]] = arith.addf %[[V11]], %[[V12]] : f32
// CHECK-NEXT:        memref.store %[[VSUM]], %x[%[[V10]], %[[V8]]] : memref<8x6xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @scatter(%x: memref<8x6xf32>, %i: memref<3x2xi32>, %u: memref<3x2xf32>) {
  tm_tensor.scatter {dimension_map = array<i64: 1, 0>} unique_indices(false) ins(%u, %i : memref<3x2xf32>, memref<3x2xi32>) outs(%x : memref<8x6xf32>) {
  ^bb0(%update: f32, %old: f32):
    %sum = arith.addf %update, %old : f32
    tm_tensor.yield %sum : f32
  }
  return
}

// A merge sort of a row, in two rows of its own.
// CHECK-LABEL: func.func @sort(
// CHECK:         scf.parallel (%{{.*}}) = (%[[C0:.*]]) to (%{{.*}}) step (%[[C1:.*]]) {
// CHECK-NEXT:      %[[ROW:.*]] = memref.alloc() : memref<9xf32>
// CHECK-NEXT:      %[[LEFT:.*]] = memref.alloc() : memref<9xf32>
// CHECK:           scf.while (%{{.*}} = %[[C1]]) : (index) -> index {
// CHECK:             %[[DOUBLE:.*]] = arith.addi %[[WIDTH:.*]], %[[WIDTH]] : index
// CHECK-NEXT:        %[[LAST:.*]] = arith.subi %{{.*}}, %[[WIDTH]] : index
// CHECK-NEXT:        scf.for %[[START:.*]] = %[[C0]] to %[[LAST]] step %[[DOUBLE]] {
// CHECK-NEXT:          %[[MIDDLE:.*]] = arith.addi %[[START]], %[[WIDTH]] : index
// CHECK:               scf.while (%{{.*}} = %[[C0]], %{{.*}} = %[[MIDDLE]], %{{.*}} = %[[START]])
// CHECK:                 %[[A:.*]] = memref.load %[[LEFT]][%{{.*}}] : memref<9xf32>
// CHECK-NEXT:            %[[B:.*]] = memref.load %[[ROW]][%{{.*}}] : memref<9xf32>
// CHECK-NEXT:            %[[YES:.*]] = arith.cmpf ole, %[[A]], %[[B]] : f32
// CHECK-NEXT:            %[[TRUE:.*]] = arith.constant true
// CHECK-NEXT:            %[[KEEP:.*]] = scf.if %[[YES]] -> (i1) {
// CHECK-NEXT:              scf.yield %[[TRUE]] : i1
// CHECK-NEXT:            } else {
// CHECK-NEXT:              arith.cmpf ole, %[[B]], %[[A]] : f32
// CHECK:                 arith.select %[[KEEP]], %[[A]], %[[B]] : f32
// CHECK:           memref.store %{{.*}}, %x[%{{.*}}, %{{.*}}] : memref<9x?xf32>
// CHECK:           memref.dealloc %[[ROW]] : memref<9xf32>
// CHECK-NEXT:      memref.dealloc %[[LEFT]] : memref<9xf32>
// CHECK-NEXT:      scf.reduce
func.func @sort(%x: memref<9x?xf32>) {
  tm_tensor.sort dimension(0) outs(%x : memref<9x?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %le = arith.cmpf ole, %a, %b : f32
    tm_tensor.yield %le : i1
  }
  return
}

// Each element is inserted into what is kept.
// CHECK-LABEL: func.func @topk(
// CHECK-NEXT:    %[[V0:.*]] = arith.constant 9 : index
// CHECK-NEXT:    %[[V1:.*]] = arith.constant 3 : index
// CHECK-NEXT:    %[[V2:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[V3:.*]] = arith.constant 1 : index
// CHECK-NEXT:    scf.for %[[V4:.*]] = %[[V2]] to %[[V0]] step %[[V3]] {
// CHECK-NEXT:      %[[V5:.*]] = arith.index_cast %[[V4]] : index to i32
// CHECK-NEXT:      %[[V6:.*]] = memref.load %x[%[[V4]]] : memref<9xf32>
// CHECK-NEXT:      %[[V7:.*]], %[[V8:.*]] = scf.for %[[V9:.*]] = %[[V2]] to %[[V1]] step %[[V3]] iter_args(%[[V10:.*]] = %[[V6]], %[[V11:.*]] = %[[V5]]) -> (f32, i32) {
// CHECK-NEXT:        %[[V12:.*]] = memref.load %v[%[[V9]]] : memref<3xf32>
// CHECK-NEXT:        %[[V13:.*]] = memref.load %i[%[[V9]]] : memref<3xi32>
// CHECK-NEXT:        %[[VGT:.*]] = arith.cmpf ogt, %[[V10]], %[[V12]] : f32
// CHECK-NEXT:        %[[VGT_1:.*]] = arith.cmpf ogt, %[[V12]], %[[V10]] : f32
// CHECK-NEXT:        %[[V14:.*]] = arith.cmpi eq, %[[VGT]], %[[VGT_1]] : i1
// CHECK-NEXT:        %[[V15:.*]] = arith.cmpi slt, %[[V11]], %[[V13]] : i32
// CHECK-NEXT:        %[[V16:.*]] = arith.andi %[[V14]], %[[V15]] : i1
// CHECK-NEXT:        %[[V17:.*]] = arith.ori %[[VGT]], %[[V16]] : i1
// CHECK-NEXT:        %[[V18:.*]] = arith.select %[[VGT]], %[[V10]], %[[V12]] : f32
// CHECK-NEXT:        memref.store %[[V18]], %v[%[[V9]]] : memref<3xf32>
// CHECK-NEXT:        %[[V19:.*]] = arith.select %[[V17]], %[[V11]], %[[V13]] : i32
// CHECK-NEXT:        memref.store %[[V19]], %i[%[[V9]]] : memref<3xi32>
// CHECK-NEXT:        %[[V20:.*]] = arith.select %[[VGT]], %[[V12]], %[[V10]] : f32
// CHECK-NEXT:        %[[V21:.*]] = arith.select %[[V17]], %[[V13]], %[[V11]] : i32
// CHECK-NEXT:        scf.yield %[[V20]], %[[V21]] : f32, i32
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    return
// CHECK-NEXT:  }
func.func @topk(%x: memref<9xf32>, %v: memref<3xf32>, %i: memref<3xi32>) {
  tm_tensor.topk dimension(0) ins(%x : memref<9xf32>) outs(%v, %i : memref<3xf32>, memref<3xi32>) {
  ^bb0(%new: f32, %kept: f32):
    %gt = arith.cmpf ogt, %new, %kept : f32
    tm_tensor.yield %gt : i1
  }
  return
}

// Rows of the query are independent. Narrow numbers are computed as f32.
// CHECK-LABEL: func.func @attention(
// CHECK-DAG:     %[[SCALE:.*]] = arith.constant 5.000000e-01 : f32
// CHECK:         scf.parallel (%[[B:.*]], %[[M:.*]]) = (%{{.*}}, %{{.*}}) to (%{{.*}}, %{{.*}}) step (%{{.*}}, %{{.*}}) {
// CHECK-NEXT:      %[[W:.*]] = memref.alloc() : memref<7xf32>
// CHECK-NEXT:      %[[S:.*]] = memref.alloc() : memref<4xf32>
// CHECK:           %[[LARGEST:.*]] = scf.for %[[K:[0-9]+]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%{{.*}} = %[[LOWEST:.*]]) -> (f32) {
// CHECK-NEXT:        %[[PRODUCT:.*]] = scf.for %[[D:[0-9]+]] = {{.*}} -> (f32) {
// CHECK-NEXT:          %[[Q:.*]] = memref.load %q[%[[B]], %[[M]], %[[D]]] : memref<2x5x8xf16>
// CHECK-NEXT:          arith.extf %[[Q]] : f16 to f32
// CHECK-NEXT:          memref.load %k[%[[B]], %[[K]], %[[D]]] : memref<2x7x8xf16>
// CHECK:               arith.addf %{{.*}}, %{{.*}} fastmath<reassoc> : f32
// CHECK:             arith.mulf %[[PRODUCT]], %[[SCALE]] : f32
// CHECK-NEXT:        memref.load %m[%[[B]], %[[M]], %[[K]]] : memref<2x5x7xi1>
// CHECK-NEXT:        arith.select %{{.*}}, %{{.*}}, %[[LOWEST]] : f32
// CHECK:             arith.maximumf
// CHECK:           math.exp
// CHECK:           arith.truncf %{{.*}} : f32 to f16
// CHECK-NEXT:      memref.store %{{.*}}, %o[%[[B]], %[[M]], %{{.*}}] : memref<2x5x4xf16>
// CHECK:           memref.dealloc %[[W]] : memref<7xf32>
// CHECK-NEXT:      memref.dealloc %[[S]] : memref<4xf32>
func.func @attention(%q: memref<2x5x8xf16>, %k: memref<2x7x8xf16>, %v: memref<2x7x4xf16>, %m: memref<2x5x7xi1>, %o: memref<2x5x4xf16>) {
  tm_tensor.attention {scale = 5.000000e-01 : f64} ins(%q, %k, %v, %m : memref<2x5x8xf16>, memref<2x7x8xf16>, memref<2x7x4xf16>, memref<2x5x7xi1>) outs(%o : memref<2x5x4xf16>)
  return
}
