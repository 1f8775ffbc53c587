//! Forked workers must not draw the same numbers.

use std::collections::HashSet;

use test_server::{TestServer, json};

use crate::support::{
    ends::answer,
    forked::{start_child, wait_for},
    options, post, send,
    servers::header,
};

#[test]
fn siblings_draw_different_keys_and_boundaries() {
    let server = TestServer::start();
    server.script("a", json!([{}]));
    let fetch = || answer(send(post(&format!("{}/a", server.http()), client::boundary(), &options())));
    // Seeded before the fork, so that a copied state would show.
    fetch();
    let children: Vec<_> = (0..8).map(|_| start_child(|| drop(fetch()))).collect();
    fetch();
    children.into_iter().for_each(wait_for);
    let log = server.log("a");
    // The key's first part is the time; the rest is random.
    let keys: HashSet<&str> =
        log.iter().map(|entry| &header(entry, "Idempotency-Key").unwrap()[14..]).collect();
    let boundaries: HashSet<&str> = log.iter().map(|entry| entry.body_base64.as_str()).collect();
    assert_eq!((keys.len(), boundaries.len()), (10, 10));
}
