//! Proxies named by the environment, read anew at each call. A process of its own: the environment is
//! everybody's.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "test code")]

mod support;

use std::{
    env,
    sync::{Mutex, MutexGuard, PoisonError},
};

use client::{ProxyChoice, Route, runtime};
use policy::FailureKind;
use support::{
    ends::{answer, failure},
    get, options, quick, send,
    servers::{connections, header, over, trusting},
};
use test_server::{TestServer, json};

const NAMES: [&str; 8] = [
    "http_proxy",
    "HTTP_PROXY",
    "https_proxy",
    "HTTPS_PROXY",
    "all_proxy",
    "ALL_PROXY",
    "no_proxy",
    "NO_PROXY",
];

/// The tests of this file take turns.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    set(&[]);
    turn
}

/// The environment has these variables and no others that name proxies.
fn set(variables: &[(&str, &str)]) {
    // SAFETY: whoever reads or writes the environment in this process holds `turn`: the server's
    // threads and the resolver's do not ask for variables after their start.
    unsafe {
        NAMES.iter().for_each(|name| env::remove_var(name));
        variables.iter().for_each(|(name, value)| env::set_var(name, value));
    }
}

struct Case {
    server: TestServer,
    _turn: MutexGuard<'static, ()>,
}

impl Case {
    fn new() -> Self {
        let turn = turn();
        let server = TestServer::start();
        server.script("a", json!([{"body": "x"}]));
        Self { server, _turn: turn }
    }

    fn route(&self) -> Route {
        Route { proxy: ProxyChoice::Environment, ..trusting(&self.server) }
    }

    /// Whether a request went through a proxy, under these variables.
    #[track_caller]
    fn is_proxied(&self, base: &str, variables: &[(&str, &str)]) -> bool {
        set(variables);
        self.server.clear_log("_proxy");
        // A tunnel that is kept is not asked for again.
        runtime::shut_down();
        let ended = send(over(get(&format!("{base}/a"), &options()), self.route()));
        assert_eq!(answer(ended).body, "x", "{variables:?}");
        self.server.log("_proxy").len() == 1
    }
}

#[test]
fn which_variable_names_the_proxy() {
    let case = Case::new();
    let (proxy, http, https) = (case.server.proxy(), case.server.http(), case.server.https());
    let authority = proxy.strip_prefix("http://").unwrap();
    for (base, variables, proxied) in [
        (http, &[][..], false),
        (http, &[("http_proxy", proxy)], true),
        (http, &[("http_proxy", authority)], true),
        // Under CGI it is a request's header (https://httpoxy.org).
        (http, &[("HTTP_PROXY", proxy)], false),
        (http, &[("https_proxy", proxy)], false),
        (http, &[("HTTPS_PROXY", proxy)], false),
        (http, &[("all_proxy", proxy)], true),
        (http, &[("ALL_PROXY", proxy)], true),
        (http, &[("http_proxy", "")], false),
        (http, &[("http_proxy", ""), ("all_proxy", proxy)], true),
        (https, &[], false),
        (https, &[("http_proxy", proxy)], false),
        (https, &[("https_proxy", proxy)], true),
        (https, &[("HTTPS_PROXY", proxy)], true),
        (https, &[("all_proxy", proxy)], true),
        (https, &[("https_proxy", proxy), ("HTTPS_PROXY", "http://127.0.0.1:1")], true),
        (https, &[("https_proxy", proxy), ("all_proxy", "http://127.0.0.1:1")], true),
    ] {
        assert_eq!(case.is_proxied(base, variables), proxied, "{base} {variables:?}");
    }
}

#[test]
fn which_hosts_are_excluded() {
    let case = Case::new();
    let (proxy, http) = (case.server.proxy(), case.server.http());
    let local = http.replacen("127.0.0.1", "localhost", 1);
    for (base, variable, value, proxied) in [
        (http, "no_proxy", "127.0.0.1", false),
        (http, "NO_PROXY", "127.0.0.1", false),
        (http, "no_proxy", "example.com, 127.0.0.1", false),
        (http, "no_proxy", "127.0.0.0/8", false),
        (http, "no_proxy", "*", false),
        (http, "no_proxy", "localhost", true),
        (http, "no_proxy", "", true),
        (&local, "no_proxy", "localhost", false),
        (&local, "no_proxy", "127.0.0.1", true),
        (&local, "no_proxy", "host", true),
    ] {
        let variables = [("http_proxy", proxy), (variable, value)];
        assert_eq!(case.is_proxied(base, &variables), proxied, "{base} {variable}={value}");
    }
}

