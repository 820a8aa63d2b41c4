# Two commands do everything: `make evaluate` and `make test`. Both make the virtual environment.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
WHOLE := $(VENV)/.whole

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
RUN ?=
SPACE ?=
PUBLISH ?=
TRIALS ?=
A ?=
B ?=
THINK ?=
PORT ?=
TARGET ?=
FIELDS ?=
PRODUCTS ?=
DISTRIBUTION ?=
SPLIT ?=

options = $(source) $(if $(SESSIONS),--sessions '$(SESSIONS)') $(each_distribution) $(where)
source = $(if $(CATALOG),--catalog '$(CATALOG)') $(if $(FIELDS),--fields '$(FIELDS)') \
	$(if $(PRODUCTS),--products $(PRODUCTS)) $(if $(SAMPLES),--samples $(SAMPLES)) $(if $(SEED),--seed $(SEED))
each_distribution = $(foreach name,$(DISTRIBUTION),--distribution $(name))
where = $(if $(WORKERS),--workers $(WORKERS)) $(if $(BACKEND),--backend $(BACKEND)) \
	$(if $(SCHEDULER),--scheduler '$(SCHEDULER)') $(if $(OUT),--out '$(OUT)')

.PHONY: help play evaluate bakeoff robustness test lint plugin clean
.PHONY: ablation bench run compare calibrate fit sweep notebooks benchmark
help:
	@sed -n 's/^## //p' Makefile

## make evaluate [TRACK=robust|wildcard CONFIG=f CATALOG=f FIELDS=f SESSIONS=f SAMPLES=n|full SEED=n PRODUCTS=n]
##               [DISTRIBUTION=public|uniform|cold|crowded|shared_card WORKERS=n OUT=folder]
##               [BACKEND=joblib|dask SCHEDULER=tcp://host:8786]
evaluate: $(READY)
	@$(BIN)/python -m experiments evaluate --track $(TRACK) $(if $(CONFIG),--config '$(CONFIG)') $(options)

## make run RUN=f.toml [OUT=folder WORKERS=n ...]    play what a TOML file describes; again: go on
run: $(READY)
	@$(BIN)/python -m experiments run '$(RUN)' $(where)

## make compare A=folder B=folder    paired differences of two runs: win, tie or loss
compare: $(READY)
	@$(BIN)/python -m experiments compare '$(A)' '$(B)'

## make calibrate [TRACK CONFIG CATALOG SAMPLES WORKERS OUT ...]    fit the posterior, show it on held-out seeds
##                [PUBLISH=docs] (SAMPLES=1000 PUBLISH=docs made docs/calibration.md)
calibrate: $(READY)
	@$(BIN)/python -m experiments calibrate --track $(TRACK) $(if $(CONFIG),--config '$(CONFIG)') \
		$(if $(CATALOG),--catalog '$(CATALOG)') $(if $(SAMPLES),--samples $(SAMPLES)) \
		$(if $(PUBLISH),--publish '$(PUBLISH)') $(where)

## make sweep [SPACE=f.toml TRIALS=n and as calibrate]    search for better settings, show them on held-out seeds
sweep: $(READY)
	@$(BIN)/python -m experiments sweep --track $(TRACK) $(if $(CONFIG),--config '$(CONFIG)') \
		$(if $(SPACE),--space '$(SPACE)') $(if $(TRIALS),--trials $(TRIALS)) \
		$(if $(CATALOG),--catalog '$(CATALOG)') $(if $(SAMPLES),--samples $(SAMPLES)) $(where)

## make fit [TRACK CONFIG CATALOG SAMPLES WORKERS OUT]    fit the prior and the value at the horizon
fit: $(READY)
	@$(BIN)/python -m experiments fit --track $(TRACK) $(if $(CONFIG),--config '$(CONFIG)') \
		$(if $(CATALOG),--catalog '$(CATALOG)') $(if $(SAMPLES),--samples $(SAMPLES)) $(where)

## make ablation [TRACK CONFIG CATALOG SAMPLES SEED WORKERS OUT]    what each part of the planner brings
ablation: $(READY)
	@$(BIN)/python -m experiments ablation --track $(TRACK) $(if $(CONFIG),--config '$(CONFIG)') $(options)

## make benchmark [OUT=folder SPLIT="training held-out" DISTRIBUTION="public cold" SAMPLES PRODUCTS SEED CATALOG]
##               write a catalog with its sessions, and its figures beside the published ones
benchmark: $(READY)
	@$(BIN)/python -m experiments benchmark $(source) $(if $(OUT),--out '$(OUT)') \
		$(each_distribution) $(foreach name,$(SPLIT),--split $(name))

## make bakeoff     every reference system and the planner on both tracks; options as evaluate, without TRACK
bakeoff: $(READY)
	@$(BIN)/python -m experiments bakeoff $(options)

## make bench       time and memory beside plain implementations [CATALOG=f OUT=folder SCALE="f1 f2 ..."]
bench: $(READY)
	@$(BIN)/python -m experiments bench $(if $(CATALOG),--catalog '$(CATALOG)') $(if $(OUT),--out '$(OUT)') \
		$(foreach file,$(SCALE),--scale '$(file)')

## make play        talk with the planner [THINK=1 TRACK CATALOG TARGET=id]
play: $(READY)
	@$(BIN)/python -m experiments play --track $(TRACK) $(if $(CATALOG),--catalog '$(CATALOG)') \
		$(if $(THINK),--think) $(if $(TARGET),--target '$(TARGET)')

.PHONY: inspect
## make inspect     pages that show how it thinks, and the HTTP API, on this machine [PORT TRACK CATALOG]
inspect: $(WHOLE)
	@$(BIN)/python -m server serve --track $(TRACK) $(if $(CATALOG),--catalog '$(CATALOG)') \
		$(if $(PORT),--port $(PORT))

## make robustness [PERTURBATION=name SYSTEM=name|all, and the options of evaluate]
robustness: $(READY)
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
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[experiments]'
	@touch $@

$(WHOLE): $(READY)
	@echo "Adding what tests, notebooks and pages need (once) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@
