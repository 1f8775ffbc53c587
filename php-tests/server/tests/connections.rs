//! How connections break, close and go stale.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "test code")]

mod common;

use std::net::TcpStream;
use std::time::{Duration, Instant};

use common::{Client, authority, ending, get};
use test_server::{TestServer, json};

#[test]
fn drop_reset_stall_and_raw() {
    let server = TestServer::start();
    server.script(
        "a",
        json!([
            {"action": "drop"},
            {"action": "reset"},
            {"action": "raw", "raw": "HTTP/1.1 two\r\n\u{ff}"},
            {"action": "raw", "raw_base64": "aGk=", "end": "reset"},
            {"action": "stall"},
        ]),
    );
    for (bytes, end) in
        [(&b""[..], "end"), (b"", "reset"), (b"HTTP/1.1 two\r\n\xff", "end"), (b"hi", "reset")]
    {
        let mut client = Client::connect(server.http());
        client.get("/a");
        let (rest, how) = client.rest();
        assert_eq!((rest.as_slice(), ending(&how)), (bytes, end));
    }
    let mut client = Client::connect(server.http());
    client.stream.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
    client.get("/a");
    assert_eq!(ending(&client.rest().1), "silent");
}

#[test]
fn half_a_body_and_its_ends() {
    let server = TestServer::start();
    server.script(
        "a",
        json!([
            {"action": "half", "body": "0123456789"},
            {"action": "half", "body": "0123456789", "send_bytes": 3, "end": "reset"},
            {"action": "half", "body": "0123456789", "end": "stall"},
            {"content_length": 100, "body": "abc"},
            {"content_length": false, "body": "abc"},
            {"headers": [["Content-Length", "1"], ["Content-Length", "2"]], "body": "abc", "close": true},
        ]),
    );
    let wanted = [
        ("01234", "end"),
        ("012", "reset"),
        ("01234", "silent"),
        ("abc", "end"),
        ("abc", "end"),
        ("abc", "end"),
    ];
    for (number, (body, end)) in wanted.into_iter().enumerate() {
        let mut client = Client::connect(server.http());
        client
            .stream
            .set_read_timeout(Some(Duration::from_millis(if end == "silent" { 100 } else { 5000 })))
            .unwrap();
        client.get("/a");
        let head = client.head();
        let lengths = [
            "content-length: 10\r",
            "content-length: 10\r",
            "content-length: 10\r",
            "content-length: 100\r",
            "connection: close",
            "Content-Length: 1\r\nContent-Length: 2\r\nconnection: close\r\n\r\n",
        ];
        assert!(head.contains(lengths[number]), "{head}");
        let (rest, how) = client.rest();
        assert_eq!((String::from_utf8(rest).unwrap().as_str(), ending(&how)), (body, end), "{number}");
    }
}

