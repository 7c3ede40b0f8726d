from xdsl_bufferization.api import CompiledModule as CompiledModule
from xdsl_bufferization.api import Explanation as Explanation
from xdsl_bufferization.api import JitFunction as JitFunction
from xdsl_bufferization.api import LoadedFunction as LoadedFunction
from xdsl_bufferization.api import ModuleFunction as ModuleFunction
from xdsl_bufferization.api import NotProvenWarning as NotProvenWarning
from xdsl_bufferization.api import ProgramError as ProgramError
from xdsl_bufferization.api import ProgramMemoryError as ProgramMemoryError
from xdsl_bufferization.api import bufferize as bufferize
from xdsl_bufferization.api import check_model as check_model
from xdsl_bufferization.api import compile as compile
from xdsl_bufferization.api import deallocate as deallocate
from xdsl_bufferization.api import explain as explain
from xdsl_bufferization.api import jit as jit
from xdsl_bufferization.api import load as load
from xdsl_bufferization.api import parse as parse

__version__: str
