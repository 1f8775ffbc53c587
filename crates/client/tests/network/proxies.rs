//! Proxies named by the caller: forwarded or tunnelled, with credentials that stay with them.

use client::{Call, ProxyChoice, Route, runtime};
use policy::{FailureKind, Options, Reason};
use test_server::{Entry, TestServer, json};

use crate::support::{
    ends::{answer, failure, over_budget},
    get, ms, options, post, quick, reasons, send,
    servers::{connections, distinct, header, over, trusting},
    with_header,
};

fn through(server: &TestServer, proxy: &str, call: Call) -> Call {
    over(call, Route { proxy: ProxyChoice::Url(proxy.to_owned()), ..trusting(server) })
}

fn with_user(proxy: &str, user: &str) -> String {
    proxy.replacen("http://", &format!("http://{user}@"), 1)
}

fn proxied(server: &TestServer) -> Vec<Entry> {
    server.log("_proxy")
}

fn notes(server: &TestServer) -> Vec<String> {
    proxied(server).into_iter().filter_map(|entry| entry.note).collect()
}

#[test]
fn http_is_forwarded_and_https_tunnelled() {
    let server = TestServer::start();
    server.script("a", json!([{"body": "here"}]));
    for base in [server.http(), server.https(), server.h2()] {
        let asked = through(&server, server.proxy(), post(&format!("{base}/a"), "x", &options()));
        assert_eq!(answer(send(asked)).body, "here", "{base}");
    }
    let log = proxied(&server);
    assert_eq!(notes(&server), ["forwarded", "tunnel", "tunnel"]);
    assert_eq!(log[0].target, format!("{}/a", server.http()));
    assert_eq!(Some(log[1].target.as_str()), server.https().strip_prefix("https://"));
    assert_eq!(server.log("a")[2].protocol, "HTTP/2");
}

#[test]
fn credentials_go_to_the_proxy_and_no_further() {
    let server = TestServer::start();
    server.script("a", json!([{}]));
    let proxy = with_user(server.proxy_auth(), "user:secret");
    for base in [server.http(), server.https()] {
        let asked = with_header(get(&format!("{base}/a"), &options()), "authorization", "Bearer mine");
        assert_eq!(answer(send(through(&server, &proxy, asked))).status, 200, "{base}");
    }
    let log = proxied(&server);
    assert!(log.iter().all(|entry| header(entry, "Proxy-Authorization") == Some("Basic dXNlcjpzZWNyZXQ=")));
    assert_eq!(header(&log[1], "Authorization"), None, "the tunnel's head is the proxy's to see");
    for entry in server.log("a") {
        assert_eq!(header(&entry, "Proxy-Authorization"), None);
        assert_eq!(header(&entry, "Authorization"), Some("Bearer mine"));
    }
}

#[test]
fn a_407_for_a_forwarded_request_is_an_answer() {
    let server = TestServer::start();
    for proxy in [server.proxy_auth().to_owned(), with_user(server.proxy_auth(), "user:wrong")] {
        let asked = through(&server, &proxy, get(&format!("{}/json", server.http()), &options()));
        let ended = send(asked);
        assert_eq!(reasons(&ended.attempts), [Reason::Answered]);
        assert_eq!(answer(ended).status, 407);
    }
    assert_eq!(notes(&server), ["auth_required", "auth_required"]);
}

#[test]
fn a_407_for_a_tunnel_costs_one_request() {
    let server = TestServer::start();
    let proxy = with_user(server.proxy_auth(), "user:wrong");
    let asked = through(&server, &proxy, get(&format!("{}/json", server.https()), &quick(0.01)));
    let ended = send(asked);
    assert_eq!(notes(&server), ["auth_required"]);
    let failed = failure(ended);
    assert_eq!((failed.kind, failed.unsent), (FailureKind::Connect, true), "{}", failed.message);
    assert!(!failed.message.contains("wrong"), "{}", failed.message);
}

