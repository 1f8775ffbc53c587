//! What a test asks the scripted server, beside its own script.

use std::{
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

use client::{Call, Route, Tls};
use test_server::{Entry, TestServer};

use super::route;

/// Trusts the server's own authority.
pub fn trusting(server: &TestServer) -> Route {
    Route { tls: trust(server), ..route() }
}

pub fn trust(server: &TestServer) -> Tls {
    Tls { ca_file: Some(server.ca_file().to_owned()), ..Tls::default() }
}

pub fn over(mut call: Call, route: Route) -> Call {
    call.route = Arc::new(route);
    call
}

/// The connections that the requests of this name came on, in order.
pub fn connections(server: &TestServer, name: &str) -> Vec<u64> {
    server.log(name).iter().map(|entry| entry.connection).collect()
}

/// How many different ones they were.
pub fn distinct(mut connections: Vec<u64>) -> usize {
    connections.sort_unstable();
    connections.dedup();
    connections.len()
}

pub fn header<'a>(entry: &'a Entry, name: &str) -> Option<&'a str> {
    let mut found = entry.headers.iter().filter(|(key, _)| key.eq_ignore_ascii_case(name));
    found.next().map(|(_, value)| value.as_str())
}

/// Between the arrivals of two requests.
pub fn between(first: &Entry, second: &Entry) -> Duration {
    Duration::from_nanos(second.monotonic_ns.checked_sub(first.monotonic_ns).unwrap())
}

/// A listener's count, e.g. `open`.
pub fn count(server: &TestServer, listener: &str, what: &str) -> u64 {
    server.stats()["listeners"][listener][what].as_u64().unwrap_or_default()
}

/// Waits until it holds; fails after ten seconds.
#[track_caller]
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(10), "{what} did not come");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Whether this machine has a destination to which connecting never ends.
pub fn blackhole(server: &TestServer) -> Option<String> {
    static TOLD: OnceLock<()> = OnceLock::new();
    let url = server.url("blackhole");
    if url.is_empty() {
        TOLD.get_or_init(|| eprintln!("no blackhole on this system"));
        return None;
    }
    Some(url.to_owned())
}
