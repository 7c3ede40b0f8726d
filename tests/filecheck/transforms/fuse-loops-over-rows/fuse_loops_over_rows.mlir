// RUN: xdsl-opt -t mlir-22 -p fuse-loops-over-rows %s | filecheck %s

#whole = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>
#column = affine_map<(d0, d1) -> (d1, 0)>

// The sum of a row is on the stack, as no other op uses it.

// CHECK-LABEL: func.func @normalize(
// CHECK:         [[E:%.*]] = memref.alloc() : memref<8x32xf32>
// CHECK-NOT:     memref.alloc()
// CHECK:         scf.parallel ([[I:%.*]]) =
// CHECK:           [[S:%.*]] = memref.alloca() {alignment = 64 : i64} : memref<1x1xf32>
// CHECK-NEXT:      linalg.fill ins(%zero : f32) outs([[S]] : memref<1x1xf32>)
// CHECK-NEXT:      [[X:%.*]] = memref.subview %x{{\[}}[[I]], 0] [1, 32] [1, 1]
// CHECK-NEXT:      linalg.generic {{.*}} ins([[X]] : {{.*}}) outs([[S]] :
// CHECK:           [[Y:%.*]] = memref.subview [[E]]{{\[}}[[I]], 0] [1, 32] [1, 1]
// CHECK-NEXT:      linalg.generic {{.*}} ins([[X]], [[S]] : {{.*}}) outs([[Y]] :
// CHECK:           scf.reduce
// CHECK:         memref.copy
// CHECK-NEXT:    memref.dealloc [[E]]
func.func @normalize(%x: memref<8x32xf32>, %y: memref<8x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<8x1xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<8x1xf32>)
  linalg.generic {indexing_maps = [#whole, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<8x32xf32>) outs(%s : memref<8x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  }
  %e = memref.alloc() : memref<8x32xf32>
  linalg.generic {indexing_maps = [#whole, #row, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : memref<8x32xf32>, memref<8x1xf32>) outs(%e : memref<8x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  }
  memref.dealloc %s : memref<8x1xf32>
  memref.copy %e, %y : memref<8x32xf32> to memref<8x32xf32>
  memref.dealloc %e : memref<8x32xf32>
  return
}

// The buffer that gives the shape of the windows has no rows: it stays as it is, and so does
// the op that has it.

// CHECK-LABEL: func.func @windows(
// CHECK:         [[W:%.*]] = memref.alloc() : memref<16xi64>
// CHECK:         scf.parallel ([[I:%.*]]) =
// CHECK:           linalg.fill
// CHECK:           linalg.generic {{.*}} ins({{%.*}}, [[W]] : {{.*}}, memref<16xi64>) outs(
// CHECK:           scf.reduce
// CHECK:         memref.dealloc [[W]]
func.func @windows(%x: memref<8x16xi64>) -> memref<8xi64> {
  %none = arith.constant -1 : i64
  %y = memref.alloc() : memref<8xi64>
  %w = memref.alloc() : memref<16xi64>
  linalg.fill ins(%none : i64) outs(%y : memref<8xi64>)
  linalg.generic {
    indexing_maps = [#whole, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%x, %w : memref<8x16xi64>, memref<16xi64>) outs(%y : memref<8xi64>) {
  ^bb0(%a: i64, %unused: i64, %o: i64):
    %r = arith.maxsi %a, %o : i64
    linalg.yield %r : i64
  }
  memref.dealloc %w : memref<16xi64>
  return %y : memref<8xi64>
}

// Row %i of the result uses what was computed of all rows: two loops stay.

// CHECK-LABEL: func.func @turned(
// CHECK-NOT:     scf.parallel
// CHECK:         return
func.func @turned(%x: memref<32x32xf32>) -> memref<32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<32x1xf32>
  %y = memref.alloc() : memref<32x32xf32>
  linalg.generic {indexing_maps = [#whole, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<32x32xf32>) outs(%s : memref<32x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %a, %o : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#whole, #column, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : memref<32x32xf32>, memref<32x1xf32>) outs(%y : memref<32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  }
  memref.dealloc %s : memref<32x1xf32>
  return %y : memref<32x32xf32>
}

// Two arguments may be parts of one buffer, so that the order of the ops matters.

// CHECK-LABEL: func.func @arguments(
// CHECK-NOT:     scf.parallel
// CHECK:         return
func.func @arguments(%x: memref<8x32xf32>, %s: memref<8x1xf32>, %y: memref<8x32xf32>) {
  linalg.generic {indexing_maps = [#whole, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<8x32xf32>) outs(%s : memref<8x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %a, %o : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#whole, #row, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : memref<8x32xf32>, memref<8x1xf32>) outs(%y : memref<8x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  }
  return
}
