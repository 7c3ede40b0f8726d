"""Forms of ops that take any number of values: 0, 1 and 2 of each, tensors and buffers.

    scf.for with 0, 1 and 2 tensors that it carries; func.call with 2 arguments

Those of shape, ub and index that have no operands are here, too.
"""

from collections.abc import Iterator, Sequence
from itertools import product

from harness.cases.forms.form import Form, function, numbers

T, M = "tensor<5xf32>", "memref<5xf32>"
COUNTS = range(3)
CONSTANTS = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %one = arith.constant 1.0 : f32
"""
STORE = f"memref.store %one, %2[%c1] : {M}"


def _forms(
    name: str, body: str, results: Sequence[str] = (), more: str = ""
) -> Iterator[Form]:
    """Tensors %0 and %1, a buffer %2, and a number %3 that is 1 and 3."""
    text = function(CONSTANTS + body, [T, T, M, "index"], results, more)
    for number in (1, 3):
        arrays = [numbers([5], "f32", at) for at in range(3)]
        yield Form(f"{name}, {number}", text, [*arrays, number])


def _list(names: Sequence[str], count: int) -> str:
    return ", ".join(names[:count])


def _types(count: int) -> str:
    return ", ".join([T] * count)


def _defined(count: int) -> str:
    return f"{_list(['%r0', '%r1'], count)} = " if count else ""


def _yield(op: str, names: Sequence[str], count: int) -> str:
    return f"{op} {_list(names, count)} : {_types(count)}" if count else op


def _twice(count: int) -> str:
    """Each of the values %s and %p, twice, is %t and %q."""
    lines = [
        f"%t = arith.addf %s, %s : {T}",
        f"%q = arith.subf %p, %s : {T}",
    ]
    return "\n    ".join([STORE, *lines[:count]])


def _loops() -> Iterator[Form]:
    for count in COUNTS:
        inits = _list(["%s = %0", "%p = %1"], count)
        carried = f" iter_args({inits}) -> ({_types(count)})" if count else ""
        body = f"""
  {_defined(count)}scf.for %i = %c0 to %3 step %c1{carried} {{
    {_twice(count)}
    {_yield("scf.yield", ["%t", "%q"], count)}
  }}"""
        yield from _forms(f"scf.for of {count}", body, [T] * count)
        ins = ", ".join(["%i = %c0", *["%s = %0", "%p = %1"][:count]])
        types = ", ".join(["index", *[T] * count])
        names = ", ".join(["%n", *["%r0", "%r1"][:count]])
        body = f"""
  {names} = scf.while ({ins}) : ({types}) -> ({types}) {{
    %go = arith.cmpi slt, %i, %3 : index
    scf.condition(%go) {", ".join(["%i", *["%s", "%p"][:count]])} : {types}
  }} do {{
  ^bb0({", ".join(["%i: index", *[f"%s: {T}", f"%p: {T}"][:count]])}):
    {_twice(count)}
    %k = arith.addi %i, %c1 : index
    scf.yield {", ".join(["%k", *["%t", "%q"][:count]])} : {types}
  }}"""
        yield from _forms(f"scf.while of {count}", body, [T] * count)
    body = f"""
  scf.while : () -> () {{
    %x = memref.load %2[%c0] : {M}
    %y = arith.addf %x, %one : f32
    memref.store %y, %2[%c0] : {M}
    %ten = arith.constant 10.0 : f32
    %go = arith.cmpf olt, %y, %ten : f32
    scf.condition(%go)
  }} do {{
    scf.yield
  }}"""
    yield from _forms("scf.while of nothing", body)


def _branches() -> Iterator[Form]:
    for count in COUNTS:
        returns = f" -> ({_types(count)})" if count else ""
        bare = f" -> {_types(count)}" if count else ""
        swapped = _yield("scf.yield", ["%1", "%0"], count)
        same = _yield("scf.yield", ["%0", "%1"], count)
        for other in (True, False):
            if count and not other:
                continue
            otherwise = f"else {{\n    {swapped}\n  }}" if other else ""
            body = f"""
  %p = arith.cmpi eq, %3, %c1 : index
  {_defined(count)}scf.if %p{returns} {{
    {STORE}
    {same}
  }} {otherwise}"""
            name = f"scf.if of {count}{' and else' if other else ''}"
            yield from _forms(name, body, [T] * count)
        for cases in COUNTS:
            listed = "".join(
                f"\n  case {value} {{\n    {STORE}\n    {swapped}\n  }}"
                for value in (1, 2)[:cases]
            )
            body = f"""
  {_defined(count)}scf.index_switch %3{bare}{listed}
  default {{
    {same}
  }}"""
            name = f"scf.index_switch of {count} with {cases} cases"
            yield from _forms(name, body, [T] * count)
        body = f"""
  {_defined(count)}scf.execute_region{returns} {{
    {STORE}
    {same}
  }}"""
        yield from _forms(f"scf.execute_region of {count}", body, [T] * count)


def _jumps() -> Iterator[Form]:
    """Blocks with 0, 1 and 2 arguments; switches with 0, 1 and 2 cases."""
    for count in COUNTS:
        given = f"({_list(['%0', '%1'], count)} : {_types(count)})" if count else ""
        swapped = f"({_list(['%1', '%0'], count)} : {_types(count)})" if count else ""
        arguments = _list([f"%r0: {T}", f"%r1: {T}"], count)
        block = f"^last({arguments}):" if count else "^last:"
        body = f"""
  %p = arith.cmpi eq, %3, %c1 : index
  cf.cond_br %p, ^left, ^last{given}
