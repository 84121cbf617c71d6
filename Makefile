# Ottla: `make demo` shows it at work, `make test` proves it. Both set themselves up on a fresh machine.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SIM_SECONDS ?= 60
SEEDS ?= 300
WORKLOAD ?= all
RUNS ?= 200
PYTEST := $(BIN)/python -m pytest -q
# Minutes long, because they start Spark or Apache Kafka's tools again and again: targets of their own.
SPARK_DRIVERS := tests/spark/test_faults.py tests/spark/test_pipeline_background.py tests/spark/test_pipeline_page.py
TOOLS_BESIDE_KAFKA := tests/compat/test_kafka_data_tools.py
# Modules that are compiled with the package (src/ottla/compiled.py); their tests run a second time without.
TYPES := $(wildcard src/ottla/*/*.pxd)
COMPILED := src/ottla/compiled.py $(TYPES) $(wildcard src/ottla/*/*.pyx $(TYPES:.pxd=.py))
COMPILED_TESTS := tests/unit/records tests/unit/model/test_hashing.py tests/unit/runtime/test_sync_files.py \
	tests/unit/runtime/test_sending.py \
	tests/unit/runtime/test_written_files.py \
	tests/properties/test_key_walk.py tests/properties/test_record*.py
# Recovery from undefined behaviour would let a test pass; memory of Arrow's own pools is not watched.
SANITIZED := build/sanitized
SANITIZERS := -fsanitize=address,undefined -fno-sanitize-recover=undefined

.DEFAULT_GOAL := help
.PHONY: help demo test test-spark test-spark-drivers test-spark-clusters test-kafka-tools test-databases test-pythons check unit testing-kit-soak bench generate docs sim crashes fuzz sanitize clean kcat

help: ## what can be made
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 20

