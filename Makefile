# The commands of this repository: `make help` lists them. All but lint, fmt, ci
# and those of releases need nothing but Go, make and git; these also build the Go
# tools that tools.mod and release.mod pin (the first time, some minutes).

GO        ?= go
FUZZTIME  ?= 30s
COUNT     ?= 6
BENCH     ?= .
BENCHTIME ?= 300ms
TOOL       = $(GO) tool -modfile=tools.mod
RELEASER   = bin/releaser
MAIN       = ./cmd/promptc

# All is compiled in one way, the one of releases, so that each command finds what
# another has compiled; the race detector alone needs cgo, and a C compiler for it.
export CGO_ENABLED = 0
export GOFLAGS := $(strip $(shell $(GO) env GOFLAGS) -trimpath)
COMPILER = $(firstword $(shell $(GO) env CC))

.DEFAULT_GOAL := help

.PHONY: build
build: ## build bin/promptc, one static binary
	$(GO) build -o bin/promptc$(shell $(GO) env GOEXE) $(MAIN)

# Tests make much that is collected soon: a collector that runs less often takes a
# sixth of their time away; four packages at a time leave no processor waiting for a
# disk. What go test vets, the linters have too.
.PHONY: test
test conformance: export GOGC = 400
test: ## run all tests that need no more than Go, make and git, in random order
	$(GO) test -vet=off -shuffle=on -p 4 -timeout 20m ./...
	cd release && $(GO) test -vet=off -shuffle=on ./...

.PHONY: test-programs
test-programs cover: export PROMPTC_PROGRAMS = yes
test-programs: test ## run all tests, and those that need sh, bash, zsh, curl and the like

# Compile runs all that runs in parallel, in every room, and the race detector
# watches it there; these rooms have tests of their own for it. It takes ten times
# as long, so that it is not for the others.
PARALLEL = ./pipeline ./pipeline/assembly/compose ./pipeline/ground/par ./pipeline/store/snapshot/... ./pipeline/world/watch ./pipeline/world/serve

.PHONY: pictures
pictures: ## draw the pictures of the documents
	$(GO) test ./tests/docs -run TestPictures -update

.PHONY: race
race: need-race ## run the tests of what runs in parallel with the race detector, long ones left out
	CGO_ENABLED=1 $(GO) test -race -short -vet=off -shuffle=on -timeout 60m $(PARALLEL)

