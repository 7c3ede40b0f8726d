"""Forms of the ops of affine: maps, loops and accesses with 0, 1 and 2 of each part."""

from collections.abc import Iterator, Sequence
from itertools import product

from harness.cases.forms.form import Form, function, numbers

M = "memref<6x8xf32>"
CONSTANTS = """
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
"""


def _form(name: str, body: str, results: Sequence[str] = ()) -> Form:
    """Two 6x8 buffers %0 and %1, and numbers %2 and %3 that are 5 and 2."""
    types = [M, M, "index", "index"]
    arguments = [numbers([6, 8], "f32"), numbers([6, 8], "f32", 1), 5, 2]
    return Form(f"affine.{name}", function(CONSTANTS + body, types, results), arguments)


def _numbers() -> Iterator[Form]:
    """Maps with 0, 1 and 2 dimensions and symbols, and 1 to 3 results."""
    for dimensions, symbols in product(range(3), repeat=2):
        d = ", ".join(["d0", "d1"][:dimensions])
        s = ", ".join(["s0", "s1"][:symbols])
        terms = [
            *["d0 * 3", "d1 mod 3"][:dimensions],
            *["s0 floordiv 2", "s1 ceildiv 4"][:symbols],
            "-7",
        ]
        inside = f"[{s}]" if symbols else ""
        given = f"({', '.join(['%2', '%3'][:dimensions])})"
        given += f"[{', '.join(['%3', '%2'][:symbols])}]" if symbols else ""
        for op in ("apply", "min", "max"):
            total = " + ".join(terms)
            listed = total if op == "apply" else f"{total}, {terms[0]}, 4"
            body = f"  %r0 = affine.{op} affine_map<({d}){inside} -> ({listed})>{given}"
            yield _form(f"{op} of {dimensions} and {symbols}", body, ["index"])
    for basis, count in (("(4, 3)", 2), ("(2, 4, 3)", 3), ("(%3, 3)", 2), ("(3)", 2)):
        results = ", ".join(f"%r{at}" for at in range(count))
        types = ", ".join(["index"] * count)
        body = f"  {results} = affine.delinearize_index %2 into {basis} : {types}"
        name = f"delinearize_index {basis} to {count}"
        yield _form(name, body, ["index"] * count)
    for flag in ("", "disjoint "):
        for basis in ("(3, 8)", "(8)", "(%2, 3)"):
            body = f"  %r0 = affine.linearize_index {flag}[%c1, %3] by {basis} : index"
            yield _form(f"linearize_index {flag}{basis}", body, ["index"])
    body = "  %r0 = affine.linearize_index [] by () : index"
    yield _form("linearize_index of nothing", body, ["index"])


def _loops() -> Iterator[Form]:
    """Bounds of 0, 1 and 2 operands, steps, and 0, 1 and 2 numbers that are carried."""
    bounds = (
        ("0", "6"),
        ("%3", "%2"),
        ("max affine_map<(d0)[s0] -> (d0 + 1, s0)>(%3)[%3]", "6"),
        ("0", "min affine_map<(d0)[s0] -> (d0 + 9, s0)>(%3)[%2]"),
        ("4", "2"),
    )
    for (low, high), step, count in product(bounds, ("", " step 2"), range(3)):
        inits = ", ".join(["%s = %zero", "%p = %one"][:count])
        types = ", ".join(["f32"] * count)
        results = ", ".join(f"%r{at}" for at in range(count))
        yielded = ", ".join(["%t", "%q"][:count])
        s, p = ("%s" if count else "%zero"), ("%p" if count > 1 else "%one")
        defined = f"{results} = " if count else ""
        carried = f" iter_args({inits}) -> ({types})" if count else ""
        last = f"affine.yield {yielded} : {types}" if count else ""
        body = f"""
  {defined}affine.for %i = {low} to {high}{step}{carried} {{
    %x = affine.load %0[%i, %i + 1] : {M}
    %t = arith.addf {s}, %x : f32
    %q = arith.subf {p}, %x : f32
    affine.store %t, %1[5 - %i, %3] : {M}
    {last}
  }}"""
        yield _form(f"for {low} to {high}{step}, {count}", body, ["f32"] * count)


