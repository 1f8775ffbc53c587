//! The TLS listeners, seen by a rustls client.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "test code")]

mod common;

use std::fs;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;
use test_server::{Options, TestServer, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

async fn connect(
    server: &TestServer,
    listener: &str,
    client: Option<(&str, &str)>,
) -> io::Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(server.ca_pem().as_bytes()).unwrap()).unwrap();
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots);
    let config = match client {
        None => builder.with_no_client_auth(),
        Some((cert, key)) => {
            let cert = CertificateDer::from_pem_file(server.url(cert)).unwrap();
            let key = PrivateKeyDer::from_pem_file(server.url(key)).unwrap();
            builder.with_client_auth_cert(vec![cert], key).unwrap()
        }
    };
    let port = server.url(listener).rsplit_once(':').unwrap().1.parse().unwrap();
    let tcp = TcpStream::connect(("127.0.0.1", port)).await?;
    let name = ServerName::try_from("localhost").unwrap();
    TlsConnector::from(Arc::new(config)).connect(name, tcp).await
}

async fn echo(mut stream: TlsStream<TcpStream>) -> io::Result<Value> {
    stream.write_all(b"GET /echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").await?;
    let mut all = Vec::new();
    stream.read_to_end(&mut all).await?;
    let text = String::from_utf8(all).unwrap();
    Ok(serde_json::from_str(text.split_once("\r\n\r\n").unwrap().1).unwrap())
}

#[tokio::test]
async fn good_certificates_are_accepted() {
    let server = TestServer::start();
    let told = echo(connect(&server, "https", None).await.unwrap()).await.unwrap();
    assert_eq!((&told["tls"]["version"], &told["tls"]["sni"]), (&json!("TLSv1_3"), &json!("localhost")));
    let told = echo(connect(&server, "tls12", None).await.unwrap()).await.unwrap();
    assert_eq!(told["tls"]["version"], "TLSv1_2");
    assert_eq!(server.stats()["listeners"]["https"]["tls_handshakes"], 1);
}

#[tokio::test]
async fn bad_certificates_are_refused_each_for_its_reason() {
    let server = TestServer::start();
    let cases = [
        ("untrusted", "UnknownIssuer"),
        ("self_signed", ""),
        ("expired", "expired"),
        ("wrong_host", "not valid for name"),
    ];
    for (listener, reason) in cases {
        let error = connect(&server, listener, None).await.unwrap_err().to_string();
        assert!(error.contains("certificate") && error.contains(reason), "{listener}: {error}");
    }
}

#[tokio::test]
async fn mutual_tls_wants_the_right_client() {
    let server = TestServer::start();
    let told = echo(connect(&server, "mtls", Some(("cert", "key"))).await.unwrap()).await.unwrap();
    assert!(told["tls"]["client_cert_sha256"].is_string());
    for client in [None, Some(("other_cert", "other_key"))] {
        // With TLS 1.3 the client learns of the refusal when it reads.
        let result = match connect(&server, "mtls", client).await {
            Ok(stream) => echo(stream).await.map(|_| ()),
            Err(e) => Err(e),
        };
        assert!(result.is_err());
    }
}

#[tokio::test]
async fn slow_silent_and_garbled_handshakes() {
    let server =
        TestServer::with(Options { tls_delay: Duration::from_millis(150), ..Options::default() }).unwrap();
    let start = Instant::now();
    connect(&server, "tls_slow", None).await.unwrap();
    assert!(start.elapsed() >= Duration::from_millis(150));
    let stalled = tokio::time::timeout(Duration::from_millis(100), connect(&server, "tls_stall", None)).await;
    assert!(stalled.is_err());
    assert!(connect(&server, "tls_garbage", None).await.is_err());
}

#[tokio::test]
async fn ends_in_order_and_cut_differ() {
    let server = TestServer::start();
    for (end, kind) in [
        ("close", None),
        ("cut", Some(io::ErrorKind::UnexpectedEof)),
        ("reset", Some(io::ErrorKind::ConnectionReset)),
    ] {
        server.script("a", json!({"action": "half", "body": "0123456789", "end": end}));
        let mut stream = connect(&server, "https", None).await.unwrap();
        stream.write_all(b"GET /a HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
        let mut all = Vec::new();
        let result = stream.read_to_end(&mut all).await;
        assert_eq!(result.err().map(|e| e.kind()), kind, "{end}");
        assert!(all.ends_with(b"\r\n\r\n01234"), "{end}");
    }
}

#[test]
fn the_files_go_with_the_server() {
    let server = TestServer::start();
    let ca = server.ca_file().to_owned();
    assert_eq!(fs::read_to_string(&ca).unwrap(), server.ca_pem());
    for file in ["cert", "key", "cert_and_key", "other_cert", "other_key", "server_cert", "server_key"] {
        assert!(fs::read_to_string(server.url(file)).unwrap().starts_with("-----BEGIN"), "{file}");
    }
    drop(server);
    assert!(!ca.exists());
}
