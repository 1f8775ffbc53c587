//! What is answered: status, headers, bodies, encodings, framing, redirects, echo.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "test code")]

mod common;

use std::io::Read;
use std::time::{Duration, Instant};

use common::{Client, get, request};
use test_server::{TestServer, json};

#[test]
fn steps_are_taken_in_order_and_the_last_repeats() {
    let server = TestServer::start();
    server.script(
        "a",
        json!([{"status": 429, "headers": [["Retry-After", 1], ["X", "1"], ["X", "2"]]}, {"body": "ok"}]),
    );
    let first = get(server.http(), "/a");
    assert_eq!(first.status, 429);
    assert_eq!(
        first.head,
        "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\nX: 1\r\nX: 2\r\ncontent-length: 0\r\n\r\n"
    );
    for path in ["/a/b", "/a?c"] {
        let next = get(server.http(), path);
        assert_eq!((next.status, next.text().as_str()), (200, "ok"));
    }
    let steps: Vec<_> = server.log("a").iter().map(|e| e.step.unwrap()).collect();
    assert_eq!(steps, [0, 1, 2]);
}

#[test]
fn header_bytes_reason_and_version_are_as_written() {
    let server = TestServer::start();
    server.script(
        "a",
        json!({"headers": [["X", "\u{e4}"], ["Y", {"base64": "/w=="}]], "reason": "Fine", "version": "1.0"}),
    );
    let head = get(server.http(), "/a").head;
    assert!(head.starts_with("HTTP/1.0 200 Fine\r\nX: \u{e4}\r\nY: \u{ff}\r\n"), "{head}");
}

#[test]
fn informational_answers_come_first() {
    let server = TestServer::start();
    server.script(
        "a",
        json!({"informational": [100, {"status": 103, "headers": [["Link", "</x>"]]}], "body": "x"}),
    );
    let mut client = Client::connect(server.http());
    client.get("/a");
    assert_eq!(client.head(), "HTTP/1.1 100 Continue\r\n\r\n");
    assert_eq!(client.head(), "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n");
    assert_eq!(client.answer().text(), "x");
}

#[test]
fn dates_are_relative_to_the_answer() {
    let server = TestServer::start();
    server.script("a", json!({"headers": [["U", "{{unix+60}}"], ["Date", "{{http_date}}"]], "template": true, "body": "{{unix}}"}));
    let answer = get(server.http(), "/a");
    let now: i64 = answer.text().parse().unwrap();
    assert_eq!(answer.header("U").unwrap(), (now + 60).to_string());
    assert!(answer.header("Date").unwrap().ends_with(" GMT"));
}

#[test]
fn chunked_bodies_and_trailers() {
    let server = TestServer::start();
    server.script("a", json!({"chunked": true, "chunks": ["ab", "c"], "trailers": [["T", "1"]]}));
    let mut client = Client::connect(server.http());
    client.get("/a");
    assert!(client.head().contains("transfer-encoding: chunked"));
    let wanted = b"2\r\nab\r\n1\r\nc\r\n0\r\nT: 1\r\n\r\n";
    assert_eq!(client.bytes(wanted.len()), wanted);
    // The connection lives.
    client.get("/status/204");
    assert_eq!(client.head(), "HTTP/1.1 204 No Content\r\n\r\n");
}

#[test]
fn malformed_chunks() {
    let server = TestServer::start();
    let cases = [
        ("bad_size", "2\r\nab\r\nzz\r\nc\r\n0\r\n\r\n"),
        ("huge_size", "2\r\nab\r\nfffffffffffffffff\r\nc\r\n0\r\n\r\n"),
        ("missing_crlf", "2\r\nab\r\n1\r\nc0\r\n\r\n"),
        ("no_end", "2\r\nab\r\n1\r\nc\r\n"),
    ];
    for (fault, wanted) in cases {
        server.script("a", json!({"chunked": true, "chunks": ["ab", "c"], "chunk_fault": fault}));
        let mut client = Client::connect(server.http());
        client.get("/a");
        client.head();
        let (rest, end) = client.rest();
        assert_eq!(
            (String::from_utf8(rest).unwrap().as_str(), common::ending(&end)),
            (wanted, "end"),
            "{fault}"
        );
    }
}

#[test]
fn encodings_decode_to_the_body_and_truncation_shows() {
    let server = TestServer::start();
    let wanted = "x".repeat(100_000);
    for name in ["gzip", "br", "zstd", "deflate"] {
        let answer = get(server.http(), &format!("/{name}?size=100000"));
        assert_eq!(answer.header("content-encoding"), Some(name));
        assert!(answer.body.len() < 5_000, "{name}");
        assert_eq!(decode(name, &answer.body).unwrap(), wanted, "{name}");
        server.script("cut", json!({"body_repeat": ["x", 100_000], "encoding": name, "truncate": -4}));
        let cut = get(server.http(), "/cut");
        assert_eq!(cut.body.len() + 4, answer.body.len());
        assert!(decode(name, &cut.body).is_err() || decode(name, &cut.body).unwrap() != wanted, "{name}");
    }
}

fn decode(name: &str, body: &[u8]) -> std::io::Result<String> {
    let mut text = String::new();
    match name {
        "gzip" => flate2::read::GzDecoder::new(body).read_to_string(&mut text),
        "deflate" => flate2::read::ZlibDecoder::new(body).read_to_string(&mut text),
        "br" => brotli::Decompressor::new(body, 4096).read_to_string(&mut text),
        _ => zstd::Decoder::new(body)?.read_to_string(&mut text),
    }?;
    Ok(text)
}

