"""Which functions of a module call which, and what declarations promise.

    func.func @f() { call @g() }     callees first: @g, @f
    func.func @g() { return }

Functions that call each other in a circle stand together in the order. A declaration
promises with `bufferization.access` what it does to an argument. Cost: linear in ops.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import chain

from xdsl.dialects.builtin import DictionaryAttr, StringAttr
from xdsl.dialects.func import CallOp, FuncOp

from xdsl_bufferization.support.algorithms.components import components
from xdsl_bufferization.support.traversal import ops_inside


class CallGraph:
    """Which functions call which."""

    called: Set[str]
    """The names of the functions that any of them calls."""

    def __init__(self, functions: Iterable[FuncOp]):
        self._functions = {function.sym_name.data: function for function in functions}
        self._called_by = {
            name: _called_names(function) for name, function in self._functions.items()
        }
        self.called = set(chain.from_iterable(self._called_by.values()))

    def circles(self) -> list[list[FuncOp]]:
        """The functions, callees first; a circle of calls is one group."""
        return [
            [self._functions[name] for name in reversed(circle)]
            for circle in components(self._functions, self._callees)
        ]

    def callees_first(self) -> list[FuncOp]:
        """The functions in an order in which callees precede callers.

        Of functions that call each other in a circle, most are in that order.
        """
        return list(chain.from_iterable(self.circles()))

    def is_recursive(self, circle: Sequence[FuncOp]) -> bool:
        """Whether the functions of one of `circles` call each other, or themselves."""
        name = circle[0].sym_name.data
        return len(circle) > 1 or name in self._called_by[name]

    def get_callers(
        self, functions: Iterable[FuncOp]
    ) -> dict[FuncOp, dict[FuncOp, None]]:
        """For each of `functions`, the others of them that call it."""
        callers: dict[FuncOp, dict[FuncOp, None]] = {f: {} for f in functions}
        for caller in callers:
            for name in self._callees(caller.sym_name.data):
                if (callee := self._functions[name]) in callers:
                    callers[callee][caller] = None
        return callers

    def _callees(self, name: str) -> Iterator[str]:
        return (n for n in self._called_by[name] if n in self._functions)


def callees_first(functions: Iterable[FuncOp]) -> list[FuncOp]:
    """Functions in an order in which callees precede callers; see `CallGraph`."""
    return CallGraph(functions).callees_first()


def _called_names(function: FuncOp) -> list[str]:
    """The names of the functions that a function calls, once for each call."""
    return [
        op.callee.root_reference.data
        for op in ops_inside(function)
        # Asked of every op there is: `isinstance` takes several times as long here.
        if type(op) is CallOp
    ]


def declared_access(function: FuncOp, number: int) -> str:
    """What a function without a body says that it does to an argument's buffer."""
    if function.arg_attrs is None:
        return "read-write"
    attributes = function.arg_attrs.data[number]
    assert isinstance(attributes, DictionaryAttr)
    access = attributes.data.get("bufferization.access")
    return access.data if isinstance(access, StringAttr) else "read-write"
