//! HTTP/2, seen by the `h2` crate's client.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "test code")]

mod common;

use std::time::Duration;

use bytes::Bytes;
use common::authority;
use h2::client::SendRequest;
use h2::{Error, Reason};
use http::{HeaderMap, Request, Response};
use test_server::{TestServer, json};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

struct Client {
    send: SendRequest<Bytes>,
    connection: JoinHandle<Result<(), Error>>,
}

struct Answer {
    response: Response<()>,
    body: Vec<u8>,
    trailers: Option<HeaderMap>,
}

async fn connect(server: &TestServer) -> Client {
    let tcp = TcpStream::connect(authority(server.h2c())).await.unwrap();
    let (send, connection) = h2::client::handshake(tcp).await.unwrap();
    Client { send, connection: tokio::spawn(connection) }
}

impl Client {
    async fn request(&mut self, path: &str, body: &'static [u8]) -> Result<Answer, Error> {
        let request = Request::post(format!("http://x{path}")).header("x-a", "1").body(()).unwrap();
        let mut ready = self.send.clone().ready().await?;
        let (response, mut stream) = ready.send_request(request, body.is_empty())?;
        if !body.is_empty() {
            stream.send_data(Bytes::from_static(body), true)?;
        }
        let (parts, mut incoming) = response.await?.into_parts();
        let mut all = Vec::new();
        while let Some(data) = incoming.data().await {
            let data = data?;
            incoming.flow_control().release_capacity(data.len())?;
            all.extend_from_slice(&data);
        }
        let trailers = incoming.trailers().await?;
        Ok(Answer { response: Response::from_parts(parts, ()), body: all, trailers })
    }
}

#[tokio::test]
async fn answers_echo_and_log() {
    let server = TestServer::start();
    server.script(
        "a",
        json!([
            {"status": 429, "headers": [["Retry-After", "1"], ["Connection", "x"]]},
            {"body_repeat": ["ab", 500_000], "trailers": [["T", "1"]], "informational": [103]},
            {"action": "echo"},
        ]),
    );
    let mut client = connect(&server).await;
    let first = client.request("/a", b"").await.unwrap();
    assert_eq!((first.response.status(), first.body.len()), (http::StatusCode::TOO_MANY_REQUESTS, 0));
    assert_eq!(
        (first.response.headers()["retry-after"].as_bytes(), first.response.headers().len()),
        (&b"1"[..], 2)
    );
    let second = client.request("/a/b?c", b"hello").await.unwrap();
    assert_eq!((second.body.len(), second.trailers.unwrap()["t"].as_bytes()), (1_000_000, &b"1"[..]));
    let echo: serde_json::Value =
        serde_json::from_slice(&client.request("/a", b"abc").await.unwrap().body).unwrap();
    assert_eq!(
        (&echo["protocol"], &echo["index"], &echo["body_base64"]),
        (&json!("HTTP/2"), &json!(3), &json!("YWJj"))
    );
    let log = server.log("a");
    assert_eq!(
        (log[1].target.as_str(), log[1].body_length, log[1].protocol.as_str()),
        ("/a/b?c", 5, "HTTP/2")
    );
    assert_eq!(
        (log[1].headers[0].clone(), log[1].connection),
        (("x-a".into(), "1".into()), log[0].connection)
    );
}

#[tokio::test]
async fn refused_streams_leave_the_connection_alive() {
    let server = TestServer::start();
    server.script(
        "a",
        json!([
            {"action": "refuse_stream", "times": 2},
            {"action": "refuse_stream", "error_code": "ENHANCE_YOUR_CALM"},
            {"action": "half", "body": "0123456789"},
            {"body": "ok"},
        ]),
    );
    let mut client = connect(&server).await;
    for reason in
        [Reason::REFUSED_STREAM, Reason::REFUSED_STREAM, Reason::ENHANCE_YOUR_CALM, Reason::INTERNAL_ERROR]
    {
        let error = client.request("/a", b"").await.err().unwrap();
        assert!(error.is_reset() && error.is_remote(), "{error}");
        assert_eq!(error.reason(), Some(reason));
    }
    assert_eq!(client.request("/a", b"").await.unwrap().body, b"ok");
    assert_eq!(server.log("a").last().unwrap().index, 5);
}

