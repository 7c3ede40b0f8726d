"""How large the stack of a thread is.

stack_bytes()   ->   8388608
"""


def stack_bytes() -> int | None:
    """The most that a thread of this process gets by default; None if not limited."""
    try:
        import resource
    except ImportError:  # There are systems without it.
        return None
    soft, _ = resource.getrlimit(resource.RLIMIT_STACK)
    return None if soft == resource.RLIM_INFINITY else soft
