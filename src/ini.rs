//! The four php.ini directives.
//!
//! What can change during a request is parsed when it is set and kept in a cell of the thread; PHP sets it back by
//! the same way when the request ends. The place of the shared state is read once, at start-up.

use std::{
    cell::Cell,
    ffi::{CStr, OsStr, c_int, c_void},
    os::unix::ffi::OsStrExt,
    path::PathBuf,
    time::Duration,
};

use client::SharedMemory;
use ext_php_rs::{
    flags::IniEntryPermission,
    types::ZendStr,
    zend::{IniEntryDef, IniEntryDefs},
};

use crate::{local_path, zend::ffi};

/// A value that may be left to the extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting<T> {
    /// What fits the SAPI.
    Auto,
    /// 0 in php.ini.
    None,
    Some(T),
}

thread_local! {
    static REQUEST_BUDGET: Cell<Setting<Duration>> = const { Cell::new(Setting::Auto) };
    static MAX_WAITING: Cell<Setting<u32>> = const { Cell::new(Setting::Auto) };
}

const SHARED_MEMORY: &CStr = c"retry_client.shared_memory";
const CA_FILE: &CStr = c"retry_client.ca_file";

static DIRECTIVES: IniEntryDefs<5> = IniEntryDefs::new([
    directive(c"retry_client.request_budget", c"auto", IniEntryPermission::All, Some(set_request_budget)),
    directive(c"retry_client.max_waiting", c"auto", IniEntryPermission::All, Some(set_max_waiting)),
    directive(SHARED_MEMORY, c"auto", IniEntryPermission::System, Some(set_shared_memory)),
    directive(CA_FILE, c"", IniEntryPermission::All, Some(set_path)),
    IniEntryDef::end(),
]);

type OnModify = unsafe extern "C" fn(
    *mut ffi::zend_ini_entry,
    *mut ZendStr,
    *mut c_void,
    *mut c_void,
    *mut c_void,
    c_int,
) -> c_int;

const fn directive(
    name: &'static CStr,
    default: &'static CStr,
    permission: IniEntryPermission,
    on_modify: Option<OnModify>,
) -> IniEntryDef {
    let mut entry = IniEntryDef::new(name, default, permission);
    entry.on_modify = on_modify;
    entry
}

pub fn register(module_number: i32) {
    IniEntryDef::register(DIRECTIVES.as_slice(), module_number);
}

/// The function that is not told the module's type looks it up among the modules, which is no place to look while those
/// that `dl()` has loaded are taken down. The other one came with PHP 8.1.17 and 8.2.4.
pub fn unregister(module_type: i32, module_number: i32) {
    type Unregister = unsafe extern "C" fn(c_int, c_int);
    // SAFETY: asks for a function of the engine (Zend/zend_ini.h) by its name.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"zend_unregister_ini_entries_ex".as_ptr()) };
    if found.is_null() {
        // SAFETY: those that `register` has registered under this number.
        unsafe { ffi::zend_unregister_ini_entries(module_number) };
    } else {
        // SAFETY: that function's type, and the entries as above.
        unsafe { std::mem::transmute::<*mut c_void, Unregister>(found)(module_number, module_type) };
    }
}

/// Seconds that a web request may last.
#[must_use]
pub fn request_budget() -> Setting<Duration> {
    REQUEST_BUDGET.get()
}

/// How many processes may wait for one key.
#[must_use]
pub fn max_waiting() -> Setting<u32> {
    MAX_WAITING.get()
}

/// Where the shared state is.
#[must_use]
pub fn shared_memory() -> SharedMemory {
    string(SHARED_MEMORY).and_then(|text| place(&text)).unwrap_or(SharedMemory::Auto)
}

/// The CA file that the first of `retry_client.ca_file`, `openssl.cafile` and `curl.cainfo` names.
#[must_use]
pub fn ca_file() -> Option<PathBuf> {
    let names = [CA_FILE, c"openssl.cafile", c"curl.cainfo"];
    let path = names.into_iter().filter_map(string).find(|path| !path.is_empty())?;
    Some(PathBuf::from(OsStr::from_bytes(&path)))
}

/// Any directive's value; `None` if there is none of that name.
fn string(name: &CStr) -> Option<Vec<u8>> {
    let current = 0;
    let mut exists = false;
    // SAFETY: reads the directive; the text is the engine's and copied at once.
    unsafe {
        let value = ffi::zend_ini_string_ex(name.as_ptr(), name.count_bytes(), current, &raw mut exists);
        (exists && !value.is_null()).then(|| CStr::from_ptr(value).to_bytes().to_vec())
    }
}

/// The text that a directive is set to; null is none.
///
/// # Safety
/// It is the value that the engine hands to a directive's handler, which lives over the call.
unsafe fn given<'a>(text: *mut ZendStr) -> &'a [u8] {
    // SAFETY: by the caller.
    unsafe { text.as_ref() }.map_or(&[], |text| text.as_bytes())
}

