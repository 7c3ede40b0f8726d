# make demo    set everything up and run the example: a perceptron, from tensors to
#              numbers, checked against NumPy
# make test    set everything up and run the tests, of tests with many runs a sample;
#              comparisons with mlir-opt 22, 19 and 14 are left out where they are not
#              installed
# make test-volume    what `make test` leaves out: the other runs, and the file checks
#              with each command started anew; ONE_IN=8 makes an eighth of both
# make test-guarded    run all tests with protected memory around every buffer
# make test-torch    run the tests of the back end for PyTorch in an environment of its
#              own, .venv-torch, with PyTorch, torch-mlir and transformers: 1 GB
# make onnx-tests    run ONNX's own tests, and print the score by op; in .venv-torch
# make jax-tests    run the usual functions of JAX and their gradients, compare with
#              XLA's numbers, and print a table; in an environment of its own, .venv-jax,
#              with JAX: 0.8 GB
# make stablehlo-tests STABLEHLO=FOLDER    run StableHLO's own tests, in a copy of
#              openxla/stablehlo, and print how many give the expected numbers
# make mlir-tests    run MLIR's own tests of the dialects that bufferization is about, and
#              print the score; fetches 197 MB. MLIR_TESTS=... is a folder that has them.
#              Needs mlir-opt 22
# make fuzz MINUTES=10    run random inputs until the time is up, and shrink what fails,
#              in build/fuzz/found; SEED=... repeats a run
# make check   format, lint, types, import layers, prose, documentation
# make new-pass NAME=my-pass    write a new pass and its file check, which work at once;
#              ROOM=codegen is where
# make new-model OP=math.absf    write the model of an op and its file check
# make update-filecheck    rewrite what file checks expect from what is printed now, and
#              show the differences; FILES=... are some of them, or folders
# make pass-files    list the passes of the package anew, in pipelines/pass_files.py
# make runtime-ir    make the LLVM IR of the runtime anew, of the C beside it; needs
#              clang 22
# make docs    write docs/passes.md, dialects.md, upstream.md, xbuf.md and the table of
#              docs/conversion.md anew, and make a site of all documents with the
#              playground, in build/site
# make playground    build the page of the site that runs this package in a browser, in
#              build/playground; needs Node.js and npm, and fetches what npm pins
# make libxsmm-shim    let programs have kernels of an installed LIBXSMM (Debian's
#              libxsmm-dev); needs a C compiler
# make release    try a release out, from a clean clone to the README in an empty
#              environment for each Python that is here; leaves it in build/release
# make check-guest    show by xDSL's own tests that nothing changes in xDSL for others
# make check-xdsl XDSL=VERSION    run the tests with another xDSL, and say what breaks;
#              XDSL=newest is what the registry has
# make venv    only set everything up, in .venv
# make clean   remove what the above made
#
# Needs Python 3.11 or later. Set PYTHON if that is not python3, and PYTEST_FLAGS or
# LIT_FLAGS to pass options on.

PYTHON ?= python3
PYTEST_FLAGS ?= --numprocesses=auto --maxprocesses=4
LIBXSMM_FLAGS ?= -lxsmm -lxsmmnoblas -ldl -lm -lpthread
LIT_FLAGS ?= --verbose --succinct --no-progress-bar

VENV := .venv
BIN := $(VENV)/bin
TEST_TOOLS := $(VENV)/test-tools
TORCH_VENV := .venv-torch
TORCH_TOOLS := $(TORCH_VENV)/test-tools
JAX_VENV := .venv-jax
JAX_TOOLS := $(JAX_VENV)/test-tools
CHECK_TOOLS := $(VENV)/check-tools
MLP := build/mlp.mlir

# What is made here leaves the user's folder of compiled code alone.
export XBUF_CACHE := off

.PHONY: demo test test-volume pytest filecheck venv clean check-guest check-xdsl
.PHONY: check-neighbours check-patches release
.PHONY: check format-check lint layers types prose docs-check format docs site playground
.PHONY: pass-files runtime-ir new-pass new-model update-filecheck
.PHONY: libxsmm-shim test-guarded test-torch onnx-tests jax-tests mlir-tests fuzz
.PHONY: stablehlo-tests

demo: $(TEST_TOOLS)
	@mkdir -p build
	$(BIN)/xbuf gen --batch 256 --layers 128,256,512 --bias --relu --seed 7 > $(MLP)
	$(BIN)/xbuf run $(MLP) --check

test: pytest filecheck

pytest: $(TEST_TOOLS)
	$(BIN)/pytest $(PYTEST_FLAGS) --volume=sample

test-guarded: $(TEST_TOOLS)
	$(BIN)/pytest $(PYTEST_FLAGS) --guard-buffers

filecheck: $(TEST_TOOLS)
	$(BIN)/lit $(LIT_FLAGS) $(or $(FILES),tests/filecheck)

ONE_IN ?= 1

test-volume: $(TEST_TOOLS)
	$(BIN)/pytest $(PYTEST_FLAGS) --volume=rest --one-in=$(ONE_IN)
	$(BIN)/lit $(LIT_FLAGS) --param new-processes --num-shards=$(ONE_IN) --run-shard=1 \
	  tests/filecheck

# PyTorch for processors alone is a tenth as large as with CUDA, and is not on PyPI.
TORCH ?= torch==2.13.0+cpu
TORCH_INDEX ?= https://download.pytorch.org/whl/cpu

