//! Calls at once on one HTTP/2 connection.

use client::{Call, runtime};
use runtime::Whose;
use test_server::{TestServer, json};

use crate::{
    driving::{begin, ends, turn_until},
    support::{
        ends::answer,
        get, options, send,
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
