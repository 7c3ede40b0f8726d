// RUN: xdsl-opt -t mlir-22 -p allow-approximations %s | filecheck %s

// What has a formula gets the flag, beside those that it has.

// CHECK-LABEL: func.func @functions(
// CHECK-NEXT:    math.exp %{{.*}} fastmath<afn> : f32
// CHECK-NEXT:    math.tanh %{{.*}} fastmath<afn> : bf16
// CHECK-NEXT:    math.erf %{{.*}} fastmath<nnan,afn> : vector<4xf32>
func.func @functions(%a: f32, %b: bf16, %c: vector<4xf32>) -> (f32, bf16, vector<4xf32>) {
  %0 = math.exp %a : f32
  %1 = math.tanh %b : bf16
  %2 = math.erf %c fastmath<nnan> : vector<4xf32>
  return %0, %1, %2 : f32, bf16, vector<4xf32>
}

// Powers have a formula if the exponent is one of a few that are written in the program.

// CHECK-LABEL: func.func @powers(
// CHECK:         math.powf %{{.*}}, %{{.*}} fastmath<afn> : f32
// CHECK-NEXT:    math.powf %{{.*}}, %{{.*}} : f32
func.func @powers(%a: f32, %b: f32) -> (f32, f32) {
  %two = arith.constant 2.0 : f32
  %0 = math.powf %a, %two : f32
  %1 = math.powf %a, %b : f32
  return %0, %1 : f32, f32
}

// Nothing else gets it.

// CHECK-LABEL: func.func @others(
// CHECK-NEXT:    math.exp %{{.*}} : f64
// CHECK-NEXT:    math.sin %{{.*}} : f32
func.func @others(%a: f64, %b: f32) -> (f64, f32) {
  %0 = math.exp %a : f64
  %1 = math.sin %b : f32
  return %0, %1 : f64, f32
}
