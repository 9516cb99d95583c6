# SPDX-License-Identifier: BSL-1.0
# What one does here: make demo, test, bench, matrix. Everything is built in build/<preset>; CMakePresets.json says how.
PYTHON := build/venv/bin/python
JOBS ?= $(shell nproc)
export JOBS

.PHONY: help
help:
	@echo 'make demo                kill a training run, resume it, compare it bit for bit'
	@echo 'make test                the whole suite: g++, and address+undefined sanitizers'
	@echo 'make test FLOOR=store    one floor of it'
	@echo 'make bench [FLOOR=store] one line a bar: MET name value bar, or SHORT name value bar'
	@echo 'make matrix              the suite under clang++ 14 and 19, libc++, both sanitizers whole and nvcc, against the single header and tidemark::compiled'
	@echo 'make headers             each header alone, after the macros of others'
	@echo 'make fuzz [TARGET=load]  a million inputs for each fuzzer under the sanitizers (RUNS=1000000)'
	@echo 'make test-godown         ext4 and XFS shut down at every call of a save (POINTS=1000 each; root)'
	@echo 'make test-kills          SIGKILL at 10000 random times over runs that save, prune and resume (KILLS=10000)'
	@echo 'make test-soak           10000 saves of one run (SAVES=10000)'
	@echo 'make test-mutations      removes each sync, check, rename and unlink of the protocol: a test must fail'
	@echo 'make deps                install what is missing (apt, and pip into build/venv)'
	@echo 'make single              write single_include/tidemark/tidemark.hpp anew from include/'
	@echo 'make format, make tidy, make clean'

.PHONY: deps
deps:
	@.ci/deps

.PHONY: test
test: deps
	@FLOOR=$(FLOOR) .ci/suite gcc asan

.PHONY: matrix
matrix: headers
	@.ci/deps matrix
	@FLOOR=$(FLOOR) .ci/suite 'clang-14?' 'clang-19?' 'libcxx?' asan-whole tsan 'nvcc?' single compiled

# Each header alone, twice, after macros that headers of others define.
.PHONY: headers
headers: deps
	@cmake --preset gcc -B build/headers -DTIDEMARK_HEADERS_ALONE=ON
	@ctest --test-dir build/headers -j $(JOBS) --output-on-failure -R 'compiles alone'

# Generated and committed: a test of the house fails while it is older than include/.
.PHONY: single
single:
	@python3 single_include/amalgamate.py

.PHONY: demo
demo: deps
	@cmake --preset release
	@cmake --build --preset release -j $(JOBS) --target charlm
	@if [ -e examples/charlm/demo.py ]; then $(PYTHON) examples/charlm/demo.py build/release/examples/charlm; \
	  else sh examples/charlm/demo.sh build/release/examples/charlm $(PYTHON); fi

# A bar of the variant built with -march=native has @native behind its name.
.PHONY: bench
bench: deps
	@[ -n '$(wildcard benchmarks/$(or $(FLOOR),*).bench.cpp benchmarks/$(FLOOR).py)' ] || { echo 'there is no benchmarks/$(or $(FLOOR),*).bench.cpp'; exit 1; }
	@case '$(FLOOR)' in ''|compile) python3 benchmarks/compile.py ;; esac
	@cmake --preset bench >build/bench.log || { cat build/bench.log; exit 1; }
	@for source in $(wildcard benchmarks/$(or $(FLOOR),*).bench.cpp); do \
	  name=bench_$$(basename $$source .bench.cpp); \
	  cmake --build --preset bench -j $(JOBS) --target $$name $${name}_native >build/bench.log || { cat build/bench.log; exit 1; }; \
	  build/bench/benchmarks/$$name || exit 1; \
	  build/bench/benchmarks/$${name}_native >build/bench.log || exit 1; \
	  sed -E 's/^(MET|SHORT) ([^ ]+)/\1 \2@native/' build/bench.log; \
	done

# Longer campaigns (fault injection, fuzzing, kills at random) go here, one target each; `make test` never runs them.

POINTS ?= 1000
KILLS ?= 10000
SAVES ?= 10000
build/gcc/tests/test_durability: deps
	@cmake --preset gcc >build/durability.log || { cat build/durability.log; exit 1; }
	@cmake --build --preset gcc -j $(JOBS) --target test_durability >build/durability.log || { cat build/durability.log; exit 1; }

.PHONY: build/gcc/tests/test_durability test-godown test-kills test-soak test-mutations
test-godown: build/gcc/tests/test_durability
	@TIDEMARK_GODOWN=$(POINTS) $< --test-case='*is shut down*'

test-kills: build/gcc/tests/test_durability
	@TIDEMARK_KILLS=$(KILLS) $< --test-case='*killed*'

test-soak: build/gcc/tests/test_durability
	@TIDEMARK_SOAK=$(SAVES) $< --test-case='thousands of saves*'

test-mutations: deps
	@python3 tests/durability/mutations.py $(ONLY)

# Each target counts what operator new gives out and stops where an input takes more than its size allows; the limits below are the
# net under that, for malloc too. Inputs that fail stay in build/fuzz/found.
RUNS ?= 1000000
FUZZ_CXX ?= $(shell command -v clang++-19 || command -v clang++)
FUZZ_FLAGS := -std=c++20 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fsanitize-ignorelist=tests/fuzz/ignorelist.txt \
  -Iinclude -Itests

.PHONY: fuzz
fuzz: deps
	@mkdir -p build/fuzz/found
	@$(FUZZ_CXX) $(FUZZ_FLAGS) tests/fuzz/write_seeds.cpp -o build/fuzz/write_seeds
	@build/fuzz/write_seeds build/fuzz/seeds
	@for source in tests/fuzz/$(or $(TARGET),*).fuzz.cpp; do \
	  name=$$(basename $$source .fuzz.cpp); \
	  mkdir -p build/fuzz/corpus/$$name; \
	  $(FUZZ_CXX) $(FUZZ_FLAGS) -fsanitize=fuzzer $$source -o build/fuzz/$$name || exit 1; \
	  build/fuzz/$$name -runs=$(RUNS) -max_len=32768 -timeout=30 -rss_limit_mb=2048 -malloc_limit_mb=64 -verbosity=0 -print_final_stats=1 \
	    -artifact_prefix=build/fuzz/found/$$name- build/fuzz/corpus/$$name build/fuzz/seeds/$$name >build/fuzz/$$name.log 2>&1 || { tail -n 60 build/fuzz/$$name.log; exit 1; }; \
	  echo "fuzz $$name: $$(sed -n 's/^stat::number_of_executed_units: *//p' build/fuzz/$$name.log) inputs, no defect"; \
	done

# Versions of clang-format differ in what they make of the same file, so it is pinned.
build/venv/bin/clang-format: | deps
	@echo '== pip install clang-format (into build/venv)'
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check clang-format==19.1.7

.PHONY: format
format: build/venv/bin/clang-format
	@find include tests examples benchmarks -name '*.[chi]pp' -o -name '*.cu' | xargs grep -Li 'generated by' | xargs build/venv/bin/clang-format -i

.PHONY: tidy
tidy: deps
	@command -v clang-tidy >/dev/null || { echo 'make tidy needs clang-tidy (apt-get install clang-tidy)'; exit 1; }
	@cmake --preset gcc -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null
	@find tests/$(or $(FLOOR),*) -name '*.test.cpp' | xargs clang-tidy -p build/gcc --quiet

.PHONY: clean
clean:
	rm -rf build
