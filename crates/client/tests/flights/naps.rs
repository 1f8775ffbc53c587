//! Waits end at their due time: never before, hardly after, whatever the other calls do.

use std::{rc::Rc, time::Duration};

use client::{Call, Incoming, Sink, Step, runtime};
use policy::Options;
use runtime::{Next, Whose};
use test_server::{TestServer, json};

use crate::{
    driving::{begin, next_end, soon, turn_until, watched},
    support::{ends::answer, forked::in_child, get, ms, quick, seconds},
    together::held,
};

/// Is always refused, each time with so long a wait, and asks before each attempt.
fn refused(server: &TestServer, name: &str, wait: f64) -> Call {
    server.script(name, json!([{"status": 500}]));
    let many = Options { max_attempts: 1000, ..quick(wait) };
    let mut call = get(&format!("{}/{name}", server.http()), &many);
    call.hooks.attempt = true;
    call
}

/// How late the waits of this call are, the least of several.
fn lateness(call: Call, rounds: u32) -> Duration {
    let (call, lane) = watched(call);
    let id = begin(call);
    let mut least = Duration::MAX;
    assert!(matches!(runtime::next(&Whose::One(id), None), Next::Step(_, Step::Attempt { number: 1 })));
    for number in 2..rounds + 2 {
        runtime::answer_attempt(id, Vec::new());
        let due = loop {
            match runtime::next(&Whose::One(id), soon(Duration::from_micros(100))) {
                Next::Late | Next::Step(_, Step::Moved) => {}
                // It was too quick for us: a machine that stood still.
                Next::Step(_, Step::Attempt { .. }) => break None,
                other => panic!("{other:?}"),
            }
            if let Some(due) = lane.waiting_until() {
                break Some(due);
            }
        };
        let Some(due) = due else { continue };
        let next = runtime::next(&Whose::One(id), None);
        let now = runtime::now();
        assert!(matches!(next, Next::Step(_, Step::Attempt { .. })), "{number}: {next:?}");
        assert!(now >= due, "{number}: early");
        least = least.min(now.since(due));
    }
    runtime::cancel(id);
    least
}

#[test]
fn while_others_are_on_the_network() {
    let server = TestServer::start();
    for name in ["a", "b", "c"] {
        begin(held(&server, name));
    }
    let late = lateness(refused(&server, "nap", 0.0113), 30);
    assert!(late < Duration::from_micros(1500), "{late:?}");
    runtime::cancel_all();
}

#[test]
fn while_others_receive() {
    let server = TestServer::start();
    server.script("flow", json!([{"action": "endless", "drip": {"bytes": 1000, "every_ms": 3}}]));
    for _ in 0..4 {
        begin(get(&format!("{}/flow", server.http()), &quick(1.0)));
    }
    let late = lateness(refused(&server, "nap", 0.0113), 30);
    assert!(late < Duration::from_micros(1500), "{late:?}");
    runtime::cancel_all();
}

#[test]
fn while_all_wait() {
    let server = TestServer::start();
    server.script("long", json!([{"status": 500}]));
    for _ in 0..3 {
        begin(get(&format!("{}/long", server.http()), &quick(30.0)));
    }
    turn_until("the requests", &Whose::All, || server.log("long").len() == 3);
    let late = lateness(refused(&server, "nap", 0.0113), 30);
    assert!(late < Duration::from_micros(1500), "{late:?}");
    runtime::cancel_all();
}

#[test]
fn the_first_due_is_the_first_to_go_on() {
    let server = TestServer::start();
    let waits = [0.25, 0.05, 0.15, 0.1, 0.2];
    let begun = waits.map(|wait| {
        let name = format!("a{}", (wait * 1000.0) as u32);
        server.script(&name, json!([{"status": 500}, {"body": "x"}]));
        (begin(get(&format!("{}/{name}", server.http()), &quick(wait))), wait)
    });
    let start = runtime::now();
    for _ in waits {
        let (id, ended) = next_end();
        let (_, wait) = begun.iter().find(|(begun, _)| *begun == id).unwrap();
        let wait = Duration::from_secs_f64(*wait);
        assert!(ended.elapsed >= wait && runtime::now().since(start) >= wait);
        // One after the other they would take three times as long.
        assert!(ended.elapsed < wait + seconds(2), "{ended:?}");
        assert_eq!((ended.waited, answer(ended).body), (wait, "x".into()));
    }
}

/// Without a descriptor for the alarm the loop looks every millisecond.
#[test]
fn without_an_alarm() {
    let server = TestServer::start();
    server.script("half", json!([{"action": "half", "body": "0123456789", "end": "stall"}]));
    let mut napping = refused(&server, "nap", 0.04);
    napping.hooks.retry = true;
    let mut stalled = get(&format!("{}/half", server.http()), &quick(1.0));
    stalled.sink = Sink::Handed(Rc::new(Incoming::kept()));
    in_child(|| {
        let stalled = begin(stalled);
        assert!(matches!(runtime::next(&Whose::One(stalled), None), Next::Step(_, Step::Moved)));
        let id = begin(napping);
        let mut late = Duration::MAX;
        for round in 0..6 {
            let next = runtime::next(&Whose::One(id), None);
            assert!(matches!(next, Next::Step(_, Step::Attempt { .. })), "{next:?}");
            runtime::answer_attempt(id, Vec::new());
            let next = runtime::next(&Whose::One(id), None);
            assert!(matches!(next, Next::Step(_, Step::Retry { .. })), "{next:?}");
            if round == 0 {
                no_more_descriptors();
            }
            let begun = runtime::now();
            runtime::answer_retry(id, true);
            let next = runtime::next(&Whose::One(id), soon(ms(1)));
            assert!(matches!(next, Next::Late | Next::Step(_, Step::Attempt { .. })), "{next:?}");
            if matches!(next, Next::Late) {
                let next = runtime::next(&Whose::One(id), None);
                assert!(matches!(next, Next::Step(_, Step::Attempt { .. })), "{next:?}");
            }
            late = late.min(runtime::now().since(begun).saturating_sub(ms(40)));
            runtime::answer_attempt(id, Vec::new());
            let next = runtime::next(&Whose::One(id), None);
            assert!(matches!(next, Next::Step(_, Step::Retry { .. })), "{next:?}");
            runtime::answer_retry(id, true);
        }
        assert!(late < ms(20), "{late:?}");
    });
}

/// Those that are open stay so.
fn no_more_descriptors() {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the struct is valid; only this child is limited.
    unsafe {
        assert_eq!(libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit), 0);
        limit.rlim_cur = 3;
        assert_eq!(libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit), 0);
    }
}
