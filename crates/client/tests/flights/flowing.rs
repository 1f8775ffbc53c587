//! An answer that flows: it begins with its first byte, and from then on nothing is sent for again.

use std::{rc::Rc, time::Duration};

use client::{Call, Incoming, Sink, Step, VirtualClock, runtime};
use policy::{FailureKind, Options, Reason, Timestamp};
use runtime::{Next, Whose};
use test_server::{TestServer, json};

use crate::{
    driving::{begin, follow_until, next_end, soon, turn_until, watched},
    support::{
        ends::{answer, failure, over_budget},
        get, ms, options, quick, reasons, response, seconds,
        servers::until,
    },
    wire::Wire,
};

fn flowing(url: &str, options: &Options, deadline: Option<Timestamp>) -> (Call, Rc<Incoming>) {
    let incoming = Rc::new(Incoming::flowing(deadline));
    let mut call = get(url, options);
    call.sink = Sink::Handed(Rc::clone(&incoming));
    (call, incoming)
}

/// Turns for so long.
fn turn_for(length: Duration) {
    let until = runtime::now().after(length);
    turn_until("a while", &Whose::All, || runtime::now() >= until);
}

#[test]
fn it_begins_with_its_first_byte() {
    let wire = Wire::new();
    let (call, incoming) = flowing(&wire.url(), &quick(0.01), None);
    let (call, lane) = watched(call);
    begin(call);
    let mut server = wire.accept();
    server.head(200, 10);
    turn_for(ms(30));
    assert!(incoming.begun().is_none());
    server.write("0");
    follow_until("the first byte", || incoming.begun().is_some());
    {
        let begun = incoming.begun().unwrap();
        assert_eq!((begun.response.status, reasons(&begun.attempts)), (200, vec![Reason::Answered]));
        assert!(begun.elapsed >= ms(30) && begun.attempts[0].duration >= ms(30));
    }
    assert_eq!((incoming.received(), incoming.take().unwrap()), (1, "0".into()));
    // It is in flight to its end.
    assert!(!lane.is_idle());
    server.write("123456789");
    let ended = next_end().1;
    assert_eq!((reasons(&ended.attempts), answer(ended).status), (vec![Reason::Answered], 200));
    assert_eq!((incoming.received(), incoming.take_all()), (10, "123456789".into()));
    assert!(lane.is_idle());
}

#[test]
fn or_with_its_end() {
    let wire = Wire::new();
    let (call, incoming) = flowing(&wire.url(), &quick(0.01), None);
    begin(call);
    wire.accept().head(204, 0);
    let ended = next_end().1;
    assert_eq!((ended.attempts.len(), answer(ended).status), (1, 204));
    let begun = incoming.begun().unwrap();
    assert_eq!((begun.response.status, begun.attempts.len(), incoming.received()), (204, 1, 0));
}

#[test]
fn what_breaks_before_is_sent_for_again() {
    let wire = Wire::new();
    let (call, incoming) = flowing(&wire.url(), &quick(0.01), None);
    begin(call);
    let mut server = wire.accept();
    server.head(200, 10);
    turn_for(ms(5));
    drop(server);
    let mut server = wire.accept();
    assert!(incoming.begun().is_none());
    server.head(201, 1);
    server.write("x");
    let ended = next_end().1;
    assert_eq!(reasons(&ended.attempts), [Reason::Network, Reason::Answered]);
    assert_eq!(incoming.begun().unwrap().response.status, 201);
    assert_eq!(incoming.take_all(), "x");
}

#[test]
fn what_breaks_later_is_not() {
    for takes in [false, true] {
        let wire = Wire::new();
        let (call, incoming) = flowing(&wire.url(), &quick(0.01), None);
        begin(call);
        let mut server = wire.accept();
        server.head(200, 10);
        server.write("012");
        follow_until("the first bytes", || incoming.received() == 3);
        if takes {
            assert_eq!(incoming.take().unwrap(), "012");
        }
        server.reset();
        let ended = next_end().1;
        assert_eq!(reasons(&ended.attempts), [Reason::Answered], "recorded once");
        assert_eq!(ended.attempts[0].status, Some(200));
        assert_eq!(failure(ended).kind, FailureKind::Reset);
        // What came stays.
        assert_eq!((incoming.received(), incoming.take().is_some()), (3, !takes));
        assert!(incoming.begun().is_some());
    }
}