#[tokio::test]
async fn goaway_below_the_stream_spares_earlier_ones() {
    let server = TestServer::start();
    server.script("slow", json!({"hold": "gate", "body": "slow"}));
    server.script("a", json!([{"action": "goaway", "error_code": "ENHANCE_YOUR_CALM"}]));
    let mut client = connect(&server).await;
    let mut other = Client { send: client.send.clone(), connection: tokio::spawn(async { Ok(()) }) };
    let slow = tokio::spawn(async move { other.request("/slow", b"").await });
    while server.log("slow").is_empty() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let error = client.request("/a", b"").await.err().unwrap();
    assert!(error.is_go_away() && error.is_remote(), "{error}");
    assert_eq!(error.reason(), Some(Reason::ENHANCE_YOUR_CALM));
    server.release("gate");
    assert_eq!(slow.await.unwrap().unwrap().body, b"slow");
}

#[tokio::test]
async fn goaway_after_the_answer_and_close() {
    let server = TestServer::start();
    server.script(
        "a",
        json!([{"action": "goaway", "goaway": "after", "body": "x"}, {"close": true, "body": "y"}]),
    );
    for body in [b"x", b"y"] {
        let mut client = connect(&server).await;
        assert_eq!(client.request("/a", b"").await.unwrap().body, body);
        client.connection.await.unwrap().unwrap();
        assert!(client.send.ready().await.is_err());
    }
}

#[tokio::test]
async fn the_connection_breaks_in_each_way() {
    let server = TestServer::start();
    server.script(
        "a",
        json!([
            {"action": "drop"},
            {"action": "reset"},
            // A PING on a stream is a protocol error.
            {"action": "raw", "raw": "\u{0}\u{0}\u{8}\u{6}\u{0}\u{0}\u{0}\u{0}\u{1}12345678"},
            {"body": "0123", "end": "cut", "send_bytes": 2},
            {"action": "half", "body": "0123", "end": "reset"},
        ]),
    );
    for number in 0..5 {
        let mut client = connect(&server).await;
        let error = client.request("/a", b"").await.err().unwrap();
        assert_eq!(error.is_io(), number != 2, "{number}: {error}");
    }
}

#[tokio::test]
async fn stale_connections() {
    let server = TestServer::start();
    server.script("idle", json!({"body": "x", "close_idle_after_ms": 50}));
    let mut client = connect(&server).await;
    client.request("/idle", b"").await.unwrap();
    client.connection.await.unwrap().unwrap();
    server.script("next", json!([{"body": "x", "close_on_next": "reset"}, {"body": "y"}]));
    let mut client = connect(&server).await;
    client.request("/next", b"").await.unwrap();
    assert!(client.request("/next", b"abc").await.err().unwrap().is_io());
    assert_eq!(server.log("next")[1].note.as_deref(), Some("closed_on_next"));
    assert_eq!(connect(&server).await.request("/next", b"").await.unwrap().body, b"y");
}

#[tokio::test]
async fn stalls_drips_and_bombs() {
    let server = TestServer::start();
    let mut client = connect(&server).await;
    let stalled = tokio::time::timeout(Duration::from_millis(50), client.request("/stall", b"")).await;
    assert!(stalled.is_err());
    assert_eq!(client.request("/drip/3?every=5", b"").await.unwrap().body, b"xxx");
    assert_eq!(client.request("/headers/100?size=20", b"").await.unwrap().response.headers().len(), 102);
    let endless = tokio::time::timeout(Duration::from_millis(50), client.request("/endless", b"")).await;
    assert!(endless.is_err());
}

#[tokio::test]
async fn the_log_tells_of_the_answer_and_of_a_stream_that_was_reset() {
    let server = TestServer::start();
    server.script(
        "a",
        json!([{"body": "whole"}, {"action": "stall"}, {"action": "endless"}, {"body": "again"}]),
    );
    let mut client = connect(&server).await;
    client.request("/a", b"").await.unwrap();
    for _ in 0..2 {
        let request = Request::get("http://x/a").body(()).unwrap();
        let mut ready = client.send.clone().ready().await.unwrap();
        let (response, mut stream) = ready.send_request(request, true).unwrap();
        let _ = tokio::time::timeout(Duration::from_millis(100), response).await;
        stream.send_reset(Reason::CANCEL);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    client.request("/a", b"").await.unwrap();
    let log = server.log("a");
    let left: Vec<bool> = log.iter().map(|e| e.left_ns.is_some()).collect();
    assert_eq!(left, [false, true, true, false]);
    assert_eq!((log[0].sent, log[1].sent, log[3].sent), (5, 0, 5));
    // What the client's window had room for.
    assert!((1..=65_535).contains(&log[2].sent), "{}", log[2].sent);
    assert!(log.iter().all(|e| e.connection == log[0].connection));
}
