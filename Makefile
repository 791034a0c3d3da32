# The words people and CI use. `make run` and `make test` are enough on a fresh machine.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
PYTHON ?= python3
BIN := .venv/bin
# Two more than there are cores: tests wait for servers and nodes.
WORKERS ?= $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 2)')

.DEFAULT_GOAL := help
.PHONY: help setup run test check fix bench lock clean

help:  ## List these words
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile

setup: .venv/.ready node_modules/.ready  ## Install everything into .venv and node_modules, from the locks

.venv/.ready: requirements-dev.txt pyproject.toml
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(0 if v >= (3, 11) else f"deckproof needs Python 3.11 or newer; $(PYTHON) is {v.major}.{v.minor} (choose another: make PYTHON=python3.12 …)")'
	@echo "Installing Python packages from the lock, about a minute the first time…"
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

node_modules/.ready: package-lock.json package.json
	@echo "Installing forge, anvil and the Solidity compiler…"
	npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

run: setup  ## A day at a tournament, in a browser (SCENE=round3 starts later, KEEP=folder keeps it; ONCE=1 prints verdicts and ends)
	$(BIN)/deckproof demo $(if $(ONCE),--verdicts --once,$(if $(SCENE),--scene $(SCENE)) $(if $(PORT),--port $(PORT)) $(if $(KEEP),--keep $(KEEP)))

test: check  ## All checks and all tests
	tools/forge test | tee cache/forge-test.txt
	@grep -q ' tests passed, 0 failed' cache/forge-test.txt  # forge says "No tests found" with exit code 0
	$(BIN)/pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder

check: setup  ## Format, lint, types, import contracts, artefacts
	@echo "$(BIN)/mypy, beside what follows"
	@mkdir -p cache; $(BIN)/mypy > cache/types.txt 2>&1 & types=$$!; failed=0; \
	  $(MAKE) --no-print-directory others || failed=1; \
	  wait $$types || failed=1; cat cache/types.txt; exit $$failed

.PHONY: others
others:
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	tools/forge fmt --check
	npm run --silent lint
	tools/forge build --deny warnings
	$(BIN)/python tools/artefacts.py --check

fix: setup  ## Format, and repair what the linters can repair
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	tools/forge fmt

bench: setup  ## Speed as ratios, one table
	$(BIN)/python bench/run.py

lock:  ## Make the Python locks anew from pyproject.toml (needs uv)
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate pyproject.toml -o requirements.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate pyproject.toml --all-extras --group dev -c requirements.txt -o requirements-dev.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --group bench -c requirements-dev.txt -o requirements-bench.txt

clean:  ## Remove everything that setup, tests and builds made
	rm -rf .venv .node node_modules out cache dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .deckproof