$(TORCH_TOOLS): pyproject.toml | $(BIN)/python
	test -e $(TORCH_VENV)/bin/python || $(BIN)/python -m venv $(TORCH_VENV)
	$(TORCH_VENV)/bin/pip install --quiet '$(TORCH)' 2> /dev/null \
	  || $(TORCH_VENV)/bin/pip install --quiet '$(TORCH)' --index-url $(TORCH_INDEX)
	$(TORCH_VENV)/bin/pip install --quiet -e '.[test-torch]'
	@touch $@

test-torch: $(TORCH_TOOLS)
	$(TORCH_VENV)/bin/pytest --numprocesses=2 tests/torch_backend
	$(TORCH_VENV)/bin/python tests/onnx_suite/run_models.py --one-in 60 --jobs 2 --quiet
	$(TORCH_VENV)/bin/pytest tests/pytest/docs/test_documents.py -k 'pytorch or onnx' \
	  -W ignore::FutureWarning -W ignore::DeprecationWarning -W ignore::UserWarning

onnx-tests: $(TORCH_TOOLS)
	$(TORCH_VENV)/bin/python tests/onnx_suite/run_models.py $(ONNX_FLAGS)

$(JAX_TOOLS): pyproject.toml | $(BIN)/python
	test -e $(JAX_VENV)/bin/python || $(BIN)/python -m venv $(JAX_VENV)
	$(JAX_VENV)/bin/pip install --quiet -e '.[test-jax]'
	@touch $@

jax-tests: $(JAX_TOOLS)
	$(JAX_VENV)/bin/python tests/jax_suite/run_functions.py $(JAX_FLAGS)

STABLEHLO ?= ../stablehlo

stablehlo-tests: $(TEST_TOOLS)
	$(BIN)/python tests/stablehlo_suite/run_suite.py $(STABLEHLO) $(STABLEHLO_FLAGS)

mlir-tests: $(TEST_TOOLS)
	PYTHONPATH=tests/pytest $(BIN)/python tests/mlir_suite/run_suite.py $(MLIR_FLAGS)

MINUTES ?= 10

fuzz: $(TEST_TOOLS)
	PYTHONPATH=tests:tests/pytest $(BIN)/python -m fuzz --minutes $(MINUTES) \
	  $(if $(SEED),--seed $(SEED)) $(FUZZ_FLAGS)

check-guest: $(TEST_TOOLS)
	$(BIN)/python tests/guest/compare_suites.py $(GUEST_FLAGS)

# Other packages that extend xDSL, in one environment with this one.
check-neighbours: $(TEST_TOOLS)
	$(BIN)/python tests/guest/neighbours.py $(GUEST_FLAGS)

# The patches of docs/upstream, each applied to xDSL's source distribution.
check-patches: $(TEST_TOOLS)
	$(BIN)/python tests/guest/try_patches.py

XDSL ?= newest

release: $(TEST_TOOLS)
	$(BIN)/python scripts/release.py

check-xdsl: $(TEST_TOOLS)
	$(BIN)/python tests/guest/check_xdsl.py $(XDSL) $(XDSL_FLAGS)

check: format-check lint layers types prose docs-check

format-check: $(CHECK_TOOLS)
	$(BIN)/ruff format --check

lint: $(CHECK_TOOLS)
	$(BIN)/ruff check

layers: $(CHECK_TOOLS)
	$(BIN)/lint-imports

types: $(CHECK_TOOLS)
	$(BIN)/pyright --warnings --pythonpath $(BIN)/python

# Long sentences, misused words, terms that are not defined where they are first used.
prose: $(CHECK_TOOLS)
	$(BIN)/python docs/check_prose.py

# Rewrites files as `make check` wants them.
format: $(CHECK_TOOLS)
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

pass-files: $(BIN)/python
	$(BIN)/python scripts/pass_files.py

runtime-ir: $(BIN)/python
	$(BIN)/python scripts/runtime_ir.py

new-pass: $(CHECK_TOOLS)
	$(BIN)/python scripts/new_pass.py $(NAME) $(if $(ROOM),--room $(ROOM))
	$(BIN)/python docs/generate_passes.py

new-model: $(CHECK_TOOLS)
	$(BIN)/python scripts/new_model.py $(OP)

update-filecheck: $(TEST_TOOLS)
	$(BIN)/python scripts/update_filecheck.py $(FILES)

docs: pass-files $(CHECK_TOOLS)
	$(BIN)/python docs/generate_dialects.py
	$(BIN)/python docs/generate_passes.py
	$(BIN)/python docs/generate_upstream.py
	$(BIN)/python docs/generate_xbuf.py
	$(BIN)/python docs/generate_copies.py
	$(if $(shell command -v chromium),$(BIN)/python docs/generate_pages.py)
	$(MAKE) playground
	$(MAKE) site

playground: $(TEST_TOOLS)
	$(BIN)/python scripts/build_playground.py

# Every warning is an error: a broken link, a page that the navigation leaves out. Not
# with --quiet, which leaves no warnings for --strict to count.
site docs-check: $(CHECK_TOOLS)
	$(BIN)/python docs/generate_pages.py --check
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

SHIM := xdsl_bufferization/runtime/libxsmm_shim

libxsmm-shim: $(SHIM).so

$(SHIM).so: $(SHIM).c
	$(CC) -O2 -shared -fPIC -o $@ $< $(LIBXSMM_FLAGS)

venv: $(TEST_TOOLS)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "$(PYTHON) is older than Python 3.11; set PYTHON=..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	  echo "On Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }

$(TEST_TOOLS): pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	@touch $@

$(CHECK_TOOLS): pyproject.toml $(TEST_TOOLS)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

clean:
	rm -rf $(VENV) $(TORCH_VENV) $(JAX_VENV) build dist *.egg-info .pytest_cache \
	  .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
