//! Pools are kept apart by everything that carries identity, sixteen at most.

use std::{fs, path::PathBuf};

use client::{Hosts, HttpVersion, ProxyChoice, Route, Tls, runtime};
use policy::Options;
use test_server::{TestServer, json};

use crate::support::{
    ends::answer,
    get, options, route, send,
    servers::{connections, count, distinct, over, trusting, until},
};

/// One call over the route; the connection it came on.
fn connection(server: &TestServer, route: Route, options: &Options) -> u64 {
    answer(send(over(get(&format!("{}/a", server.http()), options), route)));
    *connections(server, "a").last().unwrap()
}

#[test]
fn what_carries_identity_parts() {
    let server = TestServer::start();
    server.script("a", json!([{}]));
    let with_tls = |tls| Route { tls, ..route() };
    let mut hosts = Hosts::default();
    hosts.insert(b"a.test", b"127.0.0.1").unwrap();
    let routes = [
        route(),
        with_tls(Tls { verify: false, ..Tls::default() }),
        trusting(&server),
        Route { hosts, ..route() },
        Route { http_version: HttpVersion::Http11, ..route() },
        with_tls(Tls {
            cert: Some(server.client_cert_file().to_owned()),
            key: Some(server.client_key_file().to_owned()),
            ..Tls::default()
        }),
    ];
    let first: Vec<u64> = routes.iter().map(|route| connection(&server, route.clone(), &options())).collect();
    let second: Vec<u64> =
        routes.iter().map(|route| connection(&server, route.clone(), &options())).collect();
    assert_eq!(distinct(first.clone()), routes.len());
    assert_eq!(first, second);
}

#[test]
fn what_does_not_joins() {
    let server = TestServer::start();
    server.script("a", json!([{}]));
    let first = connection(&server, route(), &options());
    for other in [
        Options { connect_timeout: 1.0, ..options() },
        Options { max_redirects: 0, ..options() },
        Options { timeout: 5.0, idle_timeout: Some(1.0), max_attempts: 1, ..options() },
    ] {
        assert_eq!(connection(&server, route(), &other), first);
    }
    let undecoded = Route { decode: false, ..route() };
    assert_eq!(connection(&server, undecoded, &options()), first);
    let from_nothing = Route { proxy: ProxyChoice::Environment, ..route() };
    if ["http_proxy", "all_proxy", "ALL_PROXY"].iter().all(|name| std::env::var_os(name).is_none()) {
        assert_eq!(connection(&server, from_nothing, &options()), first);
    }
}

#[test]
fn the_seventeenth_pool_drops_the_one_used_longest_ago() {
    runtime::shut_down();
    let server = TestServer::start();
    server.script("a", json!([{}]));
    let folder = tempfile::tempdir().unwrap();
    // The same authority under many names: each file is a route of its own.
    let routes: Vec<Route> = (0..17)
        .map(|n| {
            let file: PathBuf = folder.path().join(format!("{n}.pem"));
            fs::write(&file, server.ca_pem()).unwrap();
            Route { tls: Tls { ca_file: Some(file), ..Tls::default() }, ..route() }
        })
        .collect();
    let use_it = |n: usize| connection(&server, routes[n].clone(), &options());
    let first: Vec<u64> = (0..16).map(use_it).collect();
    assert_eq!(distinct(first.clone()), 16);
    assert_eq!(use_it(0), first[0]);
    assert_eq!(count(&server, "http", "open"), 16);
    // The first was used again, so the second goes.
    use_it(16);
    until("the end of the second", || count(&server, "http", "open") == 16);
    assert_eq!(use_it(0), first[0]);
    let kept: Vec<u64> = (2..16).map(use_it).collect();
    assert_eq!(kept, first[2..]);
    assert_ne!(use_it(1), first[1]);
}

#[test]
fn a_pool_that_is_dropped_under_a_call_lets_it_finish() {
    runtime::shut_down();
    let server = TestServer::start();
    server.script("held", json!([{"body_repeat": ["x", 5_000_000]}]));
    server.script("a", json!([{}]));
    let mut asked = get(&format!("{}/held", server.http()), &options());
    asked.sink = client::Sink::Stream { rewindable: false };
    let id = runtime::begin(asked);
    let mut written = 0;
    let mut parked = true;
    let ended = crate::support::drive_to_end(id, |step| {
        let client::Step::SinkWrite(chunk) = step else { panic!("{step:?}") };
        written += chunk.len();
        if std::mem::take(&mut parked) {
            let folder = tempfile::tempdir().unwrap();
            for n in 0..17 {
                let file = folder.path().join(format!("{n}.pem"));
                fs::write(&file, server.ca_pem()).unwrap();
                let tls = Tls { ca_file: Some(file), ..Tls::default() };
                connection(&server, Route { tls, ..route() }, &options());
            }
        }
        runtime::answer_sink(id, Ok(()));
    });
    assert_eq!(answer(ended).status, 200);
    assert_eq!(written, 5_000_000);
}
