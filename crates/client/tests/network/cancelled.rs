//! Calls that are dropped on their way leave nothing behind.

use client::{Call, Sink, Step, runtime};
use policy::Options;
use test_server::{TestServer, json};

use crate::support::{
    all_hooks,
    ends::answer,
    get, options, quick, send,
    servers::{count, over, trusting, until},
};

fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}

/// Drives to the first step that is named so, and drops the call there.
fn cancel_at(call: Call, wanted: &str) {
    let id = runtime::begin(call);
    loop {
        let step = runtime::drive(id);
        if crate::support::scripts::name(&step) == wanted {
            return runtime::cancel(id);
        }
        assert!(!matches!(step, Step::Done(_)), "{step:?}");
        crate::support::go_on(id, &step);
    }
}

fn hooked(server: &TestServer, name: &str) -> Call {
    let mut call = get(&format!("{}/{name}", server.http()), &quick(0.01));
    (call.hooks, call.sink) = (all_hooks(), Sink::Stream { rewindable: true });
    call
}

#[test]
fn a_thousand_cancelled_calls_leave_no_descriptor() {
    let server = TestServer::start();
    server.script("large", json!([{"body_repeat": ["x", 10_000_000]}]));
    server.script("endless", json!([{"status": 503, "action": "endless"}]));
    let folder = tempfile::tempdir().unwrap();
    let round = |n: usize| {
        cancel_at(hooked(&server, "large"), "attempt");
        cancel_at(hooked(&server, "large"), "write");
        cancel_at(hooked(&server, "endless"), "outcome");
        cancel_at(hooked(&server, "endless"), "retry");
        let mut to_file = get(&format!("{}/json", server.http()), &options());
        to_file.sink = Sink::File(folder.path().join("x"));
        to_file.hooks.attempt = n.is_multiple_of(2);
        let id = runtime::begin(to_file);
        runtime::drive(id);
        runtime::cancel(id);
    };
    // The other tests of this process open descriptors as well, so the server's own count is watched.
    (0..200).for_each(round);
    answer(send(get(&format!("{}/json", server.http()), &options())));
    until("the end of all but the kept ones", || count(&server, "http", "open") <= 2);
    assert!(descriptors() < 900, "{}", descriptors());
}

#[test]
fn a_cancelled_call_closes_its_connection_without_another_call() {
    let server = TestServer::start();
    server.script("endless", json!([{"action": "endless", "drip": {"every_ms": 10}}]));
    for listener in ["http", "https", "h2"] {
        let mut asked = get(&format!("{}/endless", server.url(listener)), &options());
        asked.sink = Sink::Stream { rewindable: true };
        cancel_at(over(asked, trusting(&server)), "write");
        if listener == "h2" {
            // Its connection is kept, the stream alone is reset.
            continue;
        }
        until("the close", || count(&server, listener, "open") == 0);
    }
}

#[test]
fn a_call_that_was_never_driven_sends_nothing() {
    let server = TestServer::start();
    let id = runtime::begin(get(&format!("{}/json", server.http()), &options()));
    runtime::cancel(id);
    let _ = runtime::begin(get(&format!("{}/json", server.http()), &options()));
    runtime::cancel_all();
    answer(send(get(&format!("{}/json", server.http()), &options())));
    assert_eq!(count(&server, "http", "requests"), 1);
}

#[test]
fn a_thread_that_ends_with_calls_in_flight_ends_cleanly() {
    let server = TestServer::start();
    server.script("endless", json!([{"action": "endless"}]));
    for wanted in ["attempt", "write"] {
        std::thread::scope(|scope| {
            let url = format!("{}/endless", server.http());
            scope.spawn(move || {
                let mut call = get(&url, &options());
                (call.hooks, call.sink) = (all_hooks(), Sink::Stream { rewindable: true });
                let id = runtime::begin(call);
                loop {
                    let step = runtime::drive(id);
                    if crate::support::scripts::name(&step) == wanted {
                        break;
                    }
                    crate::support::go_on(id, &step);
                }
            });
        });
    }
    until("the close", || count(&server, "http", "open") == 0);
}

#[test]
fn shutting_down_closes_everything_and_a_call_begins_anew() {
    let server = TestServer::start();
    server.script("endless", json!([{"action": "endless"}]));
    answer(send(get(&format!("{}/json", server.http()), &options())));
    let mut asked = get(&format!("{}/endless", server.http()), &options());
    asked.sink = Sink::Stream { rewindable: true };
    let id = runtime::begin(asked);
    assert!(matches!(runtime::drive(id), Step::SinkWrite(_)));
    runtime::shut_down();
    until("the close", || count(&server, "http", "open") == 0);
    runtime::shut_down();
    answer(send(get(&format!("{}/json", server.http()), &options())));
}

#[test]
fn a_name_that_is_looked_up_does_not_hold_up_the_end() {
    let brief = Options { timeout: 0.001, max_attempts: 1, ..options() };
    for n in 0..10 {
        send(get(&format!("http://host-{n}.invalid/"), &brief));
    }
    let start = std::time::Instant::now();
    runtime::shut_down();
    assert!(start.elapsed().as_millis() < 500);
}
