// Tensor code inside of a `gpu.func` becomes WGSL, the language of WebGPU. Our pass makes
// buffers of the tensors, and xDSL's target prints loads and stores. `canonicalize` removes
// the copy of a buffer to itself.

// RUN: xdsl-opt -p one-shot-bufferize,canonicalize -t wgsl %s | filecheck %s

"builtin.module"() ({
  "gpu.module"() ({

// CHECK:       var<storage,read> vx: array<f32>;
// CHECK:       var<storage,read> vy: array<f32>;
// CHECK:       var<storage,read_write> vz: array<f32>;
// CHECK:       @workgroup_size(8,1,1)
// CHECK-NEXT:  fn add(@builtin(global_invocation_id) global_invocation_id : vec3<u32>,
// CHECK:       let vi: u32 = global_invocation_id.x;
// CHECK-NEXT:  let vp = vx[1u * vi];
// CHECK-NEXT:  let vq = vy[1u * vi];
// CHECK-NEXT:  let vsum = vp + vq;
// CHECK-NEXT:  vz[1u * vi] = vsum;
    "gpu.func"() ({
    ^bb0(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>):
      %i = "gpu.global_id"() {dimension = #gpu<dim x>} : () -> index
      %a = bufferization.to_tensor %x restrict : memref<8xf32>
      %b = bufferization.to_tensor %y restrict : memref<8xf32>
      %c = bufferization.to_tensor %z restrict writable : memref<8xf32>
      %p = tensor.extract %a[%i] : tensor<8xf32>
      %q = tensor.extract %b[%i] : tensor<8xf32>
      %sum = arith.addf %p, %q : f32
      %d = tensor.insert %sum into %c[%i] : tensor<8xf32>
      bufferization.materialize_in_destination %d in writable %z : (tensor<8xf32>, memref<8xf32>) -> ()
      "gpu.return"() : () -> ()
    }) {function_type = (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> (), gpu.kernel, gpu.known_block_size = array<i32: 8, 1, 1>, sym_name = "add", workgroup_attributions = 0 : i64} : () -> ()
  }) {sym_name = "kernels"} : () -> ()
}) {gpu.container_module} : () -> ()
