//! An answer that is seen while it arrives, and kept: it can be sent for again until something of it is taken.

use std::rc::Rc;

use client::{Call, End, Ended, Incoming, Sink, runtime};
use policy::{FailureKind, Options, Reason};
use runtime::Whose;
use test_server::{TestServer, json};

use crate::{
    driving::{begin, follow_until, next_end, turn_until, watched},
    support::{
        ends::{answer, failure, gave_up},
        get, quick, reasons,
    },
    wire::Wire,
};

fn kept(url: &str, options: &Options) -> (Call, Rc<Incoming>) {
    let incoming = Rc::new(Incoming::kept());
    let mut call = get(url, options);
    call.sink = Sink::Handed(Rc::clone(&incoming));
    (call, incoming)
}

fn status(incoming: &Incoming) -> Option<u16> {
    incoming.begun().map(|begun| begun.response.status)
}

#[test]
fn head_and_body_are_seen_as_they_come() {
    let wire = Wire::new();
    let (call, incoming) = kept(&wire.url(), &quick(0.01));
    begin(call);
    let mut server = wire.accept();
    assert_eq!((status(&incoming), incoming.received(), incoming.take()), (None, 0, None));
    server.head(200, 10);
    follow_until("the head", || status(&incoming) == Some(200));
    {
        let begun = incoming.begun().unwrap();
        assert_eq!(
            (begun.attempts.len(), begun.response.headers["content-length"].as_bytes()),
            (0, &b"10"[..])
        );
        assert!(begun.response.body.is_empty());
    }
    server.write("0123");
    follow_until("the first bytes", || incoming.received() == 4);
    // No news without a change.
    turn_until("a turn", &Whose::All, {
        let mut turns = 0;
        move || {
            turns += 1;
            turns > 5
        }
    });
    assert_eq!(incoming.take().unwrap(), "0123");
    assert_eq!((incoming.take(), incoming.received()), (None, 4));
    server.write("456789");
    let ended = next_end().1;
    assert_eq!((reasons(&ended.attempts), answer(ended).body.len()), (vec![Reason::Answered], 0));
    assert_eq!((incoming.received(), incoming.take_all()), (10, "456789".into()));
    assert!(incoming.take_all().is_empty());
}

#[test]
fn an_answer_that_is_not_final_is_not_seen() {
    let server = TestServer::start();
    server.script("a", json!([{"status": 503, "body": "busy"}, {"status": 201, "body": "done"}]));
    let (call, incoming) = kept(&format!("{}/a", server.http()), &quick(0.1));
    let (call, lane) = watched(call);
    begin(call);
    follow_until("the wait", || lane.waiting() == 1);
    assert_eq!((status(&incoming), incoming.received()), (None, 0));
    assert_eq!(next_end().1.attempts.len(), 2);
    assert_eq!((status(&incoming), incoming.take_all()), (Some(201), "done".into()));

    let once = Options { max_attempts: 1, ..quick(0.1) };
    server.script("a", json!([{"status": 503, "body": "busy"}]));
    let (call, incoming) = kept(&format!("{}/a", server.http()), &once);
    begin(call);
    assert_eq!(gave_up(next_end().1).body, "busy");
    assert_eq!((status(&incoming), incoming.received()), (None, 0));
}

#[test]
fn a_body_that_breaks_before_a_take_is_sent_for_again() {
    let wire = Wire::new();
    let (call, incoming) = kept(&wire.url(), &quick(0.05));
    let (call, lane) = watched(call);
    begin(call);
    let mut server = wire.accept();
    server.head(200, 10);
    server.write("01234");
    follow_until("the first half", || incoming.received() == 5);
    assert!(incoming.begun().is_some());
    drop(server);
    follow_until("the break", || lane.waiting() == 1);
    assert_eq!((status(&incoming), incoming.received(), incoming.take()), (None, 0, None));
    let mut server = wire.accept();
    assert_eq!(status(&incoming), None);
    server.head(203, 3);
    server.write("abc");
    let ended = next_end().1;
    assert_eq!(reasons(&ended.attempts), [Reason::Network, Reason::Answered]);
    assert_eq!((answer(ended).status, status(&incoming), incoming.received()), (203, Some(203), 3));
    assert_eq!(incoming.take_all(), "abc");
}

/// How it ends when its body breaks after this.
fn broken_after(take: impl FnOnce(&Incoming)) -> (Ended, Rc<Incoming>) {
    let wire = Wire::new();
    let (call, incoming) = kept(&wire.url(), &quick(0.01));
    begin(call);
    let mut server = wire.accept();
    server.head(200, 10);
    server.write("01234");
    follow_until("the first half", || incoming.received() == 5);
    take(&incoming);
    server.reset();
    (next_end().1, incoming)
}

#[test]
fn a_body_that_breaks_after_a_take_is_not() {
    let one = |incoming: &Incoming| assert_eq!(incoming.take().unwrap(), "01234");
    let all = |incoming: &Incoming| assert_eq!(incoming.take_all(), "01234");
    for (ended, incoming) in [broken_after(one), broken_after(all)] {
        assert_eq!((ended.attempts.len(), ended.attempts[0].status), (1, None), "{ended:?}");
        let failed = failure(ended);
        assert_eq!((failed.kind, failed.unsent, failed.permanent), (FailureKind::Reset, false, true));
        assert_eq!((status(&incoming), incoming.received()), (Some(200), 5));
    }
}

#[test]
fn an_empty_take_takes_nothing() {
    let wire = Wire::new();
    let (call, incoming) = kept(&wire.url(), &quick(0.01));
    begin(call);
    let mut server = wire.accept();
    server.head(200, 10);
    follow_until("the head", || incoming.begun().is_some());
    assert_eq!((incoming.take(), incoming.take_all().len()), (None, 0));
    drop(server);
    let mut server = wire.accept();
    server.head(200, 0);
    let ended = next_end().1;
    assert_eq!(reasons(&ended.attempts), [Reason::Network, Reason::Answered]);
}

#[test]
fn max_body_is_for_what_is_kept() {
    let wire = Wire::new();
    let (mut call, incoming) = kept(&wire.url(), &quick(0.01));
    call.max_body = 10;
    begin(call);
    let mut server = wire.accept();
    server.head(200, 30);
    for total in [10, 20] {
        server.write("0123456789");
        follow_until("a stretch", || incoming.received() == total);
        assert_eq!(incoming.take_all(), "0123456789");
    }
    server.write("0123456789");
    assert!(matches!(next_end().1.end, End::Answer(_)));
    assert_eq!((incoming.received(), incoming.take_all()), (30, "0123456789".into()));

    let wire = Wire::new();
    let (mut call, incoming) = kept(&wire.url(), &quick(0.01));
    call.max_body = 10;
    begin(call);
    let mut server = wire.accept();
    server.head(200, 30);
    server.write("0123456789");
    follow_until("a stretch", || incoming.received() == 10);
    server.write("x");
    let ended = next_end().1;
    assert_eq!(ended.attempts.len(), 1, "{ended:?}");
    assert_eq!(failure(ended).kind, FailureKind::TooLarge);
    assert!(incoming.begun().is_none() && server.is_left());
}
