//! Answers in all their forms: what is skipped, what has no body, what is handed over as it came.

use client::Ended;
use http::{Method, Version};
use policy::{Options, Reason};
use test_server::{TestServer, json};

use crate::support::{
    call,
    ends::{answer, gave_up},
    get, ms, options, reasons, send,
};

fn fetch(step: serde_json::Value, method: Method) -> Ended {
    let server = TestServer::start();
    server.script("a", json!([step]));
    send(call(method, &format!("{}/a", server.http()), &options()))
}

#[test]
fn informational_answers_are_skipped() {
    for informational in
        [json!([103]), json!([100, 102, 103, 199]), json!([{"status": 103, "headers": [["Link", "</x>"]]}])]
    {
        let answer = answer(fetch(json!({"informational": informational, "body": "here"}), Method::GET));
        assert_eq!((answer.status, answer.body.to_vec().as_slice()), (200, &b"here"[..]));
        assert!(!answer.headers.contains_key("link"));
    }
}

#[test]
fn informational_answers_do_not_stop_the_timeout() {
    let server = TestServer::start();
    server.script("a", json!([{"informational": [103], "delay_ms": 60_000}]));
    let brief = Options { timeout: 0.2, max_attempts: 1, ..options() };
    let ended = send(get(&format!("{}/a", server.http()), &brief));
    assert!(ended.elapsed >= ms(200) && ended.elapsed < ms(1200), "{ended:?}");
}

#[test]
fn answers_without_a_body_have_none() {
    for (status, method) in [(204, Method::GET), (304, Method::GET), (205, Method::GET), (200, Method::HEAD)]
    {
        let headers = json!([["X-Kept", "1"]]);
        let answer = answer(fetch(json!({"status": status, "headers": headers}), method));
        assert_eq!((answer.status, answer.body.len()), (status, 0));
        assert_eq!(answer.headers["x-kept"], "1");
    }
}

#[test]
fn a_head_answer_keeps_its_content_length_and_is_not_waited_for() {
    let ended = fetch(json!({"body_repeat": ["x", 100_000_000]}), Method::HEAD);
    assert!(ended.elapsed < ms(1000), "{ended:?}");
    let answer = answer(ended);
    assert_eq!(answer.headers["content-length"], "100000000");
    assert_eq!(answer.body.len(), 0);
}

#[test]
fn a_head_or_304_with_a_coding_is_no_broken_body() {
    let headers = json!([["Content-Encoding", "gzip"], ["Content-Length", "100"]]);
    assert_eq!(answer(fetch(json!({"headers": headers}), Method::HEAD)).status, 200);
    let headers = json!([["Content-Encoding", "br"]]);
    assert_eq!(answer(fetch(json!({"status": 304, "headers": headers}), Method::GET)).status, 304);
    assert_eq!(answer(fetch(json!({"status": 204, "headers": headers}), Method::GET)).status, 204);
    assert_eq!(answer(fetch(json!({"status": 200, "headers": headers}), Method::GET)).body, "");
}

#[test]
fn every_status_outside_retry_on_is_an_answer_at_once() {
    let server = TestServer::start();
    for status in [200, 201, 204, 300, 304, 400, 401, 403, 404, 408, 409, 413, 421, 425, 451, 499, 600, 999] {
        let ended = send(get(&format!("{}/status/{status}?body=x", server.http()), &options()));
        assert_eq!(reasons(&ended.attempts), [Reason::Answered], "{status}");
        assert_eq!(answer(ended).status, status);
    }
}

#[test]
fn a_421_is_not_sent_again() {
    let server = TestServer::start();
    server.script("a", json!([{"status": 421, "body": "misdirected"}, {"body": "no"}]));
    let ended = send(get(&format!("{}/a", server.http()), &options()));
    assert_eq!(answer(ended).body, "misdirected");
    assert_eq!(server.log("a").len(), 1);
}

#[test]
fn reason_phrase_and_version_are_the_servers() {
    for (step, phrase, version) in [
        (json!({}), "OK", Version::HTTP_11),
        (json!({"reason": "Fine indeed"}), "Fine indeed", Version::HTTP_11),
        // httparse gives none where a byte is not ASCII.
        (json!({"reason": "gr\u{fc}n"}), "", Version::HTTP_11),
        (json!({"status": 499, "reason": "Client Left"}), "Client Left", Version::HTTP_11),
        (json!({"version": "1.0"}), "OK", Version::HTTP_10),
    ] {
        let answer = answer(fetch(step, Method::GET));
        let text: String = answer.reason_phrase.iter().copied().map(char::from).collect();
        assert_eq!((text.as_str(), answer.version), (phrase, version));
    }
}

#[test]
fn headers_keep_their_bytes_order_and_number() {
    let headers = json!([["X-A", "1"], ["X-B", "\u{e4}\u{ff}"], ["x-a", "2"], ["X-Empty", ""], ["X-A", "1"]]);
    let answer = answer(fetch(json!({"headers": headers}), Method::GET));
    let all: Vec<_> = answer.headers.get_all("x-a").iter().collect();
    assert_eq!(all, ["1", "2", "1"]);
    assert_eq!(answer.headers["x-b"].as_bytes(), b"\xe4\xff");
    assert_eq!(answer.headers["x-empty"], "");
}

#[test]
fn bodies_arrive_whole_in_every_framing() {
    let long = json!(["0123456789", 100_000]);
    for step in [
        json!({"body_repeat": long}),
        json!({"body_repeat": long, "chunked": true}),
        json!({"body_repeat": long, "chunked": true, "chunk_size": 1000}),
        json!({"body_repeat": long, "content_length": false}),
        json!({"body_repeat": long, "version": "1.0", "content_length": false}),
        json!({"body_repeat": long, "chunked": true, "trailers": [["X-Sum", "1"]]}),
    ] {
        let answer = answer(fetch(step.clone(), Method::GET));
        assert_eq!(answer.body.len(), 1_000_000, "{step}");
        assert!(answer.body.to_vec().chunks(10).all(|ten| ten == b"0123456789"), "{step}");
        assert!(!answer.headers.contains_key("x-sum"), "{step}");
    }
}

#[test]
fn the_uri_of_the_answer_has_no_credentials() {
    let server = TestServer::start();
    let url = server.http().replacen("http://", "http://user:pass@", 1);
    let answer = answer(send(get(&format!("{url}/json?q=1#f"), &options())));
    assert_eq!(answer.uri.as_str(), format!("{}/json?q=1#f", server.http()));
}

#[test]
fn the_wish_is_told_with_a_final_answer_too() {
    let server = TestServer::start();
    server.script("a", json!([{"status": 413, "headers": [["Retry-After", "120"]]}]));
    let told = answer(send(get(&format!("{}/a", server.http()), &options())));
    assert_eq!(told.retry_after, Some(ms(120_000)));
    server.script("b", json!([{"status": 429, "headers": [["Retry-After", "{{http_date+120}}"], ["Date", "{{http_date}}"]]}]));
    let once = Options { max_attempts: 1, ..options() };
    let last = gave_up(send(get(&format!("{}/b", server.http()), &once))).retry_after.unwrap();
    // The two clocks agree, so the date counts from ours and not from the server's whole second.
    assert!(last > ms(118_000) && last <= ms(120_000), "{last:?}");
}
