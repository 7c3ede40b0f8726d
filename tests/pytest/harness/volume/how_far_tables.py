"""What `how_far` measured, as tables in Markdown.

    PYTHONPATH=tests/pytest python -m harness.volume.how_far_tables far.json

`docs/draw_how_far.py` draws the table of functions when it stands in `docs/how_far.md`.
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
    """Write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    given = parser.parse_args()
    results = [each for file in given.files for each in read(file)]
    sys.stdout.writelines(f"{line}\n" for line in summarize(results))


if __name__ == "__main__":
    main()