#[test]
fn each_call_reads_it_anew_and_a_proxied_connection_stays_apart() {
    let case = Case::new();
    for _ in 0..2 {
        for proxy in ["", case.server.proxy()] {
            set(&[("https_proxy", proxy)]);
            let asked = over(get(&format!("{}/a", case.server.https()), &options()), case.route());
            assert_eq!(answer(send(asked)).body, "x");
        }
    }
    assert_eq!(case.server.log("_proxy").len(), 1);
    let used = connections(&case.server, "a");
    assert_ne!(used[0], used[1]);
    assert_eq!(used[..2], used[2..4]);
}

#[test]
fn its_credentials_are_sent_and_told_to_nobody() {
    let case = Case::new();
    let with_user = |proxy: &str| proxy.replacen("http://", "http://user:secret@", 1);
    let proxy = with_user(case.server.proxy_auth());
    for base in [case.server.http(), case.server.https()] {
        assert!(case.is_proxied(base, &[("all_proxy", &proxy)]), "{base}");
        let log = case.server.log("_proxy");
        assert_eq!(header(&log[0], "Proxy-Authorization"), Some("Basic dXNlcjpzZWNyZXQ="));
    }
    set(&[("all_proxy", &with_user(case.server.url("refused")))]);
    let once = policy::Options { max_attempts: 1, ..quick(0.0) };
    let failed = failure(send(over(get(case.server.http(), &once), case.route())));
    assert_eq!(failed.kind, FailureKind::Connect);
    assert!(!failed.message.contains("secret"), "{}", failed.message);
}

#[test]
fn a_redirect_decides_for_its_own_host() {
    let case = Case::new();
    let local = case.server.http().replacen("127.0.0.1", "localhost", 1);
    case.server.script("hop", json!([{"action": "redirect", "location": format!("{local}/a")}]));
    for (excluded, count) in [("127.0.0.1", 1), ("localhost", 1), ("other", 2)] {
        set(&[("http_proxy", case.server.proxy()), ("no_proxy", excluded)]);
        case.server.clear_log("_proxy");
        let asked = over(get(&format!("{}/hop", case.server.http()), &options()), case.route());
        assert_eq!(answer(send(asked)).body, "x");
        assert_eq!(case.server.log("_proxy").len(), count, "{excluded}");
    }
}

#[test]
fn the_option_wins_over_the_environment() {
    let case = Case::new();
    set(&[("all_proxy", case.server.url("refused"))]);
    for proxy in [ProxyChoice::None, ProxyChoice::Url(case.server.proxy().to_owned())] {
        let route = Route { proxy, ..trusting(&case.server) };
        let asked = over(get(&format!("{}/a", case.server.http()), &options()), route);
        assert_eq!(answer(send(asked)).body, "x");
    }
    assert_eq!(case.server.log("_proxy").len(), 1);
}

#[test]
fn a_proxy_that_cannot_be_used_is_not_passed_by() {
    let case = Case::new();
    for unusable in ["ftp://secret:word@127.0.0.1:1", "http://", "quic://127.0.0.1"] {
        set(&[("http_proxy", unusable)]);
        let before = case.server.log("a").len();
        let call = get(&format!("{}/a", case.server.http()), &quick(0.01));
        let failed = failure(send(over(call, case.route())));
        assert_eq!((failed.kind, failed.permanent), (FailureKind::Connect, true), "{unusable}");
        assert!(failed.message.starts_with("The proxy that the environment names must be"), "{failed}");
        assert!(!failed.message.contains("secret"), "{failed}");
        assert_eq!(case.server.log("a").len(), before, "{unusable}");
    }
}
