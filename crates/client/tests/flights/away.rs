//! Time that the driver spends elsewhere: no part of any timeout, but of the deadline.

use std::{rc::Rc, thread::sleep, time::Duration};

use client::{Call, Ended, Incoming, Sink, runtime};
use policy::{FailureKind, Options};
use runtime::Whose;
use test_server::{TestServer, json};

use crate::{
    driving::{begin, follow_until, next_end, turn_until},
    support::{
        ends::{answer, failure, over_budget},
        get, ms, options, seconds,
        servers::{over, trusting},
    },
};

fn within(timeout: f64) -> Options {
    Options { timeout, max_attempts: 1, ..options() }
}

/// Begins the call, goes away for so long once its request has come, and drives it to its end.
fn away_for(server: &TestServer, call: Call, away: Duration) -> Ended {
    begin(call);
    turn_until("the request", &Whose::All, || server.log("a").len() == 1);
    sleep(away);
    next_end().1
}

/// What arrives while the driver is away, and what comes only when it is back for a while.
#[test]
fn a_timeout_counts_only_what_the_driver_waits() {
    let server = TestServer::start();
    for delay in [200, 1400] {
        server.script("a", json!([{"body": "x", "delay_ms": delay}]));
        let call = get(&format!("{}/a", server.http()), &within(1.0));
        let ended = away_for(&server, call, ms(1100));
        assert!(ended.elapsed >= ms(1100), "{ended:?}");
        assert_eq!(answer(ended).body, "x");
    }
}

#[test]
fn a_timeout_comes_when_its_own_time_is_over() {
    let server = TestServer::start();
    server.script("a", json!([{"action": "stall"}]));
    let call = get(&format!("{}/a", server.http()), &within(0.3));
    let ended = away_for(&server, call, ms(400));
    assert!(ended.elapsed >= ms(700) && ended.elapsed < seconds(5), "{ended:?}");
    assert_eq!(failure(ended).kind, FailureKind::Timeout);
}

#[test]
fn a_deadline_counts_everything() {
    let server = TestServer::start();
    server.script("a", json!([{"action": "stall"}]));
    let mut call = get(&format!("{}/a", server.http()), &within(60.0));
    let deadline = runtime::now().after(ms(400));
    call.deadline = Some(deadline);
    let ended = away_for(&server, call, ms(450));
    assert!(runtime::now() < deadline.after(seconds(3)), "{ended:?}");
    assert_eq!(over_budget(ended).cut.unwrap().kind, FailureKind::Timeout);
}

#[test]
fn a_call_that_is_begun_after_the_absence_has_all_its_time() {
    let server = TestServer::start();
    for name in ["a", "b"] {
        server.script(name, json!([{"action": "stall"}]));
    }
    let at = |name: &str| get(&format!("{}/{name}", server.http()), &within(0.3));
    let first = begin(at("a"));
    turn_until("the request", &Whose::All, || server.log("a").len() == 1);
    sleep(ms(200));
    let second = begin(at("b"));
    let begun = runtime::now();
    let (one, two) = (next_end(), next_end());
    assert_eq!((one.0, two.0), (first, second));
    assert!(one.1.elapsed >= ms(500) && two.1.elapsed >= ms(300));
    assert!(runtime::now().since(begun) < seconds(5));
}

#[test]
fn silence_counts_only_while_the_driver_listens() {
    let server = TestServer::start();
    let idle = Options { idle_timeout: Some(1.0), ..within(60.0) };
    server.script("a", json!([{"chunks": ["a", "b"], "chunked": true, "drip": {"every_ms": 1500}}]));
    let incoming = Rc::new(Incoming::kept());
    let mut call = get(&format!("{}/a", server.http()), &idle);
    call.sink = Sink::Handed(Rc::clone(&incoming));
    begin(call);
    follow_until("the first byte", || incoming.received() == 1);
    sleep(ms(1200));
    let ended = next_end().1;
    assert!(ended.elapsed >= ms(1200), "{ended:?}");
    assert_eq!((answer(ended).status, incoming.take_all()), (200, "ab".into()));
}

#[test]
fn silence_that_lasts_is_heard() {
    let server = TestServer::start();
    let idle = Options { idle_timeout: Some(0.3), ..within(60.0) };
    server.script("a", json!([{"action": "half", "body": "0123456789", "end": "stall"}]));
    let ended = away_for(&server, get(&format!("{}/a", server.http()), &idle), ms(100));
    assert!(ended.elapsed >= ms(300) && ended.elapsed < seconds(5), "{ended:?}");
    assert_eq!(failure(ended).kind, FailureKind::Timeout);
}

fn dialling(server: &TestServer, listener: &str, connect_timeout: f64) -> Call {
    let brief = Options { connect_timeout, ..within(60.0) };
    over(get(&format!("{}/json", server.url(listener)), &brief), trusting(server))
}

fn accepted(server: &TestServer, listener: &str) -> u64 {
    crate::support::servers::count(server, listener, "accepted")
}

#[test]
fn connecting_counts_only_while_the_driver_waits() {
    let slow = test_server::Options { tls_delay: ms(1000), ..test_server::Options::default() };
    let server = TestServer::with(slow).unwrap();
    begin(dialling(&server, "tls_slow", 0.9));
    turn_until("the connection", &Whose::All, || accepted(&server, "tls_slow") == 1);
    sleep(ms(900));
    let ended = next_end().1;
    assert!(ended.elapsed >= ms(1000), "{ended:?}");
    assert_eq!(answer(ended).status, 200);
}

#[test]
fn connecting_for_too_long_is_noticed() {
    let server = TestServer::start();
    begin(dialling(&server, "tls_stall", 0.3));
    turn_until("the connection", &Whose::All, || accepted(&server, "tls_stall") == 1);
    sleep(ms(200));
    let ended = next_end().1;
    assert!(ended.elapsed >= ms(500) && ended.elapsed < seconds(5), "{ended:?}");
    let failed = failure(ended);
    assert_eq!((failed.kind, failed.unsent), (FailureKind::Timeout, true), "{failed:?}");
}
