"""Programs of many blocks for `one_shot_scaling`."""

from collections.abc import Callable

T = "tensor<?xf32>"


def _function(blocks: list[str], result: str) -> str:
    body = "\n".join(blocks)
    return f"""func.func @f(%t0: {T}, %f: f32, %c: i1, %i: index, %n: i32) -> {T} {{
{body}
  return {result} : {T}
}}
"""


def block_chain(n: int) -> str:
    """Blocks, n in a row, each passes a tensor on that it has read and written."""
    blocks = [f"  cf.br ^b0(%t0 : {T})"]
    for k in range(n):
        blocks += [
            f"^b{k}(%x{k}: {T}):",
            f"  %r{k} = tensor.extract %x{k}[%i] : {T}",
            f"  %w{k} = tensor.insert %f into %x{k}[%i] : {T}",
            f"  cf.br ^b{k + 1}(%w{k} : {T})",
        ]
    return _function([*blocks, f"^b{n}(%x{n}: {T}):"], f"%x{n}")


def diamonds(n: int) -> str:
    """Diamonds, n in a row; one side of each writes."""
    blocks = [f"  cf.br ^j0(%t0 : {T})"]
    for k in range(n):
        blocks += [
            f"^j{k}(%x{k}: {T}):",
            f"  cf.cond_br %c, ^l{k}, ^r{k}",
            f"^l{k}:",
            f"  %w{k} = tensor.insert %f into %x{k}[%i] : {T}",
            f"  cf.br ^j{k + 1}(%w{k} : {T})",
            f"^r{k}:",
            f"  %e{k} = tensor.extract %x{k}[%i] : {T}",
            f"  cf.br ^j{k + 1}(%x{k} : {T})",
        ]
    return _function([*blocks, f"^j{n}(%x{n}: {T}):"], f"%x{n}")


def diamonds_on_argument(n: int) -> str:
    """Diamonds, n in a row, that read the function's argument or copy and write it."""
    blocks = ["  cf.br ^j0"]
    for k in range(n):
        blocks += [
            f"^j{k}:",
            f"  cf.cond_br %c, ^l{k}, ^r{k}",
            f"^l{k}:",
            f"  %w{k} = tensor.insert %f into %t0[%i] : {T}",
            f"  %d{k} = tensor.extract %w{k}[%i] : {T}",
            f"  cf.br ^j{k + 1}",
            f"^r{k}:",
            f"  %e{k} = tensor.extract %t0[%i] : {T}",
            f"  cf.br ^j{k + 1}",
        ]
    return _function([*blocks, f"^j{n}:"], "%t0")


def one_loop_of_diamonds(n: int) -> str:
    """One loop around n diamonds."""
    text = diamonds(n)
    end = f"^j{n}(%x{n}: {T}):\n"
    return text.replace(end, f"{end}  cf.cond_br %c, ^j0(%x{n} : {T}), ^end\n^end:\n")


def block_loops(n: int) -> str:
    """Loops of blocks, n in a row."""
    blocks = [f"  cf.br ^b0(%t0 : {T})"]
    for k in range(n):
        blocks += [
            f"^b{k}(%x{k}: {T}):",
            f"  %r{k} = tensor.extract %x{k}[%i] : {T}",
            f"  %w{k} = tensor.insert %f into %x{k}[%i] : {T}",
            f"  cf.cond_br %c, ^b{k}(%w{k} : {T}), ^b{k + 1}(%w{k} : {T})",
        ]
    return _function([*blocks, f"^b{n}(%x{n}: {T}):"], f"%x{n}")


def switch_cases(n: int) -> str:
    """A switch of n cases, each of which writes."""
    cases = [f"{k}: ^b{k}" for k in range(1, n)]
    blocks = [f"  cf.switch %n : i32, [default: ^b0, {', '.join(cases)}]"]
    for k in range(n):
        blocks += [
            f"^b{k}:",
            f"  %w{k} = tensor.insert %f into %t0[%i] : {T}",
            f"  cf.br ^end(%w{k} : {T})",
        ]
    return _function([*blocks, f"^end(%x: {T}):"], "%x")


def early_exits(n: int) -> str:
    """Reads of one tensor, n in a row, each with a way out that writes it."""
    blocks: list[str] = ["  cf.br ^b0"]
    for k in range(n):
        blocks += [
            f"^b{k}:",
            f"  %r{k} = tensor.extract %t0[%i] : {T}",
            f"  cf.cond_br %c, ^b{k + 1}, ^x{k}",
            f"^x{k}:",
            f"  %w{k} = tensor.insert %f into %t0[%i] : {T}",
            f"  return %w{k} : {T}",
        ]
    return _function([*blocks, f"^b{n}:"], "%t0")


PROGRAMS: dict[str, Callable[[int], str]] = {
    "chain of blocks": block_chain,
    "diamonds": diamonds,
    "diamonds on argument": diamonds_on_argument,
    "loop of N diamonds": one_loop_of_diamonds,
    "loops of blocks": block_loops,
    "switch cases": switch_cases,
    "early exits": early_exits,
}
