//! `timeout` bounds one attempt from connect to the last byte, `idleTimeout` the silence within a body.

use std::time::Duration;

use policy::{FailureKind, Options, Reason};
use test_server::{TestServer, json};

use crate::support::{
    ends::{answer, failure},
    get, ms, options, quick, reasons, send,
};

fn once(timeout: f64, idle: Option<f64>) -> Options {
    Options { max_attempts: 1, timeout, idle_timeout: idle, ..options() }
}

/// Sends one request that runs into a timeout; gives back how long that took.
#[track_caller]
fn times_out(step: serde_json::Value, options: &Options) -> Duration {
    let server = TestServer::start();
    server.script("a", json!([step]));
    let ended = send(get(&format!("{}/a", server.http()), options));
    let took = ended.elapsed;
    assert_eq!(reasons(&ended.attempts), [Reason::AttemptsExhausted]);
    let failed = failure(ended);
    assert_eq!((failed.kind, failed.unsent), (FailureKind::Timeout, false), "{}", failed.message);
    took
}

#[test]
fn the_timeout_runs_to_the_last_byte() {
    for step in [
        json!({"action": "stall"}),
        json!({"action": "endless", "drip": {"every_ms": 10}}),
        json!({"action": "half", "body": "0123456789", "end": "stall"}),
        json!({"body": "late", "delay_ms": 100, "body_delay_ms": 60_000}),
    ] {
        let took = times_out(step.clone(), &once(0.25, None));
        assert!(took >= ms(250) && took < ms(1250), "{step}: {took:?}");
    }
}

#[test]
fn all_hops_share_one_timeout() {
    let server = TestServer::start();
    server.script("hop", json!([{"action": "redirect", "location": "/hop", "delay_ms": 60}]));
    let many = Options { max_redirects: 1000, ..once(0.3, None) };
    let ended = send(get(&format!("{}/hop", server.http()), &many));
    assert!(ended.elapsed >= ms(300) && ended.elapsed < ms(1300), "{:?}", ended.elapsed);
    assert_eq!(failure(ended).kind, FailureKind::Timeout);
}

#[test]
fn each_attempt_has_its_own_timeout() {
    let server = TestServer::start();
    server.script("a", json!([{"action": "stall", "times": 2}, {"body": "done", "delay_ms": 150}]));
    let ended = send(get(&format!("{}/a", server.http()), &Options { timeout: 0.25, ..quick(0.01) }));
    assert!(ended.attempts.iter().take(2).all(|attempt| attempt.duration >= ms(250)), "{ended:?}");
    assert_eq!(answer(ended).body, "done");
}

#[test]
fn silence_within_a_body_is_bounded() {
    let silent = json!({"action": "half", "body": "0123456789", "end": "stall"});
    let took = times_out(silent, &once(60.0, Some(0.2)));
    assert!(took >= ms(200) && took < ms(1200), "{took:?}");
}

#[test]
fn silence_begins_with_the_headers() {
    let server = TestServer::start();
    server.script("a", json!([{"body": "done", "delay_ms": 400}]));
    let ended = send(get(&format!("{}/a", server.http()), &once(60.0, Some(0.1))));
    assert_eq!(answer(ended).body, "done");
}

#[test]
fn a_drip_faster_than_the_idle_timeout_goes_on() {
    let server = TestServer::start();
    server.script("a", json!([{"action": "drip", "body": "0123456789", "drip": {"every_ms": 60}}]));
    let ended = send(get(&format!("{}/a", server.http()), &once(60.0, Some(0.5))));
    assert!(ended.elapsed >= ms(500), "{:?}", ended.elapsed);
    assert_eq!(answer(ended).body, "0123456789");
}
