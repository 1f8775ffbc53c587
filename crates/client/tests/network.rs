//! Real sockets against the scripted server.

mod support;

use std::time::Duration;

use client::End;
use http::Method;
use support::{call, options, send};
use test_server::{TestServer, json};

#[test]
fn a_429_with_retry_after_is_waited_out_and_answered() {
    let server = TestServer::start();
    server.script(
        "a",
        json!([{"status": 429, "headers": [["Retry-After", "1"]]}, {"status": 200, "body": "done"}]),
    );
    let ended = send(call(Method::GET, &format!("{}/a", server.http()), &options()));
    let End::Answer(answer) = ended.end else { panic!("{:?}", ended.end) };
    assert_eq!(answer.body, "done");
    assert!(ended.waited >= Duration::from_secs(1), "{:?}", ended.waited);
    assert_eq!(ended.attempts.len(), 2);
}
