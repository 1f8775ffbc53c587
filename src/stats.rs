//! `RetryClient::stats()`: what is known and was done per limit, as an array; and the two lines of it that `phpinfo()`
//! shows.

use std::{os::unix::ffi::OsStrExt, time::Duration};

use client::{KeyStats, State, Window};
use ext_php_rs::types::{ZendHashTable, Zval};

use crate::{
    budget,
    zend::object::{self, or_null, string, value},
};

/// `array{state: array, keys: list<array>}`. A web page sees only the keys that its own process used.
#[must_use]
pub fn array() -> Zval {
    let everything = !budget::is_web();
    let stats = client::stats(everything);
    assoc([("state", state(&stats.state)), ("keys", object::list(stats.keys.iter().map(key)))])
}

/// Where the state is, and how many processes share it.
#[must_use]
pub fn summary() -> (String, String) {
    // Shown by a function of C, which a panic must not pass.
    let Ok(stats) = std::panic::catch_unwind(|| client::stats(false)) else {
        return ("unknown".to_owned(), "unknown".to_owned());
    };
    let State { path, reason, processes, full } = stats.state;
    let place = match (path, reason) {
        (Some(path), _) if full => format!("{}, full: further limits are known per process", path.display()),
        (Some(path), Some(reason)) => format!("{}: {reason}", path.display()),
        (Some(path), None) => path.display().to_string(),
        (None, Some(reason)) => format!("per process: {reason}"),
        (None, None) => "per process".to_owned(),
    };
    (place, processes.to_string())
}

fn state(state: &State) -> Zval {
    assoc([
        ("shared", value(state.path.is_some())),
        ("path", or_null(state.path.as_ref().map(|path| string(path.as_os_str().as_bytes())))),
        ("reason", or_null(state.reason.as_ref().map(string))),
        ("processes", value(i64::from(state.processes))),
        ("full", value(state.full)),
    ])
}

fn key(key: &KeyStats) -> Zval {
    assoc([
        ("id", string(format!("{:016x}", key.id))),
        ("origin", string(&key.origin)),
        ("model", or_null(key.model.as_ref().map(string))),
        ("limit", or_null(key.limit.as_ref().map(string))),
        ("rate", or_null(key.rate.map(value))),
        ("window", or_null(key.window.map(window))),
        ("atOnce", or_null(key.at_once.map(|most| value(i64::from(most))))),
        ("opensIn", or_null((!key.shut.is_zero()).then(|| seconds(key.shut)))),
        ("sent", count(key.sent)),
        ("accepted", count(key.accepted)),
        ("refused", count(key.refused)),
        ("held", seconds(key.held)),
        ("waiting", value(i64::from(key.waiting))),
    ])
}

fn window(window: Window) -> Zval {
    assoc([("limit", value(window.limit)), ("seconds", seconds(window.length))])
}

fn assoc<const N: usize>(entries: [(&str, Zval); N]) -> Zval {
    let mut array = ZendHashTable::new();
    for (name, entry) in entries {
        object::insert(&mut array, name.as_bytes(), entry);
    }
    value(array)
}

fn count(count: u64) -> Zval {
    value(i64::try_from(count).unwrap_or(i64::MAX))
}

fn seconds(duration: Duration) -> Zval {
    value(duration.as_secs_f64())
}
