# make demo, make lab, make pages, make site, make check and so on: each sets up what it needs, once.
# A stamp file marks what has been installed; it is older than pyproject.toml or requirements.lock
# when these have changed, and then make installs again.

VENV := .venv
BIN := $(VENV)/bin
PIP = $(BIN)/python -m pip --disable-pip-version-check install --quiet --no-deps $(BYTECODE)
# All that the lock has above a section, if the files have its checksums; then the package itself,
# whose setuptools is in the venv by then.
LOCKED = sed '/^\# --- $(1):/,$$d' requirements.lock > $(VENV)/wanted.txt && \
    $(PIP) --require-hashes --requirement $(VENV)/wanted.txt
PACKAGE = $(PIP) --no-build-isolation --editable .

# Hundreds of processes import the package; each would compile its modules anew.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help demo lab course pages site tab pictures everyday lint check test torture bounds clean

help:
	@echo "make demo   set up, train before your eyes, order and shorten unseen sentences, print the scores"
	@echo "            and write a page on it: build/demo/index.html"
	@echo "make lab    set up, open JupyterLab on the notebooks: build/course/students/"
	@echo "make course set up, make a course to hand out, for students and for who teaches: build/course/"
	@echo "make pages  set up, run the notebooks, write them as pages that play offline: build/pages/"
	@echo "make site   set up, build the site with notebooks and gallery, all of it local: build/site/"
	@echo "make tab    run every notebook and its solutions in JupyterLite, in headless Chromium: an hour,"
	@echo "            for the night"
	@echo "make everyday  the model that comes along, anew, of the corpora that data/everyday_model.py names"
	@echo "make pictures  pictures of README and docs anew, by headless Chromium: look at them before you commit"
	@echo "make check  set up, check formatting and types, run the tests, but for those of pages in a"
	@echo "            browser, the notebooks, and what is marked slow: galleries, walks, solutions of"
	@echo "            notebooks, the largest enumerations. Two to three minutes, for everyday work"
	@echo "make test   set up, run everything that CI runs"
	@echo "make torture  kills, full disks, bad command lines, threads and crafted files by the thousand,"
	@echo "            from seeded generators; all notebooks, walks at all widths, and the long tests"
	@echo "            that tests/night.txt names: for the night"
	@echo "make bounds the tests of the fast engines with every index checked, and a share of them in"
	@echo "            plain Python: four and a half minutes of a processor"
	@echo "make clean  remove .venv, build/ and the caches; build/course, in which students work, stays"

demo: $(VENV)/.run
	$(BIN)/wordorder-lab demo

# What somebody has written into a notebook there stays, whatever is made anew.
lab: $(VENV)/.lab
	$(BIN)/python docs/teach/course.py --notebooks
	$(BIN)/python -m jupyterlab --notebook-dir=build/course/students

# STUDENTS=1 leaves out all that has answers; SEED=17 draws another exam.
course: $(VENV)/.lab
	TQDM_DISABLE=1 $(BIN)/python docs/teach/course.py $(if $(STUDENTS),--students) $(if $(SEED),--seed $(SEED))

# What a notebook's page or the gallery comes from: where none of it is newer, they stay as they are.
# One notebook shows the records of experiments (90), and the gallery shows none.
RUN_BY_GALLERY := $(shell find notebooks wordorder_lab -type f ! -name '*.pyc' ! -path '*/.*' \
    ! -path '*/experiments/records/*')
