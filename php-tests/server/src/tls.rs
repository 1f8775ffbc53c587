//! The TLS configurations of the listeners, and what a finished handshake says about the client.

use std::sync::Arc;

use sha2::{Digest, Sha256};
use tokio::net::TcpStream;
use tokio_rustls::rustls::crypto::{CryptoProvider, ring};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::version::{TLS12, TLS13};
use tokio_rustls::rustls::{RootCertStore, ServerConfig, SupportedProtocolVersion};
use tokio_rustls::server::TlsStream;

use crate::certs::{Certs, Identity};
use crate::error::StartError;
use crate::request::{hex, latin1};
use crate::wire::TlsInfo;

const BOTH: &[&SupportedProtocolVersion] = &[&TLS13, &TLS12];

/// What a TLS listener offers.
#[derive(Clone, Copy, Debug)]
pub struct Offer {
    pub alpn: &'static [&'static str],
    pub versions: &'static [&'static SupportedProtocolVersion],
    pub client_certificate: bool,
}

pub const HTTP1: Offer = Offer { alpn: &["http/1.1"], versions: BOTH, client_certificate: false };
pub const HTTP2: Offer = Offer { alpn: &["h2", "http/1.1"], ..HTTP1 };
pub const MUTUAL: Offer = Offer { client_certificate: true, ..HTTP1 };
pub const ONLY_TLS12: Offer = Offer { versions: &[&TLS12], ..HTTP1 };

pub fn config(certs: &Certs, identity: &Identity, offer: Offer) -> Result<Arc<ServerConfig>, StartError> {
    // Named, not the process's default: in a Rust test the client may have installed another one.
    let provider: Arc<CryptoProvider> = Arc::new(ring::default_provider());
    let builder =
        ServerConfig::builder_with_provider(Arc::clone(&provider)).with_protocol_versions(offer.versions)?;
    let builder = if offer.client_certificate {
        let mut roots = RootCertStore::empty();
        roots.add(certs.ca.clone())?;
        builder.with_client_cert_verifier(
            WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build()?,
        )
    } else {
        builder.with_no_client_auth()
    };
    let mut config = builder.with_single_cert(identity.chain.clone(), identity.key.clone_key())?;
    config.alpn_protocols = offer.alpn.iter().map(|p| p.as_bytes().to_vec()).collect();
    Ok(Arc::new(config))
}

#[must_use]
pub fn info(stream: &TlsStream<TcpStream>) -> TlsInfo {
    let (_, session) = stream.get_ref();
    let named = |value: Option<String>| value.unwrap_or_else(|| "unknown".into());
    TlsInfo {
        version: named(session.protocol_version().and_then(|v| v.as_str().map(str::to_owned))),
        cipher: named(session.negotiated_cipher_suite().map(|c| format!("{:?}", c.suite()))),
        alpn: session.alpn_protocol().map(latin1),
        sni: session.server_name().map(str::to_owned),
        client_cert_sha256: session
            .peer_certificates()
            .and_then(|chain| chain.first())
            .map(|cert| hex(&Sha256::digest(cert.as_ref()))),
    }
}