^left:
  {STORE}
  cf.br ^last{swapped}
{block}"""
        yield from _forms(f"cf.br and cf.cond_br of {count}", body, [T] * count)
        for cases in COUNTS:
            listed = "".join(
                f",\n    {value}: ^last{swapped}" for value in (1, 2)[:cases]
            )
            body = f"""
  %n = arith.index_cast %3 : index to i32
  cf.switch %n : i32, [
    default: ^last{given}{listed}
  ]
{block}"""
            name = f"cf.switch of {count} with {cases} cases"
            yield from _forms(name, body, [T] * count)


def _parallel() -> Iterator[Form]:
    """1 and 2 loops, with 0, 1 and 2 numbers that are reduced."""
    for loops, count in product((1, 2), COUNTS):
        variables = _list(["%i", "%j"], loops)
        bounds = (_list(each, loops) for each in (["%c0"] * 2, ["%3"] * 2, ["%c1"] * 2))
        low, high, step = bounds
        inits = _list(["%one", "%one"], count)
        types = _list(["f32", "f32"], count)
        starts = f" init ({inits}) -> ({types})" if count else ""
        regions = ", ".join(
            f"""{{
    ^bb0(%a: f32, %b: f32):
      %m = arith.{op} %a, %b : f32
      scf.reduce.return %m : f32
    }}"""
            for op in ("mulf", "maximumf")[:count]
        )
        values = _list(["%x", "%x"], count)
        last = f"scf.reduce({values} : {types}) {regions}" if count else "scf.reduce"
        store = "" if count else f"memref.store %x, %2[%i] : {M}"
        body = f"""
  {_defined(count)}scf.parallel ({variables}) = ({low}) to ({high})
      step ({step}){starts} {{
    %x = tensor.extract %0[%i] : {T}
    {store}
    {last}
  }}"""
        name = f"scf.parallel of {loops} with {count}"
        yield from _forms(name, body, ["f32"] * count)
    for count in COUNTS:
        for bounds in ("in (5)", "= (0) to (5) step (2)", "= (%c1) to (%3) step (%c1)"):
            outs = _list(["%s = %0", "%p = %1"], count)
            shared = f" shared_outs({outs}) -> ({_types(count)})" if count else ""
            inserts = "\n      ".join(
                f"tensor.parallel_insert_slice %u into {into}[%i] [1] [1] "
                f": tensor<1xf32> into {T}"
                for into in ("%s", "%p")[:count]
            )
            last = (
                f"scf.forall.in_parallel {{\n      {inserts}\n    }}" if count else ""
            )
            store = "" if count else f"memref.store %x, %2[%i] : {M}"
            body = f"""
  {_defined(count)}scf.forall (%i) {bounds}{shared} {{
    %x = tensor.extract %1[%i] : {T}
    %u = tensor.from_elements %x : tensor<1xf32>
    {store}
    {last}
  }}"""
            yield from _forms(f"scf.forall {bounds}, {count}", body, [T] * count)


def _calls() -> Iterator[Form]:
    """0, 1 and 2 arguments and results, of functions by name and as values."""
    for inputs, outputs in product(COUNTS, COUNTS):
        if outputs > inputs:
            continue
        parameters = _list([f"%x: {T}", f"%y: {T}"], inputs)
        returned = f"({_types(outputs)})"
        last = f"{_list(['%y', '%x'], outputs)} : {returned[1:-1]}" if outputs else ""
        if inputs == 1:
            last = last.replace("%y", "%x")
        more = f"""
