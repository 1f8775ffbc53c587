//! Redirects belong to one attempt; a retry starts over at the call's own URI.

use client::{Body, VirtualClock};
use http::Method;
use policy::{FailureKind, Options, Reason};

use crate::support::{
    call,
    ends::{answer, failure},
    get, options, post, reasons, response,
    scripts::play,
    with_header,
};

fn to(status: u16, location: &str) -> Result<client::Response, client::Failed> {
    Ok(response(status, &[("location", location)], "moved"))
}

#[test]
fn hops_are_one_attempt_and_the_last_uri_is_told() {
    let answers = vec![to(302, "/b"), to(301, "c?d#e"), Ok(response(200, &[], "there"))];
    let (ended, requests) =
        play(get("http://api.test/a/a", &options()), &VirtualClock::starting_now(), answers);
    let uris: Vec<_> = requests.iter().map(|request| request.uri.as_str()).collect();
    assert_eq!(uris, ["http://api.test/a/a", "http://api.test/b", "http://api.test/c?d#e"]);
    assert_eq!(reasons(&ended.attempts), [Reason::Answered]);
    let answer = answer(ended);
    assert_eq!(
        (answer.uri.as_str(), answer.body.to_vec().as_slice()),
        ("http://api.test/c?d#e", &b"there"[..])
    );
}

#[test]
fn a_retry_starts_at_the_calls_uri() {
    let answers = vec![to(307, "/b"), Ok(response(503, &[], "")), to(307, "/c"), Ok(response(200, &[], ""))];
    let (ended, requests) =
        play(post("http://api.test/a", "sent", &options()), &VirtualClock::starting_now(), answers);
    let paths: Vec<_> = requests.iter().map(|request| request.uri.path()).collect();
    assert_eq!(paths, ["/a", "/b", "/a", "/c"]);
    for request in &requests {
        assert_eq!((&request.method, &request.body.in_memory().unwrap()[..]), (&Method::POST, &b"sent"[..]));
        assert_eq!(request.headers["idempotency-key"], requests[0].headers["idempotency-key"]);
    }
    assert_eq!(reasons(&ended.attempts), [Reason::Backoff, Reason::Answered]);
}

#[test]
fn the_method_changes_as_browsers_do_it() {
    for (status, method, after) in [
        (301, "POST", "GET"),
        (302, "POST", "GET"),
        (303, "POST", "GET"),
        (303, "PUT", "GET"),
        (303, "DELETE", "GET"),
        (303, "HEAD", "HEAD"),
        (301, "PUT", "PUT"),
        (302, "PATCH", "PATCH"),
        (302, "HEAD", "HEAD"),
        (307, "POST", "POST"),
        (308, "POST", "POST"),
        (308, "DELETE", "DELETE"),
    ] {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let mut asked = with_header(call(method, "http://api.test/a", &options()), "content-type", "x/y");
        asked.request.body = Body::bytes("sent");
        let answers = vec![to(status, "/b"), Ok(response(200, &[], ""))];
        let (_, requests) = play(asked, &VirtualClock::starting_now(), answers);
        let next = &requests[1];
        assert_eq!(next.method.as_str(), after, "{status}");
        let dropped = after == "GET";
        assert_eq!(next.body.is_empty(), dropped, "{status}");
        assert_eq!(next.headers.contains_key("content-type"), !dropped, "{status}");
    }
}

#[test]
fn credentials_stay_at_their_origin() {
    let secret = || {
        let call = get("http://user:pass@api.test/a", &options());
        with_header(with_header(with_header(call, "cookie", "c"), "x-api-key", "k"), "x-other", "o")
    };
    let answers = || vec![to(302, "/same"), to(302, "http://other.test/b"), Ok(response(200, &[], ""))];
    let (_, requests) = play(secret(), &VirtualClock::starting_now(), answers());
    for (request, kept) in requests.iter().zip([true, true, false]) {
        for name in ["authorization", "cookie", "x-api-key"] {
            assert_eq!(request.headers.contains_key(name), kept, "{name} at {}", request.uri);
        }
        assert!(request.headers.contains_key("x-other"));
        assert_eq!((request.uri.username(), request.uri.password()), ("", None));
    }
    assert_eq!(requests[0].headers["authorization"], "Basic dXNlcjpwYXNz");
    // Coming back does not bring them back: the other origin chose the way.
    let back = vec![to(302, "http://other.test/"), to(302, "http://api.test/"), Ok(response(200, &[], ""))];
    let (_, requests) = play(secret(), &VirtualClock::starting_now(), back);
    assert!(!requests[2].headers.contains_key("authorization"));
    // The retry is the call's own request again.
    let retried = vec![to(302, "http://other.test/"), Ok(response(500, &[], "")), Ok(response(200, &[], ""))];
    let (_, requests) = play(secret(), &VirtualClock::starting_now(), retried);
    assert!(requests[2].headers.contains_key("authorization"));
}

#[test]
fn what_must_not_be_followed_fails_once() {
    for (from, location, hops) in [
        ("http://api.test/", "/again", 6),
        ("https://api.test/", "http://api.test/", 1),
        ("http://api.test/", "ftp://api.test/", 1),
        ("http://api.test/", "file:///etc/passwd", 1),
    ] {
        let answers = (0..hops).map(|_| to(302, location)).collect();
        let (ended, requests) = play(get(from, &options()), &VirtualClock::starting_now(), answers);
        assert_eq!(requests.len(), hops, "{location}");
        assert_eq!(reasons(&ended.attempts), [Reason::NotRetryable]);
        let failed = failure(ended);
        assert_eq!((failed.kind, failed.permanent), (FailureKind::Redirect, true), "{location}");
    }
}

#[test]
fn a_3xx_that_leads_nowhere_is_an_answer() {
    for (status, headers) in [
        (302, &[][..]),
        (302, &[("location", "")]),
        (302, &[("location", "http://")]),
        (304, &[("location", "/b")]),
        (300, &[("location", "/b")]),
    ] {
        let answers = vec![Ok(response(status, headers, "moved"))];
        let (ended, _) = play(get("http://api.test/a", &options()), &VirtualClock::starting_now(), answers);
        let answer = answer(ended);
        assert_eq!((answer.status, answer.body.to_vec().as_slice()), (status, &b"moved"[..]));
    }
    let none = Options { max_redirects: 0, ..options() };
    let (ended, _) =
        play(get("http://api.test/a", &none), &VirtualClock::starting_now(), vec![to(302, "/b")]);
    assert_eq!(answer(ended).status, 302);
}
