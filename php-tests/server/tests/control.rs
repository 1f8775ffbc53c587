//! The control endpoints, the limiter's endpoint and the binary.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "test code")]

mod common;

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use common::{get, request};
use serde_json::Value;
use test_server::{Stamp, TestServer, json};

#[test]
fn scripts_over_http() {
    let server = TestServer::start();
    let control = server.url("control");
    let put = request(control, "POST", "/_script/a", r#"[{"status": 500, "times": 2}, {}]"#);
    assert_eq!((put.status, put.json()["path"].as_str()), (200, Some("/a")));
    assert_eq!(get(server.http(), "/a").status, 500);
    assert_eq!(get(control, "/_script/a").json(), json!({"name": "a", "taken": 1, "steps": 3}));
    assert_eq!(get(control, "/_log/a").json()[0]["target"], "/a");
    request(control, "DELETE", "/_log/a", "");
    assert_eq!(get(control, "/_log/a").json(), json!([]));
    assert_eq!(request(control, "DELETE", "/_script/a", "").json(), json!({"removed": true}));
    assert_eq!(get(server.http(), "/a").status, 404);
    let wrong = request(control, "POST", "/_script/a", r#"[{"staus": 500}]"#);
    assert_eq!(wrong.status, 400);
    assert!(wrong.json()["error"].as_str().unwrap().contains("unknown field `staus`"));
    assert_eq!(request(control, "POST", "/_script/_a", "[{}]").status, 400);
    assert_eq!(get(control, "/_nothing").status, 400);
}

#[test]
fn concurrent_requests_take_each_step_once() {
    let server = TestServer::start();
    server.script("a", json!({"steps": [{"status": 201}, {"status": 202}], "then": "cycle"}));
    let url = server.http();
    let mut statuses: Vec<u16> = thread::scope(|scope| {
        let threads: Vec<_> = (0..20).map(|_| scope.spawn(|| get(url, "/a").status)).collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    statuses.sort_unstable();
    assert_eq!(statuses, [[201; 10], [202; 10]].concat());
    let mut steps: Vec<_> = server.log("a").iter().map(|e| e.step.unwrap()).collect();
    steps.sort_unstable();
    assert!(steps.iter().copied().eq(0..20));
}

#[test]
fn the_log_has_both_clocks_and_can_be_waited_for() {
    let server = TestServer::start();
    server.script("a", json!([{}]));
    let before = Stamp::now();
    let waiting = thread::scope(|scope| {
        let waiting = scope.spawn(|| get(server.url("control"), "/_log/a?wait=1&timeout_ms=5000").json());
        get(server.http(), "/a");
        waiting.join().unwrap()
    });
    let after = Stamp::now();
    let entry = &waiting[0];
    for (clock, from, to) in [
        ("unix_ns", before.unix_ns, after.unix_ns),
        ("monotonic_ns", before.monotonic_ns, after.monotonic_ns),
    ] {
        let at = entry[clock].as_u64().unwrap();
        assert!((from..=to).contains(&at), "{clock}");
    }
    assert_eq!(entry["head_bytes"], "GET /a HTTP/1.1\r\nHost: x\r\n\r\n".len());
    let start = Instant::now();
    assert_eq!(
        get(server.url("control"), "/_log/a?wait=9&timeout_ms=50").json().as_array().unwrap().len(),
        1
    );
    assert!(start.elapsed() >= Duration::from_millis(50));
}

#[test]
fn connections_are_counted_by_listener() {
    let server = TestServer::start();
    let client = common::Client::connect(server.http());
    get(server.http(), "/status/200");
    let stats = get(server.url("control"), "/_stats").json();
    assert_eq!(
        (&stats["listeners"]["http"]["accepted"], &stats["listeners"]["http"]["requests"]),
        (&json!(2), &json!(1))
    );
    drop(client);
}

#[test]
fn the_limiter_refuses_and_says_when() {
    let server = TestServer::start();
    let path = "/limited/a?limit=2&window_ms=60000&quota=draft";
    assert_eq!(get(server.http(), path).header("RateLimit"), Some("\"default\";r=1;t=60"));
    assert_eq!(get(server.http(), path).status, 200);
    let refused = get(server.http(), path);
    assert_eq!((refused.status, refused.header("retry-after")), (429, Some("60")));
    let told = get(server.url("control"), "/_limited/a").json();
    assert_eq!((&told["accepted"], &told["refused"]), (&json!(2), &json!(1)));
    assert_eq!(told["log"][2]["allowed"], false);
    request(server.url("control"), "DELETE", "/_limited/a", "");
    assert_eq!(get(server.http(), path).status, 200);
}

#[test]
fn the_forms_of_a_refusal() {
    let server = TestServer::start();
    let header = |style: &str, name: &str| {
        let path = format!("/limited/{style}?limit=1&burst=1&kind=bucket&window_ms=1500&retry_after={style}");
        get(server.http(), &path);
        get(server.http(), &path).header(name).map(str::to_owned)
    };
    assert_eq!(header("seconds", "retry-after").unwrap(), "2");
    assert!(header("date", "retry-after").unwrap().ends_with("GMT"));
    assert!(header("fraction", "retry-after").unwrap().starts_with("1."));
    assert!(header("ms", "retry-after-ms").unwrap().parse::<u64>().unwrap() <= 1500);
    assert_eq!(header("none", "retry-after"), None);
    assert_eq!(header("7.5", "retry-after").unwrap(), "7.5");
    assert_eq!(get(server.http(), "/limited/x?retry_after=soon").status, 400);
    for (style, name) in [
        ("x", "x-ratelimit-reset"),
        ("epoch", "x-ratelimit-reset"),
        ("openai", "x-ratelimit-reset-requests"),
        ("anthropic", "anthropic-ratelimit-requests-reset"),
    ] {
        assert!(
            get(server.http(), &format!("/limited/q-{style}?quota={style}")).header(name).is_some(),
            "{style}"
        );
    }
}

#[test]
fn the_binary_says_where_it_is_and_ends_with_stdin() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_test-server"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let addresses: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(get(addresses["http"].as_str().unwrap(), "/status/204").status, 204);
    let ca = addresses["ca"].as_str().unwrap().to_owned();
    assert!(std::fs::read_to_string(&ca).unwrap().contains("BEGIN CERTIFICATE"));
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
    assert!(!std::path::Path::new(&ca).exists());
}