def _branches() -> Iterator[Form]:
    conditions = {
        "(d0) : (d0 - 3 >= 0)": "(%2)",
        "(d0) : (d0 - 9 >= 0)": "(%2)",
        "(d0)[s0] : (d0 - s0 == 0, d0 mod 2 == 0)": "(%3)[%3]",
        "() : (0 == 0)": "()",
    }
    for (condition, given), count, other in product(
        conditions.items(), range(3), (True, False)
    ):
        if count and not other:
            continue
        types = ", ".join(["f32"] * count)
        results = ", ".join(f"%r{at}" for at in range(count))
        then, else_ = (
            f"affine.yield {', '.join(values[:count])} : {types}"
            if count
            else f"affine.store {values[0]}, %1[%3, 3] : {M}"
            for values in (["%x", "%zero"], ["%one", "%x"])
        )
        otherwise = f"else {{\n    {else_}\n  }}" if other else ""
        defined = f"{results} = " if count else ""
        returns = f" -> ({types})" if count else ""
        body = f"""
  %x = affine.load %0[%3, 1] : {M}
  {defined}affine.if affine_set<{condition}>{given}{returns} {{
    {then}
  }} {otherwise}"""
        name = f"if {condition}, {count}, {'else' if other else ''}"
        yield _form(name, body, ["f32"] * count)


def _parallel() -> Iterator[Form]:
    """0, 1 and 2 loops with 0, 1 and 2 reductions, and steps."""
    loops = (
        ("()", "()", "()", ""),
        ("(%i)", "(0)", "(6)", ""),
        ("(%i)", "(%3)", "(%2)", " step (2)"),
        ("(%i, %j)", "(0, max(1, %3))", "(6, 8)", " step (1, 3)"),
        ("(%i, %j)", "(0, 0)", "(min(6, %2), 8)", ""),
    )
    for (variables, low, high, step), count in product(loops, range(3)):
        i = "%i" if "%i" in variables else "%3"
        j = "%j" if "%j" in variables else f"{i} + 1"
        kinds = ", ".join(['"maximumf"', '"addf"'][:count])
        types = ", ".join(["f32"] * count)
        results = ", ".join(f"%r{at}" for at in range(count))
        defined = f"{results} = " if count else ""
        reduces = f" reduce ({kinds}) -> ({types})" if count else ""
        yielded = ", ".join(["%x"] * count)
        last = f"affine.yield {yielded} : {types}" if count else ""
        store = "" if count else f"affine.store %x, %1[{i}, {j}] : {M}"
        body = f"""
  {defined}affine.parallel {variables} = {low} to {high}{step}{reduces} {{
    %x = affine.load %0[{i}, {j}] : {M}
    {store}
    {last}
  }}"""
        name = f"parallel {variables} = {low} to {high}{step}, {count}"
        yield _form(name, body, ["f32"] * count)


def _accesses() -> Iterator[Form]:
    """Places by constants, dimensions and symbols; of each rank; vectors."""
    for place in ("1, 2", "%3, %2", "%3 + 1, symbol(%2) * 2 - 7", "%2 - %3, 3 mod 2"):
        body = f"""
  %x = affine.load %0[{place}] : {M}
  affine.store %x, %1[{place}] : {M}
  affine.prefetch %0[{place}], write, locality<1>, instr : {M}
  affine.prefetch %0[{place}], read, locality<3>, data : {M}"""
        yield _form(f"load, store and prefetch [{place}]", body)
    for place, shape in (("%3, 1", "4"), ("%3 + 1, %3", "2"), ("1, 0", "2x8")):
        v = f"vector<{shape}xf32>"
        body = f"""
  %v = affine.vector_load %0[{place}] : {M}, {v}
  %w = arith.addf %v, %v : {v}
  affine.vector_store %w, %1[{place}] : {M}, {v}"""
        yield _form(f"vector_load and vector_store [{place}] {shape}", body)
    body = """
  %m = memref.alloca() : memref<f32>
  affine.store %one, %m[] : memref<f32>
  %r0 = affine.load %m[] : memref<f32>"""
    yield _form("load and store of rank 0", body, ["f32"])


def forms() -> list[Form]:
    """Each op of affine."""
    return [*_numbers(), *_loops(), *_branches(), *_parallel(), *_accesses()]
