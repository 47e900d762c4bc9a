# Every target says what it does behind "##"; `make` alone prints them.
SHELL := /bin/bash
.DEFAULT_GOAL := help

# Finds JDK and Maven, installs them when it may, or names what is missing; prints JAVA_HOME.
SETUP := scripts/setup.sh
# Quiet but for problems and the test summaries.
MVN := scripts/mvn.sh

.PHONY: help
help: ## Print this list
	@echo "Tierwise: usage: make TARGET"; echo
	@awk -F ':.*## ' '/^[a-z0-9.-]+:.*## / {printf "  %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: demo
demo: build ## Start an embedded HDFS on emulated tiers, compare policies (DEMO_OPTIONS=--all: all rows)
	@bin/tierwise demo $(DEMO_OPTIONS)

.PHONY: demo-movement
demo-movement: build ## Re-tier stored data under a reader on an embedded HDFS, lose a node, see it repaired, undo
	@bin/tierwise demo movement $(DEMO_OPTIONS)

.PHONY: demo-popularity
demo-popularity: build ## Read a shifting hot set on an embedded HDFS: a fast tier by nobody, LRU, PPA and an oracle, side by side; and a job on YARN whose input is prefetched
	@bin/tierwise demo popularity $(DEMO_OPTIONS)

.PHONY: test
test: setup ## Check the format and run all tests of all languages, Java's beside the others'
	@exec scripts/side-by-side.sh test-java "test-rust test-bundleio test-conformance"

.PHONY: test-java
test-java: setup ## Check the format, compile with Error Prone, run unit and mini-cluster tests
	@mkdir -p build && touch build/test-java.begun
	@scripts/failed-tests.sh
	@scripts/long-tests.sh left-out
	@scripts/skipped-tests.sh build/test-java.begun $(if $(TIERWISE_MVN_ARGS),,--all)

.PHONY: test-conformance
test-conformance: setup ## Check and test what runs Hadoop's own tests (make test-hadoop runs them)
	@mkdir -p build && touch build/test-conformance.begun
	@$(MVN) -f hadoop/conformance/pom.xml verify
	@scripts/skipped-tests.sh build/test-conformance.begun
	@echo "left out: Hadoop's own tests with the plug-ins, which make test-hadoop and make test-hadoop-3.4 run"

.PHONY: test-long
test-long: test-long-java test-long-rust test-long-bundleio ## Run what takes too long for make test, of all languages, one after the other

.PHONY: test-long-java
test-long-java: setup ## Run the Java tests that take too long for make test (JUnit's tag "long")
	@scripts/long-tests.sh run

.PHONY: test-long-rust
test-long-rust: ## Run what takes too long for make test of the write cache: known mistakes, power losses from 20 seeds, fuzzing, AddressSanitizer
	@cargo=$$(scripts/rust-setup.sh) && PATH="$$cargo:$$PATH" halo/check --long

.PHONY: test-rust
test-rust: ## Check format and lints of the write cache, run its tests and made-up schedules
	@cargo=$$(scripts/rust-setup.sh) && PATH="$$cargo:$$PATH" halo/check

.PHONY: halo
halo: ## Build the write cache: halo/target/release/halo and its plugins for nbdkit
	@cargo=$$(scripts/rust-setup.sh) && cd halo && PATH="$$cargo:$$PATH" cargo build --quiet --release --locked -p halo-cli -p halo-server --bins --examples

.PHONY: demo-halo
demo-halo: halo ## Emulated disk with and without the write cache: fio, a kill in the middle, verification, one table
	@halo/setup && halo/demo

.PHONY: bench-halo
bench-halo: halo ## Time the served write cache beside nbdkit's cache filter on an emulated disk, recovery, the simulator beside libCacheSim
	@halo/setup && cargo=$$(scripts/rust-setup.sh) && PATH="$$cargo:$$PATH" halo/bench

.PHONY: test-bundleio
test-bundleio: ## Check, build and test the parallel I/O library: all back ends, languages, faults
	@scripts/bundleio-setup.sh
	@scripts/bundleio-readers.sh >/dev/null || echo "skipped: bundleio's files by xarray, netCDF4, ADIOS2's own reader and cftime: scripts/bundleio-readers.sh cannot install them" >&2
	@bundleio/check

.PHONY: test-long-bundleio
test-long-bundleio: ## Run what takes too long for make test of parallel I/O: all cases of its sweeps, suites with sanitizers and with MPICH, a second Fortran compiler, steps of more than 4 GiB
	@scripts/bundleio-setup.sh --mpich && scripts/bundleio-setup.sh --fortran
	@failed=0; for part in "check --long" "check --mpich" "check-fortran flang-new-19" "check --large"; do bundleio/$$part || failed=1; done; exit $$failed

.PHONY: demo-bundleio
demo-bundleio: ## Write the same steps of a climate model with every back end, and say where time goes
	@scripts/bundleio-setup.sh
	@bundleio/check --build
	@bundleio/demo

.PHONY: bench-bundleio
bench-bundleio: ## Time the back ends of parallel I/O beside each other and beside direct calls (BENCH_OPTIONS=--help)
	@scripts/bundleio-setup.sh --adios2
	@bundleio/check --build
	@bundleio/bench $(BENCH_OPTIONS)

