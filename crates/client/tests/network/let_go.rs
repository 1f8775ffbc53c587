//! The body of an answer that is let go: looked at for a while, read while waiting, else dropped.

use std::time::Duration;

use client::{Response, runtime};
use policy::{Options, Reason};
use test_server::{TestServer, json};

use crate::support::{
    ends::{answer, over_budget},
    get, ms, options, quick, reasons, send,
    servers::{between, connections, count, until},
};

const WISH: &str =
    r#"{"error":{"details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"0.3s"}]}}"#;

/// What is left of a first answer when the second never comes.
fn left_of(step: serde_json::Value, base: f64) -> Response {
    let server = TestServer::start();
    server.script("a", json!([step, {"action": "stall"}]));
    let mut asked = get(&format!("{}/a", server.http()), &quick(base));
    asked.deadline = Some(runtime::now().after(Duration::from_secs_f64(base) + ms(300)));
    over_budget(send(asked)).response.unwrap()
}

#[test]
fn a_body_that_comes_during_the_wait_is_kept() {
    let slow = json!({"status": 500, "action": "drip", "body": "0123456789", "drip": {"every_ms": 10}});
    assert_eq!(left_of(slow, 0.5).body, "0123456789");
    let late = json!({"status": 503, "body": "0123456789", "body_delay_ms": 100});
    assert_eq!(left_of(late, 0.5).body, "0123456789");
}

#[test]
fn a_body_that_does_not_come_whole_is_none() {
    let slow = json!({"status": 500, "action": "drip", "body_repeat": ["x", 1000], "drip": {"every_ms": 10}});
    assert_eq!(left_of(slow, 0.3).body, "");
    let half = json!({"status": 500, "action": "half", "body": "0123456789"});
    assert_eq!(left_of(half, 0.3).body, "");
    let long = json!({"status": 500, "body_repeat": ["x", 100_000]});
    assert_eq!(left_of(long, 0.3).body, "");
}

#[test]
fn reading_it_does_not_stretch_the_wait() {
    let server = TestServer::start();
    for (name, step) in [
        ("stalls", json!({"status": 500, "action": "half", "body": "0123456789", "end": "stall"})),
        ("drips", json!({"status": 500, "action": "endless", "drip": {"every_ms": 5}})),
        ("floods", json!({"status": 500, "action": "endless"})),
    ] {
        server.script(name, json!([step, {"body": "done"}]));
        let ended = send(get(&format!("{}/{name}", server.http()), &quick(0.2)));
        let log = server.log(name);
        let gap = between(&log[0], &log[1]);
        assert!(gap >= ms(200) && gap < ms(500), "{name}: {gap:?}");
        assert_ne!(log[0].connection, log[1].connection, "{name}");
        assert_eq!(answer(ended).body, "done");
    }
}

#[test]
fn what_is_not_read_is_closed_while_the_wait_goes_on() {
    let server = TestServer::start();
    server.script("a", json!([{"status": 500, "action": "endless"}, {"body": "done"}]));
    std::thread::scope(|scope| {
        let watch = scope.spawn(|| {
            until("the request", || server.log("a").len() == 1);
            until("the close", || count(&server, "http", "open") == 0);
            // The second request has not come yet.
            server.log("a").len()
        });
        assert_eq!(answer(send(get(&format!("{}/a", server.http()), &quick(3.0)))).body, "done");
        assert_eq!(watch.join().unwrap(), 1);
    });
}

#[test]
fn a_429_waits_for_the_wish_in_its_body() {
    let server = TestServer::start();
    for (name, status) in [("a", 429), ("b", 503), ("c", 529)] {
        server
            .script(name, json!([{"status": status, "body": WISH, "body_delay_ms": 100}, {"body": "done"}]));
        let ended = send(get(&format!("{}/{name}", server.http()), &options()));
        assert_eq!(reasons(&ended.attempts), [Reason::RetryAfter, Reason::Answered], "{status}");
        // The wish counts from the arrival of the headers.
        assert_eq!(ended.attempts[0].wait, ms(300));
        let log = server.log(name);
        let gap = between(&log[0], &log[1]);
        assert!(gap >= ms(300) && gap < ms(600), "{gap:?}");
        assert_eq!(connections(&server, name)[0], connections(&server, name)[1]);
    }
}

#[test]
fn a_wish_in_the_headers_of_a_503_needs_no_body() {
    let server = TestServer::start();
    let step = json!({"status": 503, "headers": [["retry-after-ms", "200"]], "body": "late", "body_delay_ms": 60_000});
    server.script("a", json!([step, {"body": "done"}]));
    let ended = send(get(&format!("{}/a", server.http()), &options()));
    assert_eq!(ended.attempts[0].wait, ms(200));
    assert!(ended.attempts[0].duration < ms(150), "{ended:?}");
    assert!(ended.elapsed < ms(600), "{ended:?}");
}

#[test]
fn a_429_waits_for_its_body_no_longer_than_a_second() {
    let server = TestServer::start();
    let step = json!({"status": 429, "body": WISH, "body_delay_ms": 60_000});
    server.script("a", json!([step, {"body": "done"}]));
    let ended = send(get(&format!("{}/a", server.http()), &quick(0.1)));
    assert_eq!(reasons(&ended.attempts), [Reason::Backoff, Reason::Answered]);
    let log = server.log("a");
    let gap = between(&log[0], &log[1]);
    assert!(gap >= ms(1100) && gap < ms(1700), "{gap:?}");
}

#[test]
fn what_had_arrived_is_looked_at() {
    let server = TestServer::start();
    // All of the JSON, and then a server that does not end its answer.
    let padded = |json: &str| json!({"status": 429, "body": format!("{json}{}", " ".repeat(100)), "send_bytes": json.len() + 1, "end": "stall"});
    server.script("wish", json!([padded(&WISH.replace("0.3s", "1.5s")), {"body": "done"}]));
    let ended = send(get(&format!("{}/wish", server.http()), &quick(0.1)));
    assert_eq!(reasons(&ended.attempts), [Reason::RetryAfter, Reason::Answered]);
    assert_eq!(ended.attempts[0].wait, ms(1500));
}

#[test]
fn more_than_64_kib_is_not_looked_at() {
    let server = TestServer::start();
    let body = format!("{}{WISH}", " ".repeat(70_000));
    server.script("a", json!([{"status": 429, "body": body}, {"body": "done"}]));
    let ended = send(get(&format!("{}/a", server.http()), &quick(0.05)));
    assert_eq!(reasons(&ended.attempts), [Reason::Backoff, Reason::Answered]);
}

#[test]
fn a_final_answer_is_never_cut_short_by_a_look() {
    let server = TestServer::start();
    let step = json!({"status": 429, "action": "drip", "body_repeat": ["x", 20], "drip": {"every_ms": 80}});
    server.script("a", json!([step]));
    let once = Options { max_attempts: 1, ..options() };
    let ended = send(get(&format!("{}/a", server.http()), &once));
    assert!(ended.elapsed >= ms(1500), "{ended:?}");
    let client::End::GaveUp(last) = ended.end else { panic!("{:?}", ended.end) };
    assert_eq!(last.body.len(), 20);
}
