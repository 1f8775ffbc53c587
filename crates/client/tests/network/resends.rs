//! What is sent again after a failure, and never before it is due.

use http::Method;
use policy::{FailureKind, Options, Reason};
use test_server::{TestServer, json};

use crate::support::{
    call,
    ends::{answer, failure, gave_up},
    get, ms, options, post, quick, reasons, send,
    servers::{between, blackhole, header},
    with_header,
};

#[test]
fn a_post_is_not_repeated_after_a_reset_and_a_get_is() {
    let server = TestServer::start();
    for action in ["reset", "drop", "half"] {
        for method in ["POST", "PATCH", "PROPFIND", "GET", "HEAD", "PUT", "DELETE", "OPTIONS"] {
            if action == "half" && method == "HEAD" {
                continue;
            }
            let name = format!("{action}-{method}");
            server.script(&name, json!([{"action": action, "body": "0123456789"}, {"body": "done"}]));
            let url = format!("{}/{name}", server.http());
            let ended = send(call(Method::from_bytes(method.as_bytes()).unwrap(), &url, &quick(0.01)));
            if matches!(method, "POST" | "PATCH" | "PROPFIND") {
                assert_eq!(server.log(&name).len(), 1, "{name}");
                assert_eq!(reasons(&ended.attempts), [Reason::NotRetryable], "{name}");
                assert_eq!(failure(ended).kind, FailureKind::Reset, "{name}");
            } else {
                assert_eq!(server.log(&name).len(), 2, "{name}");
                assert_eq!(answer(ended).status, 200, "{name}");
            }
        }
    }
}

#[test]
fn the_callers_key_or_retry_unsafe_repeats_a_post() {
    let server = TestServer::start();
    server.script("keyed", json!([{"action": "reset"}, {"body": "done"}]));
    let keyed =
        with_header(post(&format!("{}/keyed", server.http()), "x", &quick(0.01)), "idempotency-key", "mine");
    assert_eq!(answer(send(keyed)).body, "done");
    let log = server.log("keyed");
    assert_eq!(
        (header(&log[0], "Idempotency-Key"), header(&log[1], "Idempotency-Key")),
        (Some("mine"), Some("mine"))
    );

    server.script("unsafe", json!([{"action": "reset"}, {"body": "done"}]));
    let unsafely = Options { retry_unsafe: true, ..quick(0.01) };
    assert_eq!(answer(send(post(&format!("{}/unsafe", server.http()), "x", &unsafely))).body, "done");
    let log = server.log("unsafe");
    let key = header(&log[0], "Idempotency-Key");
    assert!(key.is_some_and(|key| key.len() == 36) && key == header(&log[1], "Idempotency-Key"));
}

#[test]
fn a_post_that_was_never_sent_is_repeated() {
    let server = TestServer::start();
    let impatient = Options { max_attempts: 2, connect_timeout: 0.05, ..quick(0.01) };
    let black = blackhole(&server);
    let urls = ["http://nowhere.invalid/", server.url("refused"), server.url("tls_garbage")];
    for url in urls.into_iter().chain(black.as_deref()) {
        let ended = send(post(url, "x", &impatient));
        assert_eq!(reasons(&ended.attempts), [Reason::Network, Reason::AttemptsExhausted], "{url}");
    }
}

#[test]
fn a_timed_out_attempt_repeats_a_get_only() {
    let server = TestServer::start();
    let brief = Options { timeout: 0.15, ..quick(0.01) };
    server.script("get", json!([{"action": "stall"}, {"body": "done"}]));
    assert_eq!(answer(send(get(&format!("{}/get", server.http()), &brief))).body, "done");
    server.script("post", json!([{"action": "stall"}, {"body": "done"}]));
    let ended = send(post(&format!("{}/post", server.http()), "x", &brief));
    assert_eq!(failure(ended).kind, FailureKind::Timeout);
    assert_eq!(server.log("post").len(), 1);
}

#[test]
fn no_request_arrives_before_it_is_due() {
    let server = TestServer::start();
    for (name, first, wait) in [
        ("backoff", json!({"status": 500}), ms(80)),
        ("wish", json!({"status": 429, "headers": [["retry-after-ms", "150"]]}), ms(150)),
        ("overload", json!({"status": 503, "headers": [["Retry-After", "0.2"]], "body": "busy"}), ms(200)),
        ("reset", json!({"action": "reset"}), ms(80)),
    ] {
        server.script(name, json!([first, first, {"body": "done"}]));
        let ended = send(get(&format!("{}/{name}", server.http()), &quick(0.08)));
        let log = server.log(name);
        assert_eq!(log.len(), 3, "{name}");
        for pair in log.windows(2) {
            let gap = between(&pair[0], &pair[1]);
            assert!(gap >= wait && gap < wait + ms(500), "{name}: {gap:?}");
        }
        assert_eq!(ended.waited, wait * 2, "{name}");
        assert_eq!(answer(ended).body, "done");
    }
}

#[test]
fn a_wish_counts_from_the_arrival_of_its_headers() {
    let server = TestServer::start();
    // The body takes 0.3 s of the second that was asked for.
    let step =
        json!({"status": 429, "headers": [["Retry-After", "1"]], "body": "wait", "body_delay_ms": 300});
    server.script("a", json!([step, {"body": "done"}]));
    let ended = send(get(&format!("{}/a", server.http()), &options()));
    assert_eq!((ended.waited, ended.attempts[0].wait), (ms(1000), ms(1000)));
    let log = server.log("a");
    let gap = between(&log[0], &log[1]);
    assert!(gap >= ms(1000) && gap < ms(1250), "{gap:?}");
    assert!(ended.attempts[0].duration >= ms(300));
}

#[test]
fn a_refused_stretch_ends_with_the_last_answer_whole() {
    let server = TestServer::start();
    server.script("a", json!([{"status": 503, "body_repeat": ["x", 200_000]}]));
    let three = Options { max_attempts: 3, ..quick(0.01) };
    let last = gave_up(send(get(&format!("{}/a", server.http()), &three)));
    assert_eq!((last.status, last.body.len()), (503, 200_000));
    assert_eq!(server.log("a").len(), 3);
}

#[test]
fn a_retryable_answer_whose_body_breaks_is_a_failure_only_at_the_end() {
    let server = TestServer::start();
    let broken = json!({"action": "half", "status": 503, "body": "0123456789"});
    server.script("a", json!([broken, {"body": "done"}]));
    let ended = send(get(&format!("{}/a", server.http()), &quick(0.01)));
    assert_eq!(reasons(&ended.attempts), [Reason::Backoff, Reason::Answered]);
    server.script("b", json!([broken]));
    let two = Options { max_attempts: 2, ..quick(0.01) };
    let ended = send(get(&format!("{}/b", server.http()), &two));
    assert_eq!(reasons(&ended.attempts), [Reason::Backoff, Reason::AttemptsExhausted]);
    assert_eq!(failure(ended).kind, FailureKind::Reset);
}

#[test]
fn a_final_answer_whose_body_breaks_is_sent_for_again() {
    let server = TestServer::start();
    server.script("a", json!([{"action": "half", "body": "0123456789"}, {"body": "0123456789"}]));
    let ended = send(get(&format!("{}/a", server.http()), &quick(0.01)));
    assert_eq!(reasons(&ended.attempts), [Reason::Network, Reason::Answered]);
    assert_eq!(ended.attempts[0].status, None);
    assert_eq!(answer(ended).body, "0123456789");
}
