# `make demo` and `make test` need only make and python3 (3.11 or newer, with venv); they install everything else.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
INSTALLED_DEV := $(VENV)/.installed-dev
INSTALLED_DOCS := $(VENV)/.installed-docs
INSTALLED_FULL := $(VENV)/.installed-full

# many processes are started here; without files of bytecode, each would compile all modules it imports
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help install demo test test-all languages check lint types scripts docs fuzz replays soak torture attacks bench \
	calibrate golden schemas pictures release clean

help:
	@echo "make demo       play a tournament of the four reference bots and show its leaderboard"
	@echo "make install    install everything that the other targets need into .venv: 1.5 GB"
	@echo "make test       run the tests that are quick: about four minutes on two cores; it installs 520 MB into .venv"
	@echo "make test-all   run all tests, with those that start browsers, clusters, servers and many processes"
	@echo "make languages  test SDKs and starters of the languages whose tools are installed, a course of all, and scripts"
	@echo "make check      run formatters, linter and type checker; those of scripts where npm is installed"
	@echo "make docs       build the documentation site into docs/build/site"
	@echo "make fuzz       test many more damaged files and odd messages than the suite, different ones in every run"
	@echo "make replays    step through ten random matches of every game in a browser"
	@echo "make soak       play 2,000 matches with hostile bots in a tenth of the seats; watch processes, files and memory"
	@echo "make torture    kill, pause and cut off tournaments and races, and let their disk refuse calls: hours; with QUICK=1 minutes"
	@echo "make attacks    carry out every attack on the arena that the suite knows, and say what it broke"
	@echo "make bench      measure speed, relative to references measured in the same run"
	@echo "make calibrate  simulated leagues and comparisons: how often intervals and tests hold the truth"
	@echo "make golden     write the golden playthroughs again; review them with git diff"
	@echo "make pictures   take the pictures of the documents again, with chromium; look at them"
	@echo "make schemas    write the JSON schemas again, from the types of what commands print"
	@echo "make release    build the sdist and the wheel into dist, and try them outside the checkout"
	@echo "make clean      remove everything that the other targets created"

# installing generates the protobuf code, so a changed .proto file installs again
SOURCES := pyproject.toml setup.py build_backend.py $(wildcard proto/ballcourt/v1/*.proto)

# Python is looked at before anything is made of it; what a failed try has left is cleared
define environment
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Ballcourt needs Python 3.11 or newer, and $(PYTHON) is %d.%d; name another one: make PYTHON=python3.12" % sys.version_info[:2])'
$(PYTHON) -m venv $(if $(wildcard $(INSTALLED)),,--clear) $(VENV)
endef
PIP = $(BIN)/python -m pip install --disable-pip-version-check

# what users have: 330 MB; pip shows its progress
$(INSTALLED): $(SOURCES)
	$(environment)
	$(PIP) --editable "."
	@touch $@

# what the quick tests and the checks need, about 200 MB more
$(INSTALLED_DEV): $(INSTALLED)
	$(PIP) --editable ".[dev]"
	@touch $@

$(INSTALLED_DOCS): $(INSTALLED)
	$(PIP) --quiet --editable ".[docs]"
	@touch $@

# everything that other targets need, about 1.5 GB in all, at once: nothing is installed while CI runs them beside each other
$(INSTALLED_FULL): $(SOURCES)
	$(environment)
	$(PIP) --quiet --editable ".[full,docs]"
	@touch $(INSTALLED) $(INSTALLED_DEV) $(INSTALLED_DOCS) $@

install: $(INSTALLED_FULL)

demo: $(INSTALLED)
	$(BIN)/ballcourt demo

test: $(INSTALLED_DEV)
	$(BIN)/python -m pytest -n 2 --dist worksteal # neighbours in one process share the fixtures of their module

test-all: $(INSTALLED_FULL)
	$(BIN)/python -m pytest -n 2 -m "not languages"

languages: $(INSTALLED_DEV)
	$(BIN)/python -m pytest -m languages -rs -o faulthandler_timeout=3600 tests/languages tests/course

check: lint types scripts

lint: $(INSTALLED_DEV)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/djlint --check leaderboard/pages/templates src/ballcourt/contest/web/templates

ifneq ($(shell command -v npm),)
scripts: node_modules/.package-lock.json
	npm run --silent check

node_modules/.package-lock.json: package-lock.json
	npm ci --silent
else
scripts:
	@echo "the format of scripts and style sheets is not checked, because npm is missing"
endif

types: $(INSTALLED_DEV)
	$(BIN)/mypy

# strict: a warning, such as one of a broken link, is an error
docs: $(INSTALLED_DOCS)
	$(BIN)/python docs/assemble.py docs/build
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --config-file docs/build/mkdocs.yml

fuzz: $(INSTALLED_DEV)
	BALLCOURT_FUZZ=30 $(BIN)/python -m pytest -n 2 -m "not languages" -o faulthandler_timeout=0 tests/fuzz

replays: $(INSTALLED_FULL)
	BALLCOURT_REPLAYS=10 $(BIN)/python -m pytest -m slow -o faulthandler_timeout=0 tests/arena/replays/viewer/test_stepping.py -k stepped

soak: $(INSTALLED_DEV)
	$(BIN)/python -m tests.soak 2000

torture: $(INSTALLED_FULL)
	nice $(BIN)/python -m tests.torture $(if $(QUICK),--quick)

attacks: $(INSTALLED_FULL)
	$(BIN)/python -m tests.attacks

bench: $(INSTALLED_FULL)
	$(BIN)/python -m tests.bench

calibrate: $(INSTALLED_FULL)
	nice $(BIN)/python -m tests.calibrate

golden: $(INSTALLED_DEV)
	$(BIN)/python -m tests.golden

schemas: $(INSTALLED_DEV)
	$(BIN)/python -m tests.schemas

pictures: $(INSTALLED_FULL)
	$(BIN)/python -m tests.pictures

release:
	.ci/release dist

clean:
	rm -rf $(VENV) node_modules build dist docs/build *.egg-info src/*.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis runs
	find proto -name '*_pb2.py' -delete -o -name '*_pb2.pyi' -delete