#[test]
fn outcome_is_asked_once() {
    let wire = Wire::new();
    let (mut call, incoming) = flowing(&wire.url(), &quick(0.01), None);
    call.hooks.outcome = true;
    let id = begin(call);
    let mut server = wire.accept();
    server.head(200, 3);
    server.write("0");
    let next = runtime::next(&Whose::All, None);
    let Next::Step(asking, Step::Outcome { attempts, response, .. }) = next else { panic!("{next:?}") };
    assert_eq!((asking, attempts.len(), response.unwrap().status), (id, 1, 200));
    runtime::answer_outcome(id);
    follow_until("the first byte", || incoming.received() == 1);
    drop(server);
    let ended = next_end().1;
    assert_eq!(ended.attempts.len(), 1);
    failure(ended);
}

/// So much lies here at most: a stretch may go over it.
const AHEAD: u64 = (1 << 20) + (512 << 10);

/// What the kernel holds besides, at most, of both sides' sockets.
const SOCKETS: u64 = 24 << 20;

fn endless(server: &TestServer) -> (Call, Rc<Incoming>) {
    server.script("a", json!([{"action": "endless", "body_repeat": ["0123456789abcdef", 4096]}]));
    flowing(&format!("{}/a", server.http()), &options(), None)
}

#[test]
fn who_does_not_take_stops_the_server() {
    let server = TestServer::start();
    let (call, incoming) = endless(&server);
    let id = begin(call);
    follow_until("so much", || incoming.received() >= 1 << 20);
    turn_for(ms(100));
    let (received, sent) = (incoming.received(), server.log("a")[0].sent);
    assert!(received < AHEAD && sent < received + SOCKETS, "{received} received, {sent} sent");
    // With either way of taking it flows on.
    for takes_all in [false, true] {
        let before = incoming.received();
        if takes_all {
            assert!(incoming.take_all().len() >= 1 << 20);
        } else {
            while incoming.take().is_some() {}
        }
        follow_until("more", || incoming.received() >= before + (1 << 20));
        turn_for(ms(20));
        assert!(incoming.received() < before + AHEAD);
    }
    runtime::cancel(id);
    until("the close", || server.log("a")[0].left_ns.is_some());
}

#[test]
fn others_go_on_beside_one_that_is_stopped() {
    let server = TestServer::start();
    let (call, incoming) = endless(&server);
    begin(call);
    follow_until("so much", || incoming.received() >= 1 << 20);
    let id = begin(get(&format!("{}/json", server.http()), &options()));
    assert_eq!(next_end().0, id);
    runtime::cancel_all();
}

#[test]
fn its_deadline_is_that_of_its_end() {
    let server = TestServer::start();
    server.script("a", json!([{"action": "endless", "drip": {"bytes": 1, "every_ms": 20}}]));
    let deadline = runtime::now().after(ms(300));
    let (call, incoming) = flowing(&format!("{}/a", server.http()), &options(), Some(deadline));
    begin(call);
    let ended = next_end().1;
    let now = runtime::now();
    assert!(now >= deadline && now < deadline.after(seconds(3)), "{ended:?}");
    assert_eq!(reasons(&ended.attempts), [Reason::Answered]);
    let over = over_budget(ended);
    assert_eq!(over.cut.unwrap().kind, FailureKind::Timeout);
    assert!(over.response.is_none() && over.needed.is_zero() && over.left.is_zero());
    assert!(incoming.received() > 0 && incoming.begun().is_some());
}

