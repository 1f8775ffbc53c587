//! The table in `phpinfo()` and `php --ri retry_client`.

use std::ffi::{CStr, CString};

use ext_php_rs::zend::ModuleEntry;

use crate::{stats, zend::ffi};

/// HTTP and content codings that this build speaks.
const FEATURES: &CStr = c"HTTP/1.1, HTTP/2, gzip, deflate, brotli, zstd, SOCKS";

pub unsafe extern "C" fn show(module: *mut ModuleEntry) {
    // SAFETY: the engine's own output functions, called in the order it wants them.
    unsafe { ffi::php_info_print_table_start() };
    row(c"retry_client", c"enabled");
    row(c"Version", &text(env!("CARGO_PKG_VERSION")));
    row(c"HTTP library", &text(&format!("reqwest {}", REQWEST.as_str())));
    row(c"TLS library", &text(&format!("rustls {}", RUSTLS.as_str())));
    row(c"Features", FEATURES);
    let (place, processes) = stats::summary();
    row(c"Shared state", &text(&place));
    row(c"Processes sharing it", &text(&processes));
    // SAFETY: as above; the second prints the directives registered by this module.
    unsafe {
        ffi::php_info_print_table_end();
        ffi::display_ini_entries(module);
    }
}

fn row(name: &CStr, value: &CStr) {
    // SAFETY: two columns, two C strings.
    unsafe { ffi::php_info_print_table_row(2, name.as_ptr(), value.as_ptr()) };
}

fn text(text: &str) -> CString {
    CString::new(text).unwrap_or_default()
}

// The versions that Cargo has built against stand nowhere but in its lock file. They are cut out of it while the
// compiler runs, so the file itself does not get into the library.
const REQWEST: Version = Version::of(b"name = \"reqwest\"\nversion = \"");
const RUSTLS: Version = Version::of(b"name = \"rustls\"\nversion = \"");

struct Version {
    bytes: [u8; 24],
    length: usize,
}

impl Version {
    #[expect(clippy::indexing_slicing, reason = "runs while compiling: out of bounds is a build error")]
    const fn of(entry: &[u8]) -> Self {
        let lock = include_bytes!("../Cargo.lock");
        let mut at = 0;
        while !starts_with(lock, at, entry) {
            at += 1;
        }
        at += entry.len();
        let mut version = Self { bytes: [0; 24], length: 0 };
        while lock[at + version.length] != b'"' {
            version.bytes[version.length] = lock[at + version.length];
            version.length += 1;
        }
        version
    }

    fn as_str(&self) -> &str {
        self.bytes.get(..self.length).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default()
    }
}

#[expect(clippy::indexing_slicing, reason = "runs while compiling: out of bounds is a build error")]
const fn starts_with(text: &[u8], at: usize, prefix: &[u8]) -> bool {
    let mut offset = 0;
    while offset < prefix.len() {
        if text[at + offset] != prefix[offset] {
            return false;
        }
        offset += 1;
    }
    true
}
