//! Request bodies: whole on every attempt and every hop, whatever they are made of.

use std::{fs::File, io::Write};

use client::{Body, Call, Part, boundary};
use http::Method;
use policy::{FailureKind, Reason};
use test_server::{Entry, TestServer, json};

use crate::support::{
    call,
    ends::{answer, failure},
    post, quick, reasons, send,
    servers::header,
    with_header,
};

fn temporary(contents: &[u8]) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(contents).unwrap();
    file
}

fn letters(length: usize) -> Vec<u8> {
    (0..length).map(|n| b'a' + (n % 26) as u8).collect()
}

/// Sends it through an attempt that is reset, one that is refused, and one that is redirected.
fn three_times(server: &TestServer, name: &str, body: Body) -> Vec<Entry> {
    let to = format!("{name}-to");
    server.script(
        name,
        json!([{"action": "reset"}, {"status": 503}, {"action": "redirect", "status": 307, "location": format!("/{to}")}]),
    );
    server.script(&to, json!([{"body": "done"}]));
    let mut put = call(Method::PUT, &format!("{}/{name}", server.http()), &quick(0.01));
    put.request.body = body;
    let ended = send(put);
    assert_eq!(reasons(&ended.attempts), [Reason::Network, Reason::Backoff, Reason::Answered], "{name}");
    assert_eq!(answer(ended).body, "done");
    let mut log = server.log(name);
    log.extend(server.log(&to));
    assert_eq!(log.len(), 4, "{name}");
    log
}

#[test]
fn every_kind_of_body_is_whole_each_time() {
    let server = TestServer::start();
    let long = letters(3_000_000);
    let part =
        |name: &str, contents| Part { name: name.into(), filename: None, content_type: None, contents };
    let parts = vec![
        part("text", Body::bytes("value")),
        part("empty", Body::default()),
        part("file", Body::file(temporary(&long), 0, long.len() as u64)),
    ];
    let (multipart, _) = Body::multipart(parts, &boundary());
    for (name, body) in [
        ("bytes", Body::bytes(long.clone())),
        ("short", Body::bytes("x")),
        ("file", Body::file(temporary(&long), 0, long.len() as u64)),
        ("stretch", Body::file(temporary(&long), 1000, 2_000_000)),
        ("multipart", multipart),
    ] {
        let length = body.len();
        let log = three_times(&server, name, body);
        for entry in &log {
            assert_eq!((entry.body_length, entry.body_complete), (length, true), "{name}");
            assert_eq!(header(entry, "Content-Length"), Some(length.to_string().as_str()), "{name}");
            assert_eq!(header(entry, "Transfer-Encoding"), None, "{name}");
            assert_eq!(entry.body_sha256, log[0].body_sha256, "{name}");
        }
    }
}

#[test]
fn an_empty_body_is_empty_each_time() {
    let server = TestServer::start();
    for (name, body) in
        [("none", Body::default()), ("bytes", Body::bytes("")), ("file", Body::file(temporary(b""), 0, 0))]
    {
        for entry in three_times(&server, name, body) {
            assert_eq!((entry.body_length, entry.body_complete), (0, true), "{name}");
            assert_eq!(header(&entry, "Transfer-Encoding"), None, "{name}");
        }
    }
}

#[test]
fn a_file_is_sent_from_its_offset_and_its_own_position_stays() {
    use std::io::{Seek, SeekFrom};
    let server = TestServer::start();
    server.script("a", json!([{"action": "echo"}]));
    let mut file = temporary(b"0123456789");
    file.seek(SeekFrom::Start(7)).unwrap();
    let mut asked = post(&format!("{}/a", server.http()), "", &quick(0.01));
    asked.request.body = Body::file(file.try_clone().unwrap(), 3, 5);
    assert_eq!(answer(send(asked)).status, 200);
    assert_eq!(server.log("a")[0].body_base64, "MzQ1Njc=");
    assert_eq!(file.stream_position().unwrap(), 7);
}

#[test]
fn a_file_that_became_shorter_ends_the_call() {
    let server = TestServer::start();
    server.script("a", json!([{"body": "done"}]));
    let file = temporary(&letters(100_000));
    let mut asked = call(Method::PUT, &format!("{}/a", server.http()), &quick(0.01));
    asked.request.body = Body::file(file.try_clone().unwrap(), 0, 100_000);
    file.set_len(70_000).unwrap();
    let ended = send(asked);
    assert_eq!(reasons(&ended.attempts), [Reason::NotRetryable]);
    let failed = failure(ended);
    assert_eq!((failed.kind, failed.permanent), (FailureKind::Protocol, true), "{}", failed.message);
    assert!(server.log("a").iter().all(|entry| !entry.body_complete));
}

#[test]
fn a_file_that_grew_is_sent_as_long_as_it_was() {
    let server = TestServer::start();
    server.script("a", json!([{"body": "done"}]));
    let mut file = temporary(b"01234");
    let mut asked = call(Method::PUT, &format!("{}/a", server.http()), &quick(0.01));
    asked.request.body = Body::file(file.try_clone().unwrap(), 0, 5);
    file.write_all(b"56789").unwrap();
    assert_eq!(answer(send(asked)).status, 200);
    assert_eq!(server.log("a")[0].body_base64, "MDEyMzQ=");
}

#[test]
fn an_answer_before_the_body_was_read_is_an_answer() {
    let server = TestServer::start();
    let large = |name: &str| -> Call {
        let url = format!("{}/{name}", server.http());
        with_header(post(&url, letters(20_000_000), &quick(0.01)), "content-type", "text/plain")
    };
    for (name, step) in [
        ("part", json!({"status": 413, "body": "too much", "read_body": 1000})),
        ("none", json!({"status": 401, "body": "who?", "read_body": false})),
    ] {
        server.script(name, json!([step]));
        let ended = send(large(name));
        let answer = answer(ended);
        assert_eq!(i64::from(answer.status), step["status"].as_i64().unwrap());
        assert_eq!(answer.body, step["body"].as_str().unwrap());
    }
}

#[test]
fn headers_are_sent_as_they_are() {
    let server = TestServer::start();
    server.script("a", json!([{}]));
    let mut asked = post(&format!("{}/a", server.http()), "x", &quick(0.01));
    for (name, value) in [("x-many", "1"), ("x-many", "2"), ("x-empty", ""), ("user-agent", "test/1")] {
        asked = with_header(asked, name, value);
    }
    asked.request.headers.insert("x-bytes", http::HeaderValue::from_bytes(b"\xe4\xff").unwrap());
    assert_eq!(answer(send(asked)).status, 200);
    let log = server.log("a");
    let many: Vec<_> =
        log[0].headers.iter().filter(|(name, _)| name == "x-many").map(|(_, value)| value.as_str()).collect();
    assert_eq!(many, ["1", "2"]);
    assert_eq!(header(&log[0], "x-empty"), Some(""));
    assert_eq!(header(&log[0], "x-bytes"), Some("\u{e4}\u{ff}"));
    assert_eq!(header(&log[0], "user-agent"), Some("test/1"));
    assert_eq!(header(&log[0], "referer"), None);
}
