//! Whatever a server does, a call ends at its deadline: not before it, and at most 50 ms after it.

use std::{fs, time::Duration};

use client::{Body, Call, Sink, runtime};
use policy::{FailureKind, Options, Reason};
use test_server::{TestServer, json};

use crate::support::{
    drive_to_end,
    ends::over_budget,
    get, go_on, ms, options, post, quick, reasons,
    servers::{blackhole, over, trusting},
};

const LEFT: Duration = ms(250);
const LATE: Duration = ms(50);

/// A busy machine may be late now and then, a call that does not watch its deadline is always.
const TRIES: usize = 4;

/// The attempt that flies when the deadline comes is cut.
#[track_caller]
fn is_cut(what: &str, begin: impl Fn() -> Call) {
    for left_tries in (0..TRIES).rev() {
        let mut call = begin();
        let start = runtime::now();
        call.deadline = Some(start.after(LEFT));
        let id = runtime::begin(call);
        let ended = drive_to_end(id, |step| go_on(id, &step));
        let took = runtime::now().since(start);
        assert!(took >= LEFT, "{what}: {took:?}");
        assert_eq!(reasons(&ended.attempts).last(), Some(&Reason::BudgetExceeded), "{what}");
        let over = over_budget(ended);
        assert_eq!((over.needed, over.left), (Duration::ZERO, Duration::ZERO), "{what}");
        assert_eq!(over.cut.map(|cut| cut.kind), Some(FailureKind::Timeout), "{what}");
        if took < LEFT + LATE {
            return;
        }
        assert!(left_tries > 0, "{what}: {took:?}");
    }
}

fn scripted(name: &str, step: serde_json::Value) {
    let server = TestServer::start();
    server.script(name, json!([step]));
    let url = format!("{}/{name}", server.http());
    is_cut(name, || get(&url, &options()));
}

#[test]
fn a_head_that_never_comes() {
    scripted("stall", json!({"action": "stall"}));
    scripted("informational", json!({"action": "stall", "informational": [103]}));
}

#[test]
fn a_head_that_drips() {
    scripted("drip", json!({"body": "x", "drip": {"bytes": 1, "every_ms": 20, "head": true}}));
}

#[test]
fn a_body_that_drips() {
    scripted("drip", json!({"action": "drip", "body_repeat": ["x", 1000], "drip": {"every_ms": 10}}));
    scripted("endless", json!({"action": "endless", "drip": {"every_ms": 10}}));
}

#[test]
fn a_body_that_stops() {
    scripted("half", json!({"action": "half", "body": "0123456789", "end": "stall"}));
    scripted("late", json!({"body": "x", "body_delay_ms": 60_000}));
}

#[test]
fn an_idle_timeout_does_not_stretch_it() {
    let server = TestServer::start();
    server.script("a", json!([{"action": "endless", "drip": {"every_ms": 10}}]));
    let patient = Options { idle_timeout: Some(30.0), ..options() };
    is_cut("endless", || get(&format!("{}/a", server.http()), &patient));
}

#[test]
fn a_request_that_nobody_reads() {
    let server = TestServer::start();
    server.script("a", json!([{"action": "stall", "read_body": false}]));
    let body = Body::bytes(vec![b'x'; 32 * 1024 * 1024]);
    is_cut("upload", || {
        let mut call = post(&format!("{}/a", server.http()), "", &options());
        call.request.body = body.clone();
        call
    });
}

#[test]
fn a_file_without_end() {
    let server = TestServer::start();
    server.script("a", json!([{"body": "done"}]));
    // A hole of 100 GiB, which the server takes as fast as it comes.
    let file = tempfile::tempfile().unwrap();
    file.set_len(100 << 30).unwrap();
    is_cut("file", || {
        let mut call = post(&format!("{}/a", server.http()), "", &options());
        call.request.body = Body::file(file.try_clone().unwrap(), 0, 100 << 30);
        call
    });
}

#[test]
fn a_connection_that_does_not_come_about() {
    let server = TestServer::start();
    if let Some(url) = blackhole(&server) {
        is_cut("blackhole", || get(&url, &options()));
    }
    is_cut("tls", || over(get(server.url("tls_stall"), &options()), trusting(&server)));
}

#[test]
fn redirects_without_end() {
    let server = TestServer::start();
    let url = format!("{}/redirect-loop", server.http());
    let many = Options { max_redirects: 1_000_000, ..options() };
    is_cut("loop", || get(&url, &many));
}

#[test]
fn a_sink_is_inside_it_and_the_old_file_stays() {
    let server = TestServer::start();
    server.script("a", json!([{"action": "endless", "drip": {"every_ms": 10}}]));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kept");
    fs::write(&path, "old").unwrap();
    for sink in
        [Sink::File(path.clone()), Sink::Stream { rewindable: true }, Sink::Stream { rewindable: false }]
    {
        is_cut("sink", || {
            let mut call = get(&format!("{}/a", server.http()), &options());
            call.sink = sink.clone();
            call
        });
    }
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn the_second_attempt_too() {
    let server = TestServer::start();
    server.script(
        "a",
        json!({"steps": [{"status": 503, "body": "first"}, {"action": "stall"}], "then": "cycle"}),
    );
    let url = format!("{}/a", server.http());
    is_cut("second", || get(&url, &quick(0.05)));
}

#[test]
fn a_refusal_whose_body_does_not_come_is_decided_in_time() {
    let server = TestServer::start();
    server.script("a", json!([{"status": 429, "action": "half", "body": "0123456789", "end": "stall"}]));
    let mut call = get(&format!("{}/a", server.http()), &quick(0.05));
    let start = runtime::now();
    call.deadline = Some(start.after(LEFT));
    let id = runtime::begin(call);
    let ended = drive_to_end(id, |step| go_on(id, &step));
    let took = runtime::now().since(start);
    assert!(took < LEFT + ms(500), "{took:?}");
    let over = over_budget(ended);
    let response = over.response.unwrap();
    assert_eq!((response.status, response.body.len()), (429, 0));
}

#[test]
fn a_long_wish_is_told_at_once() {
    let server = TestServer::start();
    server.script("a", json!([{"status": 429, "headers": [["Retry-After", "30"]], "body": "later"}]));
    let mut call = get(&format!("{}/a", server.http()), &options());
    let start = runtime::now();
    call.deadline = Some(start.after(ms(20_000)));
    let ended = drive_to_end(runtime::begin(call), |step| panic!("{step:?}"));
    assert!(runtime::now().since(start) < ms(1000));
    let over = over_budget(ended);
    assert_eq!(over.retry_after, Some(ms(30_000)));
    assert!(over.needed > ms(29_000) && over.needed <= ms(30_000), "{over:?}");
    assert!(over.left > ms(19_000) && over.left <= ms(20_000), "{over:?}");
    assert_eq!(over.response.unwrap().body, "later");
}
