"""The child that answers: dropped in the middle of a question, and when it dies."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from xdsl_bufferization.editing.decisions import Answer, Question
from xdsl_bufferization.editing.results import Result
from xdsl_bufferization.tools.lsp.asking import Asking, TooLongError
from xdsl_bufferization.tools.lsp.child import Run

SMALL = "func.func @f() {\n  return\n}\n"


def large(lines: int) -> str:
    """A function that takes seconds to explain."""
    body = "".join(
        f"  %{number} = tensor.insert %x into %a[%i] : tensor<4xf32>\n"
        for number in range(lines)
    )
    head = "func.func @f(%a: tensor<4xf32>, %x: f32, %i: index) {\n"
    return f"{head}{body}  return\n}}\n"


def run(work: Callable[[Asking], Awaitable[None]]) -> None:
    async def all_of_it() -> None:
        asking = Asking()
        try:
            await work(asking)
        finally:
            await asking.close()

    asyncio.run(all_of_it())


async def is_answered(asking: Asking) -> bool:
    found = await asking.ask(Run(SMALL, ""))
    return isinstance(found, Result) and "func.return" in found.text


def test_a_question_that_is_dropped_ends_and_the_next_one_is_answered() -> None:
    async def work(asking: Asking) -> None:
        assert await is_answered(asking)
        question = Question(large(3000), ("f",), None)
        waiting = asyncio.ensure_future(asking.ask(question))
        await asyncio.sleep(0.3)  # Until the child has begun to answer.
        asking.drop()
        assert await asyncio.wait_for(waiting, 5) is None
        assert await is_answered(asking)

    run(work)


def test_a_child_that_dies_is_replaced() -> None:
    async def work(asking: Asking) -> None:
        with pytest.raises(TooLongError):
            await asking.ask("no question at all")
        assert await is_answered(asking)

    run(work)


def test_what_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(asking: Asking) -> None:
        assert await is_answered(asking)
        monkeypatch.setattr("xdsl_bufferization.tools.lsp.asking.SECONDS", 0.2)
        with pytest.raises(TooLongError):
            await asking.ask(Question(large(3000), ("f",), None))

    run(work)


def test_a_function_is_explained_in_the_child() -> None:
    async def work(asking: Asking) -> None:
        found = await asking.ask(Question(large(3), ("f",), None))
        assert isinstance(found, Answer)
        assert [report.name for report in found.reports] == ["f"]

    run(work)
