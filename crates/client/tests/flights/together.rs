//! Several calls in flight: all of them at once, each told of when it is over.

use client::{Step, VirtualClock, runtime};
use policy::Timestamp;
use runtime::{Next, Whose};
use test_server::{TestServer, json};

use crate::{
    alarm::{self, Alarm},
    driving::{begin, ends, follow_until, next_end, soon, turn_until, watched},
    support::{
        ends::answer,
        get, ms, options, quick, response, seconds, send,
        servers::{connections, distinct},
    },
};

/// Answers when its gate, of the same name, is opened.
pub fn held(server: &TestServer, name: &str) -> client::Call {
    server.script(name, json!([{"hold": name, "body": name}]));
    get(&format!("{}/{name}", server.http()), &options())
}

#[test]
fn all_are_in_flight_at_once() {
    let server = TestServer::start();
    server.script("a", json!([{"hold": "a", "body": "x"}]));
    let url = format!("{}/a", server.http());
    let begun: Vec<_> = (0..8).map(|_| begin(get(&url, &options()))).collect();
    turn_until("all requests", &Whose::All, || server.log("a").len() == 8);
    assert_eq!(distinct(connections(&server, "a")), 8);
    server.release("a");
    let ended = ends(8);
    assert!(begun.iter().all(|id| ended.iter().filter(|(ended, _)| ended == id).count() == 1));
    assert!(ended.into_iter().all(|(_, ended)| answer(ended).body == "x"));
    assert!(matches!(runtime::next(&Whose::All, None), Next::Idle));
}

#[test]
fn they_end_in_the_order_of_their_answers() {
    let server = TestServer::start();
    let names = ["a", "b", "c", "d"];
    let begun = names.map(|name| begin(held(&server, name)));
    for place in [2, 0, 3, 1] {
        turn_until("the request", &Whose::All, || server.log(names[place]).len() == 1);
        server.release(names[place]);
        let (id, ended) = next_end();
        assert_eq!((id, answer(ended).body.to_vec()), (begun[place], names[place].into()));
    }
}

#[test]
fn an_instant_that_comes_first_is_told_not_before_it() {
    let server = TestServer::start();
    server.script("stall", json!([{"action": "stall"}]));
    server.script("nap", json!([{"status": 500}]));
    for names in [&["stall"][..], &["nap"], &["stall", "nap", "stall"]] {
        for name in names {
            begin(get(&format!("{}/{name}", server.http()), &quick(30.0)));
        }
        turn_until("the requests", &Whose::All, || !server.log(names[0]).is_empty());
        for length in [ms(0), ms(1), ms(5), ms(80)] {
            let until = runtime::now().after(length);
            assert!(matches!(runtime::next(&Whose::All, Some(until)), Next::Late));
            let now = runtime::now();
            assert!(now >= until && now.since(until) < seconds(2), "{names:?}, {length:?}");
        }
        runtime::cancel_all();
        server.clear_log(names[0]);
    }
}

/// Of several, the least: how late a driver hears that its instant has come.
#[test]
fn an_instant_is_told_at_once() {
    let server = TestServer::start();
    server.script("stall", json!([{"action": "stall"}]));
    begin(get(&format!("{}/stall", server.http()), &options()));
    let late = (0..12).map(|_| {
        let until = runtime::now().after(ms(7));
        assert!(matches!(runtime::next(&Whose::All, Some(until)), Next::Late));
        runtime::now().since(until)
    });
    let late = late.min().unwrap();
    assert!(late < ms(1), "{late:?}");
    runtime::cancel_all();
}

#[test]
fn with_an_instant_that_has_passed_a_request_is_written_out_all_the_same() {
    let server = TestServer::start();
    server.script("a", json!([{"body": "x"}]));
    let url = format!("{}/a", server.http());
    for past in [Timestamp::from_nanos(0), runtime::now()] {
        answer(send(get(&url, &options())));
        server.clear_log("a");
        let id = begin(get(&url, &options()));
        let next = runtime::next(&Whose::All, Some(past));
        // A machine that was busy elsewhere may have the answer already.
        assert!(matches!(next, Next::Late | Next::Step(..)), "{next:?}");
        assert_eq!(server.wait_log("a", 1, seconds(5)).len(), 1);
        if matches!(next, Next::Late) {
            assert_eq!(answer(next_end().1).body, "x");
        }
        runtime::cancel(id);
    }
}

#[test]
fn nothing_but_glances_bring_a_call_to_its_end() {
    let server = TestServer::start();
    server.script("a", json!([{"status": 500}, {"body": "x"}]));
    let id = begin(get(&format!("{}/a", server.http()), &quick(0.02)));
    let begun = runtime::now();
    let ended = loop {
        match runtime::next(&Whose::All, Some(begun)) {
            Next::Late => assert!(runtime::now().since(begun) < seconds(10)),
            Next::Step(ended, Step::Done(end)) if ended == id => break end,
            other => panic!("{other:?}"),
        }
    };
    assert!(ended.elapsed >= ms(20) && ended.attempts.len() == 2);
    assert_eq!(answer(*ended).body, "x");
}

