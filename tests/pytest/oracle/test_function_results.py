"""Results that become operands: functions and calls change as in mlir-opt 22."""

import random
from collections.abc import Callable

import pytest

pytestmark = pytest.mark.oracle

PROGRAMS = 40
DENSE = "memref<4xf32>"
DYNAMIC = "memref<?xf32>"
ANY = "memref<4xf32, strided<[?], offset: ?>>"


def random_module(seed: int, *, types: tuple[str, ...]) -> str:
    """Functions that return arguments, casts of them, new buffers and results of calls.

    Each buffer that is allocated is returned once, and each function calls only those
    before it in the list, which is then shuffled.
    """
    choose = random.Random(seed)
    functions: list[tuple[str, list[str], list[str]]] = []
    texts: list[str] = []
    for number in range(6):
        inputs = [choose.choice(types) for _ in range(2)]
        lines: list[str] = []
        values = [(f"%a{n}", type_) for n, type_ in enumerate(inputs)]
        once: list[tuple[str, str]] = []
        for n in range(choose.randrange(5)):
            _add_op(choose, n, lines, values, once, functions)
        returned = [choose.choice(values) for _ in range(choose.randrange(3))]
        returned += once
        choose.shuffle(returned)
        outputs = [type_ for _, type_ in returned]
        visibility = "private " if choose.random() < 0.8 else ""
        arguments = ", ".join(f"%a{n}: {t}" for n, t in enumerate(inputs))
        names = ", ".join(name for name, _ in returned)
        types_text = f" : {', '.join(outputs)}" if outputs else ""
        texts.append(
            f"func.func {visibility}@f{number}({arguments}, %n: index) -> "
            f"({', '.join(outputs)}) {{\n"
            + "\n".join(lines)
            + f"\nreturn {names}{types_text}\n}}"
        )
        functions.append((f"f{number}", inputs, outputs))
    choose.shuffle(texts)
    return "\n".join(texts)


def _add_op(
    choose: random.Random,
    n: int,
    lines: list[str],
    values: list[tuple[str, str]],
    once: list[tuple[str, str]],
    functions: list[tuple[str, list[str], list[str]]],
) -> None:
    kind = choose.choice(("cast", "alloc", "call"))
    if kind == "alloc":
        type_ = choose.choice((DENSE, DYNAMIC))
        size = "%n" if type_ == DYNAMIC else ""
        lines.append(f"%v{n} = memref.alloc({size}) : {type_}")
        once.append((f"%v{n}", type_))
    elif kind == "cast":
        source, type_ = choose.choice(values)
        target = choose.choice([t for t in (DENSE, DYNAMIC, ANY) if t != type_])
        if {target, type_} == {DYNAMIC, ANY}:
            target = DENSE
        lines.append(f"%v{n} = memref.cast {source} : {type_} to {target}")
        values.append((f"%v{n}", target))
    elif functions:
        name, inputs, outputs = choose.choice(functions)
        operands = [[v for v, t in values if t == type_] for type_ in inputs]
        if not all(operands):
            return
        chosen = ", ".join(choose.choice(names) for names in operands)
        results = ", ".join(f"%v{n}_{r}" for r in range(len(outputs)))
        lines.append(
            f"{results + ' = ' if results else ''}call @{name}({chosen}, %n) : "
            f"({', '.join(inputs)}, index) -> ({', '.join(outputs)})"
        )
        values += [(f"%v{n}_{r}", t) for r, t in enumerate(outputs)]


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_drop_equivalent_buffer_results(
    seed: int, xdsl_opt: Callable[..., str], mlir_opt: Callable[..., str]
) -> None:
    text = random_module(seed, types=(DENSE, DYNAMIC, ANY))
    ours = xdsl_opt(text, "drop-equivalent-buffer-results")
    # mlir-opt visits functions in their order, so it needs several runs.
    rounds = ["--drop-equivalent-buffer-results"] * 6
    # Casts that nobody uses are not inserted here.
    theirs = mlir_opt(text, *rounds, "--canonicalize")
    assert mlir_opt(ours, "--canonicalize") == theirs


@pytest.mark.parametrize(
    "options",
    [
        "",
        "add-result-attr",
        "hoist-static-allocs",
        "modify-public-functions hoist-static-allocs",
    ],
)
@pytest.mark.parametrize("seed", range(PROGRAMS // 2))
def test_buffer_results_to_out_params(
    seed: int, options: str, xdsl_opt: Callable[..., str], mlir_opt: Callable[..., str]
) -> None:
    text = random_module(seed, types=(DENSE, ANY)).replace(DYNAMIC, DENSE)
    text = text.replace("memref.alloc(%n)", "memref.alloc()")
    flags = f"{{{options}}}" if options else ""
    ours = xdsl_opt(text, f"buffer-results-to-out-params{flags}")
    theirs = mlir_opt(text, f"--buffer-results-to-out-params={options}")
    assert mlir_opt(ours) == theirs
