// The fast Fourier transform of sixteen complex numbers, radix two: the elements are put
// into bit-reversed order, then butterflies of growing width work in place.

func.func private @reverse_bits(%x: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%rest = %x, %out = %c0) -> (index, index) {
    %bit = arith.andi %rest, %c1 : index
    %moved = arith.shli %out, %c1 : index
    %more = arith.ori %moved, %bit : index
    %less = arith.shrui %rest, %c1 : index
    scf.yield %less, %more : index, index
  }
  return %r#1 : index
}

func.func private @reorder(%x: tensor<16xf32>) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %empty = tensor.empty() : tensor<16xf32>
  %r = scf.for %i = %c0 to %c16 step %c1 iter_args(%out = %empty) -> (tensor<16xf32>) {
    %j = func.call @reverse_bits(%i) : (index) -> index
    %v = tensor.extract %x[%j] : tensor<16xf32>
    %next = tensor.insert %v into %out[%i] : tensor<16xf32>
    scf.yield %next : tensor<16xf32>
  }
  return %r : tensor<16xf32>
}

func.func private @twiddle(%k: index, %half: index) -> (f32, f32) {
  %pi = arith.constant -3.14159274 : f32
  %ki = arith.index_cast %k : index to i32
  %kf = arith.sitofp %ki : i32 to f32
  %hi = arith.index_cast %half : index to i32
  %hf = arith.sitofp %hi : i32 to f32
  %part = arith.divf %kf, %hf : f32
  %angle = arith.mulf %part, %pi : f32
  %cos = math.cos %angle : f32
  %sin = math.sin %angle : f32
  return %cos, %sin : f32, f32
}

func.func @fft(%re: tensor<16xf32>, %im: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %re0 = call @reorder(%re) : (tensor<16xf32>) -> tensor<16xf32>
  %im0 = call @reorder(%im) : (tensor<16xf32>) -> tensor<16xf32>
  %r:3 = scf.while (%half = %c1, %a = %re0, %b = %im0) : (index, tensor<16xf32>, tensor<16xf32>) -> (index, tensor<16xf32>, tensor<16xf32>) {
    %more = arith.cmpi ult, %half, %c16 : index
    scf.condition(%more) %half, %a, %b : index, tensor<16xf32>, tensor<16xf32>
  } do {
  ^bb0(%half: index, %a: tensor<16xf32>, %b: tensor<16xf32>):
    %width = arith.addi %half, %half : index
    %blocks:2 = scf.for %start = %c0 to %c16 step %width iter_args(%ra = %a, %ia = %b) -> (tensor<16xf32>, tensor<16xf32>) {
      %pairs:2 = scf.for %k = %c0 to %half step %c1 iter_args(%rk = %ra, %ik = %ia) -> (tensor<16xf32>, tensor<16xf32>) {
        %w:2 = func.call @twiddle(%k, %half) : (index, index) -> (f32, f32)
        %even = arith.addi %start, %k : index
        %odd = arith.addi %even, %half : index
        %er = tensor.extract %rk[%even] : tensor<16xf32>
        %ei = tensor.extract %ik[%even] : tensor<16xf32>
        %or = tensor.extract %rk[%odd] : tensor<16xf32>
        %oi = tensor.extract %ik[%odd] : tensor<16xf32>
        %p0 = arith.mulf %or, %w#0 : f32
        %p1 = arith.mulf %oi, %w#1 : f32
        %p2 = arith.mulf %or, %w#1 : f32
        %p3 = arith.mulf %oi, %w#0 : f32
        %tr = arith.subf %p0, %p1 : f32
        %ti = arith.addf %p2, %p3 : f32
        %r0 = arith.addf %er, %tr : f32
        %i0 = arith.addf %ei, %ti : f32
        %r1 = arith.subf %er, %tr : f32
        %i1 = arith.subf %ei, %ti : f32
        %x0 = tensor.insert %r0 into %rk[%even] : tensor<16xf32>
        %x1 = tensor.insert %r1 into %x0[%odd] : tensor<16xf32>
        %y0 = tensor.insert %i0 into %ik[%even] : tensor<16xf32>
        %y1 = tensor.insert %i1 into %y0[%odd] : tensor<16xf32>
        scf.yield %x1, %y1 : tensor<16xf32>, tensor<16xf32>
      }
      scf.yield %pairs#0, %pairs#1 : tensor<16xf32>, tensor<16xf32>
    }
    scf.yield %width, %blocks#0, %blocks#1 : index, tensor<16xf32>, tensor<16xf32>
  }
  return %r#1, %r#2 : tensor<16xf32>, tensor<16xf32>
}
