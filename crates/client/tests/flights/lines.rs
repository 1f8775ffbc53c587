//! The line of a process at a key: one looks, the others stand behind it.

use std::time::Duration;

use client::{Call, Step, runtime};
use policy::Options;
use runtime::{CallId, Next, Whose};
use test_server::{TestServer, json};

use crate::{
    driving::{begin, ends, next_end, next_end_of, turn_until},
    support::{
        ends::{answer, gave_up, over_budget},
        get, ms, options, seconds, send,
        servers::between,
        sleeps::sleeps,
    },
};

fn under(server: &TestServer, limit: &str) -> Call {
    get(&format!("{}/a", server.http()), &Options { limit: Some(limit.into()), ..options() })
}

fn anything(server: &TestServer) {
    server.script("a", json!([{"body": "x"}]));
}

#[test]
fn twenty_under_a_rate() {
    let server = TestServer::start();
    anything(&server);
    let start = runtime::now();
    let begun: Vec<CallId> = (0..20).map(|_| begin(under(&server, "20/s"))).collect();
    let slept = sleeps();
    for (n, id) in (0..).zip(&begun) {
        let (ended_id, ended) = next_end();
        assert_eq!(ended_id, *id, "first come, first served");
        assert!(runtime::now().since(start) >= ms(50) * n, "{n}");
        assert_eq!(ended.attempts.len(), 1);
        assert!(n == 0 || ended.waited > Duration::ZERO);
        answer(ended);
    }
    let (slept, took) = (sleeps() - slept, runtime::now().since(start));
    assert!(slept < 250, "{slept} sleeps");
    assert!(took < seconds(3), "{took:?}");
}

#[test]
fn twenty_at_a_shut_gate() {
    let server = TestServer::start();
    server.script("a", json!([{"status": 429, "headers": [["retry-after-ms", "700"]]}, {"body": "x"}]));
    let url = format!("{}/a", server.http());
    gave_up(send(get(&url, &Options { max_attempts: 1, ..options() })));
    let begun: Vec<CallId> = (0..20).map(|_| begin(get(&url, &options()))).collect();
    let slept = sleeps();
    let ended = ends(20);
    let slept = sleeps() - slept;
    assert!(slept < 300, "{slept} sleeps");
    let mut sent = Vec::new();
    for id in &begun {
        let (_, ended) = ended.iter().find(|(ended, _)| ended == id).unwrap();
        assert_eq!(ended.attempts.len(), 1, "{ended:?}");
        assert!(ended.waited > ms(300), "{ended:?}");
        sent.push(ended.attempts[0].started_at);
    }
    assert!(sent.is_sorted(), "first come, first served: {sent:?}");
    let log = server.log("a");
    assert_eq!(log.len(), 21);
    assert!(log[1..].iter().all(|entry| between(&log[0], entry) >= ms(700)));
}

#[test]
fn a_cancelled_head_lets_the_next_go() {
    let server = TestServer::start();
    anything(&server);
    let start = runtime::now();
    let begun = [(); 4].map(|()| begin(under(&server, "2/s")));
    assert_eq!(next_end().0, begun[0]);
    turn_until("a while", &Whose::All, || runtime::now().since(start) >= ms(100));
    runtime::cancel(begun[1]);
    let (id, ended) = next_end();
    assert_eq!(id, begun[2]);
    assert!(ended.elapsed >= ms(500) && ended.elapsed < ms(990), "in the place of the cancelled: {ended:?}");
    let (id, ended) = next_end();
    assert_eq!(id, begun[3]);
    assert!(ended.elapsed >= ms(1000) && runtime::now().since(start) < seconds(5), "{ended:?}");
    assert_eq!(server.log("a").len(), 3);
}

#[test]
fn a_cancelled_call_in_the_middle_leaves_no_gap() {
    let server = TestServer::start();
    anything(&server);
    let begun = [(); 5].map(|()| begin(under(&server, "5/s")));
    assert_eq!(next_end().0, begun[0]);
    runtime::cancel(begun[2]);
    runtime::cancel(begun[3]);
    assert_eq!(next_end().0, begun[1]);
    let (id, ended) = next_end();
    assert_eq!(id, begun[4]);
    assert!(ended.elapsed >= ms(400) && ended.elapsed < ms(590), "{ended:?}");
}

#[test]
fn a_deadline_in_the_line_is_kept() {
    let server = TestServer::start();
    anything(&server);
    let begun = [(); 2].map(|()| begin(under(&server, "1/min")));
    assert_eq!(next_end().0, begun[0]);
    let mut late = under(&server, "1/min");
    late.deadline = Some(runtime::now().after(ms(200)));
    let last = begin(late);
    let (id, ended) = next_end();
    assert_eq!((id, ended.attempts.len()), (last, 0));
    assert!(ended.elapsed < seconds(5), "{ended:?}");
    let over = over_budget(ended);
    assert!(over.needed > seconds(30) && over.left <= ms(200) && over.cut.is_none(), "{over:?}");
    assert_eq!(over.retry_after, Some(over.needed));
    runtime::cancel_all();
}

#[test]
fn who_is_under_another_limit_stands_in_another_line() {
    let server = TestServer::start();
    anything(&server);
    let begun = [(); 2].map(|()| begin(under(&server, "1/min")));
    assert_eq!(next_end().0, begun[0]);
    turn_until("the wait", &Whose::All, {
        let start = runtime::now();
        move || runtime::now().since(start) >= ms(20)
    });
    for free in [get(&format!("{}/a", server.http()), &options()), under(&server, "100/s")] {
        let mut free = free;
        free.deadline = Some(runtime::now().after(seconds(5)));
        let id = begin(free);
        let (ended_id, ended) = next_end();
        assert_eq!((ended_id, answer(ended).body), (id, "x".into()));
    }
    runtime::cancel_all();
}

/// Drives to the hook before an attempt.
#[track_caller]
fn is_asked(whose: &Whose<'_>) -> CallId {
    match runtime::next(whose, None) {
        Next::Step(id, Step::Attempt { .. }) => id,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_sent_from_inside_a_hook_does_not_stand_in_line() {
    let server = TestServer::start();
    anything(&server);
    let mut asking = under(&server, "2/s");
    asking.hooks.attempt = true;
    let start = runtime::now();
    let begun = [(); 4].map(|()| begin(asking.clone()));
    assert_eq!(is_asked(&Whose::All), begun[0]);
    let before = runtime::now();
    let nested = begin(under(&server, "2/s"));
    let (id, ended) = next_end_of(&Whose::One(nested));
    assert!(id == nested && ended.elapsed >= ms(100) && answer(ended).body == "x");
    // One of the line may have gone first, not all of them.
    assert!(runtime::now().since(before) < ms(1490), "{:?}", runtime::now().since(before));
    runtime::answer_attempt(begun[0], Vec::new());
    assert_eq!(next_end_of(&Whose::One(begun[0])).0, begun[0]);
    let rest: Vec<_> = ends(3).into_iter().map(|(id, _)| id).collect();
    assert_eq!(rest, begun[1..]);
    // Five slots.
    assert!(runtime::now().since(start) >= seconds(2));
}