.PHONY: test-hadoop
test-hadoop: build ## Run Hadoop's own HDFS tests with the plug-ins, installed and deciding, beside stock (TEST_HADOOP_OPTIONS=--help)
	@$(MVN) -f hadoop/conformance/pom.xml verify
	@hadoop/conformance/run $(TEST_HADOOP_OPTIONS)

.PHONY: test-hadoop-3.4
test-hadoop-3.4: build ## Run the suites that decide and a part of Hadoop's own tests on Hadoop 3.4, same plug-in jar (HADOOP=3.4.3: another release)
	@hadoop/line/run $(or $(HADOOP),3.4.2)

.PHONY: testbed
testbed: build ## Bench on real processes in network namespaces (Linux, root)
	@scripts/testbed-setup.sh
	@bin/tierwise testbed bench

BENCH_READS_OPTIONS := --links 10000,3000,1000 --repeats 5
.PHONY: bench-reads
bench-reads: build ## Time one order of replicas beside stock's best and all others on real processes, few and many readers, faults (Linux, root; BENCH_OPTIONS=--smoke: only that it runs)
	@scripts/testbed-setup.sh
	@benchmarks/run-reads $(or $(BENCH_OPTIONS),$(BENCH_READS_OPTIONS))

.PHONY: reproduce
reproduce: build ## Print the papers' numbers beside ours (PAPER=lsn: one paper only)
ifneq ($(filter halo,$(or $(PAPER),halo)),)
	@$(MAKE) --no-print-directory numbers-halo
endif
	@bin/tierwise reproduce $(PAPER)

.PHONY: numbers-halo
numbers-halo: ## Make the write cache's numbers for `reproduce`, draw its figures (NUMBERS_OPTIONS=--printed: without figures)
	@cargo=$$(scripts/rust-setup.sh) && PATH="$$cargo:$$PATH" cargo run --quiet --release --locked --manifest-path halo/Cargo.toml -p halo-sim -- reproduce $(NUMBERS_OPTIONS)

.PHONY: bench
bench: bench-placement bench-movement bench-simulator bench-popularity bench-advise bench-halo bench-bundleio ## Run all benchmarks

.PHONY: bench-placement
bench-placement: build ## Time one placement decision against Hadoop's own (BENCH_OPTIONS=opens: a part)
	@benchmarks/run-placement $(BENCH_OPTIONS)

.PHONY: bench-movement
bench-movement: build ## Time planning a million moves, ours beside Hadoop's Mover and satisfier, the throttle, a reader beside it (BENCH_OPTIONS=reader: a part)
	@benchmarks/run-movement $(BENCH_OPTIONS)

.PHONY: bench-simulator
bench-simulator: build ## Time the simulator beside others (SimGrid, SimPy if installed)
	@benchmarks/run-simulator

.PHONY: bench-popularity
bench-popularity: build ## Time predicting ten million files, parsing and counting an audit log, and the memory of what was counted; predictions from profiles
	@benchmarks/run-popularity

.PHONY: bench-advise
bench-advise: build ## Time advise on a gigabyte of audit log: without job history, with it, and with a replay (BENCH_OPTIONS=--help)
	@benchmarks/run-advise $(BENCH_OPTIONS)

.PHONY: lint
lint: setup ## Check format and compile with warnings as errors, without tests
	@$(MVN) -DskipTests test-compile spotless:check
	@$(MVN) -f hadoop/conformance/pom.xml -DskipTests test-compile spotless:check
	@cargo=$$(scripts/rust-setup.sh) && PATH="$$cargo:$$PATH" halo/check --lint

.PHONY: format
format: setup ## Format all Java sources
	@$(MVN) spotless:apply
	@$(MVN) -f hadoop/conformance/pom.xml spotless:apply
	@cargo=$$(scripts/rust-setup.sh) && cd halo && PATH="$$cargo:$$PATH" cargo fmt --all

.PHONY: docs
docs: setup ## Write the pages' tables and answers anew from what the code says
	@$(MVN) -pl cli -am test -Dtest='CommandReferenceTest,ScenarioReferenceTest,*GuideTest,SimulateTutorialTest' -Dsurefire.failIfNoSpecifiedTests=false -Dtierwise.docs.update=true

.PHONY: doctor
doctor: ## Say which tools this machine has for building and running
	@$(SETUP) --report

.PHONY: build
build: setup ## Build everything without tests
	@[[ -d cli/target ]] || echo "Building for the first time: downloads and compiles for one to three minutes"
	@$(MVN) -DskipTests package
	@echo "Built: bin/tierwise"

.PHONY: dist
dist: setup ## Pack a release: build/dist/tierwise-VERSION.tar.gz with commands, plug-in jar, templates, docs, SBOM, checksums
	@$(MVN) -Pdist -DskipTests package
	@scripts/dist.sh

.PHONY: clean
clean: ## Remove everything that was built; nothing while an embedded cluster or a testbed runs in it
	@scripts/clean.sh build halo/target core/target policies/target history/target profiles/target simulator/target experiments/target hadoop/hdfs/target hadoop/inspect/target hadoop/mover/target hadoop/autotier/target hadoop/object-server/target hadoop/secondary/target hadoop/yarn/target hadoop/conformance/target lab/target cli/target benchmarks/target architecture/target

.PHONY: setup
setup: ## Find JDK 17 and Maven, or install them when root on Debian
	@$(SETUP)
