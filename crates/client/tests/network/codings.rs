//! Content codings: undone when wanted, told when broken, bounded when they swell.

use client::Route;
use http::Method;
use policy::{FailureKind, Options, Reason};
use test_server::{TestServer, json};

use crate::support::{
    call,
    ends::{answer, failure},
    get, ms, options, reasons, route, send,
    servers::{header, over},
};

const CODINGS: [&str; 4] = ["gzip", "br", "zstd", "deflate"];

fn once() -> Options {
    Options { max_attempts: 1, ..options() }
}

#[test]
fn every_coding_is_undone_and_its_headers_leave() {
    let server = TestServer::start();
    for coding in CODINGS {
        for (framing, size) in [("length", 100_000), ("chunked", 100_000), ("length", 0)] {
            let step =
                json!({"body_repeat": ["ab", size], "encoding": coding, "chunked": framing == "chunked"});
            server.script(coding, json!([step]));
            let answer = answer(send(get(&format!("{}/{coding}", server.http()), &once())));
            assert_eq!(answer.body.len(), 2 * size, "{coding} {framing}");
            assert!(answer.body.to_vec().chunks(2).all(|two| two == b"ab"), "{coding}");
            assert!(!answer.headers.contains_key("content-encoding"), "{coding}");
            assert!(!answer.headers.contains_key("content-length"), "{coding}");
            let accepted = server.log(coding);
            let accepted = header(&accepted[0], "Accept-Encoding").unwrap();
            assert!(CODINGS.iter().all(|coding| accepted.contains(coding)), "{accepted}");
        }
    }
}

#[test]
fn without_decoding_the_bytes_are_the_servers() {
    let server = TestServer::start();
    server.script("a", json!([{"body": "hello", "encoding": "gzip"}]));
    let raw = || {
        let call = get(&format!("{}/a", server.http()), &once());
        over(call, Route { decode: false, ..route() })
    };
    let answer = answer(send(raw()));
    assert_eq!(answer.headers["content-encoding"], "gzip");
    assert_eq!(answer.body.to_vec()[..2], [0x1f, 0x8b]);
    assert_eq!(header(&server.log("a")[0], "Accept-Encoding"), None);
}

#[test]
fn the_callers_accept_encoding_is_kept() {
    let server = TestServer::start();
    server.script("a", json!([{}]));
    let mut asked = get(&format!("{}/a", server.http()), &once());
    asked.request.headers.insert("accept-encoding", "identity".parse().unwrap());
    assert_eq!(answer(send(asked)).status, 200);
    assert_eq!(header(&server.log("a")[0], "Accept-Encoding"), Some("identity"));
}

#[test]
fn a_coding_nobody_knows_is_left_alone() {
    let server = TestServer::start();
    server.script("a", json!([{"body": "hello", "headers": [["Content-Encoding", "rot13"]]}]));
    let answer = answer(send(get(&format!("{}/a", server.http()), &once())));
    assert_eq!(
        (answer.headers["content-encoding"].to_str().unwrap(), answer.body.to_vec().as_slice()),
        ("rot13", &b"hello"[..])
    );
}

#[test]
fn a_truncated_coding_is_a_protocol_failure() {
    let server = TestServer::start();
    for coding in CODINGS {
        for cut in [-1, -4, 3] {
            // Letters that hardly repeat, so that something is left to be cut off.
            let text: String = (0..4000_u32).map(|n| char::from(b'a' + (n * n / 7 % 26) as u8)).collect();
            server.script(coding, json!([{"body": text, "encoding": coding, "truncate": cut}]));
            let ended = send(get(&format!("{}/{coding}", server.http()), &once()));
            assert_eq!(reasons(&ended.attempts), [Reason::AttemptsExhausted], "{coding} {cut}");
            let failed = failure(ended);
            assert_eq!(
                (failed.kind, failed.unsent),
                (FailureKind::Protocol, false),
                "{coding} {cut}: {}",
                failed.message
            );
        }
    }
}

