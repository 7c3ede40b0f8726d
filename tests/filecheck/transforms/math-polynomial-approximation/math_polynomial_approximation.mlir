// RUN: xdsl-opt -t mlir-22 -p math-polynomial-approximation %s | filecheck %s

// 2**x is 2**n times 2**r. Powers of two are made of their bits, in two halves, as 2**n
// may be no normal number.

// CHECK-LABEL: func.func @power(
// CHECK-NOT:     math.exp2
// CHECK:         [[SHIFTED:%.*]] = arith.addf {{%.*}}, [[MAGIC:%.*]] fastmath<contract> : f32
// CHECK-NEXT:    [[WHOLE:%.*]] = arith.subf [[SHIFTED]], [[MAGIC]] fastmath<contract> : f32
// CHECK-NEXT:    arith.bitcast [[SHIFTED]] : f32 to i32
// CHECK:         arith.shrsi
// CHECK:         arith.bitcast {{%.*}} : i32 to f32
// CHECK:         arith.bitcast {{%.*}} : i32 to f32
// CHECK-NEXT:    arith.mulf
// CHECK-NEXT:    [[R:%.*]] = arith.mulf
// CHECK-NEXT:    func.return [[R]] : f32
func.func @power(%x: f32) -> f32 {
  %y = math.exp2 %x : f32
  return %y : f32
}

// CHECK-LABEL: func.func @short(
// CHECK:         arith.extf %x : vector<8xbf16> to vector<8xf32>
// CHECK:         arith.truncf {{%.*}} : vector<8xf32> to vector<8xbf16>
func.func @short(%x: vector<8xbf16>) -> vector<8xbf16> {
  %y = math.tanh %x : vector<8xbf16>
  return %y : vector<8xbf16>
}

// CHECK-LABEL: func.func @cube(
// CHECK:         [[SQUARE:%.*]] = arith.mulf %x, %x fastmath<contract> : f32
// CHECK-NEXT:    arith.mulf [[SQUARE]], %x fastmath<contract> : f32
// CHECK-NEXT:    func.return
func.func @cube(%x: f32) -> f32 {
  %three = arith.constant 3.0 : f32
  %y = math.powf %x, %three : f32
  return %y : f32
}

// CHECK-LABEL: func.func @stays(
// CHECK:         math.exp %x : f64
// CHECK:         math.powf %y, %y : f32
func.func @stays(%x: f64, %y: f32) -> (f64, f32) {
  %a = math.exp %x : f64
  %b = math.powf %y, %y : f32
  return %a, %b : f64, f32
}
