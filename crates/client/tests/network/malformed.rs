//! Answers that are no HTTP: a protocol failure, never a made-up answer.

use client::{Ended, runtime};
use policy::{FailureKind, Options};
use test_server::{TestServer, json};

use crate::support::{
    ends::{answer, failure},
    get, options, send,
};

fn fetch(server: &TestServer, step: serde_json::Value) -> Ended {
    server.script("a", json!([step]));
    // What an answer before this one left behind is not what is asked about.
    runtime::shut_down();
    send(get(&format!("{}/a", server.http()), &Options { max_attempts: 1, ..options() }))
}

#[test]
fn a_head_that_is_none_is_a_protocol_failure() {
    let server = TestServer::start();
    for raw in [
        "nonsense\r\n\r\n",
        "HTTP/1.1 two hundred\r\n\r\n",
        "HTTP/1.1 99 Low\r\n\r\n",
        "HTTP/1.1 1000 High\r\n\r\n",
        "HTTP/3.7 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\nna me: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nname: a\u{0}b\r\n\r\n",
        "HTTP/1.1 200 OK\r\n folded: first\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: ten\r\n\r\n0123456789",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
        "SSH-2.0-OpenSSH_9.6\r\n",
        "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}",
    ] {
        let failed = failure(fetch(&server, json!({"action": "raw", "raw": raw})));
        assert_eq!(failed.kind, FailureKind::Protocol, "{raw:?}: {}", failed.message);
        assert!(!failed.unsent && !failed.permanent, "{raw:?}");
    }
}

#[test]
fn chunks_that_are_none_are_a_protocol_failure() {
    let server = TestServer::start();
    for fault in ["bad_size", "huge_size", "missing_crlf"] {
        for chunks in [json!(["only"]), json!(["first", "second"])] {
            let failed =
                failure(fetch(&server, json!({"chunks": chunks, "chunked": true, "chunk_fault": fault})));
            assert_eq!(failed.kind, FailureKind::Protocol, "{fault}: {}", failed.message);
            assert!(!failed.unsent, "{fault}");
        }
    }
}

#[test]
fn a_body_is_never_a_silent_prefix() {
    let server = TestServer::start();
    for step in [
        json!({"body": "0123456789", "content_length": 11}),
        json!({"body": "0123456789", "send_bytes": 9, "end": "cut"}),
        json!({"body": "0123456789", "chunked": true, "send_bytes": 9, "end": "close"}),
        json!({"body": "0123456789", "chunked": true, "send_bytes": 9, "end": "reset"}),
    ] {
        assert_eq!(failure(fetch(&server, step.clone())).kind, FailureKind::Reset, "{step}");
    }
}

#[test]
fn what_comes_after_an_answer_is_nobodys() {
    let server = TestServer::start();
    let raw =
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 500 Smuggled\r\nContent-Length: 0\r\n\r\n";
    for _ in 0..3 {
        assert_eq!(answer(fetch(&server, json!({"action": "raw", "raw": raw}))).body, "ok");
    }
    server.script("b", json!([{"body": "mine"}]));
    assert_eq!(answer(send(get(&format!("{}/b", server.http()), &options()))).body, "mine");
}

#[test]
fn line_ends_and_spaces_of_old_servers_are_read() {
    let server = TestServer::start();
    for raw in [
        "HTTP/1.1 200 OK\nContent-Length: 2\n\nok",
        "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 \r\nContent-Length:2   \r\n\r\nok",
        "HTTP/1.0 200 OK\r\n\r\nok",
    ] {
        assert_eq!(answer(fetch(&server, json!({"action": "raw", "raw": raw}))).body, "ok", "{raw:?}");
    }
}

#[test]
fn switching_protocols_is_an_answer_that_takes_its_connection_along() {
    let server = TestServer::start();
    let raw = "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\nbytes of another protocol";
    let ended = fetch(&server, json!({"action": "raw", "raw": raw, "end": "stall"}));
    let first = server.log("a")[0].connection;
    let answer = answer(ended);
    assert_eq!((answer.status, answer.body.len()), (101, 0));
    server.script("b", json!([{}]));
    send(get(&format!("{}/b", server.http()), &options()));
    assert_ne!(server.log("b")[0].connection, first);
}
