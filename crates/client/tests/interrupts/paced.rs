//! A signal while a call is held back by a limit.

use client::{Call, Step, runtime};
use policy::Options;
use test_server::TestServer;

use crate::{
    alarm::{self, Alarm},
    support::{ends::answer, get, ms, options, seconds},
    waits::{drive, typical},
};

fn limited(server: &TestServer, limit: &str) -> Call {
    let options = Options { limit: Some(limit.into()), ..options() };
    get(&format!("{}/json", server.http()), &options)
}

#[test]
fn a_wait_for_a_slot_is_interrupted_and_goes_on_to_its_time() {
    alarm::install();
    let server = TestServer::start();
    let begun = runtime::now();
    assert_eq!(answer(drive(limited(&server, "5/s")).0).status, 200);
    let mut all = Vec::new();
    for n in 1..6 {
        let _alarm = Alarm::once(ms(30));
        let (ended, heard) = drive(limited(&server, "5/s"));
        assert!(runtime::now().since(begun) >= ms(200) * n, "not before its slot");
        assert!(ended.waited > ms(0) && ended.attempts.len() == 1, "{ended:?}");
        assert_eq!(answer(ended).status, 200);
        all.extend(heard);
    }
    assert!((2..=5).contains(&all.len()), "{all:?}");
    assert!(typical(all.clone()) < ms(10), "{all:?}");
}

#[test]
fn so_is_a_wait_for_a_place() {
    alarm::install();
    let server = TestServer::start();
    let mut first = limited(&server, "1 at once");
    first.hooks.attempt = true;
    let first = runtime::begin(first);
    assert!(matches!(runtime::drive(first), Step::Attempt { .. }));

    let second = runtime::begin(limited(&server, "1 at once"));
    let _alarm = Alarm::start(ms(40), ms(40));
    let mut all = Vec::new();
    for _ in 0..8 {
        assert!(matches!(runtime::drive(second), Step::Interrupted));
        all.push(alarm::age());
        alarm::served();
    }
    assert!(typical(all.clone()) < ms(10), "{all:?}");
    // What a handler does may be what makes room.
    runtime::cancel(first);
    let ended = loop {
        match runtime::drive(second) {
            Step::Done(ended) => break ended,
            _ => alarm::served(),
        }
    };
    assert!(ended.waited >= ms(200) && ended.waited < seconds(5), "{ended:?}");
    assert_eq!(answer(*ended).status, 200);
}

#[test]
fn a_handler_that_ends_a_waiting_call_leaves_its_slot_to_the_next() {
    alarm::install();
    let server = TestServer::start();
    assert_eq!(answer(drive(limited(&server, "2/s")).0).status, 200);
    let begun = runtime::now();
    for _ in 0..3 {
        let _alarm = Alarm::once(ms(20));
        let id = runtime::begin(limited(&server, "2/s"));
        assert!(matches!(runtime::drive(id), Step::Interrupted));
        alarm::served();
        runtime::cancel(id);
    }
    assert_eq!(answer(drive(limited(&server, "2/s")).0).status, 200);
    let took = runtime::now().since(begun);
    assert!(took < ms(1000), "the slot of half a second, and none of those given up: {took:?}");
}
