# configure puts this at the end of its Makefile, with the real paths in the place of $(srcdir) and $(builddir).

# A folder is newer when a file has come or gone.
RETRY_CLIENT_SOURCES := $(shell find $(srcdir)/../src $(srcdir)/../crates/policy $(srcdir)/../crates/client) \
	$(srcdir)/../Cargo.toml $(srcdir)/../Cargo.lock $(srcdir)/../build.rs $(srcdir)/../tools/build-module

# `make install` copies what `make` has built, whatever has changed since: root builds nothing, and needs no cargo.
ifneq ($(MAKECMDGOALS),)
ifeq ($(filter-out install install-%,$(MAKECMDGOALS)),)
RETRY_CLIENT_SOURCES :=
endif
endif

$(phplibdir)/retry_client.so: $(RETRY_CLIENT_SOURCES)
	MAKEFLAGS= CARGO="$(RETRY_CLIENT_CARGO)" PHP_CONFIG="$(RETRY_CLIENT_PHP_CONFIG)" CARGO_TARGET_DIR="$(RETRY_CLIENT_TARGET)" \
		$(srcdir)/../tools/build-module $@
	@touch $@

clean: clean-retry-client

clean-retry-client:
	rm -rf "$(RETRY_CLIENT_TARGET)"

.PHONY: clean-retry-client
