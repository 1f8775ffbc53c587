//! What a handler may do while a call is interrupted: send, cancel, or let another call's answer in.

use client::{Call, Sink, Step, runtime};
use policy::{FailureKind, Reason};
use test_server::{Options, TestServer, json};

use crate::{
    alarm::{self, Alarm},
    support::{
        drive_to_end,
        ends::{answer, failure},
        get, ms, options, post, quick, reasons, send,
        servers::{connections, count, over, trusting, until},
    },
};

/// Drives to the next step, which must be an interrupt.
#[track_caller]
fn is_interrupted(id: runtime::CallId) {
    let step = runtime::drive(id);
    assert!(matches!(step, Step::Interrupted), "{step:?}");
    alarm::served();
}

#[test]
fn a_handler_can_send() {
    alarm::install();
    let server = TestServer::start();
    server.script("a", json!([{"status": 500}, {"body": "outer"}]));
    let _alarm = Alarm::start(ms(20), ms(20));
    let id = runtime::begin(get(&format!("{}/a", server.http()), &quick(0.3)));
    let mut inner = 0;
    let ended = drive_to_end(id, |step| {
        assert!(matches!(step, Step::Interrupted), "{step:?}");
        alarm::served();
        let nested = runtime::begin(get(&format!("{}/json", server.http()), &options()));
        let ended = drive_to_end(nested, |_| alarm::served());
        assert_eq!(answer(ended).status, 200);
        inner += 1;
    });
    assert!(inner >= 3, "{inner}");
    assert!(ended.elapsed >= ms(300) && ended.elapsed < ms(600), "{ended:?}");
    assert_eq!(answer(ended).body, "outer");
}

#[test]
fn a_handler_that_takes_longer_than_the_wait_ends_it() {
    alarm::install();
    let server = TestServer::start();
    server.script("a", json!([{"status": 500}, {"body": "outer"}]));
    let _alarm = Alarm::once(ms(30));
    let id = runtime::begin(get(&format!("{}/a", server.http()), &quick(0.1)));
    is_interrupted(id);
    std::thread::sleep(ms(150));
    let ended = drive_to_end(id, |step| panic!("{step:?}"));
    assert!(ended.elapsed >= ms(170) && ended.elapsed < ms(400), "{ended:?}");
    assert_eq!(answer(ended).body, "outer");
}

#[test]
fn a_handler_that_ends_the_call_leaves_nothing() {
    alarm::install();
    let server = TestServer::start();
    server.script("stall", json!([{"action": "stall"}]));
    server.script("wait", json!([{"status": 500}]));
    for (name, all) in [("stall", false), ("wait", false), ("stall", true), ("wait", true)] {
        let _alarm = Alarm::once(ms(50));
        let id = runtime::begin(get(&format!("{}/{name}", server.http()), &options()));
        is_interrupted(id);
        if all {
            runtime::cancel_all();
        } else {
            runtime::cancel(id);
        }
        let Step::Done(ended) = runtime::drive(id) else { panic!() };
        assert!(failure(*ended).permanent);
        until("the close", || count(&server, "http", "open") <= 1);
    }
    assert_eq!(answer(send(get(&format!("{}/json", server.http()), &options()))).status, 200);
}

/// Two calls to a server whose handshake takes its time. The second needs a connection while the
/// first still uses the only one, dials, and is given the first one's before its own is there.
#[test]
fn a_request_on_a_connection_that_came_free_while_dialling_counts_as_sent() {
    alarm::install();
    let server = TestServer::with(Options { tls_delay: ms(600), ..Options::default() }).unwrap();
    server.script("first", json!([{"body_repeat": ["x", 3_000_000]}]));
    server.script("second", json!([{"action": "reset"}, {"body": "twice"}]));
    let at = |name: &str| -> Call {
        over(post(&format!("{}/{name}", server.url("tls_slow")), "x", &quick(0.01)), trusting(&server))
    };
    let mut streamed = at("first");
    streamed.sink = Sink::Stream { rewindable: false };
    let first = runtime::begin(streamed);
    assert!(matches!(runtime::drive(first), Step::SinkWrite(_)));

    let second = runtime::begin(at("second"));
    let _alarm = Alarm::once(ms(50));
    is_interrupted(second);
    runtime::answer_sink(first, Ok(()));
    let ended = drive_to_end(first, |_| runtime::answer_sink(first, Ok(())));
    assert_eq!(answer(ended).status, 200);

    let ended = drive_to_end(second, |step| panic!("{step:?}"));
    assert_eq!(connections(&server, "first")[0], connections(&server, "second")[0], "it dialled its own");
    assert_eq!(reasons(&ended.attempts), [Reason::NotRetryable]);
    let failed = failure(ended);
    assert_eq!((failed.kind, failed.unsent), (FailureKind::Reset, false));
    assert_eq!(server.log("second").len(), 1);
}
