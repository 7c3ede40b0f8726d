"""Whether an object is of some classes, asked again and again."""

from abc import ABC, abstractmethod

from typing_extensions import override

from xdsl_bufferization.support.classes import of_classes


class _Abstract(ABC):
    @abstractmethod
    def name(self) -> str: ...


class _Concrete(_Abstract):
    @override
    def name(self) -> str:
        return "concrete"


class _Other:
    pass


def test_the_answers_are_those_of_isinstance() -> None:
    is_one = of_classes(_Abstract, int | str)
    for given in (_Concrete(), 1, True, "a", 1.5, None, object()) * 2:
        assert is_one(given) == isinstance(given, (_Abstract, int | str))


def test_a_class_itself_is_no_object_of_it() -> None:
    is_one = of_classes(_Concrete)
    assert is_one(_Concrete())
    assert not is_one(_Concrete)
    assert not is_one(_Other())
