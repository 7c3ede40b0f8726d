// RUN: xbuf opt %s | xbuf opt | filecheck %s
// RUN: xbuf opt %s --print-op-generic | xbuf opt | filecheck %s
// RUN: xbuf opt %s -p stablehlo-legalize-to-linalg | filecheck %s --check-prefix LOWERED
// RUN: xbuf opt --print-op-generic %s | filecheck %s --check-prefix GENERIC

// CHECK: sdy.mesh @empty = <[]> {stablehlo.mesh = {axes = []}}
// CHECK: sdy.mesh @one = <["x"=1, "y"=1]>
// CHECK: sdy.mesh @device = <[], device_ids=[3]>
// LOWERED-NOT: sdy
// GENERIC: "sdy.mesh"() <{sym_name = "one", mesh = #sdy.mesh<["x"=1, "y"=1]>}> : () -> ()
sdy.mesh @empty = <[]> {stablehlo.mesh = {axes = []}}
sdy.mesh @one = <["x"=1, "y"=1]>
sdy.mesh @device = <[], device_ids=[3]>

// CHECK-LABEL: func.func @f
// CHECK: %0 = sdy.sharding_constraint %x <@one, [{"x", ?}, {}]> : tensor<4x2xui32>
// CHECK: %1 = sdy.reshard %0 <@empty, [{}, {}]> : tensor<4x2xui32>
// LOWERED: return %x : tensor<4x2xi32>
func.func @f(%x: tensor<4x2xui32>) -> tensor<4x2xui32> {
  %0 = sdy.sharding_constraint %x <@one, [{"x", ?}, {}]> : tensor<4x2xui32>
  %1 = sdy.reshard %0 <@empty, [{}, {}]> : tensor<4x2xui32>
  return %1 : tensor<4x2xui32>
}
