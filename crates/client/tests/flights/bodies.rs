//! Long bodies on many connections, the driver coming and going: no wake-up is lost, no byte either.

use std::{collections::BTreeMap, io::Write};

use client::{Body, Call, Ended, Step, runtime};
use policy::Timestamp;
use runtime::{CallId, Next, Whose};
use test_server::{TestServer, json};

use crate::{
    driving::{begin, soon},
    support::{
        ends::answer,
        get, go_on, ms, options, post, seconds, send,
        servers::{over, trusting},
    },
};

/// Bytes that a compressor finds nothing in.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    };
    std::iter::repeat_with(&mut next).flatten().take(length).collect()
}

/// The ends of so many calls, however often the driver looks up.
fn ends_with(count: usize, mut until: impl FnMut() -> Option<Timestamp>) -> BTreeMap<CallId, Ended> {
    let (mut ended, late) = (BTreeMap::new(), runtime::now().after(seconds(20)));
    while ended.len() < count {
        assert!(runtime::now() < late, "{} of {count} have ended", ended.len());
        match runtime::next(&Whose::All, until()) {
            Next::Late => {}
            Next::Step(id, Step::Done(end)) => drop(ended.insert(id, *end)),
            Next::Step(id, step) => go_on(id, &step),
            other => panic!("{other:?}"),
        }
    }
    ended
}

/// A driver that waits, one that looks up each millisecond, and one that only ever glances.
fn each_driver(mut run: impl FnMut(&mut dyn FnMut() -> Option<Timestamp>)) {
    run(&mut || None);
    run(&mut || soon(ms(1)));
    run(&mut || Some(Timestamp::from_nanos(0)));
}

fn all_come_whole(count: usize, body: &[u8], call: impl Fn() -> Call) {
    each_driver(|until| {
        (0..count).for_each(|_| {
            begin(call());
        });
        for ended in ends_with(count, &mut *until).into_values() {
            assert_eq!(ended.attempts.len(), 1);
            let got = answer(ended).body;
            assert!(got == body, "{} of {} bytes", got.len(), body.len());
        }
    });
}

#[test]
fn in_small_chunks_on_many_connections() {
    let server = TestServer::start();
    let body = "0123456789abcdef".repeat(1 << 16);
    server.script("a", json!([{"body": body, "chunked": true, "chunk_size": 1111}]));
    all_come_whole(12, body.as_bytes(), || get(&format!("{}/a", server.http()), &options()));
}

#[test]
fn compressed() {
    let server = TestServer::start();
    let body = noise(400_000).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    for encoding in ["gzip", "br", "zstd"] {
        server.script("a", json!([{"body": body, "encoding": encoding, "chunked": true, "chunk_size": 777}]));
        all_come_whole(4, body.as_bytes(), || get(&format!("{}/a", server.http()), &options()));
    }
}

#[test]
fn compressed_to_almost_nothing() {
    let server = TestServer::start();
    server.script("a", json!([{"body_repeat": ["0123456789abcdef", 500_000], "encoding": "gzip"}]));
    let body = "0123456789abcdef".repeat(500_000);
    all_come_whole(4, body.as_bytes(), || get(&format!("{}/a", server.http()), &options()));
}

#[test]
fn on_one_http_2_connection() {
    let server = TestServer::start();
    let body = "0123456789abcdef".repeat(1 << 16);
    server.script("warm", json!([{}]));
    server.script("a", json!([{"body": body, "chunk_size": 3333}]));
    let at = |name: &str| over(get(&format!("{}/{name}", server.h2()), &options()), trusting(&server));
    answer(send(at("warm")));
    all_come_whole(8, body.as_bytes(), || at("a"));
}

#[test]
fn files_that_are_sent() {
    let server = TestServer::start();
    let contents = noise(2_500_000);
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&contents).unwrap();
    server.script("a", json!([{"body": "taken"}]));
    // What the server makes of the same bytes from memory.
    server.script("whole", json!([{"body": "taken"}]));
    let at = |url: &str, name: &str| over(post(&format!("{url}/{name}"), "", &options()), trusting(&server));
    for url in [server.http(), server.h2()] {
        let mut whole = at(url, "whole");
        whole.request.body = Body::bytes(contents.clone());
        answer(send(whole));
        all_come_whole(4, b"taken", || {
            let mut call = at(url, "a");
            call.request.body = Body::file(file.try_clone().unwrap(), 0, contents.len() as u64);
            call
        });
    }
    let expected = &server.log("whole")[0].body_sha256;
    let log = server.log("a");
    assert_eq!(log.len(), 2 * 3 * 4);
    assert!(log.iter().all(|entry| entry.body_complete && &entry.body_sha256 == expected));
}
