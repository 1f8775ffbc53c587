//! A path of the local file system as a caller wrote it: made absolute as PHP sees the working
//! directory, inside `open_basedir`, and no stream wrapper's address.

use std::{
    ffi::{CStr, CString, OsStr, c_char, c_int},
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

// main/fopen_wrappers.h
unsafe extern "C" {
    fn expand_filepath(path: *const c_char, buffer: *mut c_char) -> *mut c_char;
    fn php_check_open_basedir_ex(path: *const c_char, warn: c_int) -> c_int;
}

/// PHP's MAXPATHLEN.
const MAX_PATH: usize = libc::PATH_MAX as usize;

/// The absolute path; an existing symbolic link is followed.
///
/// # Errors
/// The rule that it breaks, to follow the argument's name.
pub fn absolute(path: &[u8]) -> Result<PathBuf, &'static str> {
    if path.is_empty() {
        return Err("must not be empty");
    }
    let text = CString::new(path).map_err(|_| "must not contain any null bytes")?;
    if has_wrapper(path) {
        return Err("must be a path of the local file system");
    }
    let mut buffer: [c_char; MAX_PATH] = [0; MAX_PATH];
    // SAFETY: a C string, and a buffer of MAXPATHLEN bytes, which the engine ends with NUL.
    let expanded = unsafe { expand_filepath(text.as_ptr(), buffer.as_mut_ptr()) };
    if expanded.is_null() {
        return Err("must be a valid path");
    }
    // SAFETY: a C string; without a warning.
    if unsafe { php_check_open_basedir_ex(expanded, 0) } != 0 {
        return Err("must be inside the directories that open_basedir allows");
    }
    // SAFETY: the buffer, filled above.
    let bytes = unsafe { CStr::from_ptr(expanded) }.to_bytes();
    Ok(Path::new(OsStr::from_bytes(bytes)).to_path_buf())
}

/// Whether `open_basedir` allows it; PHP warns if not.
pub fn is_allowed(path: &[u8]) -> bool {
    // SAFETY: a C string.
    CString::new(path).is_ok_and(|path| unsafe { php_check_open_basedir_ex(path.as_ptr(), 1) } == 0)
}

/// A place where a file can be written beside and renamed.
///
/// # Errors
/// The rule that it breaks, to follow the argument's name.
pub fn writable_file(path: &[u8]) -> Result<PathBuf, &'static str> {
    let path = absolute(path)?;
    // A rename would put a file in the place of a device, a pipe or a socket.
    if path.metadata().is_ok_and(|found| !found.is_file()) {
        return Err("must not be a directory or a special file");
    }
    let folder = path.parent().filter(|folder| folder.is_dir()).ok_or("must be in an existing directory")?;
    let folder = CString::new(folder.as_os_str().as_bytes()).map_err(|_| "must be a valid path")?;
    // SAFETY: a C string.
    if unsafe { libc::access(folder.as_ptr(), libc::W_OK | libc::X_OK) } != 0 {
        return Err("must be in a writable directory");
    }
    Ok(path)
}

/// `scheme://` or `data:`, as php-src's `php_stream_locate_url_wrapper` recognizes them.
fn has_wrapper(path: &[u8]) -> bool {
    let letters = |b: &&u8| b.is_ascii_alphanumeric() || b"+-.".contains(b);
    let scheme = path.iter().take_while(letters).count();
    let rest = path.get(scheme..).unwrap_or_default();
    let data = path.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"data:"));
    data || (scheme > 1 && rest.starts_with(b"://"))
}