/// Sets `cell` to what `parse` makes of the text. A malformed one is refused; at run time that makes `ini_set` return
/// false, earlier nobody would see it, so it warns.
fn set<T>(
    cell: &'static std::thread::LocalKey<Cell<Setting<T>>>,
    entry: *mut ffi::zend_ini_entry,
    text: *mut ZendStr,
    stage: c_int,
    expected: &str,
    parse: fn(&str) -> Option<Setting<T>>,
) -> c_int {
    // SAFETY: the engine's new value.
    let bytes = unsafe { given(text) };
    match std::str::from_utf8(bytes).ok().and_then(|text| parse(text.trim())) {
        Some(setting) => {
            cell.set(setting);
            ffi::ZEND_RESULT_CODE_SUCCESS
        }
        None => {
            warn(entry, stage, &format!("must be {expected}; its default holds"));
            ffi::ZEND_RESULT_CODE_FAILURE
        }
    }
}

// `ZEND_INI_STAGE_*` (Zend/zend_ini.h)
const STARTUP: c_int = 1 << 0;
const RUNTIME: c_int = 1 << 4;
const HTACCESS: c_int = 1 << 5;

fn warn(entry: *mut ffi::zend_ini_entry, stage: c_int, rule: &str) {
    if stage == RUNTIME {
        return;
    }
    // SAFETY: the entry being set has a name.
    let name = unsafe { (*(*entry).name).as_bytes() };
    crate::zend::throw::warning(&format!("{} {rule}", String::from_utf8_lossy(name)));
}

/// `auto`, or seconds; 0 is none.
fn seconds(text: &str) -> Option<Setting<Duration>> {
    if text.eq_ignore_ascii_case("auto") {
        return Some(Setting::Auto);
    }
    // Rust's grammar of floats has signs, exponents, "inf" and "nan" as well.
    let plain = text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let seconds: f64 = text.parse().ok().filter(|_| plain)?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(Duration::ZERO) => Some(Setting::None),
        Ok(duration) => Some(Setting::Some(duration)),
        Err(_) => None,
    }
}

/// `auto`, or a number; 0 is none.
fn number(text: &str) -> Option<Setting<u32>> {
    if text.eq_ignore_ascii_case("auto") {
        return Some(Setting::Auto);
    }
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match text.parse().ok().filter(|_| digits)? {
        0 => Some(Setting::None),
        number => Some(Setting::Some(number)),
    }
}

/// `auto`, an absolute path, or empty for none. What a relative one means would depend on where each process stands.
fn place(text: &[u8]) -> Option<SharedMemory> {
    match text.trim_ascii() {
        b"" => Some(SharedMemory::None),
        auto if auto.eq_ignore_ascii_case(b"auto") => Some(SharedMemory::Auto),
        _ if text.starts_with(b"/") && !text.contains(&0) => {
            Some(SharedMemory::At(PathBuf::from(OsStr::from_bytes(text))))
        }
        _ => None,
    }
}

unsafe extern "C" fn set_request_budget(
    entry: *mut ffi::zend_ini_entry,
    text: *mut ZendStr,
    _: *mut c_void,
    _: *mut c_void,
    _: *mut c_void,
    stage: c_int,
) -> c_int {
    set(&REQUEST_BUDGET, entry, text, stage, "auto or a number of seconds", seconds)
}

unsafe extern "C" fn set_max_waiting(
    entry: *mut ffi::zend_ini_entry,
    text: *mut ZendStr,
    _: *mut c_void,
    _: *mut c_void,
    _: *mut c_void,
    stage: c_int,
) -> c_int {
    set(&MAX_WAITING, entry, text, stage, "auto or a number of processes", number)
}

/// A path is read where it is used; no file has a NUL in its name.
unsafe extern "C" fn set_path(
    entry: *mut ffi::zend_ini_entry,
    text: *mut ZendStr,
    _: *mut c_void,
    _: *mut c_void,
    _: *mut c_void,
    stage: c_int,
) -> c_int {
    // SAFETY: the engine's new value.
    if unsafe { given(text) }.contains(&0) {
        warn(entry, stage, "must be a path; its default holds");
        return ffi::ZEND_RESULT_CODE_FAILURE;
    }
    // SAFETY: the engine's new value.
    if [RUNTIME, HTACCESS].contains(&stage) && !may_name(unsafe { given(text) }) {
        return ffi::ZEND_RESULT_CODE_FAILURE;
    }
    ffi::ZEND_RESULT_CODE_SUCCESS
}

/// Whether a script, or its folder's .user.ini or .htaccess, may name this file; PHP warns if `open_basedir` forbids it.
fn may_name(path: &[u8]) -> bool {
    let is_confined = string(c"open_basedir").is_some_and(|folders| !folders.is_empty());
    // A relative path would name another file after the next chdir().
    !is_confined || path.is_empty() || (path.starts_with(b"/") && local_path::is_allowed(path))
}

/// Read once, when the module starts. So what a pool of FPM or a virtual host of Apache sets later is refused:
/// `ini_get` would show it, and it would not hold.
unsafe extern "C" fn set_shared_memory(
    entry: *mut ffi::zend_ini_entry,
    text: *mut ZendStr,
    _: *mut c_void,
    _: *mut c_void,
    _: *mut c_void,
    stage: c_int,
) -> c_int {
    // SAFETY: the engine's new value.
    let bytes = unsafe { given(text) };
    if stage != STARTUP {
        warn(entry, stage, "is read when PHP starts; the value of php.ini holds");
        return ffi::ZEND_RESULT_CODE_FAILURE;
    }
    if place(bytes).is_none() {
        warn(entry, stage, "must be auto, empty or an absolute path; its default holds");
        return ffi::ZEND_RESULT_CODE_FAILURE;
    }
    ffi::ZEND_RESULT_CODE_SUCCESS
}
