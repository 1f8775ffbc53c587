//! Requests and settings at the edge of what makes sense: they end, and as what they are.

use http::Method;
use policy::{FailureKind, Options, Reason};
use test_server::{TestServer, json};

use crate::support::{
    call,
    ends::{answer, failure},
    get, ms, options, quick, reasons, send,
    servers::{header, over, trusting},
};

#[test]
fn times_without_end_are_taken() {
    let server = TestServer::start();
    server.script("a", json!([{"status": 500}, {"body": "done"}]));
    let endless = Options {
        timeout: 1e300,
        connect_timeout: 1e300,
        idle_timeout: Some(1e300),
        max_delay: 1e300,
        max_retry_after: 1e300,
        max_attempts: i64::MAX,
        ..quick(0.01)
    };
    for base in [server.http(), server.h2()] {
        server.script("a", json!([{"status": 500}, {"body": "done"}]));
        let mut asked = over(get(&format!("{base}/a"), &endless), trusting(&server));
        asked.deadline = Some(policy::Timestamp::from_nanos(u64::MAX));
        asked.max_body = u64::MAX;
        assert_eq!(answer(send(asked)).body, "done");
    }
}

#[test]
fn the_shortest_timeout_ends_at_once() {
    let server = TestServer::start();
    let shortest = Options { timeout: 5e-324, max_attempts: 2, ..quick(0.0) };
    let ended = send(get(&format!("{}/stall", server.http()), &shortest));
    assert!(ended.elapsed < ms(500), "{ended:?}");
    assert_eq!(failure(ended).kind, FailureKind::Timeout);
}

#[test]
fn methods_of_every_name_are_sent() {
    let server = TestServer::start();
    for method in ["OPTIONS", "TRACE", "PROPFIND", "get", "x-y"] {
        server.script("a", json!([{}]));
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        assert_eq!(
            answer(send(call(method.clone(), &format!("{}/a", server.http()), &options()))).status,
            200
        );
        assert_eq!(server.log("a")[0].method, method.as_str());
    }
}

#[test]
fn what_is_no_http_uri_is_sent_nowhere() {
    for uri in ["ftp://127.0.0.1/x", "file:///etc/passwd", "mailto:a@b.test", "data:,x", "unix:/run/x"] {
        let ended = send(get(uri, &quick(0.01)));
        assert_eq!(reasons(&ended.attempts), [Reason::NotRetryable], "{uri}");
        let failed = failure(ended);
        assert!(failed.permanent, "{uri}: {failed:?}");
    }
}

#[test]
fn uris_are_sent_as_they_are_written() {
    let server = TestServer::start();
    server.script("a", json!([{}]));
    for (path, target) in [
        ("a/%20b?x=%2F&y=a+b#fragment", "/a/%20b?x=%2F&y=a+b"),
        ("a//b/./c?", "/a//b/c?"),
        ("a/\u{e4}?q=\u{e4}", "/a/%C3%A4?q=%C3%A4"),
        ("a?", "/a?"),
    ] {
        server.clear_log("a");
        answer(send(get(&format!("{}/{path}", server.http()), &options())));
        assert_eq!(server.log("a")[0].target, target, "{path}");
    }
    let http6 = server.url("http6");
    if !http6.is_empty() {
        assert_eq!(answer(send(get(&format!("{http6}/a"), &options()))).status, 200);
    }
}

#[test]
fn the_callers_host_header_is_sent() {
    let server = TestServer::start();
    server.script("a", json!([{}]));
    let mut asked = get(&format!("{}/a", server.http()), &options());
    asked.request.headers.insert("host", "virtual.test".parse().unwrap());
    answer(send(asked));
    let log = server.log("a");
    let hosts: Vec<_> = log[0].headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("host")).collect();
    assert_eq!(hosts.len(), 1, "{hosts:?}");
    assert_eq!(header(&log[0], "Host"), Some("virtual.test"));
}

#[test]
fn a_flood_of_informational_answers_ends_in_time() {
    let server = TestServer::start();
    let flood = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".repeat(10_000);
    server.script("a", json!([{"action": "raw", "raw": flood, "end": "stall"}]));
    let brief = Options { timeout: 0.5, max_attempts: 1, ..options() };
    let ended = send(get(&format!("{}/a", server.http()), &brief));
    assert!(ended.elapsed < ms(2500), "{ended:?}");
    failure(ended);
}

#[test]
fn floods_around_chunks_are_failures() {
    let server = TestServer::start();
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    let long = "x".repeat(2_000_000);
    for (what, raw) in [
        ("extension", format!("{head}1;{long}\r\na\r\n0\r\n\r\n")),
        ("size", format!("{head}{}\r\na\r\n0\r\n\r\n", "1".repeat(2_000_000))),
    ] {
        server.script("a", json!([{"action": "raw", "raw": raw}]));
        let once = Options { max_attempts: 1, timeout: 5.0, ..options() };
        let ended = send(get(&format!("{}/a", server.http()), &once));
        assert!(ended.elapsed < ms(3000), "{what}");
        let failed = failure(ended);
        assert_eq!(failed.kind, FailureKind::Protocol, "{what}: {failed:?}");
    }
    // Behind a body that is whole: nobody reads them.
    for trailers in [format!("x: {long}\r\n"), "x: y\r\n".repeat(100_000)] {
        let raw = format!("{head}1\r\na\r\n0\r\n{trailers}\r\n");
        server.script("a", json!([{"action": "raw", "raw": raw}]));
        let once = Options { max_attempts: 1, timeout: 5.0, ..options() };
        let ended = send(get(&format!("{}/a", server.http()), &once));
        assert!(ended.elapsed < ms(3000));
        match ended.end {
            client::End::Answer(answer) => assert_eq!(answer.body, "a"),
            client::End::Failed(failed) => assert_eq!(failed.kind, FailureKind::Protocol, "{failed:?}"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn many_threads_at_once() {
    let server = TestServer::start();
    server.script("a", json!({"steps": [{"status": 503}, {"body": "done"}], "then": "cycle"}));
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..20 {
                    let asked = get(&format!("{}/a", server.https()), &quick(0.001));
                    let ended = send(over(asked, trusting(&server)));
                    assert!(
                        matches!(ended.end, client::End::Answer(_) | client::End::GaveUp(_)),
                        "{ended:?}"
                    );
                }
            });
        }
    });
}
