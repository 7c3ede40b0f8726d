// RUN: xbuf opt -p lower-packs-unpacks --verify-diagnostics %s | filecheck %s

func.func @dynamic_tiles(%t: tensor<64xf32>, %d: tensor<?x?xf32>, %n: index) -> tensor<?x?xf32> {
  // CHECK: 'linalg.pack' with dynamic tile sizes cannot be lowered; make its inner_tiles numbers, as canonicalize does with constants
  %z = arith.constant 0.0 : f32
  %0 = linalg.pack %t padding_value(%z : f32) inner_dims_pos = [0] inner_tiles = [%n] into %d : tensor<64xf32> -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
