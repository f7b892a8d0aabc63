# Two commands on a fresh machine: `make demo` shows what webquarry does, `make test` runs all checks.
VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= python3

.PHONY: help demo test test-ray bench lint format clean

help:
	@echo "make demo    the whole way on the example pages, offline"
	@echo "make test    lint, types, layering, doctests and all tests"
	@echo "make test-ray  batches on a Ray cluster and in S3, all on this machine"
	@echo "make bench   benchmarks beside the peers, where the corpora are present"
	@echo "make format  rewrite the code in the house format"

$(VENV)/.ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV) || { apt-get update -q && apt-get install -yq python3-venv && $(PYTHON) -m venv --clear $(VENV); }
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[test,workbench,postgresql,excel]'
	@touch $@

# An existing Chromium or Chrome is used; as root on Debian one is installed, elsewhere tests that need one are skipped
$(VENV)/.browser: $(VENV)/.ready
	@$(BIN)/python -c 'import sys; from webquarry.rendering.browser import find_browser; sys.exit(find_browser() is None)' \
	  || { test "$$(id -u)" = 0 && command -v apt-get > /dev/null && apt-get update -q && apt-get install -yq chromium-headless-shell; } \
	  || echo "no browser: install Chromium or Chrome, or name one with WEBQUARRY_BROWSER; tests that need one are skipped"
	@touch $@

# Tests start a server of their own; where none can be installed they are skipped
$(VENV)/.postgresql: $(VENV)/.ready
	@ls /usr/lib/postgresql/*/bin/initdb > /dev/null 2>&1 || command -v initdb > /dev/null \
	  || { test "$$(id -u)" = 0 && command -v apt-get > /dev/null && apt-get update -q && apt-get install -yq postgresql; } \
	  || echo "no PostgreSQL server: tests that need one are skipped"
	@touch $@

# HTML Tidy is a peer in the benchmarks; without its library it is shown as not installed.
# The pip of Python 3.11 cannot resolve lxml[html_clean], which several peers require, so pip is upgraded first.
$(VENV)/.bench: $(VENV)/.ready
	@ldconfig -p | grep -q libtidy || test "$$(id -u)" != 0 || apt-get install -yq libtidy5deb1 || true
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --upgrade pip
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[test,workbench,postgresql,excel,bench]'
	@touch $@

demo: $(VENV)/.ready $(VENV)/.browser
	$(BIN)/quarry demo demo-output

lint: $(VENV)/.ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Tests start many processes; modules that are compiled once spare each of them a quarter of its start.
# Each core runs whole files, so that what a file prepares is prepared once.
test: export PYTHONDONTWRITEBYTECODE :=
test: lint $(VENV)/.browser $(VENV)/.postgresql
	$(BIN)/pytest --numprocesses auto --maxprocesses 4 --dist loadfile

# Ray is large, and moto needs other versions of packages than we do, so that it has a place of its own
$(VENV)/.ray: $(VENV)/.ready constraints-s3.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[ray]'
	$(PYTHON) -m venv $(VENV)/s3
	$(VENV)/s3/bin/pip install --quiet --disable-pip-version-check --constraint constraints-s3.txt 'moto[server]'
	@touch $@

test-ray: $(VENV)/.ray
	WEBQUARRY_CLUSTERS=yes $(BIN)/pytest tests/batching/test_ray_engine.py tests/batching/test_object_stores.py

bench: $(VENV)/.bench
	$(BIN)/python -m benchmarks

format: $(VENV)/.ready
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis demo-output
