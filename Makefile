# Needs python3 (3.11 or later), make and the package registries; brings the rest itself.
.DEFAULT_GOAL := help
.PHONY: help up down ui test check bench chaos clean lock
BIN := .venv/bin
LOCK := pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header -p 3.11

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "make %-8s %s\n", $$1, $$2}' Makefile

up: .venv/.synced ui ## run everything here: PostgreSQL, Temporal, API, worker; Ctrl-C stops it
	@$(BIN)/tidings up

down: .venv/.synced ## stop it from another terminal; data stays
	@$(BIN)/tidings down

ui: ## build the web UI, where something of it changed
	@scripts/ui build

test: .venv/.synced ui ## all tests; ARGS="-k name" for some
	@scripts/test-services
	@scripts/ui test
	@$(BIN)/pytest -n 2 --dist worksteal $(ARGS)

check: .venv/.synced ## lint, format, types and layers, of both languages
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	scripts/ui check

bench: .venv/.synced ## ours beside its peers; ARGS=name for one
	@$(BIN)/python -m bench $(ARGS)

chaos: .venv/.synced ## real kills of real processes, at length
	@$(BIN)/python -m tests.chaos $(ARGS)

clean: ## remove what was built and installed here; data stays
	rm -rf .venv .tools ui/node_modules src/tidings/api/ui dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src tests bench -name __pycache__ -type d -prune -exec rm -rf {} +

lock: ## renew the locks from pyproject.toml, bench/peers.in and scripts/*.in
	scripts/uv $(LOCK) pyproject.toml --group dev -o requirements-dev.lock
	[ ! -f bench/peers.in ] || scripts/uv $(LOCK) bench/peers.in -o bench/peers.lock
	scripts/uv $(LOCK) scripts/uv.in -o scripts/uv.lock
	scripts/uv $(LOCK) scripts/node.in -o scripts/node.lock

.venv/.synced: requirements-dev.lock pyproject.toml
	@scripts/sync