$(VENV)/.base: pyproject.toml setup.py $(COMPILED)
	@# Without ensurepip (Debian's python3-venv) venv fails and leaves a directory without pip behind.
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || { rm -rf $(VENV); \
		echo "setting up $(VENV), this takes half a minute"; $(PYTHON) -m venv $(VENV); } \
		|| { rm -rf $(VENV); echo "$(PYTHON) -m venv failed; on Debian and Ubuntu: apt install python3-venv"; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.test: $(VENV)/.base
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --group check --group test --group spark
	@if command -v java >/dev/null; then $(BIN)/python -m pip install --quiet --disable-pip-version-check --group java \
		|| echo "the jars of the Java client cannot be had: its tests are skipped"; fi
	@touch $@

$(VENV)/.demo: $(VENV)/.base
	@echo "installing Spark, this takes a minute or two"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --group spark
	@touch $@

$(VENV)/.bench: $(VENV)/.test
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --group bench
	@touch $@

demo: $(VENV)/.demo ## a broker, a stream of orders, and a pipeline on Spark with live numbers
	@$(BIN)/python examples/pipeline_demo.py

check: $(VENV)/.test ## format, lint, types, layers, generated files, tidiness
	$(BIN)/ruff format --check src tests benchmarks tools setup.py
	$(BIN)/ruff check src tests benchmarks tools setup.py
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m ottla.protocol.generator --check
	$(BIN)/python -m ottla.config.reference --check
	$(BIN)/python -m ottla.broker.reference --check
	$(BIN)/python -m ottla.cli.reference --check
	$(BIN)/python -m pytest -q tests/unit/test_tidy.py tests/unit/test_doors.py

unit: $(VENV)/.test ## the fast tests
	$(PYTEST) -n 2 tests/unit tests/scenarios tests/properties tests/contracts tests/pipeline
	OTTLA_PURE=1 $(PYTEST) -n 2 $(COMPILED_TESTS) tests/unit/log

kcat:
	@command -v kcat >/dev/null || { [ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -y -qq kcat >/dev/null; } \
		|| echo "kcat is not installed and cannot be: its tests are skipped"

test: unit kcat ## everything: fast tests first, then simulation, then real processes and clients
	$(PYTEST) -n 2 tests/sim --ignore tests/sim/test_seeds.py
	OTTLA_SIM_SECONDS=$(SIM_SECONDS) $(PYTEST) tests/sim/test_seeds.py
	$(PYTEST) -n 2 --dist loadfile tests/process tests/compat --ignore $(TOOLS_BESIDE_KAFKA)
	$(PYTEST) -n 2 tests/testing_kit
	$(MAKE) test-spark

test-spark: $(VENV)/.test ## format("ottla") with a real Spark: batch, stream, exactly once
	$(PYTEST) tests/spark $(addprefix --ignore ,$(SPARK_DRIVERS))

test-spark-drivers: $(VENV)/.test ## kill -9 of driver, workers and broker; pipelines in the background; outside of make test
	$(PYTEST) $(SPARK_DRIVERS)

test-kafka-tools: $(VENV)/.test ## console, perf and verifiable tools beside Apache Kafka's own; outside of make test
	$(PYTEST) $(TOOLS_BESIDE_KAFKA)

test-databases: $(VENV)/.test ## pipelines with a real PostgreSQL (apt install postgresql); outside of make test
	$(PYTEST) tests/databases

test-spark-clusters: $(VENV)/.test ## the same jobs on a standalone Spark cluster, through Spark Connect, with PySpark 4.2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --group spark-connect
	$(PYTEST) tests/spark_clusters

test-pythons: $(VENV)/.test ## the wheel with every version of Python that is here
	OTTLA_ALL_PYTHONS=1 $(PYTEST) tests/process/test_wheel.py

sim: $(VENV)/.test ## simulation: make sim SEEDS=300 WORKLOAD=all
	PYTHONHASHSEED=0 $(BIN)/python -m ottla.sim run --workload $(WORKLOAD) --seeds $(SEEDS)

crashes: $(VENV)/.test ## a crash at every change of the disk: storage and transactions (about 15 minutes)
	PYTHONHASHSEED=0 $(BIN)/python -m ottla.sim enumerate --workload every_write
	PYTHONHASHSEED=0 $(BIN)/python -m ottla.sim enumerate --workload every_transaction_write

testing-kit-soak: $(VENV)/.test ## the testing kit: 1,000 starts and stops without a leak, its suite many times without a flake
	OTTLA_TESTING_KIT_ROUNDS=1000 $(PYTEST) tests/testing_kit/test_leaks.py
	$(BIN)/python -m tools.testing_kit_soak --runs $(RUNS) --page docs/results/testing-kit-soak.md

bench: $(VENV)/.bench ## speed and memory beside Apache Kafka, written to docs/results/
	$(BIN)/python -m benchmarks.run

fuzz: $(VENV)/.test ## coverage-guided fuzzing of the decoders (atheris)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group fuzz
	$(BIN)/python -m tests.fuzz.fuzz_protocol -max_total_time=120

sanitize: $(VENV)/.test ## the tests of compiled code under the address and undefined-behaviour sanitizers
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group build
	rm -rf $(SANITIZED)
	OTTLA_CFLAGS="-O1 -g -fno-omit-frame-pointer $(SANITIZERS)" LDFLAGS="$(SANITIZERS)" \
		$(BIN)/python setup.py --quiet build --build-base $(SANITIZED) --build-lib $(SANITIZED)/lib
	PYTHONPATH=$(SANITIZED)/lib $(BIN)/python -m tools.run_sanitized $(COMPILED_TESTS)

generate: $(VENV)/.test ## the codec from its schemas
	$(BIN)/python -m ottla.protocol.generator

docs: $(VENV)/.base ## the reference pages from their tables
	$(BIN)/python -m ottla.config.reference
	$(BIN)/python -m ottla.broker.reference
	$(BIN)/python -m ottla.cli.reference

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .hypothesis .import_linter_cache build dist
