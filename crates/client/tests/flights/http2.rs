//! Calls at once on one HTTP/2 connection.

use client::{Call, runtime};
use policy::FailureKind;
use runtime::Whose;
use test_server::{TestServer, json};

use crate::{
    driving::{begin, ends, turn_until},
    support::{
        ends::{answer, failure},
        get, options, seconds, send,
        servers::{connections, count, distinct, over, trusting, until},
    },
};

fn at(server: &TestServer, name: &str) -> Call {
    over(get(&format!("{}/{name}", server.h2()), &options()), trusting(server))
}

#[test]
fn they_share_a_warm_connection_and_a_cancelled_one_resets_its_stream_alone() {
    let server = TestServer::start();
    server.script("warm", json!([{}]));
    server.script("a", json!([{"hold": "a", "body": "x"}]));
    server.script("b", json!([{"hold": "b", "body": "y"}]));
    answer(send(at(&server, "warm")));
    for _ in 0..20 {
        begin(at(&server, "a"));
    }
    let cancelled = begin(at(&server, "b"));
    turn_until("the requests", &Whose::All, || server.log("a").len() + server.log("b").len() == 21);
    runtime::cancel(cancelled);
    until("the reset", || server.log("b")[0].left_ns.is_some());
    assert!(server.log("a").iter().all(|entry| entry.left_ns.is_none()));
    server.release("a");
    assert!(ends(20).into_iter().all(|(_, ended)| answer(ended).body == "x"));
    answer(send(at(&server, "warm")));
    let all = ["warm", "a", "b"].map(|name| connections(&server, name)).concat();
    assert_eq!((all.len(), distinct(all), count(&server, "h2", "accepted")), (23, 1, 1));
}

#[test]
fn those_of_a_cold_start_share_the_first_connection() {
    let server = TestServer::start();
    server.script("a", json!([{"hold": "a", "body": "x"}]));
    for _ in 0..50 {
        begin(at(&server, "a"));
    }
    // None of them waits for the answer of the first.
    turn_until("the requests", &Whose::All, || server.log("a").len() == 50);
    server.release("a");
    assert!(ends(50).into_iter().all(|(_, ended)| answer(ended).body == "x"));
    assert_eq!((distinct(connections(&server, "a")), count(&server, "h2", "accepted")), (1, 1));
}

/// Who waits for the first connection and finds that it is not to be shared has one of its own.
#[test]
fn without_http2_a_cold_start_has_as_many_connections_as_calls() {
    let server = TestServer::start();
    server.script("a", json!([{"hold": "a", "body": "x"}]));
    let url = format!("{}/a", server.url("https"));
    for _ in 0..12 {
        begin(over(get(&url, &options()), trusting(&server)));
    }
    turn_until("the requests", &Whose::All, || server.log("a").len() == 12);
    server.release("a");
    assert!(ends(12).into_iter().all(|(_, ended)| answer(ended).body == "x"));
    assert_eq!(distinct(connections(&server, "a")), 12);
}

#[test]
fn a_first_connection_that_fails_holds_up_nobody() {
    let server = TestServer::start();
    let start = runtime::now();
    for _ in 0..12 {
        begin(over(get(&format!("{}/a", server.url("expired")), &options()), trusting(&server)));
    }
    for (_, ended) in ends(12) {
        assert_eq!(failure(ended).kind, FailureKind::Tls);
    }
    // The patience for a slow handshake is 1 s, and is not needed.
    assert!(runtime::now().since(start) < seconds(5));
}
