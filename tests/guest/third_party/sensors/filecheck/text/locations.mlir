// RUN: xdsl-opt --print-debuginfo %s | filecheck %s

func.func @located(%x: f32 loc("sensor.py":3:7)) -> f32 {
  %0 = arith.constant dense_resource<blob> : tensor<2xf32> loc("sensor.py":4:1)
  %1 = arith.mulf %x, %x : f32 loc(fused["sensor.py":5:1, "sensor.py":6:1])
  return %1 : f32 loc(unknown)
}

{-#
  dialect_resources: {
    builtin: {
      blob: "0x040000000000803f00000040"
    }
  }
#-}

// CHECK:      builtin.module {
// CHECK-NEXT:   func.func @located(%x: f32 loc("sensor.py":3:7)) -> f32 {
// CHECK-NEXT:     %0 = arith.constant dense_resource<blob> : tensor<2xf32> loc("sensor.py":4:1)
// CHECK-NEXT:     %1 = arith.mulf %x, %x : f32 loc(fused["sensor.py":5:1, "sensor.py":6:1])
// CHECK-NEXT:     func.return %1 : f32 loc(unknown)
// CHECK-NEXT:   } loc(unknown)
// CHECK-NEXT: } loc(unknown)
// CHECK:      {-#
// CHECK-NEXT:   dialect_resources: {
// CHECK-NEXT:     builtin: {
// CHECK-NEXT:       blob: "0x040000000000803f00000040"
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: #-}
