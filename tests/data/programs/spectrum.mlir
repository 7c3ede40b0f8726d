// The power spectrum of sixteen complex numbers, by the fast Fourier transform on tensors
// of complex numbers, and the numbers that the inverse transform gives back.

#id = affine_map<(d0) -> (d0)>

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

func.func private @twiddle(%k: index, %half: index, %sign: f32) -> complex<f32> {
  %pi = arith.constant 3.14159274 : f32
  %zero = arith.constant 0.0 : f32
  %ki = arith.index_cast %k : index to i32
  %kf = arith.sitofp %ki : i32 to f32
  %hi = arith.index_cast %half : index to i32
  %hf = arith.sitofp %hi : i32 to f32
  %part = arith.divf %kf, %hf : f32
  %turn = arith.mulf %part, %pi : f32
  %angle = arith.mulf %turn, %sign : f32
  %exponent = complex.create %zero, %angle : complex<f32>
  %w = complex.exp %exponent : complex<f32>
  return %w : complex<f32>
}

func.func private @transform(%x: tensor<16xcomplex<f32>>, %sign: f32) -> tensor<16xcomplex<f32>> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %empty = tensor.empty() : tensor<16xcomplex<f32>>
  %reordered = scf.for %i = %c0 to %c16 step %c1 iter_args(%out = %empty) -> (tensor<16xcomplex<f32>>) {
    %j = func.call @reverse_bits(%i) : (index) -> index
    %v = tensor.extract %x[%j] : tensor<16xcomplex<f32>>
    %next = tensor.insert %v into %out[%i] : tensor<16xcomplex<f32>>
    scf.yield %next : tensor<16xcomplex<f32>>
  }
  %r:2 = scf.for %stage = %c0 to %c4 step %c1 iter_args(%t = %reordered, %half = %c1) -> (tensor<16xcomplex<f32>>, index) {
    %width = arith.muli %half, %c2 : index
    %groups = scf.for %start = %c0 to %c16 step %width iter_args(%g = %t) -> (tensor<16xcomplex<f32>>) {
      %butterflies = scf.for %k = %c0 to %half step %c1 iter_args(%b = %g) -> (tensor<16xcomplex<f32>>) {
        %top = arith.addi %start, %k : index
        %bottom = arith.addi %top, %half : index
        %w = func.call @twiddle(%k, %half, %sign) : (index, index, f32) -> complex<f32>
        %u = tensor.extract %b[%top] : tensor<16xcomplex<f32>>
        %v = tensor.extract %b[%bottom] : tensor<16xcomplex<f32>>
        %turned = complex.mul %v, %w : complex<f32>
        %sum = complex.add %u, %turned : complex<f32>
        %difference = complex.sub %u, %turned : complex<f32>
        %b0 = tensor.insert %sum into %b[%top] : tensor<16xcomplex<f32>>
        %b1 = tensor.insert %difference into %b0[%bottom] : tensor<16xcomplex<f32>>
        scf.yield %b1 : tensor<16xcomplex<f32>>
      }
      scf.yield %butterflies : tensor<16xcomplex<f32>>
    }
    scf.yield %groups, %width : tensor<16xcomplex<f32>>, index
  }
  return %r#0 : tensor<16xcomplex<f32>>
}

func.func @spectrum(%x: tensor<16xcomplex<f32>>) -> (tensor<16xf32>, tensor<16xcomplex<f32>>) {
  %forth = arith.constant -1.0 : f32
  %back = arith.constant 1.0 : f32
  %count = complex.constant [1.600000e+01 : f32, 0.000000e+00 : f32] : complex<f32>
  %f = call @transform(%x, %forth) : (tensor<16xcomplex<f32>>, f32) -> tensor<16xcomplex<f32>>
  %e = tensor.empty() : tensor<16xf32>
  %power = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%f : tensor<16xcomplex<f32>>) outs(%e : tensor<16xf32>) {
  ^bb0(%z: complex<f32>, %o: f32):
    %conj = complex.conj %z : complex<f32>
    %square = complex.mul %z, %conj : complex<f32>
    %re = complex.re %square : complex<f32>
    linalg.yield %re : f32
  } -> tensor<16xf32>
  %again = call @transform(%f, %back) : (tensor<16xcomplex<f32>>, f32) -> tensor<16xcomplex<f32>>
  %ee = tensor.empty() : tensor<16xcomplex<f32>>
  %inverse = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%again : tensor<16xcomplex<f32>>) outs(%ee : tensor<16xcomplex<f32>>) {
  ^bb0(%z: complex<f32>, %o: complex<f32>):
    %scaled = complex.div %z, %count : complex<f32>
    linalg.yield %scaled : complex<f32>
  } -> tensor<16xcomplex<f32>>
  return %power, %inverse : tensor<16xf32>, tensor<16xcomplex<f32>>
}