func.func private @g({parameters}) -> {returned} {{
  return {last}
}}"""
        given = _list(["%0", "%1"], inputs)
        kind = f"({_types(inputs)}) -> {returned}"
        body = f"  {_defined(outputs)}func.call @g({given}) : {kind}"
        name = f"func.call of {inputs} with {outputs}"
        yield from _forms(name, body, [T] * outputs, more)
    for count in COUNTS:
        names = _list(["%x", "%y"], count)
        parameters = _list(["%x: f32", "%y: f32"], count)
        types = _list(["f32", "f32"], count)
        last = f"return {names} : {types}" if count else "return"
        kind = f"({types}) -> ({types})"
        more = f"""
func.func private @g({parameters}) -> ({types}) {{
  {last}
}}"""
        given = _list(["%one", "%one"], count)
        body = f"""
  %f = func.constant @g : {kind}
  {_defined(count)}func.call_indirect %f({given}) : {kind}"""
        yield from _forms(f"func.call_indirect of {count}", body, ["f32"] * count, more)


def _conditions() -> Iterator[Form]:
    """Constraints that hold, 1 and 2 of them, around 0, 1 and 2 tensors."""
    for count, witnesses in product(COUNTS, (1, 2, 3)):
        listed = _list(["%a", "%b", "%a"], witnesses)
        returns = f" -> ({_types(count)})" if count else ""
        body = f"""
  %p = arith.cmpi sge, %3, %c1 : index
  %a = shape.cstr_require %p, "must be positive"
  %b = shape.const_witness true
  %w = shape.assuming_all {listed}
  {_defined(count)}shape.assuming %w{returns} {{
    {STORE}
    %t = arith.addf %0, %0 : {T}
    {_yield("shape.assuming_yield", ["%t", "%1"], count)}
  }}"""
        name = f"shape.assuming of {count} after {witnesses}"
        yield from _forms(name, body, [T] * count)


def _constants() -> Iterator[Form]:
    body = """
  %r0 = index.constant -5
  %r1 = index.bool.constant true
  %r2 = index.bool.constant false
  %r3 = index.sizeof
  %u = ub.poison : f32
  %p = arith.cmpi eq, %3, %c5 : index
  %r4 = arith.select %p, %u, %one : f32"""
    types = ["index", "i1", "i1", "index", "f32"]
    yield from _forms("index.constant and ub.poison", body, types)
    body = f"""
  %u = ub.poison : {T}
  %p = arith.cmpi eq, %3, %c5 : index
  %r0 = arith.select %p, %u, %0 : {T}"""
    yield from _forms("ub.poison of a tensor", body, [T])
    body = """
  %p = arith.cmpi eq, %3, %c5 : index
  cf.cond_br %p, ^never, ^last
^never:
  ub.unreachable
^last:"""
    yield from _forms("ub.unreachable", body)


def forms() -> list[Form]:
    """Each op with each number of values."""
    return [
        *_loops(),
        *_branches(),
        *_jumps(),
        *_parallel(),
        *_calls(),
        *_conditions(),
        *_constants(),
    ]
