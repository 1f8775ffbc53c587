# What people do with this project. `make` alone lists it.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help setup build test test-matrix fuzz demo bench sim lint stubs package reproducible install uninstall clean

MODULE := build/modules/retry_client.so

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 21

setup: ## install what this machine lacks (Debian, Ubuntu)
	@tools/setup

build: ## build/modules/retry_client.so, optimised
	@tools/setup build
	tools/build-module $(MODULE)

test: setup build ## all tests: Rust, phpt, php-fpm with nginx, PHPUnit
	@php-tests/run

test-matrix: setup ## the tests on other versions and builds of PHP (CELLS="8.2-zts 8.4": only those)
	@php-tests/matrix/run $(CELLS)

fuzz: setup ## arbitrary headers, limits and shared memory: no panic, no broken promise
	@tools/fuzz

demo: setup build ## the hand-written loop and RetryClient against the same limited API
	@demo/run

bench: setup build ## numbers against ext-curl, Guzzle and Symfony HttpClient
	@benches/run

sim: ## what pacing reaches against simulated servers, on a fake clock
	cargo run --locked --release --package simulator

lint: setup ## formatting, clippy, licences of crates, syntax of PHP and shell files, the documents
	cargo fmt --all --check
	cargo fmt --manifest-path fuzz/Cargo.toml --check
	cargo clippy --locked --workspace --all-targets -- -D warnings
	@tools/check-crates
	@tools/lint

stubs: build ## compare stubs/ with the extension
	@php-tests/stubs $(MODULE)

package: ## the packages of this commit for this PHP, into build/packages/
	@tools/setup package
	@packaging/build

reproducible: ## build the packages of this commit twice, elsewhere, and compare them
	@tools/setup package
	@packaging/reproducible

install: build ## copy the extension into PHP and enable it
	@tools/install $(MODULE)

uninstall: ## undo install
	@tools/uninstall

clean: ## remove what was built
	cargo clean
	rm -rf build
