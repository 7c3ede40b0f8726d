// RUN: xbuf opt -p tile-consumer-and-fuse-producers %s | filecheck %s

// The module says how large tiles of matrices are.

// CHECK:       scf.forall ({{.*}}) = (0, 0) to (128, 128) step (64, 64)
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"tile_size" = 64 : i32>>} {
  func.func @product(%a: tensor<128x128xf32>, %b: tensor<128x128xf32>, %c: tensor<128x128xf32>) -> tensor<128x128xf32> {
    %0 = linalg.matmul ins(%a, %b : tensor<128x128xf32>, tensor<128x128xf32>) outs(%c : tensor<128x128xf32>) -> tensor<128x128xf32>
    return %0 : tensor<128x128xf32>
  }
}
