//! Certificates: whom to trust, who we are, and failures that no repetition mends.

use std::fs;

use client::{Call, Ended, ProxyChoice, Route, Tls};
use policy::{FailureKind, Options, Reason};
use test_server::{TestServer, json};

use crate::support::{
    ends::{answer, failure},
    get, options, quick, reasons, route, send,
    servers::{count, over, trust, trusting},
};

fn with(tls: Tls) -> Route {
    Route { tls, ..route() }
}

fn call(server: &TestServer, listener: &str, tls: Tls) -> Call {
    over(get(&format!("{}/a", server.url(listener)), &quick(0.01)), with(tls))
}

#[track_caller]
fn is_refused_once(what: &str, ended: Ended) {
    assert_eq!(reasons(&ended.attempts), [Reason::NotRetryable], "{what}");
    let failed = failure(ended);
    assert_eq!((failed.kind, failed.permanent), (FailureKind::Tls, true), "{what}: {}", failed.message);
}

#[test]
fn a_wrong_certificate_is_refused_once_and_nothing_is_sent() {
    let server = TestServer::start();
    server.script("a", json!([{}]));
    for listener in ["untrusted", "self_signed", "expired", "wrong_host"] {
        let ended = send(call(&server, listener, trust(&server)));
        is_refused_once(listener, ended);
        assert_eq!(count(&server, listener, "accepted"), 1, "{listener}");
    }
    // Without the authority's file nobody here knows it.
    is_refused_once("unknown", send(call(&server, "https", Tls::default())));
    assert!(server.log("a").is_empty());
}

#[test]
fn without_verification_all_of_them_are_taken() {
    let server = TestServer::start();
    server.script("a", json!([{}]));
    for listener in ["https", "untrusted", "self_signed", "expired", "wrong_host", "tls12", "h2"] {
        let tls = Tls { verify: false, ..Tls::default() };
        assert_eq!(answer(send(call(&server, listener, tls))).status, 200, "{listener}");
    }
}

#[test]
fn both_versions_of_tls_are_spoken() {
    let server = TestServer::start();
    for (listener, version) in [("https", "TLSv1_3"), ("tls12", "TLSv1_2")] {
        let asked = over(get(&format!("{}/echo", server.url(listener)), &options()), trusting(&server));
        let body = answer(send(asked)).body.to_vec();
        assert!(String::from_utf8_lossy(&body).contains(version), "{listener}");
    }
}

#[test]
fn the_host_is_verified_for_addresses_too() {
    let server = TestServer::start();
    server.script("a", json!([{}]));
    for (host, good) in [("localhost", true), ("127.0.0.1", true), ("[::1]", true), ("127.0.0.2", false)] {
        let url = server.https().replacen("localhost", host, 1);
        let ended = send(over(get(&format!("{url}/a"), &quick(0.01)), trusting(&server)));
        if good {
            assert_eq!(answer(ended).status, 200, "{host}");
        } else if ended.attempts.len() == 1 {
            is_refused_once(host, ended);
        } else {
            // The server listens on 127.0.0.1 alone.
            assert_eq!(failure(ended).kind, FailureKind::Connect, "{host}");
        }
    }
}

#[test]
fn a_client_certificate_is_shown_when_asked_for() {
    let server = TestServer::start();
    server.script("a", json!([{}]));
    let identity = |cert: &str, key: Option<&str>| Tls {
        cert: Some(server.url(cert).into()),
        key: key.map(|key| server.url(key).into()),
        ..trust(&server)
    };
    for tls in [identity("cert", Some("key")), identity("cert_and_key", None)] {
        assert_eq!(answer(send(call(&server, "mtls", tls))).status, 200);
    }
    assert_eq!(server.log("a").len(), 2);
    is_refused_once("none", send(call(&server, "mtls", trust(&server))));
    is_refused_once("another's", send(call(&server, "mtls", identity("other_cert", Some("other_key")))));
    assert_eq!(server.log("a").len(), 2);
}

#[test]
fn a_handshake_that_breaks_is_unsent_and_tried_again() {
    let server = TestServer::start();
    let two = Options { max_attempts: 2, ..quick(0.01) };
    let ended = send(over(get(server.url("tls_garbage"), &two), trusting(&server)));
    assert_eq!(reasons(&ended.attempts), [Reason::Network, Reason::AttemptsExhausted]);
    let failed = failure(ended);
    assert_eq!((failed.kind, failed.unsent, failed.permanent), (FailureKind::Tls, true, false));
    // Plain HTTP on the other side is no TLS either.
    let plain = server.http().replacen("http://", "https://", 1);
    let ended = send(over(get(&plain, &two), trusting(&server)));
    assert_eq!(ended.attempts.len(), 2);
    assert!(failure(ended).unsent);
    // A server that takes its time is none that breaks.
    let slow = send(over(get(&format!("{}/json", server.url("tls_slow")), &two), trusting(&server)));
    assert_eq!(answer(slow).status, 200);
}

#[test]
fn files_are_checked_before_anything_is_sent() {
    let server = TestServer::start();
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty.pem");
    fs::write(&empty, "no certificate\n").unwrap();
    let gone = folder.path().join("gone.pem");
    let (cert, key) = (server.client_cert_file().to_owned(), server.client_key_file().to_owned());
    let ok = Tls::default();
    for (tls, option) in [
        (Tls { ca_file: Some(gone.clone()), ..ok.clone() }, "verify"),
        (Tls { ca_file: Some(empty.clone()), ..ok.clone() }, "verify"),
        (Tls { ca_file: Some(key.clone()), ..ok.clone() }, "verify"),
        (Tls { cert: Some(gone.clone()), ..ok.clone() }, "cert"),
        (Tls { cert: Some(empty.clone()), ..ok.clone() }, "cert"),
        (Tls { cert: Some(cert.clone()), ..ok.clone() }, "cert"),
        (Tls { cert: Some(cert.clone()), key: Some(gone.clone()), ..ok.clone() }, "key"),
        (Tls { cert: Some(cert.clone()), key: Some(cert.clone()), ..ok.clone() }, "key"),
        (Tls { cert: Some(cert.clone()), key: Some(server.url("other_key").into()), ..ok.clone() }, "cert"),
        (Tls { key: Some(key.clone()), ..ok.clone() }, "key"),
    ] {
        let error = with(tls.clone()).check().unwrap_err();
        assert_eq!(error.option, option, "{tls:?}: {error}");
        assert!(error.rule.starts_with("must "), "{error}");
        // A file may vanish between the check and the send.
        is_refused_once("vanished", send(call(&server, "https", tls)));
    }
    with(Tls { cert: Some(cert), key: Some(key), ..trust(&server) }).check().unwrap();
    route().check().unwrap();
    let nonsense = Route { proxy: ProxyChoice::Url("ftp://user:secret@h".into()), ..route() };
    let error = nonsense.check().unwrap_err();
    assert_eq!(error.option, "proxy");
    assert!(!error.to_string().contains("secret"));
    assert!(!format!("{nonsense:?}").contains("secret"));
}

#[test]
fn a_file_is_checked_again_when_it_has_changed() {
    let server = TestServer::start();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ca.pem");
    fs::write(&file, server.ca_pem()).unwrap();
    let route = with(Tls { ca_file: Some(file.clone()), ..Tls::default() });
    assert_eq!(route.check(), Ok(()));
    assert_eq!(route.check(), Ok(()));
    fs::write(&file, "no certificate").unwrap();
    assert_eq!(route.check().unwrap_err().option, "verify");
    fs::remove_file(&file).unwrap();
    assert_eq!(route.check().unwrap_err().option, "verify");
}