RUN_BY_PAGES := $(RUN_BY_GALLERY) docs/site_pages/notebook_pages.py \
    $(wildcard wordorder_lab/experiments/records/*.json)

# notebooks/pages.json keeps a page from asking any host, and lets its players play. Of a notebook
# that is as it was the page stays. Progress bars would stand still on a page.
pages: build/pages/.made
	@echo "open build/pages/00_start_here.html"

build/pages/.made: $(RUN_BY_PAGES) | $(VENV)/.lab
	TQDM_DISABLE=1 PYTHONPATH=docs $(BIN)/python -m site_pages.notebook_pages
	@touch $@

# PYODIDE=folder names the files of Pyodide for the page try/ and for notebooks in a tab; otherwise
# they are downloaded, once. PYODIDE= builds the site without these. WITHOUT_PLAYERS=1 leaves out
# notebooks and gallery, which take minutes the first time; what they have trained stays in
# build/models for the next.
site: $(VENV)/.site $(if $(WITHOUT_PLAYERS),,build/pages/.made build/gallery/.made) build/jupyterlite/.made
	TQDM_DISABLE=1 NO_MKDOCS_2_WARNING=1 PYTHONPATH=docs $(BIN)/python -m site_pages.timed
	@echo "open build/site/index.html"

# JupyterLite, for notebooks in a tab: without it the site is built without them.
build/jupyterlite/.made: docs/site_pages/lite_wheels.txt | $(VENV)/.site
	@mkdir -p build/jupyterlite && rm -f build/jupyterlite/*.whl
	-@$(BIN)/python -m pip --disable-pip-version-check download --quiet --no-deps --require-hashes \
	    --dest build/jupyterlite --requirement docs/site_pages/lite_wheels.txt && touch $@

# It takes the models and results that make pages has kept; the files of Pyodide, as the tests.
# tests/pyodide_notebooks.py does the same under Node, and names the cells that are slow.
tab: $(VENV)/.test build/pages/.made build/jupyterlite/.made
	$(BIN)/python tests/lite_notebooks.py

build/gallery/.made: $(RUN_BY_GALLERY) | $(VENV)/.run
	TQDM_DISABLE=1 $(BIN)/wordorder-lab gallery --quiet build/gallery
	@touch $@

# Two minutes, and the corpora that data/everyday_model.py names: the model that comes along, anew.
everyday: $(VENV)/.run
	$(BIN)/python data/everyday_model.py --steps

# A minute: the gallery is made, and each picture is one of its pages at a moment.
pictures: $(VENV)/.test
	TQDM_DISABLE=1 $(BIN)/python tests/readme_pictures.py

# pip would compile ten thousand files of packages, one by one; the tests import few of them.
check test torture: BYTECODE := --no-compile

# Files are taken in the order of tests/conftest.py: the longest first.
PYTEST := $(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

LINT = ($(BIN)/python -m ruff check . && $(BIN)/python -m ruff format --check . && \
    $(BIN)/python -m mypy && $(BIN)/python -m mypy --config-file tests/mypy.ini)

lint: $(VENV)/.test
	$(LINT)

check: lint
	$(PYTEST) -m "not browser and not slow and not torture" tests

NOTEBOOKS := --nbmake --nbmake-timeout=3000 tests notebooks

# Kernels are compiled while the rest is installed, unless .ci/run has done both; types are checked
# beside the tests, which leave a processor idle now and then: what they say comes last.
test: $(VENV)/.run
	$(BIN)/python tests/warm_up.py & kernels=$$!; \
	$(MAKE) --no-print-directory BYTECODE=$(BYTECODE) $(VENV)/.test $(VENV)/.site || { kill $$kernels; exit 1; }; \
	wait $$kernels
	mkdir -p build; $(LINT) >build/lint.txt 2>&1 & lint=$$!; \
	$(PYTEST) $(NOTEBOOKS); tests=$$?; \
	wait $$lint; lint=$$?; cat build/lint.txt; exit $$((tests + lint))

# --help of the script says how to have less of it.
torture: $(VENV)/.test
	$(PYTEST) -m torture $(NOTEBOOKS)
	$(BIN)/python tests/torture_files.py --files 10000

ENGINES := $(patsubst %,tests/test_%.py,engines best_first_engines stsg_engines ngram)
# In plain Python numpy warns where a hash wraps round, as it is meant to.
PLAIN := -W "ignore:overflow encountered in scalar" -m "not slow" -k "kernel_gives or naive or unseen_word or items_are or random_bags" $(ENGINES)

bounds: $(VENV)/.test
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -m "not slow" $(ENGINES)
	NUMBA_BOUNDSCHECK=1 $(BIN)/python tests/torture_files.py --files 2000 --seconds 60
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest $(PLAIN)

# Compiled kernels stay in the user's cache; a new one is made whenever the code has changed.
clean:
	find build -mindepth 1 -maxdepth 1 ! -name course -exec rm -rf {} + 2>/dev/null || true
	rm -rf $(VENV) *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# PYTHON=... chooses the interpreter; otherwise the first of these that is new enough. A command
# is run, not only looked up: a version manager's shim may exist and yet lead nowhere.
CANDIDATES := $(or $(PYTHON),python3.11 python3 python3.12 python3.13 python)

$(VENV)/bin/python:
	@for python in $(CANDIDATES); do \
	    if $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	        echo "setting up $(VENV) with $$($$python --version)"; \
	        $$python -m venv $(VENV) && exit 0; \
	        echo "$$python could not set up $(VENV): on Debian and Ubuntu install python3-venv" >&2; \
	        rm -rf $(VENV); exit 1; \
	    fi; \
	done; \
	echo "wordorder_lab needs Python 3.11 or newer and found none among: $(CANDIDATES)." \
	    "Install it, or name it with  make PYTHON=/path/to/python3.11" >&2; exit 1

$(VENV)/.run: pyproject.toml requirements.lock | $(VENV)/bin/python
	$(call LOCKED,lab)
	$(PACKAGE)
	@touch $@

# All but that, by a second pip beside the first: CI has a processor for each.
$(VENV)/.beside: pyproject.toml requirements.lock | $(VENV)/bin/python
	sed '1,/^# --- lab:/d' requirements.lock > $(VENV)/beside.txt
	$(PIP) --require-hashes --requirement $(VENV)/beside.txt
	@touch $@

# Kernels are compiled beside the second pip.
$(VENV)/.warm: $(VENV)/.run
	$(BIN)/python tests/warm_up.py
	@touch $@

$(VENV)/.lab: $(VENV)/.run
	$(call LOCKED,test)
	@touch $@

$(VENV)/.test: $(VENV)/.run
	$(call LOCKED,site)
	@touch $@

$(VENV)/.site: $(VENV)/.run
	$(call LOCKED,end)
	@touch $@
