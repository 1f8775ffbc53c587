//! Connections over several calls: kept while they can be, never trusted when they are stale.

use client::runtime;
use http::Method;
use policy::{FailureKind, Reason};
use test_server::{TestServer, json};

use crate::support::{
    call,
    ends::{answer, failure},
    get, options, post, quick, reasons, send,
    servers::{connections, count, distinct, over, trusting, until},
};

#[test]
fn calls_share_a_connection() {
    let server = TestServer::start();
    for base in [server.http(), server.https()] {
        server.script("a", json!([{"body": "x"}, {"status": 404, "body": "y"}, {"status": 204}, {"body_repeat": ["x", 300_000]}]));
        for method in [Method::GET, Method::POST, Method::GET, Method::GET, Method::HEAD, Method::GET] {
            let asked = over(call(method, &format!("{base}/a"), &options()), trusting(&server));
            answer(send(asked));
        }
        let indices: Vec<u64> = server.log("a").iter().map(|entry| entry.index).collect();
        assert_eq!(indices, [1, 2, 3, 4, 5, 6], "{base}");
        assert_eq!(distinct(connections(&server, "a")), 1, "{base}");
    }
}

#[test]
fn a_retry_shares_it_when_the_refusal_was_read_whole() {
    let server = TestServer::start();
    for (name, status, length, same) in [
        ("small", 503, 100, true),
        ("none", 500, 0, true),
        ("looked-at", 429, 60_000, true),
        ("too-long", 503, 10_000_000, false),
    ] {
        server.script(name, json!([{"status": status, "body_repeat": ["x", length]}, {"body": "done"}]));
        assert_eq!(answer(send(get(&format!("{}/{name}", server.http()), &quick(0.05)))).body, "done");
        let used = connections(&server, name);
        assert_eq!(used[0] == used[1], same, "{name}: {used:?}");
    }
}

#[test]
fn what_the_server_closes_is_not_used_again() {
    let server = TestServer::start();
    server.script("a", json!([{"body": "x", "close": true}]));
    for _ in 0..3 {
        let ended = send(post(&format!("{}/a", server.http()), "x", &options()));
        assert_eq!(ended.attempts.len(), 1);
        answer(ended);
    }
    assert_eq!(distinct(connections(&server, "a")), 3);
}

#[test]
fn twenty_five_stale_connections_cost_no_request() {
    for (listener, close) in [("http", 0), ("http", 5), ("https", 0)] {
        let server = TestServer::start();
        server.script("a", json!([{"body": "x", "close_idle_after_ms": close}]));
        for n in 0..25 {
            let asked = post(&format!("{}/a", server.url(listener)), "x", &options());
            let ended = send(over(asked, trusting(&server)));
            assert_eq!(reasons(&ended.attempts), [Reason::Answered], "{listener} {n}");
            // The server has closed, and nobody has looked at the connection since.
            until("the close", || count(&server, listener, "open") == 0);
        }
        assert_eq!(distinct(connections(&server, "a")), 25, "{listener}");
    }
}

#[test]
fn a_close_that_has_arrived_is_noticed_however_soon_the_next_call_comes() {
    let server = TestServer::start();
    server.script("a", json!([{"body": "x", "close_idle_after_ms": 0}]));
    for n in 0..100 {
        let ended = send(post(&format!("{}/a", server.http()), "x", &options()));
        assert_eq!(reasons(&ended.attempts), [Reason::Answered], "{n}: {:?}", ended.attempts);
        // Without a sleep: the next call follows the close within microseconds.
        while count(&server, "http", "open") > 0 {
            std::hint::spin_loop();
        }
    }
}

#[test]
fn a_get_survives_a_close_at_the_very_moment() {
    let server = TestServer::start();
    server.script("a", json!([{"body": "x", "close_idle_after_ms": 0}]));
    for _ in 0..50 {
        assert_eq!(answer(send(get(&format!("{}/a", server.http()), &quick(0.0)))).body, "x");
    }
}

#[test]
fn what_breaks_a_used_connection_counts_as_sent() {
    let server = TestServer::start();
    for how in ["close", "cut", "reset"] {
        runtime::shut_down();
        server.script("a", json!([{"body": "x", "close_on_next": how}]));
        let url = format!("{}/a", server.http());
        assert_eq!(answer(send(post(&url, "x", &quick(0.01)))).body, "x");
        // The second one reached the server, which said nothing to it.
        let ended = send(post(&url, "x", &quick(0.01)));
        assert_eq!(reasons(&ended.attempts), [Reason::NotRetryable], "{how}");
        let failed = failure(ended);
        assert_eq!((failed.kind, failed.unsent), (FailureKind::Reset, false), "{how}: {}", failed.message);
        let log = server.log("a");
        assert_eq!((log.len(), log[1].note.as_deref()), (2, Some("closed_on_next")), "{how}");

        assert_eq!(answer(send(get(&url, &quick(0.01)))).body, "x");
        let ended = send(get(&url, &quick(0.01)));
        assert_eq!(reasons(&ended.attempts), [Reason::Network, Reason::Answered], "{how}");
    }
}

#[test]
fn a_body_that_was_not_read_takes_its_connection_along() {
    let server = TestServer::start();
    server.script("large", json!([{"body_repeat": ["x", 10_000_000]}]));
    server.script("small", json!([{}]));
    let mut asked = get(&format!("{}/large", server.http()), &options());
    asked.max_body = 1000;
    assert_eq!(failure(send(asked)).kind, FailureKind::TooLarge);
    answer(send(get(&format!("{}/small", server.http()), &options())));
    assert_ne!(connections(&server, "large"), connections(&server, "small"));
    until("the end of the first", || count(&server, "http", "open") == 1);
}

#[test]
fn hosts_do_not_share() {
    let server = TestServer::start();
    server.script("a", json!([{}]));
    let local = server.http().replacen("127.0.0.1", "localhost", 1);
    for base in [server.http(), &local, server.http(), &local] {
        answer(send(get(&format!("{base}/a"), &options())));
    }
    let used = connections(&server, "a");
    assert_ne!(used[0], used[1]);
    assert_eq!(used[..2], used[2..]);
}

#[test]
fn threads_do_not_share() {
    let server = TestServer::start();
    server.script("a", json!([{}]));
    let url = format!("{}/a", server.http());
    answer(send(get(&url, &options())));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..2 {
                answer(send(get(&url, &options())));
            }
        });
    });
    answer(send(get(&url, &options())));
    let used = connections(&server, "a");
    assert_eq!((used[0], used[1]), (used[3], used[2]));
    assert_ne!(used[0], used[1]);
}
