# The two commands for a fresh machine are `make demo` and `make test`. Both need Python 3.11 or newer and nothing else.
# VENV and PYTHON can be set: `make test VENV=~/venvs/bonebed PYTHON=python3.12`.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV ?= .venv
BIN = $(abspath $(VENV))/bin
STAMP = $(VENV)/.installed
# One process for each core, up to four; what one compiles the others load.
PYTEST = $(BIN)/pytest -q -n auto --maxprocesses=4 --dist=worksteal
# mypy finds the package by the name `bonebed`, whatever the checkout's folder is called.
TYPES = $(VENV)/types

SHELL = /bin/bash
.SHELLFLAGS = -euo pipefail -c
.DEFAULT_GOAL = help
.NOTPARALLEL:
.PHONY: help demo test test-compiled test-plain test-bounds lint format docs bench leaderboard install

help:            ## list the commands
	@grep -E '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## /\1\t/' \
		| while IFS=$$'\t' read -r name text; do printf '  make %-15s %s\n' "$$name" "$$text"; done

demo: $(STAMP)   ## install into .venv, train a bot on Fossil for a few minutes, pit it against the others
	$(BIN)/bonebed demo

test: lint test-compiled test-plain test-bounds   ## lint, types and all tests in the three modes
	@echo "All checks passed: lint, types, and the tests compiled, without the JIT and with bounds checks."

test-compiled: $(STAMP)   ## the whole suite, compiled
	$(PYTEST)

test-plain: $(STAMP)   ## the rule tests as plain Python (fewer games)
	NUMBA_DISABLE_JIT=1 $(PYTEST) -m rules

test-bounds: $(STAMP)   ## the rule tests with bounds checks (fewer games)
	NUMBA_BOUNDSCHECK=1 $(PYTEST) -m rules

lint: $(STAMP)   ## formatting, lint and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	mkdir -p $(TYPES) && ln -sfn $(CURDIR) $(TYPES)/bonebed
	MYPYPATH=$(TYPES) $(BIN)/mypy -p bonebed

format: $(STAMP)   ## let ruff rewrite the files
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(STAMP)   ## rewrite the generated tables of the games' pages
	$(BIN)/python docs/generate.py

bench: $(STAMP)   ## measure the speed of every layer
	$(BIN)/bonebed bench

leaderboard: $(STAMP)   ## let all agents play each other and write docs/leaderboard.md; takes hours, goes on when stopped
	$(BIN)/bonebed leaderboard

install: $(STAMP)   ## only make the virtual environment

# --no-compile: most modules of PyTorch are never imported, and compiling them all doubles the work.
$(STAMP): pyproject.toml constraints.txt
	@echo "Installing into $(VENV); the first time takes a few minutes."
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade pip
	$(BIN)/python -m pip install -q --no-compile -c constraints.txt -e '.[dev]'
	touch $@
