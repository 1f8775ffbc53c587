//! Calls that are dropped while others are in flight.

use client::{End, Step, runtime};
use policy::FailureKind;
use runtime::{Next, Whose};
use test_server::{TestServer, json};

use crate::{
    driving::{begin, ends, follow_until, turn_until, watched},
    support::{
        ends::{answer, failure},
        forked::in_child,
        get, ms, options, quick, send,
        servers::{connections, count, until},
    },
    together::held,
};

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

fn has_left(server: &TestServer, name: &str) -> bool {
    server.log(name).iter().any(|entry| entry.left_ns.is_some())
}

#[test]
fn one_of_many_closes_its_connection_and_leaves_the_others() {
    let server = TestServer::start();
    let begun = NAMES.map(|name| begin(held(&server, name)));
    turn_until("the requests", &Whose::All, || NAMES.iter().all(|name| server.log(name).len() == 1));
    runtime::cancel(begun[1]);
    // Without another turn.
    until("the close", || has_left(&server, "b"));
    assert!(["a", "c", "d"].iter().all(|name| !has_left(&server, name)));
    until("three", || count(&server, "http", "open") == 3);
    NAMES.iter().for_each(|name| server.release(name));
    let ended = ends(3);
    assert!(ended.iter().all(|(id, _)| *id != begun[1]));
    assert!(ended.into_iter().all(|(_, ended)| ended.attempts.len() == 1 && answer(ended).status == 200));
    assert!(NAMES.iter().all(|name| server.log(name).len() == 1));
}

#[test]
fn all_close_their_connections() {
    let server = TestServer::start();
    server.script("nap", json!([{"status": 500}]));
    let (call, lane) = watched(get(&format!("{}/nap", server.http()), &quick(30.0)));
    begin(call);
    for name in NAMES {
        begin(held(&server, name));
    }
    follow_until("the requests", || {
        lane.waiting() == 1 && NAMES.iter().all(|name| server.log(name).len() == 1)
    });
    runtime::cancel_all();
    until("the close", || NAMES.iter().all(|name| has_left(&server, name)));
    // The one whose call waited is kept.
    until("all but one", || count(&server, "http", "open") <= 1);
    assert_eq!((lane.waiting(), lane.is_idle()), (0, true));
    assert!(matches!(runtime::next(&Whose::All, None), Next::Idle));
    assert_eq!(answer(send(get(&format!("{}/json", server.http()), &options()))).status, 200);
}

#[test]
fn a_child_neither_disturbs_nor_uses_its_parents() {
    let server = TestServer::start();
    server.script("nap", json!([{"status": 500}, {"body": "nap"}]));
    let (call, lane) = watched(get(&format!("{}/nap", server.http()), &quick(0.4)));
    let napping = begin(call);
    let begun = NAMES.map(|name| begin(held(&server, name)));
    follow_until("the requests", || {
        lane.waiting() == 1 && NAMES.iter().all(|name| server.log(name).len() == 1)
    });
    in_child(|| {
        assert!(matches!(runtime::next(&Whose::All, None), Next::Idle));
        assert!(matches!(runtime::next(&Whose::One(napping), None), Next::Idle));
        let Step::Done(ended) = runtime::drive(begun[0]) else { panic!() };
        assert!(failure(*ended).permanent);
        runtime::cancel(begun[1]);
        let own = (0..3).map(|_| begin(get(&format!("{}/json", server.http()), &options())));
        assert_eq!(own.collect::<Vec<_>>().len(), 3);
        assert!(ends(3).into_iter().all(|(_, ended)| answer(ended).status == 200));
        runtime::cancel_all();
        runtime::shut_down();
    });
    assert!(NAMES.iter().all(|name| !has_left(&server, name)));
    NAMES.iter().for_each(|name| server.release(name));
    let ended = ends(5);
    assert!(ended.iter().all(|(_, ended)| matches!(ended.end, End::Answer(_))), "{ended:?}");
    let (_, nap) = ended.iter().find(|(id, _)| *id == napping).unwrap();
    assert!(nap.elapsed >= ms(400) && nap.attempts.len() == 2);
    assert!(NAMES.iter().all(|name| connections(&server, name).len() == 1));
}

#[test]
fn what_ends_without_an_answer_leaves_the_others() {
    let server = TestServer::start();
    server.script("b", json!([{"hold": "b", "action": "reset"}]));
    let once = policy::Options { max_attempts: 1, ..options() };
    let broken = begin(get(&format!("{}/b", server.http()), &once));
    let other = begin(held(&server, "a"));
    turn_until("the requests", &Whose::All, || server.log("a").len() + server.log("b").len() == 2);
    server.release("b");
    let (id, ended) = ends(1).remove(0);
    assert_eq!((id, failure(ended).kind), (broken, FailureKind::Reset));
    server.release("a");
    let (id, ended) = ends(1).remove(0);
    assert_eq!((id, answer(ended).body), (other, "a".into()));
    assert!(!has_left(&server, "a"));
}