#[test]
fn what_is_no_such_coding_is_a_protocol_failure() {
    let server = TestServer::start();
    for coding in CODINGS {
        server.script(
            coding,
            json!([{"body": "plain text, not coded", "headers": [["Content-Encoding", coding]]}]),
        );
        let failed = failure(send(get(&format!("{}/{coding}", server.http()), &once())));
        assert_eq!(failed.kind, FailureKind::Protocol, "{coding}: {}", failed.message);
    }
}

#[test]
fn a_codings_name_has_no_case() {
    let server = TestServer::start();
    let step = json!({"body": "hello", "encoding": "gzip", "headers": [["Content-Encoding", "GZip"]]});
    server.script("a", json!([step]));
    let answer = answer(send(get(&format!("{}/a", server.http()), &once())));
    assert_eq!(
        (answer.body.to_vec().as_slice(), answer.headers.contains_key("content-encoding")),
        (&b"hello"[..], false)
    );
}

#[test]
fn two_codings_are_left_alone_in_one_line_or_two() {
    let server = TestServer::start();
    for lines in [
        json!([["Content-Encoding", "gzip, gzip"]]),
        json!([["Content-Encoding", "gzip"], ["Content-Encoding", "gzip"]]),
    ] {
        server.script("a", json!([{"body": "hello", "encoding": "gzip", "headers": lines}]));
        let answer = answer(send(get(&format!("{}/a", server.http()), &once())));
        assert!(answer.headers.contains_key("content-encoding"), "{lines}");
        assert_eq!(answer.body.to_vec()[..2], [0x1f, 0x8b], "{lines}");
    }
}

#[test]
fn nothing_at_all_is_no_broken_coding() {
    let server = TestServer::start();
    for coding in CODINGS {
        for framing in [json!({}), json!({"chunked": true}), json!({"content_length": false})] {
            let mut step = json!({"headers": [["Content-Encoding", coding]]});
            step.as_object_mut().unwrap().extend(framing.as_object().unwrap().clone());
            server.script("a", json!([step]));
            let ended = send(get(&format!("{}/a", server.http()), &once()));
            assert_eq!(answer(ended).body, "", "{step}");
        }
    }
}

#[test]
fn a_range_is_one_of_the_plain_bytes() {
    let server = TestServer::start();
    server.script("a", json!([{"status": 206, "body": "cd"}]));
    let mut asked = get(&format!("{}/a", server.http()), &once());
    asked.request.headers.insert("range", "bytes=2-3".parse().unwrap());
    assert_eq!(answer(send(asked)).body, "cd");
    assert_eq!(header(&server.log("a")[0], "Accept-Encoding"), None);
}

#[test]
fn a_coded_body_that_breaks_off_is_a_reset() {
    let server = TestServer::start();
    let step = json!({"action": "half", "body_repeat": ["0123456789abcdefghijklmnopqrstuvwxyz", 1000], "encoding": "gzip"});
    server.script("a", json!([step]));
    let failed = failure(send(get(&format!("{}/a", server.http()), &once())));
    assert_eq!(failed.kind, FailureKind::Reset, "{}", failed.message);
}

#[test]
fn a_coded_refusal_is_looked_at_decoded() {
    let server = TestServer::start();
    let quota = json!({"error": {"code": "insufficient_quota"}});
    server.script("a", json!([{"status": 429, "body_json": quota, "encoding": "gzip"}]));
    let ended = send(get(&format!("{}/a", server.http()), &options()));
    assert_eq!(reasons(&ended.attempts), [Reason::NotRetryable]);
}

#[test]
fn a_head_request_asks_for_no_decoded_body() {
    let server = TestServer::start();
    for coding in CODINGS {
        let ended = send(call(Method::HEAD, &format!("{}/{coding}", server.http()), &once()));
        assert!(ended.elapsed < ms(1000));
        assert_eq!(answer(ended).body, "", "{coding}");
    }
}
