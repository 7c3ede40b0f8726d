// RUN: xbuf opt -p pack-vnni --split-input-file %s | filecheck %s
// RUN: xbuf opt -p pack-vnni{factor=2} --split-input-file %s | filecheck %s --check-prefix GIVEN

// The module says how many rows are interleaved; an option of the pass goes before that.

// CHECK-LABEL: @four
// CHECK:         linalg.pack {{.*}} inner_tiles = [4] {{.*}} -> tensor<16x32x4xbf16>
// GIVEN-LABEL: @four
// GIVEN:         linalg.pack {{.*}} inner_tiles = [2] {{.*}} -> tensor<32x32x2xbf16>
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"GPU" = #dlti.target_device_spec<"vnni" = 8 : i32>, "CPU" = #dlti.target_device_spec<"tile_size" = 16 : i32, "vnni" = 4 : i32>>} {
  func.func @four(%a: tensor<32x64xbf16>, %b: tensor<64x32xbf16>, %c: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
    %0 = linalg.matmul ins(%a, %b : tensor<32x64xbf16>, tensor<64x32xbf16>) outs(%c : tensor<32x32xbf16>) -> tensor<32x32xbf16>
    return %0 : tensor<32x32xbf16>
  }
}

// -----

// The attribute may have any name. An odd number of rows cannot be interleaved.

// CHECK-LABEL: @none
// CHECK-NOT:     linalg.pack
// CHECK:         linalg.matmul
module attributes {"#dlti.sys_spec" = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"vnni" = 5 : i32>>} {
  func.func @none(%a: tensor<32x64xbf16>, %b: tensor<64x32xbf16>, %c: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
    %0 = linalg.matmul ins(%a, %b : tensor<32x64xbf16>, tensor<64x32xbf16>) outs(%c : tensor<32x32xbf16>) -> tensor<32x32xbf16>
    return %0 : tensor<32x32xbf16>
  }
}

// -----

// Without a word of the module, pairs are interleaved.

// CHECK-LABEL: @pairs
// CHECK:         linalg.pack {{.*}} inner_tiles = [2]
func.func @pairs(%a: tensor<32x64xbf16>, %b: tensor<64x32xbf16>, %c: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %0 = linalg.matmul ins(%a, %b : tensor<32x64xbf16>, tensor<64x32xbf16>) outs(%c : tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %0 : tensor<32x32xbf16>
}
