//! Redirects over real connections.

use http::Method;
use policy::{FailureKind, Options, Reason};
use test_server::{TestServer, json};

use crate::support::{
    call,
    ends::{answer, failure},
    get, options, post, quick, reasons, send,
    servers::{connections, distinct, header, over, trusting},
    with_header,
};

#[test]
fn hops_share_a_connection_and_are_one_attempt() {
    let server = TestServer::start();
    // An empty body, one that fits into the packet of its head, one in chunks.
    for (n, body) in
        [json!({}), json!({"body": "moved"}), json!({"body": "moved", "chunked": true})].iter().enumerate()
    {
        let (a, b) = (format!("a{n}"), format!("b{n}"));
        let mut hop = json!({"action": "redirect", "location": format!("/{b}")});
        hop.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
        server.script(&a, json!([hop]));
        server.script(&b, json!([{"body": "here"}]));
        let ended = send(get(&format!("{}/{a}", server.http()), &options()));
        assert_eq!(reasons(&ended.attempts), [Reason::Answered]);
        let answer = answer(ended);
        assert_eq!(
            (answer.body.to_vec().as_slice(), answer.uri.path()),
            (&b"here"[..], format!("/{b}").as_str())
        );
        assert_eq!(connections(&server, &a), connections(&server, &b), "{body}");
    }
}

#[test]
fn a_hop_with_an_endless_body_is_not_waited_for() {
    let server = TestServer::start();
    server.script("a", json!([{"action": "endless", "status": 302, "headers": [["Location", "/b"]]}]));
    server.script("b", json!([{"body": "here"}]));
    let ended = send(get(&format!("{}/a", server.http()), &options()));
    assert!(ended.elapsed.as_millis() < 1000, "{ended:?}");
    assert_eq!(answer(ended).body, "here");
    assert_ne!(connections(&server, "a"), connections(&server, "b"));
}

#[test]
fn methods_and_bodies_over_the_wire() {
    let server = TestServer::start();
    for (status, method, length) in
        [(301, "GET", 0), (302, "GET", 0), (303, "GET", 0), (307, "POST", 4), (308, "POST", 4)]
    {
        server.script("from", json!([{"action": "redirect", "status": status, "location": "/to"}]));
        server.script("to", json!([{}]));
        let posted = post(&format!("{}/from", server.http()), "sent", &options());
        assert_eq!(answer(send(with_header(posted, "content-type", "text/plain"))).status, 200);
        let log = server.log("to");
        assert_eq!((log[0].method.as_str(), log[0].body_length), (method, length), "{status}");
        assert_eq!(header(&log[0], "Content-Type").is_some(), length > 0, "{status}");
    }
}

#[test]
fn credentials_do_not_reach_another_origin() {
    let server = TestServer::start();
    // The same machine by another name is another origin.
    let elsewhere = server.http().replacen("127.0.0.1", "localhost", 1);
    server.script("here", json!([{"action": "redirect", "location": "/same"}]));
    server.script("same", json!([{"action": "redirect", "location": format!("{elsewhere}/there")}]));
    server.script("there", json!([{}]));
    let url = server.http().replacen("http://", "http://user:pass@", 1);
    let asked = with_header(get(&format!("{url}/here"), &options()), "cookie", "c=1");
    assert_eq!(answer(send(with_header(asked, "x-other", "o"))).status, 200);
    for (name, kept) in [("here", true), ("same", true), ("there", false)] {
        let log = server.log(name);
        let entry = &log[0];
        assert_eq!(header(entry, "Authorization"), kept.then_some("Basic dXNlcjpwYXNz"), "{name}");
        assert_eq!(header(entry, "Cookie").is_some(), kept, "{name}");
        assert_eq!(header(entry, "X-Other"), Some("o"), "{name}");
        assert!(!entry.target.contains('@'), "{name}");
        assert_eq!(header(entry, "Referer"), None, "{name}");
    }
    let authority = elsewhere.strip_prefix("http://");
    assert_eq!(server.log("there")[0].authority.as_deref(), authority);
}

#[test]
fn from_http_to_https_but_not_back() {
    let server = TestServer::start();
    server.script("up", json!([{"action": "redirect", "location": format!("{}/json", server.https())}]));
    let up = over(get(&format!("{}/up", server.http()), &options()), trusting(&server));
    let answer = answer(send(up));
    assert_eq!((answer.status, answer.uri.scheme()), (200, "https"));

    server.script("down", json!([{"action": "redirect", "location": format!("{}/down-to", server.http())}]));
    server.script("down-to", json!([{}]));
    let down = over(get(&format!("{}/down", server.https()), &options()), trusting(&server));
    let ended = send(down);
    assert_eq!(reasons(&ended.attempts), [Reason::NotRetryable]);
    assert_eq!(failure(ended).kind, FailureKind::Redirect);
    assert!(server.log("down-to").is_empty());
}

#[test]
fn too_many_end_the_call_at_once() {
    let server = TestServer::start();
    server.script("loop", json!([{"action": "redirect", "location": "/loop"}]));
    let ended = send(get(&format!("{}/loop", server.http()), &Options { max_redirects: 3, ..options() }));
    assert_eq!(reasons(&ended.attempts), [Reason::NotRetryable]);
    assert_eq!(failure(ended).kind, FailureKind::Redirect);
    assert_eq!(server.log("loop").len(), 4);
    assert_eq!(distinct(connections(&server, "loop")), 1);
}

#[test]
fn a_hop_that_fails_is_retried_from_the_start() {
    let server = TestServer::start();
    server.script("a", json!([{"action": "redirect", "location": "/b"}]));
    server.script("b", json!([{"action": "reset"}, {"status": 503}, {"body": "here"}]));
    let ended = send(get(&format!("{}/a", server.http()), &quick(0.01)));
    assert_eq!(reasons(&ended.attempts), [Reason::Network, Reason::Backoff, Reason::Answered]);
    assert_eq!((server.log("a").len(), server.log("b").len()), (3, 3));
    assert_eq!(answer(ended).body, "here");
}

#[test]
fn a_head_stays_a_head() {
    let server = TestServer::start();
    server.script("a", json!([{"action": "redirect", "status": 303, "location": "/b"}]));
    server.script("b", json!([{"body": "unseen"}]));
    let answer = answer(send(call(Method::HEAD, &format!("{}/a", server.http()), &options())));
    assert_eq!((answer.status, answer.body.len()), (200, 0));
    assert_eq!(server.log("b")[0].method, "HEAD");
}
