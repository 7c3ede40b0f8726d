// Tensor code inside of a `csl.func` becomes CSL, the language of Cerebras. Our pass makes
// buffers of the tensors. xDSL makes `@fadds` of linalg.add, and memory descriptors of the
// buffers, slices and copies.

// RUN: xdsl-opt -p one-shot-bufferize,canonicalize,linalg-to-csl,memref-to-dsd -t csl %s | filecheck %s

// CHECK:       var a : [512]f32 = @zeros([512]f32);
// CHECK:       var b : [510]f32 = @zeros([510]f32);

"csl.module"() <{kind = #csl<module_kind program>, sym_name = "pe"}> ({
  %a = memref.alloc() : memref<512xf32>
  %b = memref.alloc() : memref<510xf32>

// Two slices of one buffer are added into another buffer, without a copy.

// CHECK:       fn step() void {
// CHECK-NEXT:    const left : mem1d_dsd = @set_dsd_length(a_dsd, 510);
// CHECK-NEXT:    const right : mem1d_dsd = @set_dsd_length(a_dsd, 510);
// CHECK-NEXT:    const right0 : mem1d_dsd = @increment_dsd_offset(right, 2, f32);
// CHECK-NEXT:    @fadds(b_dsd, left, right0);
// CHECK-NEXT:    @fmuls(b_dsd, b_dsd, left);
// CHECK-NEXT:    return;
  csl.func @step() {
    %x = bufferization.to_tensor %a restrict : memref<512xf32>
    %y = bufferization.to_tensor %b restrict writable : memref<510xf32>
    %left = tensor.extract_slice %x[0] [510] [1] : tensor<512xf32> to tensor<510xf32>
    %right = tensor.extract_slice %x[2] [510] [1] : tensor<512xf32> to tensor<510xf32>
    %sum = linalg.add ins(%left, %right : tensor<510xf32>, tensor<510xf32>) outs(%y : tensor<510xf32>) -> tensor<510xf32>
    %product = linalg.mul ins(%sum, %left : tensor<510xf32>, tensor<510xf32>) outs(%sum : tensor<510xf32>) -> tensor<510xf32>
    bufferization.materialize_in_destination %product in writable %b : (tensor<510xf32>, memref<510xf32>) -> ()
    csl.return
  }

// `%a` may not be written here, so its slice is copied. Then the copy is written.

// CHECK:       fn double() void {
// CHECK-NEXT:    const part : mem1d_dsd = @set_dsd_length(a_dsd, 510);
// CHECK-NEXT:    const part0 : mem1d_dsd = @increment_dsd_offset(part, 1, f32);
// CHECK:         @fmovs([[COPY:.*]], part0);
// CHECK-NEXT:    @fadds([[COPY]], [[COPY]], [[COPY]]);
// CHECK-NEXT:    @fmovs(b_dsd, [[COPY]]);
// CHECK-NEXT:    return;
  csl.func @double() {
    %x = bufferization.to_tensor %a restrict : memref<512xf32>
    %part = tensor.extract_slice %x[1] [510] [1] : tensor<512xf32> to tensor<510xf32>
    %twice = linalg.add ins(%part, %part : tensor<510xf32>, tensor<510xf32>) outs(%part : tensor<510xf32>) -> tensor<510xf32>
    bufferization.materialize_in_destination %twice in writable %b : (tensor<510xf32>, memref<510xf32>) -> ()
    csl.return
  }
}) : () -> ()
