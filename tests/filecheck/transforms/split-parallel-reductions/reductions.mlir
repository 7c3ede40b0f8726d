// RUN: xdsl-opt -t mlir-22 -p split-parallel-reductions %s | filecheck %s

// A block starts with the value of its first iteration, so that the combination needs
// no neutral element.

// CHECK-LABEL: func.func @sum(
// CHECK:       [[ROUNDS:%.*]] = arith.maxsi
// CHECK:       [[MOST:%.*]] = arith.constant 256 : index
// CHECK-NEXT:  [[FAIR:%.*]] = arith.ceildivui [[ROUNDS]], [[MOST]]
// CHECK-NEXT:  [[SIZE:%.*]] = arith.maxui [[FAIR]],
// CHECK-NEXT:  [[BLOCKS:%.*]] = arith.ceildivui [[ROUNDS]], [[SIZE]]
// CHECK-NEXT:  [[PARTIALS:%.*]] = memref.alloca() : memref<256xf32>
// CHECK-NEXT:  scf.parallel ([[B:%.*]]) = ({{%.*}}) to ([[BLOCKS]]) step ({{%.*}}) {
// CHECK-NEXT:    [[FIRST:%.*]] = arith.muli [[B]], [[SIZE]]
// CHECK-NEXT:    [[NEXT:%.*]] = arith.addi [[FIRST]], [[SIZE]]
// CHECK-NEXT:    [[END:%.*]] = arith.minui [[NEXT]], [[ROUNDS]]
// CHECK-NEXT:    [[PARTIAL:%.*]] = scf.for [[K:%.*]] = [[FIRST]] to [[END]] step {{%.*}} iter_args([[A:%.*]] = %x) -> (f32) {
// CHECK:           %y = memref.load %m[%i] : memref<?xf32>
// CHECK-NEXT:      [[IS_FIRST:%.*]] = arith.cmpi eq, [[K]], [[FIRST]]
// CHECK-NEXT:      scf.if [[IS_FIRST]] -> (f32) {
// CHECK-NEXT:        scf.yield %y : f32
// CHECK-NEXT:      } else {
// CHECK-NEXT:        [[S:%.*]] = arith.addf [[A]], %y : f32
// CHECK-NEXT:        scf.yield [[S]] : f32
// CHECK:         memref.store [[PARTIAL]], [[PARTIALS]][[[B]]]
// CHECK:       [[R:%.*]] = scf.for [[I:%.*]] = {{%.*}} to [[BLOCKS]] step {{%.*}} iter_args([[A:%.*]] = %x) -> (f32) {
// CHECK-NEXT:    [[P:%.*]] = memref.load [[PARTIALS]][[[I]]]
// CHECK-NEXT:    [[S:%.*]] = arith.addf [[A]], [[P]] : f32
// CHECK-NEXT:    scf.yield [[S]] : f32
// CHECK:       func.return [[R]] : f32
func.func @sum(%m: memref<?xf32>, %n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%x) -> f32 {
    %y = memref.load %m[%i] : memref<?xf32>
    scf.reduce(%y : f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      scf.reduce.return %s : f32
    }
  }
  return %r : f32
}