.PHONY: lint
lint: ## run the linters of .golangci.yml, vet among them, and look for code that nothing reaches
	$(TOOL) golangci-lint run
	cd conformance && $(GO) tool -modfile=../tools.mod golangci-lint run
	cd release && $(GO) tool -modfile=../tools.mod golangci-lint run
	$(TOOL) actionlint
	@if command -v shellcheck >/dev/null; then echo shellcheck && shellcheck .ci/run action/*.sh cmd/promptc/completion/promptc.bash; \
	else echo 'shellcheck is not installed: scripts are not linted'; fi
	$(MAKE) --no-print-directory lint-init
	@echo 'deadcode -test ./...'; dead=$$($(TOOL) deadcode -test ./...) && \
	if [ -n "$$dead" ]; then echo "$$dead"; exit 1; fi

# The workflows that init writes. The action that they use is put beside them, so
# that the inputs that it takes and the outputs that it gives are known.
.PHONY: lint-init
lint-init:
	@dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && mkdir "$$dir/.git" && cp action.yml "$$dir" && \
	$(GO) run $(MAIN) init "$$dir/agents" >/dev/null && cd "$$dir/.github/workflows" && \
	sed 's|promptc-build/promptc@.*|./|' prompts.yml >here.yml && mv here.yml prompts.yml && grep -q 'uses: \./$$' prompts.yml && \
	cd - >/dev/null && echo "actionlint (what init writes)" && \
	$(TOOL) actionlint "$$dir/.github/workflows/prompts.yml" "$$dir/.github/workflows/prompts-comment.yml"

.PHONY: fmt
fmt: ## format all Go files (gofumpt, imports in three groups)
	$(TOOL) golangci-lint fmt

.PHONY: fmt-check
fmt-check:
	$(TOOL) golangci-lint fmt --diff

.PHONY: check
check: ## compare this repository's own prompts with their snapshots
	$(GO) run $(MAIN) check

.PHONY: snapshots
snapshots: ## write the snapshots of this repository's own prompts
	$(GO) run $(MAIN) build

# A release is never recorded twice: see the README.md there.
GOLDEN = cmd/promptc/testdata/golden

.PHONY: record-golden
record-golden: build ## record what this version writes as VERSION: cmd/promptc/testdata/golden/README.md
	@set -e; test -n "$(VERSION)" || { echo 'usage: make record-golden VERSION=v0.1.0' >&2; exit 2; }; \
	to="$(GOLDEN)/$(VERSION)"; from=$$(ls -d $(GOLDEN)/*/ | sort -V | tail -n 1); \
	if [ "$(VERSION)" != v0-draft ]; then \
		[ ! -e "$$to" ] || { echo "$$to is recorded already" >&2; exit 1; }; \
		cp -R "$$from" "$$to"; echo '# Files that later versions write otherwise: the path from this folder on, and why.' > "$$to/CHANGES"; \
	fi; \
	for project in "$$to"/*/; do rm -rf "$$project/snapshots" "$$project/dist"; bin/promptc build -C "$$project"; done

# The fuzzer takes one target of one package at a time.
.PHONY: fuzz
fuzz: ## run every fuzz target for FUZZTIME each (default 30s)
	@set -e; pkgs=$$($(GO) list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' ./...); \
	for pkg in $$pkgs; do \
		names=$$($(GO) test -list '^Fuzz' $$pkg); \
		for name in $$(echo "$$names" | grep '^Fuzz' || true); do \
			echo "$$pkg $$name"; \
			$(GO) test -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) $$pkg; \
		done; \
	done

.PHONY: bench
bench: ## run the benchmarks, COUNT times (default 6); compared with bin/bench-old.txt where it exists
	@mkdir -p bin
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchtime $(BENCHTIME) -count $(COUNT) -timeout 60m ./... \
		> bin/bench-new.txt || { cat bin/bench-new.txt; exit 1; }
	@$(TOOL) benchstat -ignore pkg,cpu $(wildcard bin/bench-old.txt) bin/bench-new.txt
	@test -f bin/bench-old.txt || echo 'to compare later runs: cp bin/bench-new.txt bin/bench-old.txt'

.PHONY: cover
cover: ## measure the coverage of the tests over all packages; bin/cover.html shows it
	@mkdir -p bin
	$(GO) test -coverpkg=./... -coverprofile=coverage.out ./...
	$(GO) tool cover -html=coverage.out -o bin/cover.html
	@$(GO) tool cover -func=coverage.out | tail -n 1

# tools.mod and release.mod are not tidied: with -modfile, the go command would count the
# packages of this module among the tools' and add what they need.
.PHONY: tidy
tidy: ## bring go.mod and go.sum in line with the imports, also those of conformance/ and release/
	$(GO) mod tidy
	cd conformance && $(GO) mod tidy
	cd release && $(GO) mod tidy

.PHONY: tidy-check
tidy-check:
	$(GO) mod tidy -diff
	cd release && $(GO) mod tidy -diff

# What people run promptc on besides this system. No file is for one kind of processor.
.PHONY: platforms
platforms: ## compile for macOS and Windows
	GOOS=darwin GOARCH=arm64 $(GO) build ./...
	GOOS=windows GOARCH=amd64 $(GO) build ./...

# A module of its own, so that nobody who uses promptc inherits the SDKs. The
# program that its tests run is not among their inputs for the cache: -count.
.PHONY: promptfoo
promptfoo: ## evaluate artifacts with the real promptfoo, which takes 2 GB and Node 22
	cd conformance/testdata/promptfoo && npm install --no-audit --no-fund --no-package-lock --ignore-scripts
	cd conformance && $(GO) test -count=1 -run Promptfoo .

.PHONY: axe
axe: ## look at the page of promptc report with the real axe-core, which takes npm and Chromium
	cd conformance/testdata/axe && npm install --no-audit --no-fund --no-package-lock --ignore-scripts
	cd conformance && $(GO) test -count=1 -run PageIsAccessible .

.PHONY: screenshots
screenshots: ## keep a picture of each view of promptc report in bin/screenshots, which takes Chromium
	@mkdir -p bin/screenshots
	cd conformance && PROMPTC_SHOTS='$(CURDIR)/bin/screenshots' $(GO) test -count=1 -run PagePrintsAndFits .

# Folders of conformance/testdata with a package.json.
NPM = python recordings typescript

# What conformance/testdata/recordings needs of Python, in a folder of its own.
VENV = conformance/testdata/recordings/venv

# Many of these tests wait for npm, a server or a browser: more run at a time than
# there are processors.
.PHONY: conformance
conformance: ## load and send what promptc emits with the providers' official SDKs
	@without="$$PROMPTC_WITHOUT"; \
	{ { test -x $(VENV)/bin/pytest || python3 -m venv $(VENV); } && \
		$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r conformance/testdata/recordings/requirements.txt; } & pip=$$!; \
	for name in $(NPM); do \
		(cd conformance/testdata/$$name && npm install --silent --no-audit --no-fund --no-package-lock --ignore-scripts --fetch-retries=1) || { \
			echo "npm cannot install what conformance/testdata/$$name/package.json names: its tests are skipped" >&2; without="$$without npm"; }; \
	done; \
	wait $$pip || { \
		echo "pip cannot install what conformance/testdata/recordings/requirements.txt names: its tests are skipped" >&2; without="$$without venv"; rm -rf $(VENV); }; \
	cd conformance && $(GO) mod tidy -diff && PROMPTC_WITHOUT="$$without" $(GO) test -count=1 -vet=off -parallel 4 -timeout 30m ./...

# Apart from ci, since it asks vuln.go.dev, and ci needs no network beyond the
# modules: the public workflow runs it.
.PHONY: vuln
vuln: ## look for known vulnerabilities in what is called (needs the network)
	$(GO) run golang.org/x/vuln/cmd/govulncheck@v1.9.0 ./...

# goreleaser has 1,800 packages. Without optimizations they are compiled in two
# thirds of the time, and a release waits for Go and for compression alone.
bin/releaser: release.mod
	$(GO) build -modfile=release.mod -gcflags='all=-N -l' -gcflags=std= -ldflags='-s -w' -o $@ github.com/goreleaser/goreleaser/v2

# A snapshot says the commit that it was built from. goreleaser asks for the
# address of the repository, which a clone may not have.
RELEASE_ENV = GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=remote.origin.url \
	GIT_CONFIG_VALUE_0=https://github.com/promptc-build/promptc.git

.PHONY: release-snapshot
release-snapshot: need-clean $(RELEASER) ## make everything that a release has in bin/release, and publish nothing
	$(RELEASE_ENV) $(RELEASER) release --snapshot --clean
	bin/release-tool pack bin/release

# CI makes the release of HEAD in a clone of it, and installs what fits this machine:
# all that can break is in two of the six platforms.
HOST = $(shell $(GO) env GOHOSTOS)/$(shell $(GO) env GOHOSTARCH)
TRIED = $(sort $(HOST) linux/amd64 windows/amd64)

.PHONY: release-try
release-try: $(RELEASER) ## make the release of HEAD for this system, linux/amd64 and windows/amd64, and install it
	@dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && git clone -q . "$$dir" && git -C "$$dir" checkout -q "$$(git rev-parse HEAD)" && \
	$(MAKE) --no-print-directory -C "$$dir" release-some TARGETS='$(TRIED)' RELEASER='$(abspath $(RELEASER))' && $(MAKE) --no-print-directory -C "$$dir" release-test

# A release for the platforms of TARGETS alone.
.PHONY: release-some
release-some: need-clean $(RELEASER)
	@mkdir -p bin
	sed -e 's|^    goos: .*|    targets: [$(shell echo $(subst /,_,$(TARGETS)) | tr ' ' ',')]|' -e '/^    goarch: /d' .goreleaser.yaml >bin/some.yaml
	$(RELEASE_ENV) $(RELEASER) release --snapshot --clean --config bin/some.yaml
	bin/release-tool pack bin/release $(TARGETS)

.PHONY: size
size: ## list what each package adds to the program of a release, in bytes
	$(GO) build -C release -o ../bin/release-tool .
	bin/release-tool size $(HOST)

# What the workflow calls for a tag: first to try it, then to publish.
.PHONY: release-files
release-files: need-clean $(RELEASER)
	$(RELEASER) release --clean --skip=publish,announce
	bin/release-tool pack bin/release

.PHONY: release-draft
release-draft: need-clean $(RELEASER)
	$(RELEASER) release --clean
	bin/release-tool pack bin/release

.PHONY: release-check
release-check: $(RELEASER) ## check .goreleaser.yaml, and the packages in bin/release with npm and twine where they are installed
	$(RELEASER) check
	@test -d bin/release/npm || { echo 'bin/release has no packages: run make release-snapshot first' >&2; exit 1; }
	@if command -v npm >/dev/null; then \
		for f in bin/release/npm/*.tgz; do echo "npm pack --dry-run $$f"; npm pack --dry-run --silent "$$f" >/dev/null || exit 1; done; \
	else echo 'npm is missing: its packages are not checked' >&2; fi
	@if command -v twine >/dev/null; then twine check --strict bin/release/python/*.whl; \
	else echo 'twine is missing: the wheels are not checked' >&2; fi

.PHONY: release-test
release-test: ## install what is in bin/release with npm, pip and dpkg, and run it
	cd release && PROMPTC_RELEASE=../bin/release $(GO) test -count=1 -v -run Install .

.PHONY: release-reproducible
release-reproducible: need-clean $(RELEASER) ## make a snapshot again, in another folder, time zone and umask, and compare it
	@dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && umask 077 && git clone -q . "$$dir/elsewhere" && \
	git -C "$$dir/elsewhere" checkout -q "$$(git rev-parse HEAD)" && \
	TZ=Asia/Kolkata GOMAXPROCS=1 $(MAKE) --no-print-directory -C "$$dir/elsewhere" release-snapshot RELEASER='$(abspath $(RELEASER))' && \
	for f in checksums.txt packages.txt homebrew/Casks/promptc.rb scoop/bucket/promptc.json; do \
		cmp "bin/release/$$f" "$$dir/elsewhere/bin/release/$$f" || exit 1; \
	done && echo 'equal, byte for byte'

.PHONY: need-clean
need-clean:
	@if [ -n "$$(git status --porcelain)" ]; then echo 'a snapshot says the commit that it was built from: commit or stash first' >&2; exit 1; fi

.PHONY: need-race
need-race:
	@if ! command -v $(COMPILER) >/dev/null; then echo 'make ci tests with the race detector, which needs a C compiler; run: .ci/run' >&2; exit 1; fi

# What the workflow and .ci/run call, and nothing else: quick steps first. What makes
# releases is compiled while conformance waits for npm, servers and browsers.
.PHONY: ci
ci: ## everything that must pass before a change is merged
	@set -e; for step in need-race tidy-check build check test-programs race conformance fmt-check lint platforms release-try; do \
		case $$step in conformance) nice -n 19 $(MAKE) --no-print-directory $(RELEASER) >/dev/null 2>&1 & ;; release-try) wait ;; esac; \
		echo "==> make $$step"; $(MAKE) --no-print-directory $$step; \
	done

.PHONY: clean
clean: ## remove what build, cover, bench and artifacts left behind
	rm -rf bin dist coverage.out

.PHONY: help
help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-20s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))
