# What people do with this project. `make` alone lists it.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help setup build test test-matrix fuzz demo bench sim lint stubs install uninstall clean

CARGO_TARGET_DIR ?= target
MODULE := build/modules/retry_client.so

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

setup: ## install what this machine lacks (Debian, Ubuntu)
	@tools/setup

# A copy under the name that PHP looks for. It is renamed into place: a PHP that runs keeps the file it has mapped.
build: setup ## build/modules/retry_client.so, optimised
	cargo build --locked --release --package retry_client
	@mkdir -p $(dir $(MODULE))
	@cmp -s "$(CARGO_TARGET_DIR)/release/libretry_client.so" $(MODULE) || { \
		cp "$(CARGO_TARGET_DIR)/release/libretry_client.so" $(MODULE).new && mv $(MODULE).new $(MODULE); }

test: build ## all tests: Rust, phpt, php-fpm with nginx, PHPUnit
	@php-tests/run

test-matrix: setup ## the tests on other versions and builds of PHP (CELLS="8.2-zts 8.4": only those)
	@php-tests/matrix/run $(CELLS)

fuzz: setup ## arbitrary headers, limits and shared memory: no panic, no broken promise
	@tools/fuzz

demo: build ## the hand-written loop and RetryClient against the same limited API
	@demo/run

bench: build ## numbers against ext-curl, Guzzle and Symfony HttpClient
	@benches/run

sim: ## what pacing reaches against simulated servers, on a fake clock
	cargo run --locked --release --package simulator

lint: setup ## formatting, clippy, syntax of PHP and shell files, the documents
	cargo fmt --all --check
	cargo fmt --manifest-path fuzz/Cargo.toml --check
	cargo clippy --locked --workspace --all-targets -- -D warnings
	@tools/lint

stubs: build ## compare stubs/ with the extension
	@php-tests/stubs $(MODULE)

install: build ## copy the extension into PHP and enable it
	@tools/install $(MODULE)

uninstall: ## undo install
	@tools/uninstall

clean: ## remove what was built
	cargo clean
	rm -rf build
