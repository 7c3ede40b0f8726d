from xdsl_bufferization.frontends.api import CompiledModule as CompiledModule
from xdsl_bufferization.frontends.api import Explanation as Explanation
from xdsl_bufferization.frontends.api import JitFunction as JitFunction
from xdsl_bufferization.frontends.api import LoadedFunction as LoadedFunction
from xdsl_bufferization.frontends.api import ModuleFunction as ModuleFunction
from xdsl_bufferization.frontends.api import NotProvenWarning as NotProvenWarning
from xdsl_bufferization.frontends.api import ProgramError as ProgramError
from xdsl_bufferization.frontends.api import ProgramMemoryError as ProgramMemoryError
from xdsl_bufferization.frontends.api import bufferize as bufferize
from xdsl_bufferization.frontends.api import check_model as check_model
from xdsl_bufferization.frontends.api import compile as compile
from xdsl_bufferization.frontends.api import deallocate as deallocate
from xdsl_bufferization.frontends.api import explain as explain
from xdsl_bufferization.frontends.api import jit as jit
from xdsl_bufferization.frontends.api import load as load
from xdsl_bufferization.frontends.api import parse as parse

__version__: str
