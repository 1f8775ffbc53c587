//! How long a call may last, how large its answer may be and how many may wait, seen from the PHP request that makes
//! it.

use std::{
    alloc::Layout,
    ffi::CStr,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use client::runtime;
use ext_php_rs::alloc;
use policy::Timestamp;

use crate::{
    ini::{self, Setting},
    zend::ffi,
};

/// `request_budget = auto` of a web request: nginx's `fastcgi_read_timeout` is 60 s.
pub const AUTO: Duration = Duration::from_secs(55);

/// `max_waiting = auto` of a web request: a few pages may wait for one key, the rest is better told to come back.
const AUTO_WAITING: u32 = 8;

/// How far back `RETRY_CLIENT_START` may lie. What is older comes from another clock or another unit.
const OLDEST_START: f64 = 600.0;

/// When the running web request must be over; `None` without such a limit.
#[must_use]
pub fn deadline() -> Option<Timestamp> {
    let budget = request_budget()?;
    let left = budget.saturating_sub(age());
    Some(runtime::now().after(left))
}

/// What `retry_client.request_budget` allows the running request. Outside the web it is ignored: queue workers share
/// php.ini and live for hours.
fn request_budget() -> Option<Duration> {
    if !is_web() {
        return None;
    }
    match ini::request_budget() {
        Setting::Auto => Some(AUTO),
        Setting::None => None,
        Setting::Some(budget) => Some(budget),
    }
}

/// Whether the running request has the limit that holds where none is set.
#[must_use]
pub fn is_auto() -> bool {
    matches!(ini::request_budget(), Setting::Auto)
}

/// How many processes may wait for one key at once; `None` without such a limit.
#[must_use]
pub fn max_waiting() -> Option<u32> {
    match ini::max_waiting() {
        Setting::Auto => is_web().then_some(AUTO_WAITING),
        Setting::None => None,
        Setting::Some(most) => Some(most),
    }
}

/// Every SAPI but these serves web requests; `cli-server` does, too.
#[must_use]
pub fn is_web() -> bool {
    // SAFETY: a SAPI sets its name before anything else happens, and keeps it.
    let name = unsafe { (*ffi::ext_php_rs_sapi_module()).name };
    if name.is_null() {
        return false;
    }
    // SAFETY: see above; a C string.
    let name = unsafe { CStr::from_ptr(name) };
    ![c"cli", c"phpdbg", c"embed"].contains(&name)
}

/// Makes PHP note when the request began, which it does at the first question only. To be called as early as possible.
pub fn note_request_start() {
    // SAFETY: reads or sets a field of this thread's SAPI globals.
    unsafe { ffi::sapi_get_request_time() };
}

/// How long ago the request began, the wait for a free worker included where the web server tells it.
fn age() -> Duration {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64());
    // SAFETY: as in `note_request_start`.
    let noted = now - unsafe { ffi::sapi_get_request_time() };
    let told = told_start().map_or(0.0, |start| now - start);
    let told = if (0.0..=OLDEST_START).contains(&told) { told } else { 0.0 };
    Duration::try_from_secs_f64(noted.max(told).max(0.0)).unwrap_or_default()
}

/// The FastCGI parameter `RETRY_CLIENT_START`: Unix time, as nginx's `$msec` has it.
fn told_start() -> Option<f64> {
    let name = c"RETRY_CLIENT_START";
    // SAFETY: the SAPI looks the name up; it hands out a copy that is ours to free.
    unsafe {
        let value = ffi::sapi_getenv(name.as_ptr(), name.count_bytes());
        if value.is_null() {
            return None;
        }
        let parsed = CStr::from_ptr(value).to_str().ok().and_then(|text| text.trim().parse().ok());
        alloc::efree(value.cast());
        parsed.filter(|start: &f64| start.is_finite())
    }
}

/// A size of PHP's allocator: it takes memory in chunks of this size, so that a small value may need one
/// (Zend/zend_alloc_sizes.h).
const CHUNK: usize = 2 * 1024 * 1024;

/// How many bytes a body may have if PHP is to have room for it below its `memory_limit`; `u64::MAX` without one.
///
/// What is left up to the limit, less one chunk for what else is made for the response. Near the limit, where that is
/// nothing: a part of what is free inside the chunks PHP has already. Whether a body fits in there [`fits`] finds out.
#[must_use]
pub fn memory_left() -> u64 {
    let Some(limit) = memory_limit() else { return u64::MAX };
    // SAFETY: reads fields of this thread's globals.
    let (taken, used) = unsafe { (ffi::zend_memory_usage(true), ffi::zend_memory_usage(false)) };
    let beyond = limit.saturating_sub(taken).saturating_sub(CHUNK);
    let within = taken.saturating_sub(used) / 4;
    beyond.max(within) as u64
}

/// Whether a response whose body has so many bytes can be made without running into `memory_limit`, which would be a
/// fatal error.
///
/// Far below the limit it can. Near it the answer depends on the gaps that PHP's memory has: the room is taken with the
/// limit out of force, and given back, to see whether PHP had to ask the system for more than the limit.
#[must_use]
pub fn fits(length: usize) -> bool {
    /// For headers, attempts and the objects.
    const REST: usize = 64 * 1024;
    let Some(limit) = memory_limit() else { return true };
    // SAFETY: reads a field of this thread's globals.
    let taken = unsafe { ffi::zend_memory_usage(true) };
    if taken.saturating_add(length).saturating_add(2 * CHUNK) <= limit {
        return true;
    }
    let sizes = [length.saturating_add(REST), REST];
    // SAFETY: the limit is out of force while nothing but this allocates; what is allocated is freed at once.
    unsafe {
        ffi::zend_set_memory_limit(usize::MAX / 2);
        let room = sizes.map(|size| Layout::from_size_align(size, 8).map(alloc::emalloc));
        let taken = ffi::zend_memory_usage(true);
        room.into_iter().flatten().for_each(|place| alloc::efree(place));
        ffi::zend_set_memory_limit(limit);
        taken <= limit
    }
}

/// PHP's `memory_limit`; `None` without one.
fn memory_limit() -> Option<usize> {
    // SAFETY: reads a field of this thread's globals.
    let limit = unsafe { (*ffi::ext_php_rs_process_globals()).memory_limit };
    // -1 is no limit.
    usize::try_from(limit).ok()
}
