//! Connections that do not come about, or break: the kind of failure, and whether the request can have arrived.

use std::time::{Duration, Instant};

use client::Failed;
use policy::{FailureKind, Options, Reason};
use test_server::{TestServer, json};

use crate::support::{
    ends::failure,
    get, ms, options, quick, reasons, send,
    servers::{blackhole, over, trusting},
};

fn once() -> Options {
    Options { max_attempts: 1, ..options() }
}

fn kind(failed: &Failed) -> (FailureKind, bool, bool) {
    (failed.kind, failed.unsent, failed.permanent)
}

#[test]
fn a_refused_connection_is_unsent() {
    let server = TestServer::start();
    let failed = failure(send(get(server.url("refused"), &once())));
    assert_eq!(kind(&failed), (FailureKind::Connect, true, false));
    assert!(failed.message.starts_with("Could not connect to http://127.0.0.1:"), "{}", failed.message);
}

#[test]
fn a_name_that_does_not_resolve_is_unsent() {
    let failed = failure(send(get("http://nowhere.invalid/", &once())));
    assert_eq!(kind(&failed), (FailureKind::Dns, true, false));
    assert!(failed.message.contains("http://nowhere.invalid"), "{}", failed.message);
}

#[test]
fn a_connection_that_takes_too_long_is_unsent() {
    let server = TestServer::start();
    let Some(url) = blackhole(&server) else { return };
    let impatient = Options { connect_timeout: 0.2, ..once() };
    let start = Instant::now();
    let failed = failure(send(get(&url, &impatient)));
    let took = start.elapsed();
    assert_eq!(kind(&failed), (FailureKind::Timeout, true, false));
    assert!(took >= ms(200) && took < ms(1200), "{took:?}");
}

#[test]
fn the_connect_timeout_covers_the_handshake_but_not_the_answer() {
    let server = TestServer::start();
    let impatient = Options { connect_timeout: 0.2, ..once() };
    let start = Instant::now();
    let failed = failure(send(over(get(server.url("tls_stall"), &impatient), trusting(&server))));
    let took = start.elapsed();
    assert_eq!(kind(&failed), (FailureKind::Timeout, true, false));
    assert!(took >= ms(200) && took < ms(1200), "{took:?}");

    let slow = format!("{}/delay/400", server.http());
    let answered = send(get(&slow, &impatient));
    assert_eq!(reasons(&answered.attempts), [Reason::Answered]);
    // Nor does it hold for a request on a connection that is there already.
    let answered = send(get(&slow, &impatient));
    assert_eq!(reasons(&answered.attempts), [Reason::Answered]);
}

#[test]
fn the_connect_timeout_of_each_call_is_its_own() {
    let server = TestServer::start();
    let Some(url) = blackhole(&server) else { return };
    for seconds in [0.3, 0.1] {
        let start = Instant::now();
        let failed = failure(send(get(&url, &Options { connect_timeout: seconds, ..once() })));
        let (took, wanted) = (start.elapsed(), Duration::from_secs_f64(seconds));
        assert_eq!(failed.kind, FailureKind::Timeout);
        assert!(took >= wanted && took < wanted + ms(800), "{took:?}");
    }
}

#[test]
fn what_breaks_after_the_request_counts_as_sent() {
    let server = TestServer::start();
    for (name, step) in [
        ("drop", json!([{"action": "drop"}])),
        ("reset", json!([{"action": "reset"}])),
        ("half-head", json!([{"action": "raw", "raw": "HTTP/1.1 200 OK\r\nContent-Le"}])),
        ("half", json!([{"action": "half", "body": "0123456789"}])),
        ("half-reset", json!([{"action": "half", "body": "0123456789", "end": "reset"}])),
        ("no-end", json!([{"chunks": ["a", "b"], "chunked": true, "chunk_fault": "no_end"}])),
    ] {
        server.script(name, step);
        let ended = send(get(&format!("{}/{name}", server.http()), &once()));
        assert_eq!(reasons(&ended.attempts), [Reason::AttemptsExhausted], "{name}");
        assert_eq!(ended.attempts[0].status, None, "{name}");
        let failed = failure(ended);
        assert_eq!(kind(&failed), (FailureKind::Reset, false, false), "{name}: {}", failed.message);
        assert_eq!(server.log(name).len(), 1, "{name}");
    }
}

#[test]
fn an_attempt_that_times_out_counts_as_sent() {
    let server = TestServer::start();
    server.script("stall", json!([{"action": "stall"}]));
    let brief = Options { timeout: 0.2, ..once() };
    let ended = send(get(&format!("{}/stall", server.http()), &brief));
    assert!(ended.attempts[0].duration >= ms(200) && ended.elapsed < ms(1200), "{ended:?}");
    assert_eq!(kind(&failure(ended)), (FailureKind::Timeout, false, false));
}

#[test]
fn no_message_tells_a_path_a_query_or_a_credential() {
    let server = TestServer::start();
    server.script("secret-path", json!([{"action": "raw", "raw": "nonsense\r\n\r\n"}]));
    let brief = Options { timeout: 0.2, connect_timeout: 0.1, ..once() };
    let mut messages = Vec::new();
    for base in [
        "http://nowhere.invalid".to_owned(),
        server.http().to_owned(),
        server.url("refused").to_owned(),
        server.url("untrusted").to_owned(),
        server.url("tls_stall").to_owned(),
        server.url("tls_garbage").to_owned(),
    ]
    .into_iter()
    .chain(blackhole(&server))
    {
        for path in ["secret-path", "reset", "stall", "half/100", "headers/300", "redirect-loop"] {
            let (scheme, authority) = base.split_once("://").unwrap();
            let url = format!("{scheme}://secret-user:secret-pass@{authority}/{path}?secret-query=1");
            messages.push(failure(send(over(get(&url, &brief), trusting(&server)))).message);
        }
    }
    for message in messages {
        assert!(!message.contains("secret") && !message.contains('?'), "{message}");
        assert!(message.contains("://") || message.contains("redirects"), "{message}");
    }
}

#[test]
fn a_failure_is_retried_with_backoff_and_then_answered() {
    let server = TestServer::start();
    server.script("a", json!([{"action": "drop"}, {"action": "reset"}, {"body": "here"}]));
    let ended = send(get(&format!("{}/a", server.http()), &quick(0.05)));
    assert_eq!(reasons(&ended.attempts), [Reason::Network, Reason::Network, Reason::Answered]);
    assert!(ended.attempts.iter().take(2).all(|attempt| attempt.error.is_some() && attempt.wait == ms(50)));
    assert_eq!(ended.waited, ms(100));
    assert!(ended.elapsed >= ms(100));
}
