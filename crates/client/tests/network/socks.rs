//! SOCKS5 proxies (RFC 1928), by a small one of the test's own.

use std::{
    io::{Read, Write},
    net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream},
    thread,
};

use client::{Hosts, ProxyChoice, Route};
use policy::{FailureKind, Options, Reason};
use test_server::{TestServer, json};

use crate::support::{
    ends::{answer, failure},
    options, post, quick, reasons, send,
    servers::{connections, over, trusting},
};

/// Serves connections without authentication until the process ends; refuses them if `refusal` says how.
fn socks(refusal: Option<u8>) -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for client in listener.incoming().flatten() {
            thread::spawn(move || serve(client, refusal));
        }
    });
    address
}

fn serve(mut client: TcpStream, refusal: Option<u8>) -> Option<()> {
    let mut take = |length: usize| {
        let mut bytes = vec![0; length];
        client.read_exact(&mut bytes).ok().map(|()| bytes)
    };
    let methods = take(2)?[1];
    take(methods.into())?;
    client.write_all(&[5, 0]).ok()?;
    let mut take = |length: usize| {
        let mut bytes = vec![0; length];
        client.read_exact(&mut bytes).ok().map(|()| bytes)
    };
    // Version, CONNECT, reserved, and the kind of address: IPv4 or a name, which is always the loopback here.
    match take(4)?[3] {
        1 => drop(take(4)?),
        3 => {
            let length = take(1)?[0];
            take(length.into())?;
        }
        kind => panic!("an address of kind {kind}"),
    }
    let port = u16::from_be_bytes(take(2)?.try_into().ok()?);
    client.write_all(&[5, refusal.unwrap_or(0), 0, 1, 0, 0, 0, 0, 0, 0]).ok()?;
    if refusal.is_some() {
        return None;
    }
    let server = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).ok()?;
    let (mut from, mut to) = (client.try_clone().ok()?, server.try_clone().ok()?);
    thread::spawn(move || copy(&mut from, &mut to));
    copy(&mut server.try_clone().ok()?, &mut client);
    Some(())
}

fn copy(from: &mut TcpStream, to: &mut TcpStream) {
    // The other side's end is this one's.
    let _ = std::io::copy(from, to);
    let _ = to.shutdown(Shutdown::Write);
}

fn through(
    server: &TestServer,
    scheme: &str,
    proxy: SocketAddr,
    base: &str,
    options: &Options,
) -> client::Call {
    let proxy = ProxyChoice::Url(format!("{scheme}://{proxy}"));
    over(post(&format!("{base}/a"), "x", options), Route { proxy, ..trusting(server) })
}

#[test]
fn both_schemes_carry_http_and_https() {
    let server = TestServer::start();
    server.script("a", json!([{"body": "here"}]));
    let proxy = socks(None);
    for scheme in ["socks5", "socks5h"] {
        for base in [server.http(), server.https(), server.h2()] {
            for _ in 0..2 {
                let asked = through(&server, scheme, proxy, base, &options());
                assert_eq!(answer(send(asked)).body, "here", "{scheme} {base}");
            }
        }
    }
    // Kept like any other connection.
    let used = connections(&server, "a");
    assert!(used.chunks(2).all(|pair| pair[0] == pair[1]), "{used:?}");
}

#[test]
fn what_it_refuses_is_unsent() {
    let server = TestServer::start();
    let two = Options { max_attempts: 2, ..quick(0.01) };
    // RFC 1928 section 6: general failure, not allowed, refused.
    for refusal in [1, 2, 5] {
        let ended = send(through(&server, "socks5h", socks(Some(refusal)), server.http(), &two));
        assert_eq!(reasons(&ended.attempts), [Reason::Network, Reason::AttemptsExhausted], "{refusal}");
        let failed = failure(ended);
        assert_eq!((failed.kind, failed.unsent), (FailureKind::Connect, true), "{}", failed.message);
    }
}

#[test]
fn only_socks5_has_hosts_looked_up_here() {
    let server = TestServer::start();
    server.script("a", json!([{"body": "here"}]));
    // The system's resolver fails without asking anybody.
    let nowhere = format!("{}.test", "a".repeat(64));
    let base = server.http().replace("127.0.0.1", &nowhere);
    let proxy = socks(None);
    let mut hosts = Hosts::default();
    hosts.insert(nowhere.as_bytes(), b"127.0.0.1").unwrap();
    let once = Options { max_attempts: 1, ..options() };
    let unknown = through(&server, "socks5", proxy, &base, &once);
    let known = over(unknown.clone(), Route { hosts, ..(*unknown.route).clone() });
    assert_eq!(answer(send(known)).body, "here");
    assert_eq!(failure(send(unknown)).kind, FailureKind::Dns);
    assert_eq!(answer(send(through(&server, "socks5h", proxy, &base, &once))).body, "here");
}
