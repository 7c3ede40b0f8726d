"""Answers are kept for objects, however equal others are."""

from xdsl_bufferization.support.identity_cache import cached_by_identity


def test_asks_once_for_the_same_objects() -> None:
    asked: list[tuple[list[int], str]] = []

    @cached_by_identity
    def question(numbers: list[int], text: str) -> int:
        asked.append((numbers, text))
        return len(asked)

    first, second, text = [1], [1], "a"
    assert [question(first, text), question(first, text)] == [1, 1]
    assert question(second, text) == 2
    assert question(first, text) == 1


def test_keeps_what_it_knows_the_answer_for() -> None:
    @cached_by_identity
    def question(numbers: list[int]) -> int:
        return numbers[0]

    # Without being kept, the lists would soon have the identities of others.
    assert [question([n]) for n in range(5000)] == list(range(5000))
