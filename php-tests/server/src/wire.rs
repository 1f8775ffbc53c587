//! A byte stream with a TCP socket underneath, plain or TLS, and who is at its other end.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use serde::Serialize;
use socket2::SockRef;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;

use crate::stats::Counts;

pub trait Wire: AsyncRead + AsyncWrite + Unpin + Send + 'static {
    fn tcp(&self) -> &TcpStream;

    /// From now on closing the socket sends RST.
    fn arm_reset(&self) {
        // It fails only on a socket that is gone already, which is what was wanted.
        let _ = SockRef::from(self.tcp()).set_linger(Some(Duration::ZERO));
    }
}

impl Wire for TcpStream {
    fn tcp(&self) -> &TcpStream {
        self
    }
}

impl Wire for TlsStream<TcpStream> {
    fn tcp(&self) -> &TcpStream {
        self.get_ref().0
    }
}

/// What a connection is, for the log and for echo.
#[derive(Debug)]
pub struct ConnInfo {
    pub id: u64,
    pub listener: &'static str,
    pub peer: SocketAddr,
    pub tls: Option<TlsInfo>,
    pub counts: Arc<Counts>,
    /// Requests so far on this connection.
    pub requests: AtomicU64,
}

#[derive(Clone, Debug, Serialize)]
pub struct TlsInfo {
    pub version: String,
    pub cipher: String,
    pub alpn: Option<String>,
    pub sni: Option<String>,
    /// SHA-256 of the client certificate's DER form, in hex.
    pub client_cert_sha256: Option<String>,
}
