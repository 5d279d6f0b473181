# Everything runs in a virtual environment of the checkout; only Python >= 3.11 and make are needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
JOBS ?= 2
FOLDERS := benchaudit adapters probes oracles tests

.PHONY: help card test test-all lint oracle-check cards check-cards bench full clean test-lowest

help:  ## show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

$(READY): pyproject.toml constraints.txt Makefile
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed: make PYTHON=python3.12") if sys.version_info < (3, 11) else None'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev,plot,parquet]'
	touch $@

card: $(READY)  ## audit ComtradeBench and show its validity card
	$(BIN)/benchaudit run comtradebench --out audits/comtradebench --jobs $(JOBS)

test: $(READY)  ## the fast tests
	$(BIN)/python -m pytest -n $(JOBS) -m 'not slow'

test-all: $(READY)  ## every test
	$(BIN)/python -m pytest -n $(JOBS)

lint: $(READY)  ## style and types
	$(BIN)/ruff check $(FOLDERS)
	$(BIN)/ruff format --check $(FOLDERS)
	$(BIN)/mypy benchaudit adapters probes

oracle-check: $(READY)  ## recompute every published figure
	$(BIN)/benchaudit oracle-check

cards: $(READY)  ## regenerate the published cards
	$(BIN)/python cards/publish.py

check-cards: $(READY)  ## regenerate the published cards and compare every byte
	$(BIN)/python cards/publish.py --check

bench: $(READY)  ## speed and overhead, as ratios in one run
	$(BIN)/python -m tests.bench

full: $(READY) lint test-all oracle-check check-cards bench  ## all of the above

test-lowest:  ## the fast tests on the lowest dependencies that pyproject.toml allows
	test -x .venv-lowest/bin/python || $(PYTHON) -m venv .venv-lowest
	.venv-lowest/bin/python -m pip install --quiet --constraint lowest.txt --editable '.[dev,plot,parquet]'
	.venv-lowest/bin/python -m pytest -n $(JOBS) -m 'not slow'

clean:  ## remove what make made
	rm -rf $(VENV) .venv-lowest audits .pytest_cache .mypy_cache .ruff_cache .hypothesis