#[test]
fn a_bomb_is_small_on_the_wire() {
    let server = TestServer::start();
    server.script("a", json!({"body_repeat": ["\0", 100_000_000], "encoding": "gzip"}));
    assert!(get(server.http(), "/a").body.len() < 1_000_000);
    server.script("b", json!({"header_bomb": {"count": 300, "size": 10}, "body": "ok"}));
    let answer = get(server.http(), "/b");
    assert_eq!((answer.head.matches("X-Bomb-").count(), answer.text().as_str()), (300, "ok"));
}

#[test]
fn head_204_and_304_have_no_body() {
    let server = TestServer::start();
    server.script("a", json!([{"body": "abc"}, {"status": 304, "body": "abc"}, {"body": "end"}]));
    let mut client = Client::connect(server.http());
    client.send("HEAD /a HTTP/1.1\r\nHost: x\r\n\r\n");
    assert!(client.head().contains("content-length: 3"));
    client.get("/a");
    assert_eq!(client.head(), "HTTP/1.1 304 Not Modified\r\n\r\n");
    client.get("/a");
    assert_eq!(client.answer().text(), "end");
}

#[test]
fn delays_hold_back_head_or_body() {
    let server = TestServer::start();
    server.script("a", json!([{"delay_ms": 150}, {"body_delay_ms": 150, "body": "x"}]));
    let start = Instant::now();
    get(server.http(), "/a");
    assert!(start.elapsed() >= Duration::from_millis(150));
    let mut client = Client::connect(server.http());
    client.get("/a");
    client.head();
    let head_at = Instant::now();
    client.bytes(1);
    assert!(head_at.elapsed() >= Duration::from_millis(100));
}

#[test]
fn a_gate_holds_until_it_is_released() {
    let server = TestServer::start();
    server.script("a", json!({"hold": "gate", "body": "x"}));
    let mut client = Client::connect(server.http());
    client.get("/a");
    assert_eq!(server.wait_log("a", 1, Duration::from_secs(5)).len(), 1);
    client.stream.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
    assert_eq!(common::ending(&client.rest().1), "silent");
    request(server.url("control"), "POST", "/_release/gate", "");
    client.stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    assert_eq!(client.answer().text(), "x");
}

#[test]
fn drip_and_endless() {
    let server = TestServer::start();
    let start = Instant::now();
    let body = get(server.http(), "/drip/5?bytes=2&every=40").text();
    assert_eq!(body, "xxxxx");
    assert!(start.elapsed() >= Duration::from_millis(80));
    let mut client = Client::connect(server.http());
    client.get("/endless");
    client.head();
    client.bytes(10_000_000);
}

#[test]
fn redirects_lead_to_echo() {
    let server = TestServer::start();
    let path = get(server.http(), "/redirect/2?code=307");
    assert_eq!((path.status, path.header("location")), (307, Some("/redirect/1?code=307")));
    assert_eq!(get(server.http(), "/redirect/1").header("location"), Some("/echo"));
    assert_eq!(get(server.http(), "/redirect-loop").header("location"), Some("/redirect-loop"));
    assert_eq!(
        get(server.http(), "/redirect-to?url=http%3A%2F%2Fx%2Fy").header("location"),
        Some("http://x/y")
    );
}

#[test]
fn echo_describes_the_request() {
    let server = TestServer::start();
    let mut client = Client::connect(server.http());
    client.get("/status/200");
    client.answer();
    client.send("PUT /echo/x?y=1 HTTP/1.1\r\nHost: h\r\nX-a: 1\r\nx-A: 2\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;e=1\r\nde\r\n0\r\nT: 1\r\n\r\n");
    let echo = client.answer().json();
    assert_eq!(
        (&echo["method"], &echo["target"], &echo["index"]),
        (&json!("PUT"), &json!("/echo/x?y=1"), &json!(2))
    );
    assert_eq!(
        echo["headers"],
        json!([["Host", "h"], ["X-a", "1"], ["x-A", "2"], ["Transfer-Encoding", "chunked"]])
    );
    assert_eq!((&echo["body_base64"], &echo["body_length"]), (&json!("YWJjZGU="), &json!(5)));
    assert_eq!(echo["body_sha256"], "36bbe50ed96841d10443bcb670d6554f0a34b761be67ec9c4a8ad2c0c44ca42c");
}

#[test]
fn shorthands_know_common_parameters_and_refuse_wrong_ones() {
    let server = TestServer::start();
    let answer = get(server.http(), "/status/503?retry-after=2&header=X:%20y&body=no&log=seen");
    assert_eq!(
        (answer.status, answer.header("retry-after"), answer.header("x")),
        (503, Some("2"), Some("y"))
    );
    assert_eq!(answer.text(), "no");
    assert_eq!(server.log("seen").len(), 1);
    assert_eq!(get(server.http(), "/status/abc").status, 400);
    assert_eq!(get(server.http(), "/nothing").status, 404);
    assert_eq!(get(server.http(), "/bytes/3000000").body.len(), 3_000_000);
    assert_eq!(get(server.http(), "/bytes/5?status=201").text(), "xxxxx");
}