#[test]
fn a_past_instant_lets_a_wait_that_is_over_end() {
    let server = TestServer::start();
    server.script("a", json!([{"status": 500}, {"body": "x"}]));
    let (call, lane) = watched(get(&format!("{}/a", server.http()), &quick(0.3)));
    begin(call);
    follow_until("the wait", || lane.waiting() == 1);
    // It sleeps, and does not only mean to.
    assert!(matches!(runtime::next(&Whose::All, soon(ms(20))), Next::Late));
    std::thread::sleep(ms(300));
    let next = runtime::next(&Whose::All, Some(Timestamp::from_nanos(0)));
    assert!(matches!(next, Next::Late | Next::Step(..)), "{next:?}");
    assert_eq!(server.wait_log("a", 2, seconds(2)).len(), 2);
    runtime::cancel_all();
}

#[test]
fn who_will_never_hear_of_any_is_idle() {
    let server = TestServer::start();
    assert!(matches!(runtime::next(&Whose::All, None), Next::Idle));
    let mut hooked = get(&format!("{}/json", server.http()), &options());
    hooked.hooks.attempt = true;
    let asks = begin(hooked);
    assert!(matches!(runtime::next(&Whose::All, None), Next::Step(_, Step::Attempt { number: 1 })));
    // It waits for its answer.
    for whose in [Whose::All, Whose::One(asks), Whose::Those(&|id| id == asks)] {
        assert!(matches!(runtime::next(&whose, None), Next::Idle));
        assert!(matches!(runtime::next(&whose, soon(seconds(30))), Next::Idle));
    }
    let goes_on = begin(held(&server, "held"));
    assert!(matches!(runtime::next(&Whose::One(asks), None), Next::Idle));
    assert!(matches!(runtime::next(&Whose::Those(&|_| false), None), Next::Idle));
    assert!(matches!(runtime::next(&Whose::All, soon(ms(10))), Next::Late));
    runtime::cancel(goes_on);
    assert!(matches!(runtime::next(&Whose::One(goes_on), None), Next::Idle));
    runtime::answer_attempt(asks, Vec::new());
    assert_eq!(answer(next_end().1).status, 200);
    assert!(matches!(runtime::next(&Whose::One(asks), None), Next::Idle));
}

#[test]
fn a_signal_is_heard_of_with_several_in_flight() {
    alarm::install();
    let server = TestServer::start();
    server.script("stall", json!([{"action": "stall"}]));
    server.script("nap", json!([{"status": 500}]));
    for names in [["stall", "nap", "stall"], ["nap", "nap", "nap"]] {
        for name in names {
            begin(get(&format!("{}/{name}", server.http()), &quick(30.0)));
        }
        turn_until("the requests", &Whose::All, || !server.log("nap").is_empty());
        let heard = (0..6).map(|_| {
            let _alarm = Alarm::once(ms(20));
            assert!(matches!(runtime::next(&Whose::All, None), Next::Interrupted));
            let age = alarm::age();
            assert!(matches!(runtime::next(&Whose::All, None), Next::Interrupted), "until it is served");
            alarm::served();
            age
        });
        let heard = heard.min().unwrap();
        assert!(heard < ms(10), "{names:?}: {heard:?}");
        runtime::cancel_all();
        server.clear_log("nap");
    }
}

#[test]
fn scripted_calls_and_those_on_the_network_go_on_beside_each_other() {
    let (server, clock) = (TestServer::start(), VirtualClock::starting_now());
    let networked = begin(held(&server, "a"));
    let scripted = runtime::begin_scripted(get("http://scripted.test/", &quick(1000.0)), &clock);
    let other = runtime::begin_scripted(get("http://scripted.test/", &options()), &clock);
    let start = clock.now();
    for id in [scripted, other] {
        let next = runtime::next(&Whose::All, None);
        assert!(matches!(next, Next::Step(asking, Step::Exchange(_)) if asking == id), "{next:?}");
    }
    turn_until("the request", &Whose::All, || server.log("a").len() == 1);
    runtime::answer_exchange(scripted, Ok(response(500, &[], "")));
    // A wait on its own clock is none of the network's.
    let next = runtime::next(&Whose::All, None);
    assert!(matches!(next, Next::Step(asking, Step::Exchange(_)) if asking == scripted), "{next:?}");
    assert!(clock.now().since(start) >= seconds(30));
    server.release("a");
    assert_eq!(next_end().0, networked);
    assert!(matches!(runtime::next(&Whose::All, None), Next::Idle));
    for id in [other, scripted] {
        runtime::answer_exchange(id, Ok(response(200, &[], "x")));
        let (ended_id, ended) = next_end();
        assert_eq!((ended_id, answer(ended).body), (id, "x".into()));
    }
}
