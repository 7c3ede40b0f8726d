"""What `how_far` measured, as tables in Markdown and as a picture.

    export PYTHONPATH=tests/pytest
    python -m harness.volume.how_far_tables far.json --svg docs/assets/how_far.svg

The picture has a group of bars for each kind of programs. They are the estimated bytes
that decisions copy, as a part of those of `bottom-up`, and the bound. The last bar is
of the best decisions after the two passes that save copies.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from harness.volume.how_far_results import Measured, Proof, Result


def summarize(results: Sequence[Result]) -> Iterator[str]:
    """Tables in Markdown."""
    names = "mlir-opt", "bottom-up", "auto", "optimal", "passes", "both"
    yield f"| programs | {' | '.join(names)} |"
    yield f"|---|{'---:|' * len(names)}"
    kinds = list(dict.fromkeys(result.kind for result in results))
    whole = [r for r in results if not set(names) - set(r.measured)]
    for kind in (*kinds, "all"):
        chosen = [r for r in whole if kind in ("all", r.kind)]
        for what in ("copies", "copied", "peak"):
            sums = [sum(getattr(r.measured[n], what) for r in chosen) for n in names]
            cells = " | ".join(f"{each:,}" for each in sums)
            yield f"| {kind}, {what} ({len(chosen)}) | {cells} |"
    yield ""
    yield from _summarize_proofs(results, kinds)
    yield from _summarize_faults(results)


def _summarize_proofs(results: Sequence[Result], kinds: Sequence[str]) -> Iterator[str]:
    yield (
        "| functions | bottom-up | best order | optimal | bound "
        "| passes | both | bound of both | proven | slowest |"
    )
    yield f"|---|{'---:|' * 9}"
    for kind in (*kinds, "all"):
        proofs = [p for r in results if kind in ("all", r.kind) for p in r.proofs]
        if not proofs:
            continue
        cells = " | ".join(f"{each:,}" for each in _sum_up(proofs).values())
        proven = sum(p.is_proven for p in proofs)
        slowest = max(p.seconds for p in proofs)
        yield (
            f"| {kind} ({len(proofs)}) | {cells} | {proven} of {len(proofs)} "
            f"| {slowest:.2f} s |"
        )


def _sum_up(proofs: Sequence[Proof]) -> dict[str, int]:
    """Estimated bytes copied over all functions."""
    found = {"optimal", "bound"}
    return {
        "bottom-up": sum(p.estimates["bottom-up"] for p in proofs),
        "best order": sum(
            min(size for name, size in p.estimates.items() if name not in found)
            for p in proofs
        ),
        "optimal": sum(p.estimates["optimal"] for p in proofs),
        "bound": sum(p.estimates["bound"] for p in proofs),
        "passes": sum(p.after_passes["bottom-up"] for p in proofs),
        "both": sum(p.after_passes["optimal"] for p in proofs),
        "bound of both": sum(p.after_passes["bound"] for p in proofs),
    }


def _summarize_faults(results: Sequence[Result]) -> Iterator[str]:
    yield ""
    counts = Counter(
        f"{name}: {why}" for result in results for name, why in result.faults.items()
    )
    yield from (f"{number} times {what}" for what, number in counts.most_common())
    taken = sum(result.as_auto for result in results)
    yield f"{taken} functions as by auto"
    for mine in ("bottom-up", "auto", "optimal", "passes", "both"):
        for other in ("mlir-opt", "bottom-up", "auto", "optimal", "passes"):
            more = {
                what: sum(_is_more(r, what, mine, other) for r in results)
                for what in ("copies", "copied", "peak")
            }
            if any(more.values()):
                yield f"{mine} more than {other}: {more}"


def _is_more(result: Result, what: str, mine: str, other: str) -> bool:
    measured = result.measured
    if mine not in measured or other not in measured:
        return False
    return getattr(measured[mine], what) > getattr(measured[other], what)


WIDTH, HEIGHT = 820, 400
LEFT, TOP, BOTTOM = 60, 60, 60
COLOURS = {
    "bottom-up": "#8a8a8a",
    "best order": "#b5542c",
    "optimal": "#0b6e4f",
    "bound": "#2c6fb5",
    "both": "#7a4fa3",
}
"""What the picture shows."""


def draw(results: Sequence[Result]) -> str:
    """Bars of estimated bytes copied, as the text of an SVG file."""
    kinds = [*dict.fromkeys(result.kind for result in results), "all"]
    step = (WIDTH - LEFT - 20) / len(kinds)
    parts = [_text(LEFT, 24, "title", "Estimated bytes copied, of those of bottom-up")]
    for percent in range(0, 101, 25):
        y = _height(percent / 100)
        parts.append(f'<path d="M{LEFT} {y}H{WIDTH - 20}" stroke="#ddd"/>')
        parts.append(_text(8, y + 4, "small", f"{percent} %"))
    for number, kind in enumerate(kinds):
        proofs = [p for r in results if kind in ("all", r.kind) for p in r.proofs]
        sums = _sum_up(proofs)
        x = LEFT + number * step
        parts.append(_text(x + 4, HEIGHT - BOTTOM + 20, "", kind))
        parts.append(
            _text(x + 4, HEIGHT - BOTTOM + 36, "small", f"{len(proofs)} functions")
        )
        for at, (name, colour) in enumerate(COLOURS.items()):
            y = _height(sums[name] / (sums["bottom-up"] or 1))
            parts.append(
                f'<rect x="{x + 4 + at * step / 6:.1f}" y="{y:.1f}" '
                f'width="{step / 7:.1f}" height="{HEIGHT - BOTTOM - y:.1f}" '
                f'fill="{colour}"/>'
            )
    for at, (name, colour) in enumerate(COLOURS.items()):
        x = LEFT + 110 * at
        parts.append(
            f'<rect x="{x}" y="36" width="10" height="10" fill="{colour}"/>'
            + _text(x + 14, 45, "small", name)
        )
    style = (
        "text{font:13px system-ui,sans-serif;fill:#333}"
        ".small{font-size:11px;fill:#666}"
        ".title{font-size:15px;font-weight:600}"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'role="img" aria-label="Estimated bytes that decisions copy">'
        f'<style>{style}</style><rect width="{WIDTH}" height="{HEIGHT}" '
        f'fill="#fff"/>{"".join(parts)}</svg>\n'
    )


def _height(part: float) -> float:
    return round(HEIGHT - BOTTOM - part * (HEIGHT - BOTTOM - TOP), 1)


def _text(x: float, y: float, kind: str, text: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{text}</text>'


def read(file: Path) -> list[Result]:
    """The results that were kept."""
    return [
        Result(
            each["kind"],
            each["seed"],
            {name: Measured(**m) for name, m in each["measured"].items()},
            each["faults"],
            [Proof(**proof) for proof in each["proofs"]],
            each["as_auto"],
        )
        for each in json.loads(file.read_text())
    ]


def main() -> None:
    """Write the tables, and the picture if asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--svg", type=Path, help="write the picture to this file")
    given = parser.parse_args()
    results = [each for file in given.files for each in read(file)]
    sys.stdout.writelines(f"{line}\n" for line in summarize(results))
    if given.svg is not None:
        given.svg.write_text(draw(results))


if __name__ == "__main__":
    main()
