//! Why the server could not start. Once it runs, a connection's trouble ends that connection and nothing else.

use std::io;
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("certificates: {0}")]
    Certificate(#[from] rcgen::Error),
    #[error("private key: {0}")]
    Key(String),
    #[error("TLS: {0}")]
    Tls(#[from] tokio_rustls::rustls::Error),
    #[error("client certificates: {0}")]
    ClientVerifier(#[from] tokio_rustls::rustls::server::VerifierBuilderError),
    #[error("{}: {source}", path.display())]
    File { path: PathBuf, source: io::Error },
    #[error("listen: {0}")]
    Listen(#[source] io::Error),
    #[error("runtime: {0}")]
    Runtime(#[source] io::Error),
    #[error("{0}")]
    Usage(String),
}
