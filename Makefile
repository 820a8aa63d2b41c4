# Two commands do everything: `make evaluate` and `make test`. Both make the virtual environment.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
WHOLE := $(VENV)/.whole
# What playing sessions needs: a cluster needs more than this machine's processes do.
PLAYS = $(if $(filter dask,$(BACKEND)),$(WHOLE),$(READY))

TRACK ?= robust
CATALOG ?=
SESSIONS ?=
SAMPLES ?=
SEED ?=
WORKERS ?=
OUT ?=
KIT ?=
CONFIG ?=
SCALE ?=
BACKEND ?=
SCHEDULER ?=
SCRATCH ?=
NO_CACHE ?=
TRAINING ?=
HELD_OUT ?=
RUN ?=
SPACE ?=
PUBLISH ?=
TRIALS ?=
A ?=
B ?=
THINK ?=
PORT ?=
TARGET ?=
SCENARIO ?=
TRANSCRIPT ?=
FIELDS ?=
PRODUCTS ?=
DISTRIBUTION ?=
SPLIT ?=

options = $(source) $(if $(SESSIONS),--sessions '$(SESSIONS)') $(each_distribution) $(where)
fitting = --track $(TRACK) $(if $(CONFIG),--config '$(CONFIG)') $(source) $(each_distribution) \
	$(if $(TRAINING),--training $(TRAINING)) $(if $(HELD_OUT),--held-out $(HELD_OUT)) $(where)
source = $(if $(CATALOG),--catalog '$(CATALOG)') $(if $(FIELDS),--fields '$(FIELDS)') \
	$(if $(PRODUCTS),--products $(PRODUCTS)) $(if $(SAMPLES),--samples $(SAMPLES)) $(if $(SEED),--seed $(SEED))
each_distribution = $(foreach name,$(DISTRIBUTION),--distribution $(name))
live = --track $(TRACK) $(if $(CONFIG),--config '$(CONFIG)') $(if $(CATALOG),--catalog '$(CATALOG)') \
	$(if $(FIELDS),--fields '$(FIELDS)') $(if $(PRODUCTS),--products $(PRODUCTS)) \
	$(if $(SEED),--seed $(SEED)) $(if $(NO_CACHE),--no-cache)
where = $(if $(WORKERS),--workers $(WORKERS)) $(if $(BACKEND),--backend $(BACKEND)) \
	$(if $(SCHEDULER),--scheduler '$(SCHEDULER)') $(if $(SCRATCH),--scratch '$(SCRATCH)') \
	$(if $(NO_CACHE),--no-cache) $(if $(OUT),--out '$(OUT)')

.PHONY: help play evaluate bakeoff robustness test lint plugin clean
.PHONY: ablation bench run compare calibrate fit fit-hearing sweep notebooks benchmark
help:
	@sed -n 's/^## //p' Makefile

## make evaluate [TRACK=robust|wildcard CONFIG=f CATALOG=f FIELDS=f SESSIONS=f SAMPLES=n|full SEED=n PRODUCTS=n]
##               [DISTRIBUTION=public|uniform|cold|crowded|shared_card WORKERS=n OUT=folder]
##               [BACKEND=joblib|dask SCHEDULER=tcp://host:8786 SCRATCH=folder NO_CACHE=1]
evaluate: $(PLAYS)
	@$(BIN)/python -m experiments evaluate --track $(TRACK) $(if $(CONFIG),--config '$(CONFIG)') $(options)

## make run RUN=f.toml [OUT=folder WORKERS=n ...]    play what a TOML file describes; again: go on
run: $(PLAYS)
	@$(BIN)/python -m experiments run '$(RUN)' $(where)

## make compare A=folder B=folder    paired differences of two runs: win, tie or loss
compare: $(READY)
	@$(BIN)/python -m experiments compare '$(A)' '$(B)'

## make calibrate [TRAINING=seed HELD_OUT=seed PUBLISH=docs, and as evaluate without SEED and SESSIONS]
##                fit the posterior, show it on held-out seeds
calibrate: $(PLAYS)
	@$(BIN)/python -m experiments calibrate $(fitting) $(if $(PUBLISH),--publish '$(PUBLISH)')

## make sweep [SPACE=f.toml TRIALS=n and as calibrate]    search for better settings, show them on held-out seeds
sweep: $(WHOLE)
	@$(BIN)/python -m experiments sweep $(fitting) $(if $(SPACE),--space '$(SPACE)') \
		$(if $(TRIALS),--trials $(TRIALS))