#[test]
fn the_calls_deadline_and_timeout_are_those_of_the_first_byte() {
    let server = TestServer::start();
    server.script("a", json!([{"body": "0123456789", "drip": {"bytes": 1, "every_ms": 130}}]));
    let brief = Options { timeout: 0.9, max_attempts: 1, ..options() };
    let (mut call, incoming) = flowing(&format!("{}/a", server.http()), &brief, None);
    call.deadline = Some(runtime::now().after(ms(1000)));
    begin(call);
    let ended = next_end().1;
    assert!(ended.elapsed >= ms(1100), "{ended:?}");
    assert_eq!((answer(ended).status, incoming.take_all()), (200, "0123456789".into()));

    server.script("a", json!([{"action": "half", "body": "0123456789", "send_bytes": 0, "end": "stall"}]));
    let brief = Options { timeout: 0.2, max_attempts: 1, ..options() };
    let (call, incoming) = flowing(&format!("{}/a", server.http()), &brief, None);
    begin(call);
    let ended = next_end().1;
    assert!(ended.elapsed >= ms(200) && ended.attempts.len() == 1, "{ended:?}");
    assert_eq!(failure(ended).kind, FailureKind::Timeout);
    assert!(incoming.begun().is_none());
}

#[test]
fn silence_counts_from_the_first_byte_on() {
    let server = TestServer::start();
    let step = json!({"delay_ms": 300, "body_delay_ms": 300, "action": "half", "body": "0123456789", "end": "stall"});
    server.script("a", json!([step]));
    let idle = Options { idle_timeout: Some(0.2), ..options() };
    let (call, incoming) = flowing(&format!("{}/a", server.http()), &idle, None);
    begin(call);
    follow_until("the first bytes", || incoming.received() == 5);
    let ended = next_end().1;
    assert!(ended.elapsed >= ms(800) && ended.elapsed < seconds(5), "{ended:?}");
    assert_eq!(reasons(&ended.attempts), [Reason::Answered]);
    assert_eq!(failure(ended).kind, FailureKind::Timeout);
}

#[test]
fn a_slow_reader_is_no_silence() {
    let server = TestServer::start();
    let idle = Options { idle_timeout: Some(0.3), ..options() };
    server.script("a", json!([{"body_repeat": ["0123456789abcdef", 1 << 18]}]));
    let (call, incoming) = flowing(&format!("{}/a", server.http()), &idle, None);
    begin(call);
    follow_until("so much", || incoming.received() >= 1 << 20);
    turn_for(ms(500));
    let mut length = 0;
    let ended = loop {
        while let Some(stretch) = incoming.take() {
            length += stretch.len();
        }
        match runtime::next(&Whose::All, soon(seconds(10))) {
            Next::Step(_, Step::Moved) => {}
            Next::Step(_, Step::Done(ended)) => break ended,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(answer(*ended).status, 200);
    assert_eq!(length + incoming.take_all().len(), 16 << 18);
}

#[test]
fn a_scripted_answer_is_there_at_once() {
    let clock = VirtualClock::starting_now();
    let incoming = Rc::new(Incoming::flowing_at_once());
    let mut call = get("http://scripted.test/", &quick(1.0));
    call.sink = Sink::Handed(Rc::clone(&incoming));
    let id = runtime::begin_scripted(call, &clock);
    for (status, body) in [(503, "busy"), (200, "x")] {
        let next = runtime::next(&Whose::All, None);
        assert!(matches!(next, Next::Step(_, Step::Exchange(_))), "{next:?}");
        let body = if status == 200 { body.repeat(3 << 20) } else { body.to_owned() };
        runtime::answer_exchange(id, Ok(response(status, &[], &body)));
    }
    let ended = next_end().1;
    assert_eq!(reasons(&ended.attempts), [Reason::Backoff, Reason::Answered]);
    assert_eq!(
        (answer(ended).status, incoming.received(), incoming.take_all().len()),
        (200, 3 << 20, 3 << 20)
    );
    assert_eq!(incoming.begun().unwrap().response.status, 200);
}
