//! The proxies: forwarding, tunnels, authentication, scripts and the log.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "test code")]

mod common;

use common::{Client, authority, ending};
use test_server::{TestServer, json};

fn notes(server: &TestServer) -> Vec<String> {
    server.log("_proxy").into_iter().map(|e| e.note.unwrap()).collect()
}

#[test]
fn forwards_in_origin_form() {
    let server = TestServer::start();
    let port = server.http().rsplit_once(':').unwrap().1;
    let mut client = Client::connect(server.proxy());
    client.send(&format!("POST http://api.test:{port}/echo?a=b HTTP/1.1\r\nHost: api.test\r\nX-A: 1\r\nProxy-Connection: keep-alive\r\nContent-Length: 3\r\n\r\nabc"));
    let answer = client.answer();
    assert_eq!(answer.header("connection"), Some("close"));
    let echo = answer.json();
    assert_eq!(
        (&echo["target"], &echo["body_length"], &echo["listener"]),
        (&json!("/echo?a=b"), &json!(3), &json!("http"))
    );
    let names: Vec<_> = echo["headers"].as_array().unwrap().iter().map(|h| h[0].as_str().unwrap()).collect();
    assert_eq!(names, ["Host", "X-A", "Via", "Connection", "Content-Length"]);
    assert_eq!(ending(&client.rest().1), "end");
    assert_eq!(notes(&server), ["forwarded"]);
}

#[test]
fn tunnels() {
    let server = TestServer::start();
    let target = authority(server.http());
    let mut client = Client::connect(server.proxy());
    client.send(&format!("CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n\r\n"));
    assert_eq!(client.head(), "HTTP/1.1 200 Connection Established\r\n\r\n");
    for index in 1..3 {
        client.get("/echo");
        assert_eq!(client.answer().json()["index"], index);
    }
    client.get("/reset");
    assert_eq!(ending(&client.rest().1), "reset");
    assert_eq!(server.log("_proxy")[0].target, target);
}

#[test]
fn asks_for_credentials() {
    let server = TestServer::start();
    let url = format!("{}/status/204", server.http());
    let mut client = Client::connect(server.proxy_auth());
    client.send(&format!("GET {url} HTTP/1.1\r\nHost: x\r\n\r\n"));
    let refused = client.answer();
    assert_eq!(
        (refused.status, refused.header("proxy-authenticate")),
        (407, Some("Basic realm=\"test-proxy\""))
    );
    // user:secret
    client.send(&format!(
        "GET {url} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: Basic dXNlcjpzZWNyZXQ=\r\n\r\n"
    ));
    assert_eq!(client.answer().status, 204);
    assert_eq!(notes(&server), ["auth_required", "forwarded"]);
}

#[test]
fn stays_on_the_loopback_and_tells_what_fails() {
    let server = TestServer::start();
    let mut client = Client::connect(server.proxy());
    client.send("CONNECT example.com:443 HTTP/1.1\r\n\r\n");
    assert_eq!(client.answer().status, 403);
    client.send(&format!("CONNECT {} HTTP/1.1\r\n\r\n", authority(server.url("refused"))));
    assert_eq!(client.answer().status, 502);
    assert_eq!(notes(&server), ["forbidden", "unreachable"]);
}

#[test]
fn plays_the_script_of_a_host() {
    let server = TestServer::start();
    server.script("gone.test", json!([{"status": 503}, {"action": "drop"}]));
    let mut client = Client::connect(server.proxy());
    client.send("CONNECT gone.test:443 HTTP/1.1\r\n\r\n");
    assert_eq!(client.answer().status, 503);
    client.send("GET http://gone.test/ HTTP/1.1\r\n\r\n");
    let (rest, end) = client.rest();
    assert_eq!((rest.len(), ending(&end)), (0, "end"));
    assert_eq!(notes(&server), ["scripted", "scripted"]);
}
