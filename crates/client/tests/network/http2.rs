//! HTTP/2 by ALPN: one connection for all, and requests that a server refuses to begin with.

use client::{Call, Ended};
use http::Version;
use policy::{FailureKind, Options, Reason};
use test_server::{TestServer, json};

use crate::support::{
    ends::{answer, failure},
    get, ms, options, post, quick, reasons, send,
    servers::{connections, distinct, header, over, trusting},
};

fn call(server: &TestServer, name: &str) -> Call {
    over(post(&format!("{}/{name}", server.h2()), "sent", &quick(0.05)), trusting(server))
}

fn fetch(server: &TestServer, name: &str, options: &Options) -> Ended {
    send(over(get(&format!("{}/{name}", server.h2()), options), trusting(server)))
}

#[test]
fn alpn_chooses_and_calls_share_one_connection() {
    let server = TestServer::start();
    server.script("a", json!([{"body": "x", "trailers": [["x-sum", "1"]]}]));
    for _ in 0..5 {
        let answer = answer(fetch(&server, "a", &options()));
        assert_eq!((answer.version, answer.body.to_vec().as_slice()), (Version::HTTP_2, &b"x"[..]));
        assert!(answer.reason_phrase.is_empty());
    }
    let log = server.log("a");
    assert!(log.iter().all(|entry| entry.protocol == "HTTP/2"));
    assert_eq!(log.iter().map(|entry| entry.index).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    assert_eq!(header(&log[0], "host"), None);
    let plain = answer(send(over(get(&format!("{}/a", server.https()), &options()), trusting(&server))));
    assert_eq!(plain.version, Version::HTTP_11);
}

#[test]
fn refused_streams_are_replaced_at_once_and_no_attempt() {
    let server = TestServer::start();
    server.script("a", json!([{"action": "refuse_stream", "times": 2}, {"body": "done"}]));
    let ended = send(call(&server, "a"));
    assert_eq!(reasons(&ended.attempts), [Reason::Answered]);
    assert_eq!((ended.waited, answer(ended).body), (ms(0), "done".into()));
    assert_eq!(server.log("a").len(), 3);
    assert_eq!(distinct(connections(&server, "a")), 1);
}

#[test]
fn a_third_refusal_is_an_unsent_attempt() {
    let server = TestServer::start();
    server.script("a", json!([{"action": "refuse_stream", "times": 4}, {"body": "done"}]));
    let ended = send(call(&server, "a"));
    // Twice per call, not per attempt: three sends, then one, then the one that is answered.
    assert_eq!(reasons(&ended.attempts), [Reason::Network, Reason::Network, Reason::Answered]);
    assert_eq!(ended.waited, ms(100));
    assert_eq!(answer(ended).body, "done");
    assert_eq!(server.log("a").len(), 5);

    server.script("b", json!([{"action": "refuse_stream"}]));
    let mut once = call(&server, "b");
    once.settings = std::sync::Arc::new(Options { max_attempts: 1, ..options() }.validate().unwrap());
    let failed = failure(send(once));
    assert_eq!((failed.kind, failed.unsent), (FailureKind::Reset, true), "{}", failed.message);
    assert_eq!(server.log("b").len(), 3);
}

#[test]
fn a_stream_above_the_last_of_a_goaway_is_replaced_on_a_new_connection() {
    let server = TestServer::start();
    for code in ["NO_ERROR", "ENHANCE_YOUR_CALM", "INTERNAL_ERROR"] {
        server.script("a", json!([{"action": "goaway", "error_code": code}, {"body": "done"}]));
        let ended = send(call(&server, "a"));
        assert_eq!(reasons(&ended.attempts), [Reason::Answered], "{code}");
        assert_eq!(answer(ended).body, "done", "{code}");
        assert_eq!(distinct(connections(&server, "a")), 2, "{code}");
    }
}

#[test]
fn goaways_and_refusals_count_together() {
    let server = TestServer::start();
    let steps =
        json!([{"action": "goaway"}, {"action": "refuse_stream"}, {"action": "goaway"}, {"body": "done"}]);
    server.script("a", steps);
    let ended = send(call(&server, "a"));
    assert_eq!(reasons(&ended.attempts), [Reason::Network, Reason::Answered]);
    assert_eq!(answer(ended).body, "done");
    assert_eq!(server.log("a").len(), 4);
}

#[test]
fn a_goaway_that_includes_the_stream_counts_as_sent() {
    let server = TestServer::start();
    for code in ["NO_ERROR", "INTERNAL_ERROR"] {
        server.script(
            "a",
            json!([{"action": "goaway", "last_stream": 1_000_001, "error_code": code}, {"body": "no"}]),
        );
        let ended = send(call(&server, "a"));
        assert_eq!(reasons(&ended.attempts), [Reason::NotRetryable], "{code}");
        let failed = failure(ended);
        assert!(!failed.unsent, "{code}: {failed:?}");
        assert_eq!(failed.kind, FailureKind::Reset, "{code}: {failed:?}");
        assert_eq!(server.log("a").len(), 1);
    }
}

#[test]
fn a_goaway_after_the_answer_costs_nothing() {
    let server = TestServer::start();
    server.script("a", json!([{"action": "goaway", "goaway": "after", "body": "done"}]));
    for _ in 0..5 {
        let ended = send(call(&server, "a"));
        assert_eq!(reasons(&ended.attempts), [Reason::Answered]);
        assert_eq!(answer(ended).body, "done");
    }
    // A GOAWAY may come later than the next request, which is answered then.
    assert!(distinct(connections(&server, "a")) > 1);
}

#[test]
fn other_resets_count_as_sent() {
    let server = TestServer::start();
    for (name, step) in [
        ("cancel", json!({"action": "refuse_stream", "error_code": "CANCEL"})),
        ("internal", json!({"action": "refuse_stream", "error_code": "INTERNAL_ERROR"})),
        ("half", json!({"action": "half", "body": "0123456789"})),
        ("drop", json!({"action": "drop"})),
        ("reset", json!({"action": "reset"})),
    ] {
        server.script(name, json!([step, {"body": "done"}]));
        let ended = send(call(&server, name));
        assert_eq!(reasons(&ended.attempts), [Reason::NotRetryable], "{name}");
        let failed = failure(ended);
        assert_eq!((failed.kind, failed.unsent), (FailureKind::Reset, false), "{name}: {}", failed.message);
        assert_eq!(server.log(name).len(), 1, "{name}");
        server.script(name, json!([step, {"body": "done"}]));
        let ended = fetch(&server, name, &quick(0.01));
        assert_eq!(reasons(&ended.attempts), [Reason::Network, Reason::Answered], "{name}");
    }
}

#[test]
fn nonsense_between_frames_is_a_failure_of_the_exchange() {
    let server = TestServer::start();
    server
        .script("a", json!([{"action": "raw", "raw": "HTTP/1.1 400 Bad Request\r\n\r\n"}, {"body": "done"}]));
    let ended = send(call(&server, "a"));
    assert_eq!(reasons(&ended.attempts), [Reason::NotRetryable]);
    assert!(!failure(ended).unsent);
}

#[test]
fn a_refusal_after_the_headers_proves_nothing() {
    let server = TestServer::start();
    server.script(
        "a",
        json!([{"action": "half", "body": "0123456789", "error_code": "REFUSED_STREAM"}, {"body": "again"}]),
    );
    let asked = over(post(&format!("{}/a", server.h2()), "x", &quick(0.01)), trusting(&server));
    let ended = send(asked);
    assert_eq!(reasons(&ended.attempts), [Reason::NotRetryable]);
    assert!(!failure(ended).unsent);
    assert_eq!(server.log("a").len(), 1);
}

#[test]
fn large_bodies_both_ways() {
    let server = TestServer::start();
    server.script("a", json!([{"status": 503}, {"body_repeat": ["0123456789", 800_000]}]));
    let body: Vec<u8> = (0..5_000_000_u32).map(|n| (n % 251) as u8).collect();
    let asked = over(post(&format!("{}/a", server.h2()), body, &quick(0.01)), trusting(&server));
    let answer = answer(send(asked));
    assert_eq!(answer.body.len(), 8_000_000);
    assert!(answer.body.to_vec().chunks(10).all(|ten| ten == b"0123456789"));
    let log = server.log("a");
    assert!(log.iter().all(|entry| entry.body_length == 5_000_000 && entry.body_complete));
    assert_eq!(log[0].body_sha256, log[1].body_sha256);
}

#[test]
fn a_timed_out_stream_leaves_the_connection_to_others() {
    let server = TestServer::start();
    server.script("a", json!([{"body": "x"}, {"action": "stall"}, {"body": "y"}]));
    let brief = Options { timeout: 0.2, ..quick(0.01) };
    answer(fetch(&server, "a", &brief));
    let ended = fetch(&server, "a", &brief);
    assert_eq!(reasons(&ended.attempts), [Reason::Network, Reason::Answered]);
    assert_eq!(ended.attempts[0].status, None);
    assert_eq!(distinct(connections(&server, "a")), 1);
}

#[test]
fn headers_are_bounded_as_in_http_1() {
    let server = TestServer::start();
    for (bomb, fits) in [
        (json!({"count": 150, "size": 100}), true),
        (json!({"count": 300, "size": 10}), false),
        (json!({"count": 100, "size": 1000}), false),
        (json!({"count": 1, "size": 100_000}), false),
        (json!({"count": 30, "size": 100_000}), false),
    ] {
        server.script("a", json!([{"body": "x", "header_bomb": bomb}]));
        let ended = fetch(&server, "a", &quick(0.01));
        if fits {
            assert_eq!(answer(ended).body, "x");
            continue;
        }
        assert_eq!(reasons(&ended.attempts), [Reason::NotRetryable], "{bomb}: {:?}", ended.end);
        assert_eq!(failure(ended).kind, FailureKind::TooLarge, "{bomb}");
    }
    server.script("a", json!([{"body": "still there"}]));
    assert_eq!(answer(fetch(&server, "a", &options())).body, "still there");
}

#[test]
fn informational_answers_are_skipped() {
    let server = TestServer::start();
    server.script("a", json!([{"informational": [103, 100], "body": "x"}]));
    assert_eq!(answer(fetch(&server, "a", &options())).body, "x");
}

#[test]
fn a_connection_that_idles_away_costs_no_request() {
    let server = TestServer::start();
    server.script("a", json!([{"body": "x", "close_idle_after_ms": 0}]));
    for n in 0..10 {
        let ended = send(call(&server, "a"));
        assert_eq!(reasons(&ended.attempts), [Reason::Answered], "{n}");
        crate::support::servers::until("the close", || {
            crate::support::servers::count(&server, "h2", "open") == 0
        });
    }
}