#[test]
fn keep_alive_is_the_default_and_close_is_obeyed() {
    let server = TestServer::start();
    let mut client = Client::connect(server.http());
    for index in 1..4 {
        client.get("/echo");
        assert_eq!(client.answer().json()["index"], index);
    }
    client.send("GET /bytes/2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    assert_eq!(client.answer().header("connection"), Some("close"));
    assert_eq!(ending(&client.rest().1), "end");
    let mut client = Client::connect(server.http());
    client.send("GET /echo HTTP/1.0\r\n\r\n");
    client.answer();
    assert_eq!(ending(&client.rest().1), "end");
}

#[test]
fn stale_after_a_while() {
    let server = TestServer::start();
    server.script("a", json!({"body": "x", "close_idle_after_ms": 100}));
    let mut client = Client::connect(server.http());
    client.get("/a");
    assert_eq!(client.answer().header("connection"), None);
    client.get("/a");
    client.answer();
    let start = Instant::now();
    assert_eq!(ending(&client.rest().1), "end");
    assert!(start.elapsed() >= Duration::from_millis(90));
}

#[test]
fn stale_upon_the_next_request() {
    let server = TestServer::start();
    for (end, wanted) in [("close", "end"), ("cut", "end"), ("reset", "reset")] {
        server.script("a", json!([{"body": "1", "close_on_next": end}, {"body": "2"}]));
        let mut client = Client::connect(server.http());
        client.get("/a");
        client.answer();
        client.send("POST /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc");
        let (rest, how) = client.rest();
        assert_eq!((rest.len(), ending(&how)), (0, wanted));
        let log = server.log("a");
        assert_eq!(
            (log[1].step, log[1].note.as_deref(), log[1].body_length),
            (None, Some("closed_on_next"), 3)
        );
        assert_eq!(get(server.http(), "/a").text(), "2");
    }
}

#[test]
fn an_unread_body_does_not_hinder_the_answer() {
    let server = TestServer::start();
    server.script("a", json!({"status": 413, "read_body": false, "body": "too much"}));
    let mut client = Client::connect(server.http());
    client.send("POST /a HTTP/1.1\r\nContent-Length: 1000000\r\n\r\nabc");
    assert_eq!(client.answer().status, 413);
    assert_eq!(ending(&client.rest().1), "end");
    let entry = &server.log("a")[0];
    assert_eq!((entry.body_complete, entry.body_length), (false, 0));
}

#[test]
fn a_broken_upload_is_logged() {
    let server = TestServer::start();
    server.script("a", json!({}));
    let mut client = Client::connect(server.http());
    client.send("POST /a HTTP/1.1\r\nContent-Length: 10\r\n\r\nabc");
    drop(client);
    let log = server.wait_log("a", 1, Duration::from_secs(5));
    assert_eq!((log[0].body_complete, log[0].body_length), (false, 3));
}

#[test]
fn expect_continue_is_answered() {
    let server = TestServer::start();
    let mut client = Client::connect(server.http());
    client.send("POST /echo HTTP/1.1\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n");
    assert_eq!(client.head(), "HTTP/1.1 100 Continue\r\n\r\n");
    client.send("x");
    assert_eq!(client.answer().json()["body_length"], 1);
}

#[test]
fn refused_and_black_hole() {
    let server = TestServer::start();
    let error = TcpStream::connect(authority(server.url("refused"))).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::ConnectionRefused);
    if !server.url("blackhole").is_empty() {
        let address = authority(server.url("blackhole")).parse().unwrap();
        let error = TcpStream::connect_timeout(&address, Duration::from_millis(100)).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::TimedOut);
    }
}

#[test]
fn a_bad_request_is_answered_and_counted() {
    let server = TestServer::start();
    let mut client = Client::connect(server.http());
    client.send("GET / HTTP/1.1\r\nbad header\r\n\r\n");
    assert_eq!(client.answer().status, 400);
    assert_eq!(server.stats()["listeners"]["http"]["bad_requests"], 1);
}

#[test]
fn the_log_tells_of_the_answer_and_of_a_client_that_leaves() {
    let server = TestServer::start();
    server.script(
        "a",
        json!([
            {"body": "whole"},
            {"chunks": ["ab", "cde", "f"], "chunked": true, "drip": {"every_ms": 10}},
            {"action": "stall"},
            {"body": "late", "delay_ms": 60_000},
            {"action": "half", "body": "0123456789", "end": "stall"},
            {"action": "endless", "chunked": true},
        ]),
    );
    for _ in 0..2 {
        let mut client = Client::connect(server.http());
        client.get("/a");
        client.head();
        client.bytes(1);
        std::thread::sleep(Duration::from_millis(100));
    }
    for _ in 0..4 {
        let mut client = Client::connect(server.http());
        client.get("/a");
        std::thread::sleep(Duration::from_millis(100));
        assert!(server.log("a").last().unwrap().left_ns.is_none());
    }
    std::thread::sleep(Duration::from_millis(100));
    let log = server.log("a");
    let left: Vec<bool> = log.iter().map(|e| e.left_ns.is_some()).collect();
    assert_eq!(left, [false, false, true, true, true, true]);
    assert_eq!(log.iter().take(5).map(|e| e.sent).collect::<Vec<_>>(), [5, 6, 0, 0, 5]);
    assert!((1..64 * 1024 * 1024).contains(&log[5].sent), "{}", log[5].sent);
    assert!(log[2].left_ns.unwrap() > log[2].monotonic_ns);
}
