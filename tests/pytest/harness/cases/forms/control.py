"""Forms of scf, cf, func and affine: loops, branches and calls, on tensors."""

from harness.cases.forms.form import Form, function, numbers

T = "tensor<5xf32>"

CONSTANTS = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index"""

STEP = f"""
    %x = tensor.extract %t[%i] : {T}
    %y = arith.addf %x, %x : f32
    %u = tensor.insert %y into %t[%i] : {T}"""

BODIES = {
    "for": f"""
  %r0 = scf.for %i = %c0 to %c5 step %c2 iter_args(%t = %0) -> {T} {{{STEP}
    scf.yield %u : {T}
  }}""",
    "for without iterations": f"""
  %r0 = scf.for %i = %c5 to %c0 step %c1 iter_args(%t = %0) -> {T} {{{STEP}
    scf.yield %u : {T}
  }}""",
    "while": f"""
  %n, %r0 = scf.while (%i = %c0, %t = %0) : (index, {T}) -> (index, {T}) {{
    %go = arith.cmpi slt, %i, %1 : index
    scf.condition(%go) %i, %t : index, {T}
  }} do {{
  ^bb0(%i: index, %t: {T}):{STEP}
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %u : index, {T}
  }}""",
    "if": f"""
  %p = arith.cmpi sgt, %1, %c1 : index
  %r0 = scf.if %p -> {T} {{
    %i = arith.addi %c1, %c1 : index
    %t = arith.addf %0, %0 : {T}{STEP}
    scf.yield %u : {T}
  }} else {{
    scf.yield %0 : {T}
  }}""",
    "index_switch": f"""
  %r0 = scf.index_switch %1 -> {T}
  case 2 {{
    scf.yield %0 : {T}
  }}
  case 3 {{
    %s = arith.addf %0, %0 : {T}
    scf.yield %s : {T}
  }}
  default {{
    %s = arith.mulf %0, %0 : {T}
    scf.yield %s : {T}
  }}""",
    "execute_region": f"""
  %r0 = scf.execute_region -> {T} {{
    %s = arith.addf %0, %0 : {T}
    scf.yield %s : {T}
  }}""",
    "forall": f"""
  %r0 = scf.forall (%i) in (5) shared_outs(%o = %0) -> ({T}) {{
    %s = tensor.extract_slice %0[%i] [1] [1] : {T} to tensor<1xf32>
    %u = arith.addf %s, %s : tensor<1xf32>
    scf.forall.in_parallel {{
      tensor.parallel_insert_slice %u into %o[%i] [1] [1] : tensor<1xf32> into {T}
    }}
  }}""",
    "parallel": f"""
  %z = arith.constant 1.0 : f32
  %s = scf.parallel (%i) = (%c0) to (%c5) step (%c2) init (%z) -> f32 {{
    %x = tensor.extract %0[%i] : {T}
    scf.reduce(%x : f32) {{
    ^bb0(%a: f32, %b: f32):
      %m = arith.mulf %a, %b : f32
      scf.reduce.return %m : f32
    }}
  }}
  %r0 = tensor.insert %s into %0[%c0] : {T}""",
    "call": f"""
  %r0 = func.call @twice(%0) : ({T}) -> {T}""",
    "branches": f"""
  %p = arith.cmpi sgt, %1, %c1 : index
  cf.cond_br %p, ^left(%c0 : index), ^right(%0 : {T})
^left(%k: index):
  %a = arith.addf %0, %0 : {T}
  cf.br ^right(%a : {T})
^right(%r0: {T}):
  cf.br ^last
^last:""",
    "switch": f"""
  %n = arith.index_cast %1 : index to i32
  cf.switch %n : i32, [
    default: ^right(%0 : {T}),
    2: ^left(%c0 : index),
    3: ^left(%c1 : index)
  ]
^left(%k: index):
  %a = arith.addf %0, %0 : {T}
  cf.br ^right(%a : {T})
^right(%r0: {T}):
  cf.br ^last
^last:""",
    "affine maps": f"""
  %a = affine.apply affine_map<(d0)[s0] -> (d0 * 3 + s0 floordiv 2)>(%1)[%1]
  %b = affine.min affine_map<(d0) -> (d0, 4, d0 mod 3)>(%1)
  %c = affine.max affine_map<(d0) -> (d0 ceildiv 4, -3)>(%1)
  %n = arith.addi %a, %b : index
  %m = arith.addi %n, %c : index
  %k = arith.index_cast %m : index to i32
  %x = arith.sitofp %k : i32 to f32
  %r0 = tensor.insert %x into %0[%c0] : {T}""",
    "nested loops": f"""
  %r0 = scf.for %j = %c0 to %1 step %c1 iter_args(%s = %0) -> {T} {{
    %w = scf.for %i = %j to %c5 step %c1 iter_args(%t = %s) -> {T} {{{STEP}
      scf.yield %u : {T}
    }}
    scf.yield %w : {T}
  }}""",
    "selected tensors": f"""
  %p = arith.cmpi sgt, %1, %c2 : index
  %e = arith.mulf %0, %0 : {T}
  %r0 = arith.select %p, %0, %e : {T}""",
}

MORE = f"""
func.func private @twice(%t: {T}) -> {T} {{
  %u = arith.addf %t, %t : {T}
  return %u : {T}
}}"""


def forms() -> list[Form]:
    """Each construct, with a number that decides about it."""
    found: list[Form] = []
    for name, body in BODIES.items():
        text = function(CONSTANTS + body, [T, "index"], [T], MORE)
        for number in (0, 2, 3):
            arguments = [numbers([5], "f32"), number]
            found.append(Form(f"{name}, {number}", text, arguments, 1e-6))
    return found
