dnl For phpize, and so for PIE: builds the extension with cargo, for the PHP that php-config belongs to.

PHP_ARG_ENABLE([retry-client],
  [whether to build retry_client],
  [AS_HELP_STRING([--enable-retry-client], [Build retry_client, with cargo])],
  [yes])

if test "$PHP_RETRY_CLIENT" != "no"; then
  retry_client_rust=`$SED -n 's/^rust-version = "\(.*\)"$/\1/p' "$abs_srcdir/../Cargo.toml"`
  retry_client_hint="retry_client needs Rust $retry_client_rust or newer: install it as https://www.rust-lang.org/tools/install shows, or set CARGO to the path of a cargo"

  AC_MSG_CHECKING([for cargo])
  dnl rustup installs here, and a shell that was open before does not have it in its PATH.
  RETRY_CLIENT_CARGO=`command -v "${CARGO:-cargo}" || echo "${CARGO:-$HOME/.cargo/bin/cargo}"`
  if ! test -x "$RETRY_CLIENT_CARGO"; then
    AC_MSG_RESULT([no])
    AC_MSG_ERROR([$RETRY_CLIENT_CARGO does not exist. $retry_client_hint.])
  fi
  dnl rustup's cargo fails if no toolchain is installed; what it says is the reason.
  retry_client_found=`"$RETRY_CLIENT_CARGO" --version 2>&1` || {
    AC_MSG_RESULT([no])
    AC_MSG_ERROR([$RETRY_CLIENT_CARGO does not work ($retry_client_found). $retry_client_hint.])
  }
  AC_MSG_RESULT([$RETRY_CLIENT_CARGO, $retry_client_found])
  if ! echo "$retry_client_rust $retry_client_found" | $AWK '{
    split($1, need, "."); split($3, have, ".")
    exit !(have[[1]] + 0 > need[[1]] || have[[1]] == need[[1]] && have[[2]] + 0 >= need[[2]])
  }'; then
    AC_MSG_ERROR([$RETRY_CLIENT_CARGO is $retry_client_found. $retry_client_hint.])
  fi

  AC_MSG_CHECKING([for the PHP to build for])
  RETRY_CLIENT_PHP_CONFIG=`command -v "$PHP_CONFIG"`
  retry_client_php=`"$PHP_EXECUTABLE" -n -r 'echo PHP_VERSION_ID;' 2>/dev/null`
  if test "$retry_client_php" != "`$PHP_CONFIG --vernum`"; then
    AC_MSG_RESULT([no])
    AC_MSG_ERROR([$PHP_CONFIG names "$PHP_EXECUTABLE", which is not the PHP $($PHP_CONFIG --version) that its headers are of: retry_client needs that PHP's command line program to build.])
  fi
  if test "$retry_client_php" -lt 80100; then
    AC_MSG_ERROR([retry_client needs PHP 8.1 or newer, and $PHP_EXECUTABLE is $($PHP_CONFIG --version).])
  fi
  AC_MSG_RESULT([$PHP_EXECUTABLE])

  dnl One folder for each kind of PHP: cargo does not notice when another one takes the same path.
  retry_client_kind=php-`$PHP_CONFIG --phpapi`
  test "$PHP_THREAD_SAFETY" != "yes" || retry_client_kind=$retry_client_kind-zts
  test "$PHP_DEBUG" != "1" || retry_client_kind=$retry_client_kind-debug
  RETRY_CLIENT_TARGET=${CARGO_TARGET_DIR:-`cd "$abs_srcdir/.." && pwd`/target}/$retry_client_kind

  PHP_SUBST([RETRY_CLIENT_CARGO])
  PHP_SUBST([RETRY_CLIENT_PHP_CONFIG])
  PHP_SUBST([RETRY_CLIENT_TARGET])
  PHP_ADD_BUILD_DIR([$abs_builddir/modules])
  PHP_MODULES="$PHP_MODULES \$(phplibdir)/retry_client.so"
  PHP_ADD_MAKEFILE_FRAGMENT([$abs_srcdir/Makefile.frag], [$abs_srcdir], [$abs_builddir])
fi