## make fit [as calibrate]    fit the prior and the value at the horizon
fit: $(PLAYS)
	@$(BIN)/python -m experiments fit $(fitting)

## make ablation [as evaluate]    what each part of the planner brings
ablation: $(PLAYS)
	@$(BIN)/python -m experiments ablation --track $(TRACK) $(if $(CONFIG),--config '$(CONFIG)') $(options)

## make benchmark [OUT=folder SPLIT="training held-out" DISTRIBUTION="public cold" SAMPLES PRODUCTS SEED CATALOG]
##               write a catalog with its sessions, and its figures beside the published ones
benchmark: $(READY)
	@$(BIN)/python -m experiments benchmark $(source) $(if $(OUT),--out '$(OUT)') \
		$(each_distribution) $(foreach name,$(SPLIT),--split $(name))

## make bakeoff     every reference system and the planner on both tracks; options as evaluate, without TRACK
bakeoff: $(PLAYS)
	@$(BIN)/python -m experiments bakeoff $(options)

## make bench       time and memory beside plain implementations [CATALOG=f SAMPLES=n OUT=folder SCALE="f1 f2 ..."]
bench: $(READY)
	@$(BIN)/python -m experiments bench $(if $(CATALOG),--catalog '$(CATALOG)') $(if $(OUT),--out '$(OUT)') \
		$(if $(SAMPLES),--samples $(SAMPLES)) $(if $(PRODUCTS),--products $(PRODUCTS)) \
		$(if $(SEED),--seed $(SEED)) $(foreach file,$(SCALE),--scale '$(file)')

## make play        talk with the planner [THINK=1 TARGET=id SCENARIO=name TRANSCRIPT=1 TRACK CONFIG CATALOG FIELDS PRODUCTS SEED]
play: $(READY)
	@$(BIN)/python -m experiments play $(live) $(if $(THINK),--think) $(if $(TARGET),--target '$(TARGET)') \
		$(if $(SCENARIO),--scenario $(SCENARIO)) $(if $(TRANSCRIPT),--transcript)

.PHONY: inspect
## make inspect     pages that show how it thinks, and the HTTP API, on this machine [PORT, and as play]
inspect: $(WHOLE)
	@$(BIN)/python -m server serve $(live) $(if $(PORT),--port $(PORT))

.PHONY: load
## make load        how many turns a second the HTTP API answers on this machine [SAMPLES=n, and as inspect]
load: $(WHOLE)
	@$(BIN)/python -m server serve $(live) --api-only --rate 100000 --burst 100000 --port $(or $(PORT),8321) & \
	server=$$!; trap "kill $$server" EXIT; \
	for at_once in 1 8; do $(BIN)/python -m server.load --url http://127.0.0.1:$(or $(PORT),8321) \
		--wait 300 --sessions $(or $(SAMPLES),40) --at-once $$at_once || exit; done

## make robustness [PERTURBATION=name SYSTEM=name|all, and the options of evaluate]
robustness: $(PLAYS)
	@$(BIN)/python -m experiments robustness --track $(TRACK) $(options) \
		$(if $(PERTURBATION),--perturbation $(PERTURBATION)) $(if $(SYSTEM),--system $(SYSTEM))

## make notebooks [OUT=folder]    execute the notebooks to HTML
notebooks: $(WHOLE)
	@$(BIN)/jupyter nbconvert --log-level WARN --to html --execute notebooks/*.ipynb \
		--output-dir '$(or $(OUT),runs/notebooks)'

## make test        the whole test suite
test: $(WHOLE)
	@$(BIN)/python -m pytest

## make lint        style (ruff) and types (mypy)
lint: $(WHOLE)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

## make plugin KIT=folder    write starter/agent.py into an evaluator's kit
plugin: $(READY)
	@$(BIN)/python -m experiments plugin --kit '$(KIT)'

## make clean       remove the environment and every build output
clean:
	rm -rf $(VENV) .cache build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(READY): pyproject.toml constraints.txt
	@echo "Making the virtual environment in $(VENV) (once) ..."
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, found " + sys.version) if sys.version_info < (3, 11) else None'
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check -c constraints.txt -e '.[experiments]'
	@$(BIN)/python -m compileall -q -j 0 $(VENV)/lib > /dev/null 2>&1 || true  # on all cores, which pip does on one
	@touch $@

$(WHOLE): $(READY)
	@echo "Adding what tests, notebooks and pages need (once) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@