#[test]
fn a_proxy_that_cannot_be_reached_is_unsent() {
    let server = TestServer::start();
    let two = Options { max_attempts: 2, ..quick(0.01) };
    for base in [server.http(), server.https()] {
        let refused = with_user(server.url("refused"), "user:secret");
        let ended = send(through(&server, &refused, post(&format!("{base}/json"), "x", &two)));
        assert_eq!(reasons(&ended.attempts), [Reason::Network, Reason::AttemptsExhausted]);
        let failed = failure(ended);
        assert_eq!((failed.kind, failed.unsent), (FailureKind::Connect, true), "{}", failed.message);
        assert!(!failed.message.contains("secret"), "{}", failed.message);
    }
}

#[test]
fn a_tunnel_that_does_not_come_about_is_unsent() {
    let server = TestServer::start();
    let two = Options { max_attempts: 2, ..quick(0.01) };
    for step in [
        json!({"status": 502}),
        json!({"action": "drop"}),
        json!({"action": "reset"}),
        json!({"action": "raw", "raw": "nonsense\r\n\r\n"}),
    ] {
        server.script("blocked.test", json!([step]));
        server.clear_log("_proxy");
        let ended = send(through(&server, server.proxy(), post("https://blocked.test/x", "x", &two)));
        assert_eq!(reasons(&ended.attempts), [Reason::Network, Reason::AttemptsExhausted], "{step}");
        assert_eq!(notes(&server), ["scripted", "scripted"], "{step}");
        let failed = failure(ended);
        assert!(failed.unsent, "{step}: {failed:?}");
    }
}

#[test]
fn a_tunnel_that_stalls_ends_at_the_connect_timeout_or_the_deadline() {
    let server = TestServer::start();
    server.script("blocked.test", json!([{"action": "stall"}]));
    let impatient = Options { connect_timeout: 0.2, max_attempts: 1, ..options() };
    let ended = send(through(&server, server.proxy(), post("https://blocked.test/x", "x", &impatient)));
    assert!(ended.elapsed >= ms(200) && ended.elapsed < ms(1200), "{ended:?}");
    let failed = failure(ended);
    assert_eq!((failed.kind, failed.unsent), (FailureKind::Timeout, true));

    let mut asked = through(&server, server.proxy(), post("https://blocked.test/x", "x", &options()));
    let start = runtime::now();
    asked.deadline = Some(start.after(ms(200)));
    let ended = send(asked);
    let took = runtime::now().since(start);
    assert!(took >= ms(200) && took < ms(700), "{took:?}");
    assert!(over_budget(ended).cut.is_some_and(|cut| cut.unsent));
}

#[test]
fn proxies_and_their_credentials_part_the_pools() {
    let server = TestServer::start();
    server.script("a", json!([{}]));
    let url = format!("{}/a", server.https());
    let (one, none) = (with_user(server.proxy(), "one:1"), server.proxy().to_owned());
    let two = with_user(server.proxy(), "two:2");
    for proxy in [&none, &one, &two, &none, &one, &two] {
        assert_eq!(answer(send(through(&server, proxy, get(&url, &options())))).status, 200);
    }
    assert_eq!(answer(send(over(get(&url, &options()), trusting(&server)))).status, 200);
    let used = connections(&server, "a");
    assert_eq!(distinct(used.clone()), 4);
    assert_eq!(used[..3], used[3..6]);
}

#[test]
fn a_proxy_over_tls() {
    let server = TestServer::start();
    server.script("a", json!([{"body": "here"}]));
    for base in [server.http(), server.https()] {
        let asked = through(&server, server.url("proxy_tls"), get(&format!("{base}/a"), &options()));
        assert_eq!(answer(send(asked)).body, "here", "{base}");
    }
    assert!(proxied(&server).iter().all(|entry| entry.listener == "proxy_tls"));
}

#[test]
fn each_hop_of_a_redirect_goes_through_it() {
    let server = TestServer::start();
    server.script("a", json!([{"action": "redirect", "location": format!("{}/b", server.https())}]));
    server.script("b", json!([{"body": "here"}]));
    let asked = through(&server, server.proxy(), get(&format!("{}/a", server.http()), &options()));
    assert_eq!(answer(send(asked)).body, "here");
    assert_eq!(notes(&server), ["forwarded", "tunnel"]);
}
