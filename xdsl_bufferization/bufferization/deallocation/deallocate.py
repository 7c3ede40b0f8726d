"""All of deallocation in one function: from buffers without owners to plain frees.

The pass `buffer-deallocation-pipeline` is a shell over it.
"""

from xdsl.dialects.builtin import ModuleOp

from . import buffer_deallocation_simplification as simplification
from . import ownership_based_buffer_deallocation as ownership
from .convert_bufferization_to_memref import lower_clones
from .expand_realloc import expand_reallocs
from .lower_deallocations import lower_deallocations


def deallocate(
    module: ModuleOp, *, private_function_dynamic_ownership: bool = False
) -> None:
    """Free all buffers in `module`; no `bufferization.dealloc` or `clone` is left."""
    expand_reallocs(module, emit_deallocs=False)
    ownership.deallocate_by_ownership(
        module, private_function_dynamic_ownership=private_function_dynamic_ownership
    )
    simplification.simplify_all_deallocations(module)
    lower_deallocations(module)
    lower_clones(module)
