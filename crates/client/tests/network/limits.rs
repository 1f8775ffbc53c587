//! Sizes that are too large: never a silent prefix, never a second request.

use client::{End, Ended};
use policy::{FailureKind, Reason};
use test_server::{TestServer, json};

use crate::support::{
    ends::{answer, failure},
    get, options, reasons, send,
};

#[track_caller]
fn is_too_large(what: &str, ended: Ended) {
    assert_eq!(reasons(&ended.attempts), [Reason::NotRetryable], "{what}");
    let failed = failure(ended);
    assert_eq!((failed.kind, failed.permanent), (FailureKind::TooLarge, true), "{what}: {}", failed.message);
}

fn fetch(server: &TestServer, step: serde_json::Value, max_body: u64) -> Ended {
    server.script("a", json!([step]));
    let mut call = get(&format!("{}/a", server.http()), &options());
    call.max_body = max_body;
    let ended = send(call);
    assert_eq!(server.log("a").len(), 1);
    ended
}

#[test]
fn a_body_over_max_body_is_too_large_in_every_framing() {
    let server = TestServer::start();
    for framing in [json!({}), json!({"chunked": true}), json!({"content_length": false})] {
        let mut step = json!({"body_repeat": ["x", 1_000_000]});
        step.as_object_mut().unwrap().extend(framing.as_object().unwrap().clone());
        assert_eq!(answer(fetch(&server, step.clone(), 1_000_000)).body.len(), 1_000_000);
        is_too_large(&step.to_string(), fetch(&server, step.clone(), 999_999));
        is_too_large(&step.to_string(), fetch(&server, step.clone(), 0));
    }
    assert_eq!(answer(fetch(&server, json!({"status": 204}), 0)).status, 204);
}

#[test]
fn an_announced_length_is_refused_unread() {
    let server = TestServer::start();
    for length in [1001_u64, 1 << 40, u64::MAX - 1] {
        let step = json!({"action": "half", "body": "x", "content_length": length, "end": "stall"});
        let ended = fetch(&server, step, 1000);
        assert!(ended.elapsed.as_millis() < 1000, "{ended:?}");
        is_too_large(&length.to_string(), ended);
    }
}

#[test]
fn an_endless_body_is_too_large() {
    let server = TestServer::start();
    is_too_large("endless", fetch(&server, json!({"action": "endless"}), 10 * 1024 * 1024));
}

#[test]
fn two_hundred_headers_are_enough() {
    let server = TestServer::start();
    // The server adds Content-Length and Content-Type of its own to /headers.
    let count = |n: usize| {
        let ended = send(get(&format!("{}/headers/{n}?size=10", server.http()), &options()));
        let headers = match &ended.end {
            End::Answer(answer) => answer.headers.len(),
            _ => 0,
        };
        (headers, ended)
    };
    let own = count(1).0 - 1;
    assert_eq!(count(200 - own).0, 200);
    is_too_large("201", count(201 - own).1);
    is_too_large("1000", count(1000).1);
}

#[test]
fn a_header_block_over_64_kib_is_too_large() {
    let server = TestServer::start();
    for (bomb, fits) in [
        (json!({"count": 60, "size": 1000}), true),
        (json!({"count": 1, "size": 60_000}), true),
        (json!({"count": 1, "size": 70_000}), false),
        (json!({"count": 100, "size": 1000}), false),
        (json!({"count": 1, "size": 10_000_000}), false),
        (json!({"endless": true, "size": 100}), false),
    ] {
        let ended = fetch(&server, json!({"header_bomb": bomb, "body": "x"}), 1000);
        if fits {
            assert_eq!(answer(ended).body, "x");
        } else {
            is_too_large(&bomb.to_string(), ended);
        }
    }
}

#[test]
fn an_error_answer_is_bounded_too() {
    let server = TestServer::start();
    server.script("a", json!([{"status": 500, "action": "endless"}]));
    let mut call = get(&format!("{}/a", server.http()), &policy::Options { max_attempts: 1, ..options() });
    call.max_body = 100_000;
    is_too_large("500", send(call));
}
